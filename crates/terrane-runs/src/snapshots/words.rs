//! A value in words and in a picture: what snapshots hold.

use terrane_flow::Value;
use terrane_grid::Grid;
use terrane_nodes::values::TerrainKind;

/// A value in words: its kind, what the kind says of it, and its digest.
#[must_use]
pub fn described(value: &Value) -> String {
    let own = match TerrainKind::find(value.kind()) {
        Some(kind) => kind.described(value),
        None => value.to_json().map_or_else(String::new, |json| format!("{json:#}\n")),
    };
    format!("kind: {}\n{own}hash: {}\n", value.kind().name, &value.digest().hex()[..32])
}

/// A picture of a map (grey, lowest to highest) or of a picture; nothing for other kinds.
#[must_use]
pub fn picture(value: &Value) -> Option<Grid<[u8; 3]>> {
    TerrainKind::find(value.kind())?.picture(value)
}
