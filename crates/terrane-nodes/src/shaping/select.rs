//! Masks from the shape of terrain.

use terrane_flow::{Context, Evaluate, Header, Input, Invalid, Node, NodeError, Reach, Sizes};
use terrane_kernels::shape;

use crate::support::{Report, cancelled, choice, maps};
use crate::values::Map;

choice! {
    /// What a mask is made from.
    SelectBy => shape::Select {
        /// Height, in world units.
        Height,
        /// Slope, rise over run.
        Slope,
        /// Curvature, 1 / world units: positive in hollows, negative on ridges.
        Curvature,
        /// The direction that a slope faces, in degrees clockwise from north, which is up.
        Aspect,
        /// The area that drains through a sample, in square world units: the output of a `Drainage` node as
        /// it is by default.
        Drainage,
    }
}

/// A mask from the shape of the terrain: 1 where a quantity lies in a range, falling smoothly to 0 beyond.
///
/// Slope is rise over run, not an angle: 30 degrees are 0.577, 45 degrees 1. Slopes and curvature depend on
/// the spacing: a coarser preview selects somewhat other ground. `Drainage` follows water down the steepest
/// of eight ways and over the passes of lakes, so it depends on the whole map. A warning tells when the mask
/// is the same everywhere.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "steep": Select(height: "hills", by: Slope, range: (0.5, 10.0), falloff: 0.1),
///     },
///     outputs: { "steep.png": "steep" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping", tiles = Pointwise, version = 3)]
#[output(mask: Map, doc = "How much a sample is selected, in [0, 1].")]
pub struct Select {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The quantity.
    #[param(default = SelectBy::Height)]
    pub by: SelectBy,
    /// Least and greatest value that is selected whole.
    #[param(default = (0.0, 1.0), unit = "the quantity's")]
    pub range: (f64, f64),
    /// How far beyond the range the mask falls to 0.
    #[param(default = 0.0, min = 0.0, unit = "the quantity's")]
    pub falloff: f64,
}

/// A slope above which a range is more likely one of degrees.
const STEEPEST: f64 = 10.0;

impl Select {
    /// What there is to tell of a mask that is the same everywhere; `low` and `high` are the quantity's
    /// extremes.
    fn constant(&self, mask: &[f32], (low, high): (f32, f32)) -> Option<String> {
        let first = *mask.first()?;
        if mask.len() == 1 || mask.iter().any(|&sample| sample != first) {
            return None;
        }
        let what = match first {
            0.0 => "is empty".to_owned(),
            1.0 => "is full".to_owned(),
            other => format!("is {other} everywhere"),
        };
        if low > high {
            return Some(format!("the mask {what}: no sample of the terrain is a number"));
        }
        let (by, (from, to)) = (self.by, self.range);
        Some(format!("the mask {what}: `range` goes from {from} to {to}, and {by:?} from {low} to {high}"))
    }
}

impl Evaluate for Select {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (range, falloff) = ((self.range.0 as f32, self.range.1 as f32), self.falloff as f32);
        if self.by == SelectBy::Slope && self.range.0 > STEEPEST {
            cx.warn(format!(
                "`range` begins at a slope of {}, but slope is rise over run, not degrees: 30 degrees are \
                0.577, 45 degrees are 1",
                self.range.0
            ));
        }
        let quantity = shape::quantity(&self.height.get(), self.by.into(), &Report(cx)).map_err(cancelled)?;
        let found = quantity
            .samples()
            .iter()
            .fold((f32::MAX, f32::MIN), |(low, high), &value| (low.min(value), high.max(value)));
        let mask = shape::in_range(quantity, range, falloff);
        if let Some(message) = self.constant(mask.samples(), found) {
            cx.warn(message);
        }
        Ok((Map(mask),))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.range.0 <= self.range.1 {
            return Ok(());
        }
        let message = format!("`range` begins at {}, above its end, {}", self.range.0, self.range.1);
        Err(Invalid { field: "range", message, help: "swap the two".to_owned() })
    }

    /// Where water runs.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        match self.by {
            SelectBy::Drainage => maps(sizes, 4.8),
            _ => 0,
        }
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        match self.by {
            SelectBy::Height => Reach::Samples(0),
            SelectBy::Drainage => Reach::map("`by: Drainage` needs water from all ground that lies above"),
            _ => Reach::Samples(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Run;

    /// A mask of a ramp that rises by 1 a unit eastward, from -8 to 56.
    fn select(parameters: &str) -> Run {
        let nodes = format!(
            "\"ramp\": Ramp(from: (-8, 0), to: (56, 0), low: -8.0, high: 56.0),
             \"m\": Select(height: \"ramp\", {parameters})"
        );
        Run::of_nodes(&nodes, "\"m.npy\": \"m\"").unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_mask_that_is_the_same_everywhere_is_told() {
        for (parameters, expected) in [
            ("range: (60, 70)", "the mask is empty: `range` goes from 60 to 70, and Height from -8 to 56"),
            ("range: (-8, 56)", "the mask is full"),
            (
                "by: Slope, range: (1.5, 2), falloff: 1",
                "the mask is 0.5 everywhere: `range` goes from 1.5 to 2, and Slope from 1 to 1",
            ),
        ] {
            let told = select(parameters).warnings();
            assert!(told.contains(expected), "{parameters}: {told}");
        }
        assert_eq!(select("range: (0, 10)").warnings(), "");
    }

    #[test]
    fn slopes_in_degrees_are_told() {
        let told = select("by: Slope, range: (30, 90)").warnings();
        assert!(
            told.contains("rise over run, not degrees: 30 degrees are 0.577") && told.contains("empty"),
            "{told}"
        );
        assert!(!select("by: Slope, range: (0.5, 10)").warnings().contains("degrees"));
        assert!(!select("by: Aspect, range: (30, 95)").warnings().contains("rise over run"));
    }

    #[test]
    fn drainage_is_that_of_the_drainage_node() {
        let nodes = "\"hills\": MidpointDisplacement(amplitude: 100.0),
             \"water\": Drainage(height: \"hills\"),
             \"wet\": Select(height: \"hills\", by: Drainage, range: (100, 1000), falloff: 400),
             \"same\": Select(height: \"water\", range: (100, 1000), falloff: 400)";
        let run = Run::of_nodes(nodes, "\"wet.npy\": \"wet\", \"same.npy\": \"same\"").unwrap();
        let (wet, same): (Map, Map) = (run.value(0), run.value(1));
        assert_eq!(wet.samples(), same.samples());
        assert_eq!(run.warnings(), "", "the mask is uneven");
    }
}
