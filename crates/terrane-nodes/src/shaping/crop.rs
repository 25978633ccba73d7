//! Parts of maps.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach, Sizes};
use terrane_grid::Domain;

use crate::support::map_bytes;
use crate::values::Map;

/// Cuts a part out of a map. Its samples are unchanged and stay where they are in the world.
///
/// The part has `size` samples from the one at `origin` on. It keeps the place on a map, so a GeoTIFF of it
/// lies where the whole does. The other maps of the graph have other samples: give them the same part with
/// `Crop`. If all of a graph is to be a part of a file, roads included, give the graph the size and the
/// origin of the part instead: with `Import(origin: Some((0, 0)))` and `Resample` it has the file's samples
/// there.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "worn": ThermalErosion(height: "hills"),
///         "middle": Crop(height: "worn", origin: Some((128, 128)), size: (65, 65)),
///     },
///     outputs: { "middle.tif": "middle" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "cut clip window part region extract trim rectangle subset",
    tiles = Global, because = "the part has its own size and position", holes = Own)]
#[output(height: Map, unit = "world units", doc = "The part.")]
pub struct Crop {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Columns and rows of the part.
    #[param(min = 1, max = 46340)]
    pub size: (u32, u32),
    /// World x and y of the first sample of the part; the nearest sample is taken. Default: the map's first
    /// sample.
    #[param(default = None, unit = "world units", place)]
    pub origin: Option<(f64, f64)>,
}

impl Evaluate for Crop {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let map = self.height.get();
        let whole = map.domain();
        let size = (self.size.0 as usize, self.size.1 as usize);
        let origin = self.origin.unwrap_or(whole.origin);
        let from = |at: f64, first: f64| libm::round((at - first) / whole.spacing);
        let first = (from(origin.0, whole.origin.0), from(origin.1, whole.origin.1));
        let room = |first: f64, size: usize, of: usize| first >= 0.0 && first + size as f64 <= of as f64;
        if !room(first.0, size.0, whole.width()) || !room(first.1, size.1, whole.height()) {
            return Err(outside(&whole, origin, size));
        }
        let first = (first.0 as usize, first.1 as usize);
        Ok((Map(map.part(first, size)),))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        Reach::map("the part has its own size and position")
    }

    fn output_bytes(&self, output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::HEIGHT).then(|| map_bytes(self.size.0.into(), self.size.1.into()))
    }
}

/// The error for a part that is not within the map.
fn outside(whole: &Domain, origin: (f64, f64), (columns, rows): (usize, usize)) -> NodeError {
    let end = |first: f64, count: usize| first + (count - 1) as f64 * whole.spacing;
    let last = (end(origin.0, columns), end(origin.1, rows));
    let (right, bottom) = (whole.x(whole.width() - 1), whole.y(whole.height() - 1));
    NodeError::failed(
        format!("the part from {origin:?} to {last:?} is not within the map"),
        format!(
            "the map has {} x {} samples from {:?} to {:?}: choose `origin` and `size` within",
            whole.width(),
            whole.height(),
            whole.origin,
            (right, bottom)
        ),
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::Run;
    use crate::values::Map;

    fn run(parameters: &str) -> Run {
        let nodes = format!("\"a\": Ramp(to: (56, 0)), \"part\": Crop(height: \"a\", {parameters})");
        Run::of_nodes(&nodes, "\"a.tif\": \"a\", \"part.tif\": \"part\"").unwrap()
    }

    #[test]
    fn samples_are_unchanged_and_stay_in_place() {
        let run = run("origin: Some((2, 10)), size: (7, 5)");
        let (whole, part) = (run.value::<Map>(0), run.value::<Map>(1));
        assert_eq!(part.domain().origin, (2.0, 10.0));
        assert_eq!((part.domain().size, part.spacing()), ((7, 5), 2.0));
        for row in 0..5 {
            assert_eq!(part.grid().row(row), &whole.grid().row(row + 3)[5..12]);
        }
        assert_eq!(run.warnings(), "");
    }

    #[test]
    fn the_nearest_sample_is_the_first_and_a_part_outside_is_refused() {
        let between = run("origin: Some((2.9, 10)), size: (7, 5)");
        assert_eq!(between.value::<Map>(1).domain().origin, (2.0, 10.0));
        for outside in
            ["size: (34, 5)", "origin: Some((-10, 4)), size: (1, 1)", "origin: Some((2, 66)), size: (2, 4)"]
        {
            assert!(run(outside).failure().contains("is not within the map"), "{outside}");
        }
        assert_eq!(run("size: (33, 33)").value::<Map>(1), run("size: (33, 33)").value::<Map>(0));
    }
}
