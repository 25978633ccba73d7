//! Limits on lists in SVG files that other crates process in quadratic time: the attributes of an element,
//! and style rules.

use usvg::roxmltree::{Document, Node};

use super::svg_limits::error_at;
use crate::Problem;

/// The maximum number of attributes per element. Each attribute is compared with all previous ones (roxmltree
/// 0.21.2, parse.rs); drawings have a few dozen.
const MAX_ATTRIBUTES: usize = 256;

/// The maximum product of a style sheet's bytes and statements: for each statement, the parser may count its
/// position from the start of the sheet (simplecss 0.2.2, stream.rs). The limit allows a font of one megabyte
/// with a thousand rules. A sheet at the limit takes a second.
const MAX_STYLE: u64 = 2_000_000_000;

/// The maximum product of the number of statements in all style sheets and the number of elements, because
/// each element is compared with each rule (usvg 0.49.0): a thousand rules for a drawing of 100,000 shapes.
const MAX_MATCHES: u64 = 100_000_000;

/// Refuses elements with too many attributes, before the file is parsed.
///
/// An element's tag ends before the next `<`, which no value may contain, so tags are found without parsing.
/// Tags in comments and in the text of entities count, too.
pub fn check_attributes(text: &str) -> Result<(), Problem> {
    let mut start = 0;
    while let Some(found) = text[start..].find('<') {
        start += found;
        let tag = &text[start + 1..];
        let tag = tag.split_once('<').map_or(tag, |(tag, _)| tag);
        // Most tags are too short to have too many attributes.
        if tag.len() > MAX_ATTRIBUTES && !tag.starts_with(['!', '?', '/']) && attributes(tag) > MAX_ATTRIBUTES
        {
            let detail = format!("an element has more than {MAX_ATTRIBUTES} attributes");
            let remedy = "remove the attributes that do not belong to SVG";
            return Err(Problem::Lines { at: Some(position(text, start)), detail, remedy });
        }
        start += 1 + tag.len();
    }
    Ok(())
}

/// The number of equals signs outside quotes before the tag ends.
fn attributes(tag: &str) -> usize {
    let (mut quote, mut count) = (None, 0);
    for byte in tag.bytes() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => count += 1,
            (None, b'>') => break,
            (None, _) => {}
        }
    }
    count
}

/// The line and column of a byte, counted from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rsplit('\n').next().unwrap_or(before);
    (1 + before.bytes().filter(|byte| *byte == b'\n').count(), 1 + line.chars().count())
}

/// Refuses style sheets that take too long to read or to compare with all elements.
pub fn check_styles(document: &Document<'_>) -> Result<(), Problem> {
    let elements = document.descendants().filter(Node::is_element).count() as u64;
    let (mut all, mut read) = (0u64, 0u64);
    for style in document.descendants().filter(|node| node.tag_name().name() == "style") {
        let texts = style.descendants().filter_map(|node| node.text().filter(|_| node.is_text()));
        let (bytes, statements) = texts.fold((0, 1), |(bytes, statements), text| {
            let more = text.bytes().filter(|byte| matches!(byte, b'{' | b',' | b';')).count();
            (bytes + text.len() as u64, statements + more as u64)
        });
        all += statements;
        read = read.saturating_add(bytes.saturating_mul(statements));
        let remedy = "style shapes with attributes, or remove unused rules";
        let refused = |detail| Err(error_at(document, style.range().start, detail, remedy));
        if read > MAX_STYLE {
            return refused(format!(
                "the style sheet is too long: {bytes} bytes with {statements} rules and declarations"
            ));
        }
        if all.saturating_mul(elements) > MAX_MATCHES {
            return refused(format!(
                "there are too many style rules for {elements} elements: more than {}",
                all - 1
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::svg::parse;

    fn refused(text: &str) -> Option<(Option<(usize, usize)>, String)> {
        match parse(text.as_bytes()) {
            Ok(_) => None,
            Err(Problem::Lines { at, detail, .. }) => Some((at, detail)),
            Err(other) => panic!("{other:?}"),
        }
    }

    fn svg(body: &str) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">\n {body}</svg>")
    }

    /// 200,000 attributes of one element used to take 39 s.
    #[test]
    fn the_number_of_attributes_is_limited() {
        let path = |count: usize| {
            let more: String = (1..count).map(|i| format!(" a{i}='=>'")).collect();
            svg(&format!("<path d=\"M0 0L3 4\"{more}/>"))
        };
        assert_eq!(refused(&path(256)), None);
        let expected = Some((Some((2, 2)), "an element has more than 256 attributes".to_owned()));
        assert_eq!(refused(&path(257)), expected);
        assert_eq!(refused(&path(200_000)), expected);
        // In the quoted text of an entity.
        let hidden: String = (0..300).map(|i| format!(" a{i}=''")).collect();
        let entity =
            format!("<!DOCTYPE svg [<!ENTITY e \"<g{hidden}/>\">]>{}", svg("&e;<path d='M0 0L3 4'/>"));
        assert_eq!(refused(&entity).unwrap().0, Some((1, 28)));
        // Equals signs in values and texts are not attributes.
        let text = svg(&format!("<desc>{}</desc><path d='M0 0L3 4' id='{0}'/>", "=".repeat(999)));
        assert_eq!(refused(&text), None);
    }

    /// 40,000 rules used to take 11 s to read.
    #[test]
    fn styles_are_limited_by_length_and_by_elements() {
        let styled = |rules: usize, paths: usize| {
            let rules: String = (0..rules).map(|i| format!(".c{i}{{fill:red}}")).collect();
            svg(&format!("<style>{rules}</style>{}", "<path class='c0' d='M0 0L3 4'/>".repeat(paths)))
        };
        assert_eq!(refused(&styled(500, 40)), None);
        let (at, detail) = refused(&styled(40_000, 40)).unwrap();
        assert_eq!(at, Some((2, 2)));
        assert!(detail.contains("too long: 668890 bytes with 40001 rules"), "{detail}");
        let (at, detail) = refused(&styled(5000, 20_000)).unwrap();
        assert_eq!(
            (at, detail.as_str()),
            (Some((2, 2)), "there are too many style rules for 20002 elements: more than 5000")
        );
        // All style sheets count together.
        assert!(
            refused(&svg(&"<style>a{b:c}</style>".repeat(8000))).unwrap().1.contains("too many style rules")
        );
    }
}
