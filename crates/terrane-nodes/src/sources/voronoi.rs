//! Cellular terrain.

use terrane_flow::{Context, Evaluate, Header, Invalid, Node, NodeError, Reach};
use terrane_kernels::voronoi::{self, MAX_ORDER, MOST_FEATURE_POINTS};

use crate::reaches::REPEATS;
use crate::support::{Report, cancelled, choice, domain, scale, seed};
use crate::values::{Map, Points};

choice! {
    /// How distance is measured.
    Metric => voronoi::Metric {
        /// As the crow flies.
        Euclidean,
        /// The square of that: the same cells, other profiles, faster.
        Squared,
        /// Along the axes, added.
        Manhattan,
        /// Along the axes, the longer.
        Chebyshev,
    }
}

choice! {
    /// How far feature points are looked for.
    Search => voronoi::Search {
        /// As far as it takes never to miss one.
        Exact,
        /// The region and its eight neighbours, as in the paper: may miss a nearer point now and then.
        Near,
    }
}

choice! {
    /// How heights are scaled.
    Rescale => voronoi::Rescale {
        /// By the density of points alone: patches meet.
        World,
        /// To [0, 1] over this map, as in the paper: patches do not meet.
        Map,
    }
}

/// Why cells depend on the map's size.
const SHARES: &str = "`region_size: None` makes a region a share of the map's width";

/// The most regions along a side.
const MOST_REGIONS: u32 = 65_536;

/// Mountains and valleys from distances to scattered feature points.
///
/// The height is `c1 * d1 + c2 * d2 + ...` over the distances to the nearest, second nearest, ... point.
/// Coefficients [-1, 1] give ridged mountains in a connected network of valleys at exactly 0. Distances are
/// in units of a region's side times the root of `points_per_region`, so with [-1, 1] heights lie about
/// [0, 1] before `amplitude` and `offset`.
///
/// `hills` takes hills away, cell by cell, and leaves the network of valleys as wide as they were. To vary
/// them instead, multiply the height by the `cells` output, remapped: a random number per cell. To widen the
/// valleys, subtract some of the height and clamp the rest at 0.
///
/// Regions are squares, anchored at the world's origin. Without `region_size` their side is the map's width
/// over `regions`: it follows the map's size, so that patches of one size meet exactly, but a larger map or a
/// coarser preview has other cells. With `wrap` they are anchored at the map's origin, and where no whole
/// number of squares fits the map's height they are rectangles, with the nearest whole number of rows; the
/// side is then the root of a region's area.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "cells": Voronoi(regions: 5, coefficients: [-1.0, 1.0], amplitude: 100.0),
///     },
///     outputs: { "cells.png": "cells" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "sources", tiles = Global, because = "`region_size: None` makes a region a share of the \
    map's width", paper = "Olsen 2004, Voronoi diagrams", version = 2, working_maps = 0.1, header)]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
#[output(cells: Map, doc = "Identity of the nearest feature point: a whole number below 2^24, the same in \
    every patch.")]
#[output(feature_points: Points, lazy, doc = "World x and y of the feature points in the regions that the \
    map touches, with their identity.")]
pub struct Voronoi {
    /// Regions along the map's columns.
    #[param(default = 8, min = 1, max = 65536)]
    pub regions: u32,
    /// Side of a region; without, the map's width over `regions`. With it cells are the same on ground of any
    /// size.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub region_size: Option<f64>,
    /// Feature points in a region.
    #[param(default = 1, min = 1, max = 64)]
    pub points_per_region: u32,
    /// Factors of the nearest, second nearest, ... distance.
    #[param(default = vec![-1.0, 1.0])]
    pub coefficients: Vec<f64>,
    /// How distance is measured.
    #[param(default = Metric::Euclidean)]
    pub metric: Metric,
    /// How far feature points are looked for.
    #[param(default = Search::Exact)]
    pub search: Search,
    /// Whether the map tiles with itself.
    #[param(default = false)]
    pub wrap: bool,
    /// How heights are scaled.
    #[param(default = Rescale::World)]
    pub rescale: Rescale,
    /// Share of the cells whose hills stay; the others are flat.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    pub hills: f64,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Factor on heights.
    #[param(default = 1.0, unit = "world units")]
    pub amplitude: f64,
    /// Added to heights.
    #[param(default = 0.0, unit = "world units")]
    pub offset: f64,
}

impl Evaluate for Voronoi {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let parameters = voronoi::Voronoi {
            regions: self.regions,
            side: self.region_size,
            points_per_region: self.points_per_region,
            coefficients: self.coefficients.iter().map(|&c| c as f32).collect(),
            metric: self.metric.into(),
            search: self.search.into(),
            wrap: self.wrap,
            rescale: self.rescale.into(),
        };
        let (width, height) = domain(cx).extent();
        let smallest = width.max(height) / f64::from(MOST_REGIONS);
        if self.region_size.is_some_and(|size| size < smallest) {
            let message = format!("the map has more than {MOST_REGIONS} regions along a side");
            return Err(NodeError::failed(message, format!("take a `region_size` of at least {smallest}")));
        }
        let cells = voronoi::voronoi(&domain(cx), seed(cx, self.seed), &parameters, &Report(cx))
            .map_err(cancelled)?;
        let mut height = cells.height;
        if self.hills < 1.0 {
            // Identities are random, so those below a limit are a random share of all.
            let limit = (self.hills * f64::from(1u32 << 24)) as f32;
            let ids = cells.cells.samples().iter();
            height
                .samples_mut()
                .iter_mut()
                .zip(ids)
                .filter(|(_, id)| **id >= limit)
                .for_each(|(h, _)| *h = 0.0);
        }
        let points = if cx.asked(Self::FEATURE_POINTS) {
            let points = voronoi::feature_points(&domain(cx), seed(cx, self.seed), &parameters);
            let points = points.map_err(|count| {
                NodeError::failed(
                    format!(
                        "the map has {count} feature points, and at most {MOST_FEATURE_POINTS} can be given"
                    ),
                    "take fewer `regions` or `points_per_region`, or do without `feature_points`",
                )
            })?;
            points.iter().map(|p| [p.x, p.y, f64::from(p.id)]).collect()
        } else {
            Vec::new()
        };
        Ok((Map(scale(height, self.amplitude, self.offset)), Map(cells.cells), Points(points)))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.wrap && self.region_size.is_some() {
            return Err(Invalid {
                field: "region_size",
                message: "a map that wraps has a whole number of regions".to_owned(),
                help: "give their number with `regions`".to_owned(),
            });
        }
        if (1..=MAX_ORDER).contains(&self.coefficients.len()) {
            return Ok(());
        }
        Err(Invalid {
            field: "coefficients",
            message: format!("`coefficients` has {} numbers", self.coefficients.len()),
            help: format!("give 1 to {MAX_ORDER}, such as [-1.0, 1.0]"),
        })
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        match self.rescale {
            _ if self.wrap => Reach::map(REPEATS),
            Rescale::Map => Reach::map("`rescale: Map` takes the map's own least and greatest height"),
            Rescale::World if self.region_size.is_none() => Reach::size(SHARES),
            Rescale::World => Reach::Samples(0),
        }
    }
}
