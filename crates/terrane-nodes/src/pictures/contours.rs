//! Lines of equal height.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalInput, Sizes};
use terrane_grid::Grid;
use terrane_kernels::metric::extremes;
use terrane_kernels::shade::{MAX_LEVELS, contours, draw_contours};

use crate::support::{forecast_domain, maps};
use crate::values::{Map, Paths, Picture, Table};

/// Lines of equal height, drawn on a picture.
///
/// The lines are found by marching squares; a height equal to a level counts as above it. Every fifth line is
/// twice as wide.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "relief": ColorRelief(height: "hills"),
///         "map": Contours(height: "hills", picture: "relief", interval: 10.0),
///     },
///     outputs: { "map.png": "map" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "isolines lines heights elevation topographic topo map isoline curves",
    tiles = Global, because = "the positions of lines are rounded relative to \
    the map's corner", version = 2, working_maps = 1.5, holes = Kept,
    fits(interval = "{rise 0.05}"))]
#[output(picture: Picture, doc = "The lines on the picture, or on white.")]
#[output(lines: Paths, doc = "The lines, with their level.")]
pub struct Contours {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The picture to draw on. Default: white.
    #[input]
    pub picture: OptionalInput<Picture>,
    /// Difference in height between adjacent lines.
    #[param(default = 10.0, above = 0.0, unit = "world units")]
    pub interval: f64,
    /// Height of one of the wide lines.
    #[param(default = 0.0, unit = "world units")]
    pub base: f64,
    /// Width of a line.
    #[param(default = 1.0, above = 0.0, max = 64.0, unit = "samples")]
    pub width: f64,
}

impl Evaluate for Contours {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let (low, high) = extremes(&height).unwrap_or_default();
        let (low, high) = (f64::from(low), f64::from(high));
        let levels = (high - low) / self.interval;
        if levels > MAX_LEVELS as f64 {
            return Err(NodeError::failed(
                format!("`interval` is {}, which results in {levels:.0} levels", self.interval),
                format!("use an interval of at least {}", (high - low) / MAX_LEVELS as f64),
            ));
        }
        let farthest = (low - self.base).abs().max((high - self.base).abs()) / self.interval;
        if farthest >= (1u64 << 53) as f64 {
            return Err(NodeError::failed(
                format!("heights are {farthest:e} intervals away from `base`"),
                "use a base near the heights, or a larger interval",
            ));
        }
        let (w, h) = height.domain().size;
        let mut picture = match self.picture.get() {
            Some(picture) => picture.0.clone(),
            None => Grid::filled(w, h, [255; 3]),
        };
        let lines = contours(&height, self.interval as f32, self.base as f32);
        draw_contours(&mut picture, &height.domain(), &lines, [40, 28, 20], self.width as f32);
        let levels = lines.iter().map(|contour| f64::from(contour.level)).collect();
        let attributes = Table::new(vec![("level", levels)]);
        let lines = lines.into_iter().map(|contour| contour.line).collect();
        Ok((Picture(picture), Paths::new(lines, attributes)))
    }

    /// Memory for the lines, whose length depends on the heights. An estimate: between neighbouring samples,
    /// in both directions together, mountains rise or fall by 0.4 of their distance. Each interval of this is
    /// a point of 16 bytes.
    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        const SLOPES: f64 = 0.4;
        let domain = forecast_domain(sizes).filter(|_| output == Self::LINES)?;
        let points = (SLOPES * domain.spacing / self.interval).min(2.0 * MAX_LEVELS as f64);
        Some(maps(sizes, 4.0 * points))
    }
}

#[cfg(test)]
mod tests {
    use terrane_flow::Data as _;

    use crate::testing::Run;
    use crate::values::Paths;

    /// A plane that rises by 0.4 of the distance has as many points as the forecast says.
    #[test]
    fn the_forecast_of_lines_is_that_of_a_slope() {
        let run = |interval: f64| {
            let nodes = format!(
                "\"a\": Ramp(to: (64, 0), high: 25.6), \"b\": Contours(height: \"a\", interval: {interval})"
            );
            Run::of_nodes(&nodes, "\"b.geojson\": \"b.lines\", \"a.tif\": \"a\"").unwrap()
        };
        let fine = run(0.05).value::<Paths>(0).heap_bytes();
        // 33 x 33 samples, 2 apart.
        let wanted = 33.0 * 33.0 * 16.0 * 0.4 * 2.0 / 0.05;
        assert!((fine as f64 / wanted - 1.0).abs() < 0.1, "{fine} {wanted}");
    }
}
