//! Names that the language knows or refuses.

/// The type name of a graph used as a node.
pub const SUBGRAPH: &str = "Subgraph";

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
