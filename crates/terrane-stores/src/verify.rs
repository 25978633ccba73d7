//! Checks that a store is complete and unchanged.

use std::collections::BTreeSet;

use terrane_flow::syntax::Problem;
use terrane_runs::Failure;
use terrane_runs::patches::Patches;

use crate::objects::Objects;
use crate::page::{ROOT, StorePage};
use crate::record::{BELOW, Found, Record, find};
use crate::zarr;

/// The result for a store that is complete.
#[derive(Debug)]
pub struct Verified {
    /// The store's description.
    pub page: StorePage,
    /// The number of blocks.
    pub blocks: usize,
    /// The number of objects in these blocks.
    pub objects: usize,
    /// A digest of all blocks.
    pub digest: String,
}

/// The maximum number of objects or blocks that a message names.
const MAX_NAMED: usize = 8;

/// The maximum number of unreadable blocks in a row that count as damaged. After more, the store itself
/// counts as unreadable.
const MAX_UNREADABLE: usize = 3;

/// Reads a whole store and compares it with its records. Calls `tell` for each block.
///
/// # Errors
/// Fails if there is no store, or if blocks are missing or damaged.
pub fn verify(store: &dyn Objects, mut tell: impl FnMut((i64, i64), &Found)) -> Result<Verified, Failure> {
    let failed = |problem| Failure::Evaluation(vec![problem]);
    let page = StorePage::read(store, ROOT)?.ok_or_else(|| StorePage::none(store))?;
    let Some(layout) = page.layout() else { return Err(StorePage::none(store)) };
    let mut wrong = Vec::new();
    for (name, bytes) in zarr::objects(&layout, &page).map_err(failed)? {
        if !matches!(store.read(&name), Ok(Some(there)) if there == bytes) {
            wrong.push(name);
        }
    }
    let mut problems = Vec::new();
    if !wrong.is_empty() {
        let named = wrong[..wrong.len().min(MAX_NAMED)].join(", ");
        let those = match wrong.len() {
            1 => format!("{named} is"),
            2..=MAX_NAMED => format!("{named} are"),
            count => format!("{named} and {} others are", count - MAX_NAMED),
        };
        problems.push(Problem::new(
            format!("{those} not as written"),
            "write the world to the store again: complete blocks are kept",
        ));
    }
    let blocks = layout.blocks();
    let known: BTreeSet<String> = store.list(BELOW).map_err(failed)?.into_iter().collect();
    let (mut objects, mut missing, mut damaged) = (0, BlockList::default(), BlockList::default());
    let (mut digests, mut unread) = (Vec::new(), 0);
    for block in blocks.iter() {
        let found = if known.contains(&Record::name(block)) {
            let names = zarr::objects_of(&layout, block);
            match find(store, block, &page.key_of(block), &names) {
                Ok(found) => {
                    unread = 0;
                    found
                }
                // Another kind of file may have an object's name. Or the store may be unreachable, so that
                // every further block would time out. Several failures in a row mean the second case.
                Err(problem) if unread < MAX_UNREADABLE => {
                    unread += 1;
                    Found::Damaged(problem.message)
                }
                Err(problem) => return Err(failed(problem)),
            }
        } else {
            Found::Missing
        };
        tell(block, &found);
        match found {
            Found::Whole(record) => {
                objects += record.objects.len();
                digests.push(record.digest());
            }
            Found::Missing => missing.put(format!("({}, {})", block.0, block.1)),
            Found::Damaged(what) => damaged.put(format!("({}, {}): {what}", block.0, block.1)),
        }
    }
    problems.extend(missing.problem("missing", &blocks));
    problems.extend(damaged.problem("damaged", &blocks));
    Failure::unless(problems)?;
    Ok(Verified { page, blocks: blocks.count(), objects, digest: of_all(&digests) })
}

/// A digest of all blocks, computed from the digests of the blocks, row by row.
#[must_use]
pub fn of_all(digests: &[[u8; 32]]) -> String {
    blake3::hash(digests.as_flattened()).to_hex()[..32].to_owned()
}

/// Faulty blocks: their number, and the names of the first few.
#[derive(Default)]
struct BlockList {
    count: usize,
    named: Vec<String>,
}

impl BlockList {
    fn put(&mut self, name: String) {
        self.count += 1;
        if self.named.len() < MAX_NAMED {
            self.named.push(name);
        }
    }

    fn problem(&self, what: &str, blocks: &Patches) -> Option<Problem> {
        let is = if self.count == 1 { "is" } else { "are" };
        let more = if self.count > self.named.len() { " and others" } else { "" };
        (self.count > 0).then(|| {
            Problem::new(
                format!(
                    "{} of {} blocks {is} {what}: {}{more}",
                    self.count,
                    blocks.count(),
                    self.named.join(", ")
                ),
                "write the world to the store again: complete blocks are kept, and the others are computed",
            )
        })
    }
}
