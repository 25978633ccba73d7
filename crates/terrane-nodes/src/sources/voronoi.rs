//! Voronoi terrain.

use terrane_flow::{Context, Evaluate, Header, Invalid, Node, NodeError, Reach};
use terrane_kernels::voronoi::{self, MAX_ORDER, MOST_FEATURE_POINTS, Metric, Rescale, Search};

use crate::reaches::REPEATS;
use crate::support::{Report, cancelled, domain, scale, seed};
use crate::values::{Map, Points};

/// Why cells depend on the map's size.
const REGIONS_BY_WIDTH: &str = "`region_size: None` divides the map's width into regions";

/// The maximum number of regions along a side.
const MAX_REGIONS: u32 = 65_536;

/// Voronoi terrain: mountains and valleys from the distances to scattered feature points.
///
/// The height is `c1 * d1 + c2 * d2 + ...`, where d1, d2, ... are the distances to the nearest, second
/// nearest, ... feature point. Coefficients [-1, 1] produce ridged mountains in a connected network of
/// valleys at exactly 0. The unit of distance is a region's side divided by the square root of
/// `points_per_region`. With the defaults, heights are at least 0, and the highest sample of a map is between
/// 0.9 and 1.3, before `amplitude` and `offset`.
///
/// `hills` below 1 removes the hills of some cells and does not change the width of the valleys. To vary the
/// heights of hills instead, remap the output `cells`, a random number per cell, and multiply the height by
/// it. To widen the valleys, subtract a constant from the height and clamp the result at 0.
///
/// Regions are squares, anchored at the world's origin. By default their side is the map's width divided by
/// `regions`: patches of the same size meet exactly, but a larger map or a coarser preview has different
/// cells. With `region_size` cells do not depend on the map's size. With `wrap` regions are anchored at the
/// map's origin; if no whole number of squares fits the map's height, regions are rectangles, and the number
/// of their rows is rounded to the nearest whole number. The unit of distance then uses the square root of a
/// region's area as the side.
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
#[node(category = "sources",
    words = "worley cellular cells noise crystals cracks craters mountains peaks generate",
    tiles = Global, because = "`region_size: None` divides the map's width into \
    regions", paper = "Olsen 2004, Voronoi diagrams", version = 2, working_maps = 0.1, header,
    suits(regions = "5", amplitude = 0.05),
    main(regions, coefficients, amplitude, offset, metric, seed),
    presets(crests(coefficients = "[-1.0, 1.0]"), cells(coefficients = "[1.0]")))]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
#[output(cells: Map, doc = "Identity of the nearest feature point: a whole number below 2^24, the same in \
    every patch.")]
#[output(feature_points: Points, lazy, doc = "World x and y of the feature points in the regions that the \
    map touches, with their identity.")]
pub struct Voronoi {
    /// Number of regions along the map's width.
    #[param(default = 8, min = 1, max = 65536)]
    pub regions: u32,
    /// Side of a region, which makes cells independent of the map's size. Default: the map's width divided by
    /// `regions`.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub region_size: Option<f64>,
    /// Number of feature points in each region.
    #[param(default = 1, min = 1, max = 64)]
    pub points_per_region: u32,
    /// Coefficients of the distances to the nearest, second nearest, ... feature point.
    #[param(default = vec![-1.0, 1.0])]
    pub coefficients: Vec<f64>,
    /// Metric of the distances to feature points.
    #[param(default = Metric::Euclidean)]
    pub metric: Metric,
    /// How far to search for the nearest feature points.
    #[param(default = Search::Exact)]
    pub search: Search,
    /// Whether the map tiles with itself.
    #[param(default = false)]
    pub wrap: bool,
    /// Scaling of heights.
    #[param(default = Rescale::World)]
    pub rescale: Rescale,
    /// Share of the cells that keep their hills; the others are flat.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    pub hills: f64,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Factor that scales heights.
    #[param(default = 1.0, unit = "world units")]
    pub amplitude: f64,
    /// Height added to the result.
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
            metric: self.metric,
            search: self.search,
            wrap: self.wrap,
            rescale: self.rescale,
        };
        let (width, height) = domain(cx).extent();
        let smallest = width.max(height) / f64::from(MAX_REGIONS);
        if let Some(size) = self.region_size.filter(|size| *size < smallest) {
            let message = format!(
                "`region_size` is {size}: the map would have more than {MAX_REGIONS} \
                regions along a side"
            );
            return Err(NodeError::failed(message, format!("use a `region_size` of at least {smallest}")));
        }
        let cells = voronoi::voronoi(&domain(cx), seed(cx, self.seed), &parameters, &Report(cx))
            .map_err(cancelled)?;
        let mut height = cells.height;
        if self.hills < 1.0 {
            // Identities are random, so those below the limit are a random share of all.
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
                        "the map has {count} feature points, but at most {MOST_FEATURE_POINTS} can be output"
                    ),
                    "use fewer `regions` or `points_per_region`, or disconnect `feature_points`",
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
                message: "`region_size` and `wrap` are both given, but a map that wraps has a whole number \
                    of regions"
                    .to_owned(),
                help: "set their number with `regions`".to_owned(),
            });
        }
        if (1..=MAX_ORDER).contains(&self.coefficients.len()) {
            return Ok(());
        }
        Err(Invalid {
            field: "coefficients",
            message: format!("`coefficients` has {} numbers", self.coefficients.len()),
            help: format!("write 1 to {MAX_ORDER} numbers, such as [-1.0, 1.0]"),
        })
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        match self.rescale {
            _ if self.wrap => Reach::map(REPEATS),
            Rescale::Map => Reach::map("`rescale: Map` uses the map's minimum and maximum height"),
            Rescale::World if self.region_size.is_none() => Reach::size(REGIONS_BY_WIDTH),
            Rescale::World => Reach::Samples(0),
        }
    }
}
