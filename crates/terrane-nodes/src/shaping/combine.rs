//! Combination of two maps.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, Pointwise, ScalarInput};
use terrane_kernels::shape::{Combination, Mode};

use crate::values::Map;

/// Combines two maps sample by sample.
///
/// `weight` is the strength of the effect: 0 leaves `a` unchanged, 1 applies the effect in full. With `Lerp`,
/// `weight` interpolates from `a` to `b`. The base terrain of Olsen (2004) is two thirds midpoint
/// displacement and one third Voronoi, which is `Lerp` with a weight of 0.333. With `Divide`, `b` must not be
/// the number 0; the node warns of samples that are divided by 0.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "cells": Voronoi(amplitude: 120.0),
///         "base": Combine(a: "hills", b: "cells", mode: Lerp, weight: 0.333),
///     },
///     outputs: { "base.png": "base" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "add subtract multiply divide difference minimum maximum min max sum average mix merge \
        layer math arithmetic join together",
    tiles = Pointwise, paper = "Olsen 2004, Combination and \
    perturbation", cost = Cheap, holes = Kept, version = 2)]
#[output(height: Map, unit = "world units", doc = "The combination, at the samples of `a`.")]
pub struct Combine {
    /// The first terrain.
    #[input(unit = "world units")]
    pub a: Input<Map>,
    /// The second terrain, or a number.
    #[input(unit = "world units")]
    pub b: ScalarInput<Map>,
    /// Strength of the effect.
    #[input(default = 1.0)]
    pub weight: ScalarInput<Map>,
    /// How the two heights are combined.
    #[param(default = Mode::Add)]
    pub mode: Mode,
    /// Difference in height below which `SmoothMin` and `SmoothMax` round off the crease between `a` and `b`.
    #[param(default = 1.0, min = 0.0, unit = "world units")]
    pub radius: f64,
}

impl Evaluate for Combine {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        // With other divisors, the node is a function of one sample of each map.
        Err(NodeError::failed(
            format!("`b` is {}: `a` cannot be divided by it", self.b.number().unwrap_or_default()),
            "set `b` to a number that is not 0 in single precision, or to a map, or choose another mode",
        ))
    }

    fn pointwise(&self) -> Option<Pointwise> {
        let combination = combination(self.mode, self.radius, &self.weight);
        if self.mode != Mode::Divide {
            return Some(combination);
        }
        match self.b.number() {
            Some(number) if number as f32 == 0.0 => None,
            Some(_) => Some(if is_whole(&self.weight) { combination.passing_on() } else { combination }),
            None => Some(counting_zeros(combination)),
        }
    }
}

/// A combination with these weights.
pub(super) fn combination(mode: Mode, radius: f64, weight: &ScalarInput<Map>) -> Pointwise {
    let (combination, is_whole) = (Combination { mode, radius: radius as f32 }, is_whole(weight));
    let function = Pointwise::new(move |block, inputs| {
        let weights = (!is_whole).then_some(&*inputs[2]);
        combination.write(block, &inputs[0], inputs[1], weights);
    });
    let passes_on = matches!(mode, Mode::Add | Mode::Subtract | Mode::Multiply | Mode::Difference);
    if is_whole && passes_on { function.passing_on() } else { function }
}

/// Whether the whole effect is applied everywhere.
fn is_whole(weight: &ScalarInput<Map>) -> bool {
    weight.number().is_some_and(|weight| weight as f32 == 1.0)
}

/// A division that warns of samples that are divided by 0.
fn counting_zeros(division: Pointwise) -> Pointwise {
    let (zeros, all) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (Arc::clone(&zeros), Arc::clone(&all));
    let counted = division.with(move |_, inputs| {
        let zeros = inputs[1].iter().filter(|&&b| b == 0.0).count();
        counts.0.fetch_add(zeros, Ordering::Relaxed);
        counts.1.fetch_add(inputs[1].len(), Ordering::Relaxed);
    });
    counted.then(move |cx| {
        let (zeros, all) = (zeros.load(Ordering::Relaxed), all.load(Ordering::Relaxed));
        if zeros > 0 {
            cx.warn(format!(
                "{zeros} of {all} samples are divided by 0 and keep the height of `a`: raise `b` above 0, \
                for example with Clamp"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Run;

    const RAMP: &str = "\"ramp\": Ramp(from: (-8, 0), to: (56, 0), low: -8.0, high: 56.0)";

    fn divided(b: &str) -> Run {
        let nodes = format!("{RAMP}, \"q\": Combine(a: \"ramp\", b: {b}, mode: Divide)");
        Run::of_nodes(&nodes, "\"q.npy\": \"q\"").unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn samples_divided_by_zero_are_unchanged_and_counted() {
        let run = divided("\"ramp\"");
        let quotient: Map = run.value(0);
        // The ramp is 0 in one of 33 columns.
        assert!(run.warnings().contains("33 of 1089 samples are divided by 0"), "{}", run.warnings());
        assert_eq!(quotient.samples().iter().filter(|&&q| q == 0.0).count(), 33);
        assert_eq!(quotient.samples().iter().filter(|&&q| q == 1.0).count(), 1056);
        assert_eq!(divided("2.0").warnings(), "");
        assert_eq!(divided("2.0").value::<Map>(0)[(32, 0)], 28.0);
    }

    #[test]
    fn infinite_samples_are_counted() {
        let power = |b: &str| {
            let nodes = format!("{RAMP}, \"q\": Combine(a: \"ramp\", b: {b}, mode: Power)");
            Run::of_nodes(&nodes, "\"q.npy\": \"q\"").unwrap_or_else(|e| panic!("{e}")).warnings()
        };
        assert_eq!(power("2.0"), "");
        // The ramp rises by 2 per column. The 25 columns from the height 8 on become infinite: 8 to the power
        // of 43 is 6.8e38. The column before them does not: 6 to the power of 43 is 2.9e33.
        assert!(
            power("43.0").contains("825 of 1089 samples of `height` are not finite"),
            "{}",
            power("43.0")
        );
    }

    #[test]
    fn the_number_zero_is_rejected_as_divisor() {
        for b in ["0", "-0.0"] {
            assert!(divided(b).failure().contains("`a` cannot be divided by it"), "{b}");
        }
        let added = format!("{RAMP}, \"q\": Combine(a: \"ramp\", b: 0)");
        assert_eq!(Run::of_nodes(&added, "\"q.npy\": \"q\"").unwrap().failure(), "");
    }
}
