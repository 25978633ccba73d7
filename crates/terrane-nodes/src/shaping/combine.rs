//! Two maps into one.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, ScalarInput};
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
        /// a / b, and a where b is 0.
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
/// `weight` says how much of the effect is applied: 0 leaves `a`, 1 gives the whole; with `Lerp` it leads from `a` to `b`. The
/// paper's base terrain is two thirds midpoint displacement and one third Voronoi: `Lerp` with weight 0.333.
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
#[node(category = "shaping", tiles = Pointwise, paper = "Olsen 2004, Combination and perturbation")]
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
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (a, b, weight) = (self.a.take(), self.b.get(), self.weight.get());
        scalar_size("b", &b, &a)?;
        scalar_size("weight", &weight, &a)?;
        Ok((Map(combine(a.0, scalar(&b), self.mode.into(), scalar(&weight), self.radius as f32)),))
    }
}
