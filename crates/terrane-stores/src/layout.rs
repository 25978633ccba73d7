//! The layout of a world in a store: arrays, levels of detail and blocks.

use std::num::NonZeroU64;

use terrane_flow::{Kind, OutputEntry};
use terrane_grid::{Domain, Tiling};
use terrane_nodes::values::{Picture, has_heights};
use terrane_runs::Failure;
use terrane_runs::patches::Patches;
use terrane_runs::world::LoadedWorld;

/// The layout of a world in a store.
///
/// Each output is an array of the samples of all patches. A patch contributes all but its last column and
/// row. These are the first column and row of the next patches, which contribute them. The last column and
/// row of the whole world are therefore not stored.
#[derive(Clone, Debug)]
pub struct Layout {
    /// How the plane is divided into patches.
    pub tiling: Tiling,
    /// The patches that the store covers.
    pub patches: Patches,
    /// The number of patches along each side of a block. One task computes a block. The block's part of each
    /// array is one object.
    pub block: u32,
    /// The arrays.
    pub layers: Vec<Layer>,
}

/// An output of the world's graph as an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The array's name.
    pub name: String,
    /// The output's file name in the graph.
    pub file: String,
    /// The type of a sample.
    pub pixel: Pixel,
    /// The output's index among the requested outputs.
    pub entry: usize,
}

/// The type of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixel {
    /// A number: heights, masks and the like.
    Number,
    /// Red, green and blue.
    Colour,
}

impl Pixel {
    /// The sample type of an output; `None` if it is not a raster.
    fn of(kind: &Kind) -> Option<Self> {
        if has_heights(kind) {
            Some(Self::Number)
        } else if kind == Kind::of::<Picture>() {
            Some(Self::Colour)
        } else {
            None
        }
    }

    /// Bytes per sample.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Number => 4,
            Self::Colour => 3,
        }
    }

    /// The fill value, which readers see where nothing was written.
    #[must_use]
    pub fn nothing(self) -> Vec<u8> {
        match self {
            Self::Number => zarrs::array::ZARR_NAN_F32.to_le_bytes().to_vec(),
            Self::Colour => vec![0; 3],
        }
    }
}

/// If a side of a block has at most this many samples at a level, there is no coarser level.
const SMALLEST: u64 = 32;

/// The maximum number of samples along a block's side by default, unless a single patch has more.
const MAX_DEFAULT_SIDE: u32 = 4096;

/// The maximum number of patches along a block's side.
const MAX_BLOCK: u32 = 1024;

/// The maximum number of samples along a block's side.
const MAX_BLOCK_SIDE: u64 = 1 << 17;

/// The maximum number of samples along an array's side. It limits the number of coordinates along the axes,
/// which are all written before any block.
const MAX_ARRAY_SIDE: u64 = 1 << 26;

impl Layout {
    /// The layout of a world's outputs, and notes about these outputs for the user. By default a block has 8
    /// x 8 patches, or fewer if patches are large.
    ///
    /// # Errors
    /// Fails if no output is a raster, or if the block size is out of range.
    pub fn of(
        world: &LoadedWorld,
        entries: &[&OutputEntry],
        patches: Patches,
        block: Option<u32>,
    ) -> Result<(Self, Vec<String>), Failure> {
        let (mut layers, mut notes) = (Vec::new(), Vec::new());
        let graph = &world.graph().graph;
        for (entry, output) in entries.iter().enumerate() {
            let Ok((node, port)) = graph.find(&output.from) else { continue };
            let Some((_, node)) = graph.nodes.get_index(node) else { continue };
            let kind = node.node().spec().outputs[port].kind;
            let Some(pixel) = Pixel::of(kind) else {
                notes.push(format!("{} is left out: a store holds maps and pictures only", output.file));
                continue;
            };
            if output
                .options
                .iter()
                .any(|(option, _)| matches!(option.as_str(), "depth" | "range" | "preset"))
            {
                notes.push(format!(
                    "{} is stored with its original values: `depth`, `range` and `preset` apply to files",
                    output.file
                ));
            }
            let name = name(&output.file, &layers);
            layers.push(Layer { name, file: output.file.clone(), pixel, entry });
        }
        if layers.is_empty() {
            let help = "export a map or a picture, or write files: -o FOLDER";
            return Err(Failure::usage("no output is a map or a picture; a store holds only these", help));
        }
        let tiling = world.tiling();
        let side = tiling.size.0.max(tiling.size.1).saturating_sub(1) as u32;
        let usual = || {
            (0..=3)
                .rev()
                .map(|power| 1 << power)
                .find(|block| side.saturating_mul(*block) <= MAX_DEFAULT_SIDE)
                .unwrap_or(1)
        };
        // A block is never larger than the world.
        let across = (patches.high.0 - patches.low.0).max(patches.high.1 - patches.low.1) + 1;
        let block = block.unwrap_or_else(usual).min(u32::try_from(across).unwrap_or(u32::MAX));
        Ok((Self::new(tiling, patches, block, layers)?, notes))
    }

    /// The layout of the given arrays.
    ///
    /// # Errors
    /// Fails if the block size is out of range, or if blocks or arrays are too large for any machine.
    pub fn new(tiling: Tiling, patches: Patches, block: u32, layers: Vec<Layer>) -> Result<Self, Failure> {
        if !(1..=MAX_BLOCK).contains(&block) {
            let help = format!("give 1 to {MAX_BLOCK} patches to a side; the default is at most 8");
            return Err(Failure::usage(format!("a block cannot have {block} patches to a side"), help));
        }
        let side = tiling.size.0.max(tiling.size.1) as u64;
        if side.saturating_mul(u64::from(block)) > MAX_BLOCK_SIDE {
            let message = format!("blocks of {block} patches of {side} samples to a side are too large");
            return Err(Failure::usage(
                message,
                format!("choose smaller ones: --block {}", (MAX_BLOCK_SIDE / side).max(1)),
            ));
        }
        let this = Self { tiling, patches, block, layers };
        let (across, steps) = (this.patches_across(), this.steps());
        if across.0.saturating_mul(steps.0).max(across.1.saturating_mul(steps.1)) > MAX_ARRAY_SIDE {
            let message = format!("arrays of more than {MAX_ARRAY_SIDE} samples to a side are too large");
            return Err(Failure::usage(message, "divide the patches among several stores"));
        }
        Ok(this)
    }

    /// The columns and rows that a patch contributes: all except those that it shares with the next patches.
    const fn steps(&self) -> (u64, u64) {
        (self.tiling.size.0 as u64 - 1, self.tiling.size.1 as u64 - 1)
    }

    /// The number of patches along both sides.
    const fn patches_across(&self) -> (u64, u64) {
        let Patches { low, high } = self.patches;
        ((high.0 - low.0 + 1) as u64, (high.1 - low.1 + 1) as u64)
    }

    /// Columns and rows of the arrays at a level of detail.
    #[must_use]
    pub fn size(&self, level: u32) -> (u64, u64) {
        let ((columns, rows), steps) = (self.patches_across(), self.steps());
        let coarse = |samples: u64| samples.div_ceil(1 << level);
        (coarse(columns * steps.0), coarse(rows * steps.1))
    }

    /// Columns and rows of a block at a level of detail.
    #[must_use]
    pub const fn of_block(&self, level: u32) -> (u64, u64) {
        let steps = self.steps();
        ((steps.0 * self.block as u64) >> level, (steps.1 * self.block as u64) >> level)
    }

    /// Columns and rows of a chunk, the unit inside an object. A chunk has the size of a patch if such chunks
    /// fill the block. Otherwise it is the whole block.
    #[must_use]
    pub const fn of_chunk(&self, level: u32) -> (u64, u64) {
        if self.block.is_multiple_of(1 << level) { self.steps() } else { self.of_block(level) }
    }

    /// The number of levels of detail. Each level has every second sample of the level below. A block must
    /// have a whole number of columns and rows at each level.
    #[must_use]
    pub fn levels(&self) -> u32 {
        let mut levels = 1;
        loop {
            let (columns, rows) = self.of_block(levels - 1);
            let size = self.size(levels - 1);
            let is_whole = columns % 2 == 0 && rows % 2 == 0 && levels < 16;
            if !is_whole || columns <= SMALLEST || rows <= SMALLEST || size.0 <= 256 && size.1 <= 256 {
                return levels;
            }
            levels += 1;
        }
    }

    /// The blocks, counted from the block of the first patch.
    #[must_use]
    pub fn blocks(&self) -> Patches {
        let (columns, rows) = self.patches_across();
        let last = |patches: u64| patches.div_ceil(self.block as u64) as i64 - 1;
        Patches { low: (0, 0), high: (last(columns), last(rows)) }
    }

    /// The patches of a block.
    #[must_use]
    pub fn patches_of(&self, block: (i64, i64)) -> Patches {
        let side = i64::from(self.block);
        let Patches { low, high } = self.patches;
        let first = (low.0 + block.0 * side, low.1 + block.1 * side);
        Patches { low: first, high: (high.0.min(first.0 + side - 1), high.1.min(first.1 + side - 1)) }
    }

    /// The domain of a level's samples.
    #[must_use]
    pub fn domain(&self, level: u32) -> Domain {
        let (columns, rows) = self.size(level);
        let own = self.tiling.domain(self.patches.low);
        Domain {
            size: (columns as usize, rows as usize),
            spacing: own.spacing * libm::exp2(f64::from(level)),
            origin: own.origin,
        }
    }

    /// The memory for a block in bytes. It is needed for the samples, the coarser levels, and the encoded
    /// objects.
    #[must_use]
    pub fn bytes_of_block(&self) -> u64 {
        let (columns, rows) = self.of_block(0);
        let pixels: usize = self.layers.iter().map(|layer| layer.pixel.bytes()).sum();
        // While the largest object is compressed, memory holds it a third time.
        columns * rows * pixels as u64 * 3
    }
}

/// The name of an array. It is the file name without its extension. If that name is taken, the extension is
/// kept.
fn name(file: &str, others: &[Layer]) -> String {
    let plain = |text: &str| -> String {
        let keep = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
        text.chars().map(keep).collect()
    };
    let is_free = |name: &String| {
        !others.iter().any(|other| &other.name == name) && !matches!(name.as_str(), "x" | "y" | "band")
    };
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let mut name = Some(plain(stem)).filter(is_free).unwrap_or_else(|| plain(file));
    while !is_free(&name) {
        name.push('_');
    }
    name
}

/// A length that is known not to be 0.
pub(crate) fn positive(length: u64) -> NonZeroU64 {
    NonZeroU64::new(length).unwrap_or(NonZeroU64::MIN)
}
