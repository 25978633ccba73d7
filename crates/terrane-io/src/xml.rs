//! Text in XML.

/// Escapes text for XML: as content, or as an attribute in double quotes.
#[must_use]
pub fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
