//! Combination of two maps.

use rayon::prelude::*;
use terrane_flow::{Context, Evaluate, Input, Node, NodeError, Scalar, ScalarInput};
use terrane_kernels::shape::{Mode, combine};

use crate::support::scalar;
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
#[node(category = "shaping", tiles = Pointwise, paper = "Olsen 2004, Combination and \
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
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (a, b, weight) = (self.a.take(), self.b.get(), self.weight.get());
        if self.mode == Mode::Divide {
            check_divisor(&b, cx)?;
        }
        let combined = combine(a.0, scalar(&b), self.mode, scalar(&weight), self.radius as f32);
        Ok((Map(combined),))
    }
}

/// Rejects the number 0 as the divisor, and warns of samples that are divided by 0.
fn check_divisor(b: &Scalar<Map>, cx: &Context<'_>) -> Result<(), NodeError> {
    match b {
        Scalar::Constant(b) if *b as f32 == 0.0 => Err(NodeError::failed(
            format!("`b` is {b}: `a` cannot be divided by it"),
            "set `b` to a number that is not 0 in single precision, or to a map, or choose another mode",
        )),
        Scalar::Constant(_) => Ok(()),
        Scalar::Map(b) => {
            let zeros = b.samples().par_iter().filter(|&&b| b == 0.0).count();
            if zeros > 0 {
                cx.warn(format!(
                    "{zeros} of {} samples are divided by 0 and keep the height of `a`: raise `b` above 0, \
                    for example with Clamp",
                    b.samples().len()
                ));
            }
            Ok(())
        }
    }
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
