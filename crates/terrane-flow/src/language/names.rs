//! Names that the language knows or refuses.

/// The type name of a graph used as a node.
pub const SUBGRAPH: &str = "Subgraph";

/// The type name of a graph used several times, each time on what it gave before.
pub const REPEAT: &str = "Repeat";

/// Whether a node of this type is another graph's file.
pub fn is_file(kind: &str) -> bool {
    kind == SUBGRAPH || kind == REPEAT
}

/// Why a node cannot be called so.
pub fn bad_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("it is empty")
    } else if name.len() > LONGEST_NAME {
        Some("it is longer than 200 bytes")
    } else if name.contains(['.', '/', '$']) {
        Some("`.` names an output, `/` a node in a subgraph and `$` a parameter")
    } else if name.chars().any(char::is_control) {
        Some("it has control characters")
    } else {
        None
    }
}

/// Bytes of a node's name at most: with `.png` it can name a file everywhere.
const LONGEST_NAME: usize = 200;
