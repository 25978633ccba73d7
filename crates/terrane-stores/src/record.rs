//! The record of each block, written after its objects.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use terrane_flow::syntax::Problem;
use terrane_io::json_text;

use crate::objects::Objects;

/// The prefix of Terrane's records in a store. Other programs do not need these records.
pub const BELOW: &str = "terrane/blocks";

/// The record of a block, written after its objects. A block is complete if its record exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The key of the block. It is derived from the world, the program's version, the layout of the store and
    /// the block's position.
    pub key: String,
    /// Column and row, counted from the block of the first patch.
    pub block: (i64, i64),
    /// The digests of the block's objects, by name.
    pub objects: BTreeMap<String, String>,
}

/// The state of a block in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// All its objects are as they were written.
    Whole(Record),
    /// It was never computed, or its computation was not completed.
    Missing,
    /// An object or the record differs from what was written.
    Damaged(String),
}

impl Record {
    /// The name of a block's record.
    #[must_use]
    pub fn name((i, j): (i64, i64)) -> String {
        format!("{BELOW}/{i}_{j}.json")
    }

    /// The text of the record as it is written.
    #[must_use]
    pub fn text(&self) -> String {
        json_text(self).unwrap_or_default()
    }

    /// A digest of the block's contents.
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

/// Checks a block: whether its record exists and has this key, and whether each object is as it was written.
///
/// # Errors
/// Fails if the store cannot be read.
pub fn find(store: &dyn Objects, block: (i64, i64), key: &str, objects: &[String]) -> Result<Found, Problem> {
    let Some(text) = store.read(&Record::name(block))? else { return Ok(Found::Missing) };
    let Ok(record) = serde_json::from_slice::<Record>(&text) else {
        return Ok(Found::Damaged(format!("{} cannot be read", Record::name(block))));
    };
    if record.key != key || record.block != block || !record.objects.keys().eq(objects) {
        return Ok(Found::Damaged(format!("{} belongs to another block", Record::name(block))));
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
