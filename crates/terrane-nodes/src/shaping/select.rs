//! Masks by height, slope and other quantities of terrain.

use std::sync::{Arc, Mutex};

use terrane_flow::{
    Context, Cost, Evaluate, Header, Input, Invalid, Node, NodeError, Pointwise, Reach, Sizes, lock,
};
use terrane_kernels::shape::{self, Select as SelectBy};

use crate::support::{Report, cancelled, maps, of_height};
use crate::values::Map;

/// A mask of the terrain: 1 where a quantity is within a range, falling smoothly to 0 beyond it.
///
/// Slope is rise over run, not an angle: 30 degrees are 0.577, 45 degrees are 1. It is that of the steeper
/// side, so a crest is as steep as its sides. Slope and curvature depend on the spacing, so a coarser preview
/// selects slightly different ground. Aspect runs from 0 to 360 degrees, clockwise from north; flat ground
/// has the value -1. A range does not wrap, so northern slopes need two nodes, with the ranges (0, 45) and
/// (315, 360), joined by `Combine(mode: Max)`. `Drainage` follows water down the steepest of eight directions
/// and over the lowest point of each lake's rim. The node warns if the mask is the same everywhere.
///
/// The node is pointwise only with `by: Height`: slope, curvature and aspect also depend on the adjacent
/// samples, and `Drainage` depends on the whole map.
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
#[node(category = "shaping",
    words = "mask masks selection range height slope altitude steep cliff cliffs snow snowline forest \
        trees grass vegetation rock beach where region area drainage choose threshold aspect splat splatmap \
        biome",
    tiles = Pointwise, version = 5, holes = Kept,
    fits(range = "({height 0.5}, {height 2})", falloff = "{rise 0.1}"),
    presets(steep(by = "Slope", range = "(0.7, 99.0)", falloff = "0.2"),
        gentle(by = "Slope", range = "(0.0, 0.2)", falloff = "0.1")))]
#[output(mask: Map, doc = "Degree to which each sample is selected, in [0, 1].")]
pub struct Select {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Quantity that the mask is derived from.
    #[param(default = SelectBy::Height)]
    pub by: SelectBy,
    /// Minimum and maximum value for which the mask is 1.
    #[param(default = (0.0, 1.0), unit = "unit of the quantity")]
    pub range: (f64, f64),
    /// Distance beyond the range over which the mask falls to 0.
    #[param(default = 0.0, min = 0.0, unit = "unit of the quantity")]
    pub falloff: f64,
}

/// A range of slopes that starts above this is probably meant in degrees.
const STEEPEST: f64 = 10.0;

/// What a mask and its quantity look like.
struct Seen {
    samples: usize,
    /// The value of all samples of the mask; `None` if they differ or there are none.
    uniform: Option<f32>,
    /// The quantity's minimum and maximum.
    span: (f32, f32),
}

impl Default for Seen {
    fn default() -> Self {
        Self { samples: 0, uniform: None, span: (f32::MAX, f32::MIN) }
    }
}

impl Seen {
    /// A part of the mask, and the minimum and the maximum of the quantity there.
    fn of(mask: &[f32], span: (f32, f32)) -> Self {
        let first = mask.first().copied();
        Self {
            samples: mask.len(),
            uniform: first.filter(|&first| mask.iter().all(|&sample| sample == first)),
            span,
        }
    }

    /// Adds another part.
    fn add(&mut self, part: &Self) {
        let is_same = self.samples == 0 || self.uniform == part.uniform;
        self.uniform = part.uniform.filter(|_| is_same);
        self.samples += part.samples;
        self.span = (self.span.0.min(part.span.0), self.span.1.max(part.span.1));
    }

    /// The warning if a mask is the same everywhere.
    fn warning(&self, node: &Select) -> Option<String> {
        let value = self.uniform.filter(|_| self.samples > 1)?;
        let state = match value {
            0.0 => "is empty".to_owned(),
            1.0 => "is full".to_owned(),
            other => format!("is {other} everywhere"),
        };
        // Adding 0 gives zeros one sign, whichever thread came first.
        let (low, high) = (self.span.0 + 0.0, self.span.1 + 0.0);
        if low > high {
            return Some(format!("the mask {state}: no sample of the terrain is a number"));
        }
        let (by, (from, to)) = (node.by, node.range);
        Some(format!("the mask {state}: `range` is from {from} to {to}, and {by:?} is from {low} to {high}"))
    }
}

impl Evaluate for Select {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (range, falloff) = ((self.range.0 as f32, self.range.1 as f32), self.falloff as f32);
        if self.by == SelectBy::Slope && self.range.0 > STEEPEST {
            cx.warn(format!(
                "`range` starts at a slope of {}, but slope is rise over run, not degrees: 30 degrees are \
                0.577, 45 degrees are 1",
                self.range.0
            ));
        }
        let quantity = shape::quantity(&self.height.get(), self.by, &Report(cx)).map_err(cancelled)?;
        let span = shape::span(quantity.samples());
        let mask = shape::in_range(quantity, range, falloff);
        Seen::of(mask.samples(), span).warning(self).into_iter().for_each(|message| cx.warn(message));
        Ok((Map(mask),))
    }

    fn cost(&self) -> Cost {
        if self.by == SelectBy::Height { Cost::Cheap } else { Cost::Dear }
    }

    fn pointwise(&self) -> Option<Pointwise> {
        if self.by != SelectBy::Height {
            return None;
        }
        let range = (self.range.0 as f32, self.range.1 as f32);
        let (seen, node) = (Arc::new(Mutex::new(Seen::default())), self.clone());
        let blocks = Arc::clone(&seen);
        let mask = of_height(shape::selected(range, self.falloff as f32));
        let watched = mask.with(move |mask, inputs| {
            let part = Seen::of(mask, shape::span(&inputs[0]));
            lock(&blocks).add(&part);
        });
        Some(watched.then(move |cx| {
            lock(&seen).warning(&node).into_iter().for_each(|message| cx.warn(message));
        }))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.range.0 <= self.range.1 {
            return Ok(());
        }
        let message = format!("`range` starts at {}, which is above its end, {}", self.range.0, self.range.1);
        Err(Invalid { field: "range", message, help: "swap the two numbers".to_owned() })
    }

    /// Memory for the drainage.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        match self.by {
            SelectBy::Drainage => maps(sizes, 4.8),
            _ => 0,
        }
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        match self.by {
            SelectBy::Height => Reach::Samples(0),
            SelectBy::Drainage => Reach::map("`by: Drainage` needs the whole drainage area upstream"),
            _ => Reach::Samples(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Run;

    /// A mask of a ramp that rises eastward with a slope of 1, from -8 to 56.
    fn select(parameters: &str) -> Run {
        let nodes = format!(
            "\"ramp\": Ramp(from: (-8, 0), to: (56, 0), low: -8.0, high: 56.0),
             \"m\": Select(height: \"ramp\", {parameters})"
        );
        Run::of_nodes(&nodes, "\"m.npy\": \"m\"").unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_uniform_mask_causes_a_warning() {
        for (parameters, expected) in [
            ("range: (60, 70)", "the mask is empty: `range` is from 60 to 70, and Height is from -8 to 56"),
            ("range: (-8, 56)", "the mask is full"),
            (
                "by: Slope, range: (1.5, 2), falloff: 1",
                "the mask is 0.5 everywhere: `range` is from 1.5 to 2, and Slope is from 1 to 1",
            ),
        ] {
            let warnings = select(parameters).warnings();
            assert!(warnings.contains(expected), "{parameters}: {warnings}");
        }
        assert_eq!(select("range: (0, 10)").warnings(), "");
    }

    #[test]
    fn slopes_in_degrees_cause_a_warning() {
        let warnings = select("by: Slope, range: (30, 90)").warnings();
        assert!(
            warnings.contains("rise over run, not degrees: 30 degrees are 0.577")
                && warnings.contains("empty"),
            "{warnings}"
        );
        assert!(!select("by: Slope, range: (0.5, 10)").warnings().contains("degrees"));
        assert!(!select("by: Aspect, range: (30, 95)").warnings().contains("rise over run"));
    }

    #[test]
    fn drainage_equals_that_of_the_drainage_node() {
        let nodes = "\"hills\": MidpointDisplacement(amplitude: 100.0),
             \"water\": Drainage(height: \"hills\"),
             \"wet\": Select(height: \"hills\", by: Drainage, range: (100, 1000), falloff: 400),
             \"same\": Select(height: \"water\", range: (100, 1000), falloff: 400)";
        let run = Run::of_nodes(nodes, "\"wet.npy\": \"wet\", \"same.npy\": \"same\"").unwrap();
        let (wet, same): (Map, Map) = (run.value(0), run.value(1));
        assert_eq!(wet.samples(), same.samples());
        assert_eq!(run.warnings(), "", "the mask is not uniform");
    }
}
