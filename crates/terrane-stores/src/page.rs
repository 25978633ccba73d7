//! What a store says of itself: which world it is of, and how it lies there.

use serde::{Deserialize, Serialize};
use terrane_flow::syntax::Problem;
use terrane_grid::Tiling;
use terrane_runs::Failure;
use terrane_runs::patches::{Patches, WorldPage};

use crate::layout::{Layer, Layout, Pixel};
use crate::objects::Objects;

/// What a store says of itself, as the attribute `terrane` of its `zarr.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorePage {
    /// The key of its world.
    pub world: String,
    /// The version of the program.
    pub terrane: String,
    /// Columns and rows of a patch.
    pub size: (usize, usize),
    /// Distance between samples.
    pub spacing: f64,
    /// The first sample of patch (0, 0), counted from the corner.
    pub first: (i64, i64),
    /// The place that samples are counted from.
    pub corner: (f64, f64),
    /// The first and the last of the patches.
    pub patches: ((i64, i64), (i64, i64)),
    /// Patches of a block to each side.
    pub block: u32,
    /// The arrays.
    pub arrays: Vec<ArrayPage>,
}

/// What is said of an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayPage {
    /// Its name.
    pub name: String,
    /// The file that the graph gives the output.
    pub file: String,
    /// Whether colours stand at its samples, and not numbers.
    pub colour: bool,
}

/// The name of what the store says of itself.
pub const ROOT: &str = "zarr.json";

impl StorePage {
    /// What is said of a world that lies so in a store.
    #[must_use]
    pub fn new(world: &WorldPage, layout: &Layout) -> Self {
        let Tiling { size, spacing, first, corner } = layout.tiling;
        let array = |layer: &Layer| ArrayPage {
            name: layer.name.clone(),
            file: layer.file.clone(),
            colour: layer.pixel == Pixel::Colour,
        };
        Self {
            world: world.key.clone(),
            terrane: world.terrane.clone(),
            size,
            spacing,
            first,
            corner,
            patches: (layout.patches.low, layout.patches.high),
            block: layout.block,
            arrays: layout.layers.iter().map(array).collect(),
        }
    }

    /// How the world lies in the store; nothing where the page says what cannot be.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        let Self { size, spacing, first, corner, block, .. } = *self;
        let patches = Patches::of(self.patches.0, self.patches.1)?;
        let is_placed = spacing > 0.0 && [spacing, corner.0, corner.1].iter().all(|place| place.is_finite());
        if size.0 < 2 || size.1 < 2 || !is_placed {
            return None;
        }
        let layer = |(entry, array): (usize, &ArrayPage)| Layer {
            name: array.name.clone(),
            file: array.file.clone(),
            pixel: if array.colour { Pixel::Colour } else { Pixel::Number },
            entry,
        };
        let tiling = Tiling { size, spacing, first, corner };
        let layers = self.arrays.iter().enumerate().map(layer).collect();
        Layout::new(tiling, patches, block, layers).ok()
    }

    /// The key of a block: of all that is said here, and its place.
    #[must_use]
    pub fn key_of(&self, (i, j): (i64, i64)) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        blake3::hash(format!("{text} {i} {j}").as_bytes()).to_hex()[..32].to_owned()
    }

    /// What a store says of itself, in its root or in its claim; none where there is none.
    ///
    /// # Errors
    /// That it cannot be read, or is not of Terrane.
    pub fn read(store: &dyn Objects, name: &str) -> Result<Option<Self>, Failure> {
        let Some(text) = store.read(name).map_err(|problem| Failure::Evaluation(vec![problem]))? else {
            return Ok(None);
        };
        let root: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        match serde_json::from_value::<Self>(root["attributes"]["terrane"].clone()) {
            Ok(page) if page.layout().is_some() => Ok(Some(page)),
            _ => Err(Failure::usage(
                format!("{}/{name} is not of a world, or is damaged", store.place()),
                "name another store, or remove this one",
            )),
        }
    }

    /// That there is no store.
    pub(crate) fn none(store: &dyn Objects) -> Failure {
        let help = "name a store that `terrane run WORLD --patches A..B,C..D -o STORE.zarr` has made";
        Failure::usage(format!("there is no store of a world at {}", store.place()), help)
    }

    /// What is wrong where a store says this, and another is to be made there.
    pub(crate) fn differs(&self, own: &Self, place: &str) -> Problem {
        let patches = |page: &Self| {
            let ((left, top), (right, bottom)) = page.patches;
            format!("{left}..{},{top}..{}", right + 1, bottom + 1)
        };
        let names =
            |page: &Self| page.arrays.iter().map(|array| array.file.as_str()).collect::<Vec<_>>().join(", ");
        let other = "or name another store";
        let (message, help) = if self.world != own.world {
            (
                format!(
                    "{place} holds another world, {} by Terrane {}; this one is {}",
                    self.world, self.terrane, own.world
                ),
                "name another store, or remove this one: a world with other files, parameters, seed or \
                level, or made by another version of Terrane, is another world"
                    .to_owned(),
            )
        } else if self.patches != own.patches {
            (
                format!("{place} has room for patches {}, and not for {}", patches(self), patches(own)),
                format!("ask for --patches={}, {other}", patches(self)),
            )
        } else if self.block != own.block {
            (
                format!("{place} has blocks of {} patches to a side, and not of {}", self.block, own.block),
                format!("ask for --block {}, {other}", self.block),
            )
        } else if self.arrays == own.arrays {
            (
                format!("{place} says other things of itself than were written: it was changed"),
                "name another store, or remove this one".to_owned(),
            )
        } else {
            let only: Vec<String> =
                self.arrays.iter().map(|array| format!("--only {}", array.file)).collect();
            (
                format!("{place} has other outputs of the same world: {}", names(self)),
                format!("ask for {}, {other}", only.join(" ")),
            )
        };
        Problem::new(message, help)
    }
}
