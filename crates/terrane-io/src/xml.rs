//! Text in XML.

/// Escapes text for XML: as content, or as an attribute in double quotes. Control characters are references,
/// so that a file does not control the terminal that it is shown in; those that XML does not have become
/// replacement characters.
#[must_use]
pub fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(c),
            '\0'..' ' => escaped.push('\u{fffd}'),
            '\u{7f}'..'\u{a0}' => escaped.push_str(&format!("&#{};", u32::from(c))),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_xml("a<b & \"c\">é\n"), "a&lt;b &amp; &quot;c&quot;&gt;é\n");
        assert_eq!(escape_xml("\u{1b}[31m\u{9b}\u{7f}"), "\u{fffd}[31m&#155;&#127;");
    }
}
