//! Reading any part of a store's array, at any level of detail.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use lru::LruCache;
use terrane_flow::lock;
use terrane_flow::syntax::Problem;
use terrane_grid::Place;
use terrane_runs::Failure;

use crate::array::Stored;
use crate::layout::{Layer, Layout};
use crate::objects::Objects;
use crate::page::{ROOT, StorePage};
use crate::record::{Record, digest};
use crate::zarr;

/// Decoded blocks by level and position; `None` for a missing block.
type DecodedBlocks = LruCache<(u32, (i64, i64)), Option<Arc<Vec<u8>>>>;

/// An array of a store, of which any part can be read.
pub struct Windows<'a> {
    store: &'a dyn Objects,
    page: StorePage,
    layout: Layout,
    layer: Layer,
    /// The array at each level of detail.
    arrays: Vec<Stored>,
    known: Mutex<DecodedBlocks>,
}

impl<'a> Windows<'a> {
    /// Opens an array by its name, or by the output's file name in the graph.
    ///
    /// # Errors
    /// Fails if there is no store, or no such array.
    pub fn open(store: &'a dyn Objects, name: &str) -> Result<Self, Failure> {
        let page = StorePage::read(store, ROOT)?.ok_or_else(|| StorePage::none(store))?;
        let Some(layout) = page.layout() else { return Err(StorePage::none(store)) };
        let Some(layer) =
            layout.layers.iter().find(|layer| layer.name == name || layer.file == name).cloned()
        else {
            let names: Vec<&str> = layout.layers.iter().map(|layer| layer.name.as_str()).collect();
            let message = format!("{} has no array `{name}`", store.place());
            return Err(Failure::usage(message, format!("its arrays are {}", names.join(", "))));
        };
        let of = |level| Stored::of(&layout, layer.pixel, level, serde_json::Map::new());
        let arrays: Result<Vec<_>, _> = (0..layout.levels()).map(of).collect();
        let arrays = arrays.map_err(|problem| Failure::Evaluation(vec![problem]))?;
        // The cache can hold a whole row of blocks. A caller that reads row by row needs them until it has
        // read their last row of samples.
        let across = layout.blocks().high.0 as usize + 2;
        let known = NonZeroUsize::new(across).unwrap_or(NonZeroUsize::MIN);
        Ok(Self { store, page, layout, layer, arrays, known: Mutex::new(LruCache::new(known)) })
    }

    /// The layout of the world in the store.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Where the world lies: on a map, or at its own coordinates.
    #[must_use]
    pub fn place(&self) -> Place {
        self.page.place(&self.layout)
    }

    /// The array.
    #[must_use]
    pub const fn layer(&self) -> &Layer {
        &self.layer
    }

    /// Reads a part of the array, row by row. A level beyond the store's coarsest level is derived from the
    /// coarsest. Each further level keeps every second sample.
    ///
    /// # Errors
    /// Fails if the store cannot be read, or if a block is damaged or missing.
    pub fn read(&self, level: u32, first: (usize, usize), size: (usize, usize)) -> Result<Vec<u8>, Problem> {
        let own = level.min(self.layout.levels() - 1);
        let step = 1usize << (level - own);
        let bytes = self.layer.pixel.bytes();
        let (columns, rows) = self.layout.of_block(own);
        let (columns, rows) = (columns as usize, rows as usize);
        let mut samples = Vec::with_capacity(size.0 * size.1 * bytes);
        for y in 0..size.1 {
            let y = (first.1 + y) * step;
            let mut x = 0;
            while x < size.0 {
                let column = (first.0 + x) * step;
                let block = self.block(own, ((column / columns) as i64, (y / rows) as i64))?;
                let (mut inside, row) = (column % columns, (y % rows) * columns);
                if step == 1 {
                    let count = (columns - inside).min(size.0 - x);
                    let at = (row + inside) * bytes;
                    samples.extend_from_slice(&block[at..at + count * bytes]);
                    x += count;
                    continue;
                }
                while inside < columns && x < size.0 {
                    let at = (row + inside) * bytes;
                    samples.extend_from_slice(&block[at..at + bytes]);
                    (inside, x) = (inside + step, x + 1);
                }
            }
        }
        Ok(samples)
    }

    /// Whether an object matches the digest in its block's record.
    fn is_as_written(&self, block: (i64, i64), name: &str, object: &[u8]) -> Result<bool, Problem> {
        let text = self.store.read(&Record::name(block))?.unwrap_or_default();
        let record = serde_json::from_slice::<Record>(&text)
            .ok()
            .filter(|record| record.block == block && record.key == self.page.key_of(block));
        Ok(record.is_some_and(|record| record.objects.get(name) == Some(&digest(object))))
    }

    /// The samples of a block at a level.
    fn block(&self, level: u32, block: (i64, i64)) -> Result<Arc<Vec<u8>>, Problem> {
        let known = || lock(&self.known);
        let absent = |what: &str| {
            let name = zarr::object_of(&self.layer, level, block);
            Problem::new(
                format!("{}/{name} {what}", self.store.place()),
                "write the world to the store again: complete blocks are kept",
            )
        };
        if let Some(found) = known().get(&(level, block)) {
            return found.clone().ok_or_else(|| absent("is missing"));
        }
        let name = zarr::object_of(&self.layer, level, block);
        let samples = match self.store.read(&name)? {
            Some(object) => {
                if !self.is_as_written(block, &name, &object)? {
                    return Err(absent("is not as it was written"));
                }
                let samples = self.arrays[level as usize].decode(object);
                Some(Arc::new(samples.map_err(|error| absent(&format!("is damaged: {error}")))?))
            }
            None => None,
        };
        known().put((level, block), samples.clone());
        samples.ok_or_else(|| absent("is missing"))
    }
}
