//! Limits of SVG files, checked before reading: a hundred bytes of SVG can require unlimited time and memory.

use usvg::roxmltree::{Document, Node};

use crate::Problem;

/// The maximum number in a shape. The larger an arc, the more curves it becomes (svgtypes 0.16.2, path.rs);
/// beyond this number the conversion practically never ends.
const MAX_NUMBER: f64 = 1.0e9;

/// The attributes that define the geometry of shapes.
const GEOMETRY: [&str; 22] = [
    "d",
    "points",
    "x",
    "y",
    "width",
    "height",
    "r",
    "rx",
    "ry",
    "cx",
    "cy",
    "x1",
    "y1",
    "x2",
    "y2",
    "viewBox",
    "transform",
    "style",
    "stroke-width",
    "stroke-dasharray",
    "stroke-dashoffset",
    "fx",
];

/// Refuses numbers that are too large for any picture, and markers. Markers repeat shapes at every corner and
/// may themselves have markers.
pub fn check(document: &Document<'_>) -> Result<(), Problem> {
    for node in document.descendants().filter(Node::is_element) {
        if node.tag_name().name() == "marker" {
            let remedy = "remove the markers, or turn them into paths";
            return Err(error_at(
                document,
                node.range().start,
                "markers are not supported".to_owned(),
                remedy,
            ));
        }
        for attribute in node.attributes().filter(|attribute| GEOMETRY.contains(&attribute.name())) {
            if let Some(number) = numbers(attribute.value()).find(|number| number.abs() > MAX_NUMBER) {
                let detail = format!("`{}` has the number {number}", attribute.name());
                let remedy = "give numbers within 1e9 of 0";
                return Err(error_at(document, attribute.range().start, detail, remedy));
            }
        }
    }
    Ok(())
}

pub fn error_at(document: &Document<'_>, at: usize, detail: String, remedy: &'static str) -> Problem {
    let position = document.text_pos_at(at);
    Problem::Lines { at: Some((position.row as usize, position.col as usize)), detail, remedy }
}

/// All numbers in a text, whatever separates them.
fn numbers(text: &str) -> impl Iterator<Item = f64> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_ascii_digit())?;
        let length = length_of_number(&rest.as_bytes()[start..]);
        let number = rest[start..start + length].parse().unwrap_or(f64::INFINITY);
        rest = &rest[start + length..];
        Some(number)
    })
}

/// The length of the number at the start, without a sign: digits, a decimal point with digits, an exponent.
fn length_of_number(bytes: &[u8]) -> usize {
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits((length + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_between_any_separators() {
        let found = |text: &str| numbers(text).collect::<Vec<_>>();
        assert_eq!(found("M0 0A30 50 0 0 1 10 1e38Z"), [0.0, 0.0, 30.0, 50.0, 0.0, 0.0, 1.0, 10.0, 1e38]);
        assert_eq!(found("1-2.5e+1,.5em3e"), [1.0, 25.0, 5.0, 3.0]);
        assert_eq!(found(&"9".repeat(400)), [f64::INFINITY]);
        assert_eq!(found("7."), [7.0]);
        assert_eq!(found(""), [0.0; 0]);
    }
}
