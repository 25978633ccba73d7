//! What is written down of each block, after its objects.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use terrane_flow::syntax::Problem;

use crate::objects::Objects;

/// Below this name stands what Terrane knows of a store; other programs need none of it.
pub const BELOW: &str = "terrane/blocks";

/// What is written down of a block, after its objects: where it is there, the block is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The key of the block: of its world, the program's version, the layout of the store and its place.
    pub key: String,
    /// Column and row, counted from the block of the first patch.
    pub block: (i64, i64),
    /// Digests of its objects, by name.
    pub objects: BTreeMap<String, String>,
}

/// How a block is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// All its objects are as they were written.
    Whole(Record),
    /// It was never made, or not to its end.
    Missing,
    /// Something is not as it was written.
    Damaged(String),
}

impl Record {
    /// The name of a block's record.
    #[must_use]
    pub fn name((i, j): (i64, i64)) -> String {
        format!("{BELOW}/{i}_{j}.json")
    }

    /// The record as it is written.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// A digest of all that the block holds.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        *blake3::hash(self.text().as_bytes()).as_bytes()
    }
}

/// The digest of an object.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Looks at a block: whether it is there, of this key, and each object as it was written.
///
/// # Errors
/// That the store cannot be read.
pub fn find(store: &dyn Objects, block: (i64, i64), key: &str, objects: &[String]) -> Result<Found, Problem> {
    let Some(text) = store.read(&Record::name(block))? else { return Ok(Found::Missing) };
    let Ok(record) = serde_json::from_slice::<Record>(&text) else {
        return Ok(Found::Damaged(format!("{} cannot be read", Record::name(block))));
    };
    if record.key != key || record.block != block || !record.objects.keys().eq(objects) {
        return Ok(Found::Damaged(format!("{} is of another block", Record::name(block))));
    }
    if text != record.text().as_bytes() {
        return Ok(Found::Damaged(format!("{} is not as it was written", Record::name(block))));
    }
    for (name, wanted) in &record.objects {
        match store.read(name)? {
            Some(bytes) if &digest(&bytes) == wanted => {}
            Some(_) => return Ok(Found::Damaged(format!("{name} is not as it was written"))),
            None => return Ok(Found::Damaged(format!("{name} is missing"))),
        }
    }
    Ok(Found::Whole(record))
}
