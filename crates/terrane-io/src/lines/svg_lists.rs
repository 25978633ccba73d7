//! Limits on style sheets in SVG files: other crates compare each rule with each element.

use usvg::roxmltree::{Document, Node};

use super::svg_limits::error_at;
use crate::Problem;

/// The maximum product of a style sheet's bytes and statements: for each statement, the parser may count its
/// position from the start of the sheet (simplecss 0.2.2, stream.rs). The limit allows a font of one megabyte
/// with a thousand rules. A sheet at the limit takes a second.
const MAX_STYLE: u64 = 2_000_000_000;

/// The maximum product of the number of words in all style sheets, the number of elements and, where groups
/// are nested, a sixteenth of the depth: each element is compared with each part of each selector, and for
/// parts that mean groups around it with these (usvg 0.49.0). The limit allows a thousand rules with one
/// declaration for a drawing of 100,000 shapes.
const MAX_MATCHES: u64 = 200_000_000;

/// Refuses style sheets that take too long to read or to compare with all elements.
pub fn check_styles(document: &Document<'_>) -> Result<(), Problem> {
    let elements = document.descendants().filter(Node::is_element).count() as u64;
    let factor = elements.saturating_mul(1 + depth(document) / 16);
    let (mut all, mut words, mut read) = (0u64, 0u64, 0u64);
    for style in document.descendants().filter(|node| node.tag_name().name() == "style") {
        let texts = || style.descendants().filter_map(|node| node.text().filter(|_| node.is_text()));
        let (bytes, statements) = texts().fold((0, 1), |(bytes, statements), text| {
            let more = text.bytes().filter(|byte| matches!(byte, b'{' | b',' | b';')).count();
            (bytes + text.len() as u64, statements + more as u64)
        });
        all += statements;
        words += texts().map(words_of).sum::<u64>();
        read = read.saturating_add(bytes.saturating_mul(statements));
        let remedy = "style shapes with attributes, or remove unused rules";
        let refused = |detail| Err(error_at(document, style.range().start, detail, remedy));
        if read > MAX_STYLE {
            return refused(format!(
                "the style sheet is too long: {bytes} bytes with {statements} rules and declarations"
            ));
        }
        if words.saturating_mul(factor) > MAX_MATCHES {
            return refused(format!(
                "there are too many style rules for {elements} elements: more than {}",
                all - 1
            ));
        }
    }
    Ok(())
}

/// The number of words of a style sheet: what stands between spaces, braces, commas and semicolons.
fn words_of(text: &str) -> u64 {
    let is_between = |letter: char| letter.is_whitespace() || matches!(letter, '{' | '}' | ',' | ';');
    text.split(is_between).filter(|word| !word.is_empty()).count() as u64
}

/// The depth of the deepest element: 1 for the root.
fn depth(document: &Document<'_>) -> u64 {
    let (mut depth, mut deepest, mut node) = (1, 1, document.root_element());
    loop {
        if let Some(child) = node.first_element_child() {
            (depth, node) = (depth + 1, child);
            deepest = deepest.max(depth);
            continue;
        }
        while node.next_sibling_element().is_none() {
            match node.parent_element() {
                Some(parent) => (depth, node) = (depth - 1, parent),
                None => return deepest,
            }
        }
        let Some(next) = node.next_sibling_element() else { return deepest };
        node = next;
    }
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
        // Selectors of several parts below nested groups used to take 12 s.
        let rules = "* * * * * *{}".repeat(3000);
        let nested =
            format!("{}{}{}", "<g>".repeat(200), "<path d='M0 0L3 4'/>".repeat(2000), "</g>".repeat(200));
        let (_, detail) = refused(&svg(&format!("<style>{rules}</style>{nested}"))).unwrap();
        assert_eq!(detail, "there are too many style rules for 2202 elements: more than 3000");
        // All style sheets count together.
        assert!(
            refused(&svg(&"<style>a{b:c}</style>".repeat(12_000)))
                .unwrap()
                .1
                .contains("too many style rules")
        );
    }
}
