//! Two maps into one.

use rayon::prelude::*;
use terrane_flow::{Context, Evaluate, Input, Node, NodeError, Scalar, ScalarInput};
use terrane_grid::Heightmap;
use terrane_kernels::shape::{self, combine};

use crate::support::{choice, scalar, scalar_size};
use crate::values::Map;

choice! {
    /// How two heights become one.
    Mode => shape::Mode {
        /// a + b.
        Add,
        /// a - b.
        Subtract,
        /// a * b.
        Multiply,
        /// a / b, and a where b is 0, which a warning tells of; b must not be 0 everywhere as a number.
        Divide,
        /// The lower.
        Min,
        /// The higher.
        Max,
        /// The lower, rounded where the two are nearer than `radius`.
        SmoothMin,
        /// The higher, rounded where the two are nearer than `radius`.
        SmoothMax,
        /// a + (b - a) * weight.
        Lerp,
        /// a to the power of b; 0 where a is negative.
        Power,
        /// The distance between a and b.
        Difference,
    }
}

/// Two heights into one, sample by sample.
///
/// `weight` says how much of the effect is applied: 0 leaves `a`, 1 gives the whole; with `Lerp` it leads
/// from `a` to `b`. The paper's base terrain is two thirds midpoint displacement and one third Voronoi:
/// `Lerp` with weight 0.333.
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
#[node(
    category = "shaping",
    tiles = Pointwise,
    paper = "Olsen 2004, Combination and perturbation",
    cost = Cheap,
)]
#[output(height: Map, unit = "world units", doc = "The combination, where `a` lies.")]
pub struct Combine {
    /// The first terrain.
    #[input(unit = "world units")]
    pub a: Input<Map>,
    /// The second terrain, or a number.
    #[input(unit = "world units")]
    pub b: ScalarInput<Map>,
    /// How much of the effect is applied.
    #[input(default = 1.0)]
    pub weight: ScalarInput<Map>,
    /// How the two become one.
    #[param(default = Mode::Add)]
    pub mode: Mode,
    /// How near the two must be to be rounded by the smooth modes.
    #[param(default = 1.0, min = 0.0, unit = "world units")]
    pub radius: f64,
}

impl Evaluate for Combine {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (a, b, weight) = (self.a.take(), self.b.get(), self.weight.get());
        scalar_size("b", &b, &a)?;
        scalar_size("weight", &weight, &a)?;
        if self.mode == Mode::Divide {
            check_divisor(&b, cx)?;
        }
        let combined = combine(a.0, scalar(&b), self.mode.into(), scalar(&weight), self.radius as f32);
        if matches!(self.mode, Mode::Multiply | Mode::Divide | Mode::Power) {
            tell_of_infinite(&combined, cx);
        }
        Ok((Map(combined),))
    }
}

/// Tells how many samples are beyond what a map can hold.
fn tell_of_infinite(map: &Heightmap, cx: &Context<'_>) {
    let infinite = map.samples().par_iter().filter(|height| height.is_infinite()).count();
    if infinite > 0 {
        cx.warn(format!(
            "{infinite} of {} samples are infinite, beyond 3.4e38: bring `a` and `b` nearer to 1, for \
            example with Remap",
            map.samples().len()
        ));
    }
}

/// Refuses to divide by the number 0, and tells how many samples are divided by 0.
fn check_divisor(b: &Scalar<Map>, cx: &Context<'_>) -> Result<(), NodeError> {
    match b {
        Scalar::Constant(b) if *b as f32 == 0.0 => Err(NodeError::failed(
            format!("`b` is {b}: `a` cannot be divided by it"),
            "give `b` a number that is not 0 in single precision, or a map, or take another mode",
        )),
        Scalar::Constant(_) => Ok(()),
        Scalar::Map(b) => {
            let zeros = b.samples().par_iter().filter(|&&b| b == 0.0).count();
            if zeros > 0 {
                cx.warn(format!(
                    "{zeros} of {} samples are divided by 0 and stay as they are in `a`: lift `b` above 0, \
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
    fn samples_that_are_divided_by_zero_stay_and_are_counted() {
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
    fn samples_beyond_all_numbers_are_counted() {
        let power = |b: &str| {
            let nodes = format!("{RAMP}, \"q\": Combine(a: \"ramp\", b: {b}, mode: Power)");
            Run::of_nodes(&nodes, "\"q.npy\": \"q\"").unwrap_or_else(|e| panic!("{e}")).warnings()
        };
        assert_eq!(power("2.0"), "");
        // Of 33 columns, two samples apart, those from 8 on: 8 to the power of 43 is 6.8e38, and 6 to that is
        // 2.9e33.
        assert!(power("43.0").contains("825 of 1089 samples are infinite"), "{}", power("43.0"));
    }

    #[test]
    fn the_number_zero_is_no_divisor() {
        for b in ["0", "-0.0"] {
            assert!(divided(b).failure().contains("`a` cannot be divided by it"), "{b}");
        }
        let added = format!("{RAMP}, \"q\": Combine(a: \"ramp\", b: 0)");
        assert_eq!(Run::of_nodes(&added, "\"q.npy\": \"q\"").unwrap().failure(), "");
    }
}
