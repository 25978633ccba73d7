//! The text and the picture of a value that snapshots store.

use terrane_flow::Value;
use terrane_grid::Grid;
use terrane_io::json_text;
use terrane_nodes::values::TerrainKind;

/// The text of a value: its kind, the kind's description, and its digest.
#[must_use]
pub fn described(value: &Value) -> String {
    let details = match TerrainKind::find(value.kind()) {
        Some(kind) => kind.described(value),
        None => value.to_json().and_then(|json| json_text(&json).ok()).unwrap_or_default(),
    };
    format!("kind: {}\n{details}hash: {}\n", value.kind().name, &value.digest().hex()[..32])
}

/// A picture of a map (grey, minimum to maximum) or of a picture; `None` for other kinds.
#[must_use]
pub fn picture(value: &Value) -> Option<Grid<[u8; 3]>> {
    TerrainKind::find(value.kind())?.picture(value)
}
