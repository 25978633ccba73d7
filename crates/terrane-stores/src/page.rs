//! The description of a store in its metadata: its world and its layout.

use serde::{Deserialize, Serialize};
use terrane_flow::syntax::Problem;
use terrane_grid::{Place, Tiling};
use terrane_runs::Failure;
use terrane_runs::patches::{Patches, WorldPage};

use crate::layout::{Layer, Layout, Pixel};
use crate::location::Location;
use crate::objects::Objects;

/// The description of a store: the attribute `terrane` of its `zarr.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorePage {
    /// The key of the world.
    pub world: String,
    /// The version of the program.
    pub terrane: String,
    /// Columns and rows of a patch.
    pub size: (usize, usize),
    /// Distance between samples.
    pub spacing: f64,
    /// The first sample of patch (0, 0), counted from the corner.
    pub first: (i64, i64),
    /// The position from which samples are counted.
    pub corner: (f64, f64),
    /// The first and the last patch.
    pub patches: ((i64, i64), (i64, i64)),
    /// Patches along each side of a block.
    pub block: u32,
    /// The arrays.
    pub arrays: Vec<ArrayPage>,
    /// The direction of the y of coordinates. Stores of earlier versions do not say it: their y grows to the
    /// south, as world y does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y_grows: Option<Direction>,
    /// Where the world lies on a map, if it has a place there. Stores of earlier versions do not say it:
    /// their coordinates are those of the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

/// The direction in which coordinates grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// To the north: y is the negative world y, as in all files with coordinates.
    North,
}

/// The description of an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayPage {
    /// The array's name.
    pub name: String,
    /// The output's file name in the graph.
    pub file: String,
    /// Whether samples are colours instead of numbers.
    pub colour: bool,
}

/// The object that holds the description.
pub const ROOT: &str = "zarr.json";

impl StorePage {
    /// The description of a world in this layout, at its place on a map.
    #[must_use]
    pub fn new(world: &WorldPage, layout: &Layout, place: Option<&Place>) -> Self {
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
            y_grows: Some(Direction::North),
            location: place.and_then(|place| Location::of(place, &layout.domain(0))),
        }
    }

    /// The description that a store of `earlier` description is continued with: the earlier one if only the
    /// coordinates differ, because an earlier version began the store.
    #[must_use]
    pub fn continuing(self, earlier: &Self) -> Self {
        let location = self.location.filter(|_| earlier.location.is_some());
        Self { y_grows: earlier.y_grows, location, ..self }
    }

    /// Where the world lies: on a map, or at its own coordinates with north up. `layout` is that of the
    /// description.
    #[must_use]
    pub fn place(&self, layout: &Layout) -> Place {
        let own = self.location.as_ref().and_then(|location| location.place(&layout.domain(0)));
        own.unwrap_or_default()
    }

    /// The layout of the world; `None` if the description is not valid.
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
        let layout = Layout::new(tiling, patches, block, layers).ok()?;
        let is_located = |location: &Location| location.place(&layout.domain(0)).is_some();
        self.location.as_ref().is_none_or(is_located).then_some(layout)
    }

    /// The key of a block. It is derived from this description and the block's position.
    #[must_use]
    pub fn key_of(&self, (i, j): (i64, i64)) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        blake3::hash(format!("{text} {i} {j}").as_bytes()).to_hex()[..32].to_owned()
    }

    /// Reads a store's description from the object `name`; `None` if the object does not exist.
    ///
    /// # Errors
    /// Fails if the object cannot be read or was not written by Terrane.
    pub fn read(store: &dyn Objects, name: &str) -> Result<Option<Self>, Failure> {
        let Some(text) = store.read(name).map_err(|problem| Failure::Evaluation(vec![problem]))? else {
            return Ok(None);
        };
        let root: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        match serde_json::from_value::<Self>(root["attributes"]["terrane"].clone()) {
            Ok(page) if page.layout().is_some() => Ok(Some(page)),
            _ => Err(Failure::usage(
                format!("{}/{name} does not describe a world, or is damaged", store.place()),
                "use another store, or remove this one",
            )),
        }
    }

    /// The error for a missing store.
    pub(crate) fn none(store: &dyn Objects) -> Failure {
        let help = "name a store created by `terrane run WORLD --patches A..B,C..D -o STORE.zarr`";
        Failure::usage(format!("there is no store of a world at {}", store.place()), help)
    }

    /// The error for a store whose description differs from `own`, the description about to be written.
    pub(crate) fn differs(&self, own: &Self, place: &str) -> Problem {
        let patches = |page: &Self| {
            let ((left, top), (right, bottom)) = page.patches;
            format!("{left}..{},{top}..{}", right + 1, bottom + 1)
        };
        let names =
            |page: &Self| page.arrays.iter().map(|array| array.file.as_str()).collect::<Vec<_>>().join(", ");
        let other = "or use another store";
        let (message, help) = if self.world != own.world {
            (
                format!(
                    "{place} holds another world, {} by Terrane {}; this one is {}",
                    self.world, self.terrane, own.world
                ),
                "use another store, or remove this one: a world with other files, parameters, seed or \
                level, or made by another version of Terrane, is another world"
                    .to_owned(),
            )
        } else if self.patches != own.patches {
            (
                format!("{place} covers patches {}, not {}", patches(self), patches(own)),
                format!("give --patches={}, {other}", patches(self)),
            )
        } else if self.block != own.block {
            (
                format!("{place} has blocks of {} patches to a side, not of {}", self.block, own.block),
                format!("give --block {}, {other}", self.block),
            )
        } else if self.arrays == own.arrays {
            (
                format!("{place} has a changed description: it is not as Terrane wrote it"),
                "use another store, or remove this one".to_owned(),
            )
        } else {
            let only: Vec<String> =
                self.arrays.iter().map(|array| format!("--only {}", array.file)).collect();
            (
                format!("{place} has other outputs of the same world: {}", names(self)),
                format!("give {}, {other}", only.join(" ")),
            )
        };
        Problem::new(message, help)
    }
}
