//! Names that the language reserves or rejects.

use crate::report::is_hidden;

/// The type name of a graph used as a node.
pub const SUBGRAPH: &str = "Subgraph";

/// The type name of a graph that is evaluated several times, each time on its previous outputs.
pub const REPEAT: &str = "Repeat";

/// Whether a node of this type refers to another graph's file.
pub fn is_file(kind: &str) -> bool {
    kind == SUBGRAPH || kind == REPEAT
}

/// Why a name is not valid for a node; `None` if the name is valid.
pub fn bad_name(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() {
        Some("it is empty")
    } else if name.len() > MAX_NAME_BYTES {
        Some("it is longer than 200 bytes")
    } else if name.contains(['.', '/', '$']) {
        Some("`.` names an output, `/` a node in a subgraph and `$` a parameter")
    } else if name.contains(is_hidden) {
        Some("it has control characters, or others that are not seen")
    } else {
        None
    }
}

/// The maximum length of a node's name in bytes. A name of this length with `.png` appended is a valid file
/// name on every system.
const MAX_NAME_BYTES: usize = 200;
