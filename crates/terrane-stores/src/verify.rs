//! Whether all of a store is there, as it was written.

use std::collections::BTreeSet;

use terrane_flow::syntax::Problem;
use terrane_runs::Failure;
use terrane_runs::patches::Patches;

use crate::objects::Objects;
use crate::page::{ROOT, StorePage};
use crate::record::{BELOW, Found, Record, find};
use crate::zarr;

/// A store in which all is there.
#[derive(Debug)]
pub struct Verified {
    /// What the store says of itself.
    pub page: StorePage,
    /// How many blocks it has.
    pub blocks: usize,
    /// How many objects they have.
    pub objects: usize,
    /// A digest of all blocks.
    pub digest: String,
}

/// How many are named.
const NAMED: usize = 8;

/// So many blocks one after the other that cannot be read are damaged; more are a store that cannot be read.
const UNREAD: usize = 3;

/// Reads all of a store and compares it with what was written; `tell` hears of each block.
///
/// # Errors
/// That there is no store, or that blocks are missing or damaged.
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
        let named = wrong[..wrong.len().min(NAMED)].join(", ");
        let those = match wrong.len() {
            1 => format!("{named} is"),
            2..=NAMED => format!("{named} are"),
            count => format!("{named} and {} others are", count - NAMED),
        };
        problems.push(Problem::new(
            format!("{those} not as written"),
            "run the world into the store again: blocks stay",
        ));
    }
    let blocks = layout.blocks();
    let known: BTreeSet<String> = store.list(BELOW).map_err(failed)?.into_iter().collect();
    let (mut objects, mut missing, mut damaged) = (0, Named::default(), Named::default());
    let (mut digests, mut unread) = (Vec::new(), 0);
    for block in blocks.iter() {
        let found = if known.contains(&Record::name(block)) {
            let names = zarr::objects_of(&layout, block);
            match find(store, block, &page.key_of(block), &names) {
                Ok(found) => {
                    unread = 0;
                    found
                }
                // Something else stands in an object's place; or the store is out of reach, which each block
                // would wait for.
                Err(problem) if unread < UNREAD => {
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
    problems.extend(missing.told("missing", &blocks));
    problems.extend(damaged.told("damaged", &blocks));
    Failure::unless(problems)?;
    Ok(Verified { page, blocks: blocks.count(), objects, digest: of_all(&digests) })
}

/// A digest of all blocks, by those of each, row by row.
#[must_use]
pub fn of_all(digests: &[[u8; 32]]) -> String {
    blake3::hash(digests.as_flattened()).to_hex()[..32].to_owned()
}

/// Blocks with which something is wrong, of which some are named.
#[derive(Default)]
struct Named {
    count: usize,
    named: Vec<String>,
}

impl Named {
    fn put(&mut self, name: String) {
        self.count += 1;
        if self.named.len() < NAMED {
            self.named.push(name);
        }
    }

    fn told(&self, what: &str, blocks: &Patches) -> Option<Problem> {
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
                "run the world into the store again: what is there stays, and what is not is made",
            )
        })
    }
}
