//! The maps of a graph, known by their entries where their names are missing.

use crate::token::TokenKind;

/// The field of a graph whose map has an entry like this: files are outputs, calls are nodes, and all others
/// are parameters.
pub fn section(key: &str, is_call: bool) -> &'static str {
    match (key.contains('.'), is_call) {
        (true, _) => "outputs",
        (false, true) => "nodes",
        (false, false) => "params",
    }
}

/// The same, of the entry that begins a text's tokens. `None` if they begin with something else.
pub fn section_at<'t>(mut tokens: impl Iterator<Item = (TokenKind, &'t str)>) -> Option<&'static str> {
    let mut next = || tokens.by_ref().find(|(kind, _)| !kind.is_trivia());
    let (key_kind, key) = next()?;
    if key_kind != TokenKind::Text || next()?.0 != TokenKind::Colon {
        return None;
    }
    let is_type =
        next().is_some_and(|(kind, value)| kind == TokenKind::Word && value.starts_with(char::is_uppercase));
    Some(section(key, is_type))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tree;

    #[test]
    fn by_the_first_entry() {
        let of = |text: &str| {
            let tree = Tree::parse(text);
            section_at(tree.tokens_from(0).map(|(kind, span)| (kind, &tree.text()[span])))
        };
        assert_eq!(of("// a\n\"hills\": Perlin(), \"b\""), Some("nodes"));
        assert_eq!(of("\"hills\": Perlin"), Some("nodes"));
        assert_eq!(of("\"a.png\": Export(from: \"a\")"), Some("outputs"));
        assert_eq!(of("\"a.png\":"), Some("outputs"));
        assert_eq!(of("\"steep\": 0.5"), Some("params"));
        assert_eq!(of("\"steep\": true"), Some("params"));
        assert_eq!(of("size: (3, 3)"), None);
    }
}
