//! The fractal dimension of coastlines.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_grid::{Grid, Heightmap};
use terrane_kernels::metric;

use crate::values::{Map, Table};

/// The fractal dimension of the coastline at a level, by box counting.
///
/// The coastline consists of the samples at or above the level that have one of their four neighbours below
/// it. If n boxes with a side of ε samples cover it, its length is L(ε) = n ε. The dimension D is defined by
/// L(ε) = k ε^(1 - D) with a constant k: D is 1 minus the slope of log L over log ε. A straight coast has a
/// dimension of 1, the west coast of Britain 1.25 (Richardson), and a coast that fills the plane 2. D
/// describes only the coast: terrain can have the dimension of real terrain without looking like real
/// terrain.
///
/// The result depends on the spacing, because boxes are measured in samples. If there is no coast, the
/// dimension is not a number.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (257, 257), spacing: 4.0, seed: 7,
///     nodes: {
///         "noise": PolynomialNoise(wavelength: 512.0),
///         "coast": FractalDimension(height: "noise", level: 0.5),
///     },
///     outputs: { "coast.png": "coast.coastline", "coast.json": "coast", "boxes.csv": "coast.boxes" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "coastline box counting complexity measure hausdorff",
    tiles = Global, because = "the coastline can cross the whole \
    map", paper = "Thorimbert & Chopard \
    2018, section 5.3")]
#[output(dimension: Table, doc = "One row: dimension, and fit, the share of variance that the straight line \
    explains.")]
#[output(boxes: Table, doc = "A row per box size: size in samples, count of boxes, length of the coast in \
    samples.")]
#[output(coastline: Map, lazy, doc = "1 on the coastline, 0 elsewhere.")]
#[output(covered: Map, lazy, doc = "1 in the boxes of `covered_size` that contain part of the coastline, 0 \
    elsewhere.")]
pub struct FractalDimension {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Height of the sea. Default: the map's mean height.
    #[param(default = None, unit = "world units")]
    pub level: Option<f64>,
    /// Sides of the boxes; at least two.
    #[param(default = vec![2, 4, 8, 16, 32, 64], min = 1, max = 1_000_000, unit = "samples")]
    pub box_sizes: Vec<u32>,
    /// Side of the boxes that the output `covered` shows.
    #[param(default = 16, min = 1, max = 1_000_000, unit = "samples")]
    pub covered_size: u32,
}

impl Evaluate for FractalDimension {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let level = self.level.unwrap_or_else(|| metric::statistics(&height).mean);
        let coast = metric::coastline(&height, level as f32);
        let found = metric::fractal_dimension(&coast, &self.box_sizes);
        let column = |value: fn(&metric::Boxes) -> f64| found.boxes.iter().map(value).collect::<Vec<_>>();
        let boxes = Table::new(vec![
            ("size", column(|boxes| f64::from(boxes.size))),
            ("count", column(|boxes| boxes.count as f64)),
            ("length", column(|boxes| boxes.length)),
        ]);
        let mask = |output: usize, grid: &dyn Fn() -> Grid<bool>| {
            if cx.asked(output) {
                Map(height.with_grid(grid().map(|&inside| f32::from(u8::from(inside)))))
            } else {
                Map(Heightmap::constant(terrane_grid::Domain::new(0, 0), 0.0))
            }
        };
        let dimension = Table::row(&[("dimension", found.dimension), ("fit", found.fit)]);
        let coastline = mask(Self::COASTLINE, &|| coast.clone());
        let covered = mask(Self::COVERED, &|| metric::covered(&coast, self.covered_size));
        Ok((dimension, boxes, coastline, covered))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.box_sizes.len() < 2 {
            return Err(Invalid {
                field: "box_sizes",
                message: "`box_sizes` has fewer than two sizes, through which no line can be \
                    fitted"
                    .to_owned(),
                help: "write box_sizes: [2, 4, 8, 16, 32, 64]".to_owned(),
            });
        }
        Ok(())
    }

    /// Memory for the coast.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        sizes.inputs[0] / 2
    }
}
