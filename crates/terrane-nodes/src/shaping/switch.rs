//! Selection of one of several maps.

use terrane_flow::{Context, Declare, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, Source};

use crate::values::Map;

/// A port of a [`Switch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum Choice {
    /// The map at `a`.
    A,
    /// The map at `b`.
    B,
    /// The map at `c`.
    C,
    /// The map at `d`.
    D,
    /// The map at `e`.
    E,
    /// The map at `f`.
    F,
    /// The map at `g`.
    G,
    /// The map at `h`.
    H,
}

/// Passes on one of several maps, chosen by a parameter.
///
/// To give a graph variants, set `choice` to a parameter of the graph. `--set`, a profile or a sweep then
/// selects a variant. Only the chosen map and its upstream nodes are evaluated. Only the chosen port and `a`
/// must be connected. The chosen map is passed on unchanged, to the bit.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     params: { "ground": B },
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "cells": Voronoi(amplitude: 120.0),
///         "ground": Switch(a: "hills", b: "cells", choice: "$ground"),
///         "worn": ThermalErosion(height: "ground", iterations: 20),
///     },
///     outputs: { "worn.png": "worn" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "choose choice select variant alternative if condition option toggle pick either",
    tiles = Pointwise, cost = Cheap, holes = Kept)]
#[output(height: Map, unit = "world units", doc = "The chosen map.")]
pub struct Switch {
    /// The first map.
    #[input(unit = "world units")]
    pub a: Input<Map>,
    /// The second map.
    #[input(unit = "world units")]
    pub b: OptionalInput<Map>,
    /// The third map.
    #[input(unit = "world units")]
    pub c: OptionalInput<Map>,
    /// The fourth map.
    #[input(unit = "world units")]
    pub d: OptionalInput<Map>,
    /// The fifth map.
    #[input(unit = "world units")]
    pub e: OptionalInput<Map>,
    /// The sixth map.
    #[input(unit = "world units")]
    pub f: OptionalInput<Map>,
    /// The seventh map.
    #[input(unit = "world units")]
    pub g: OptionalInput<Map>,
    /// The eighth map.
    #[input(unit = "world units")]
    pub h: OptionalInput<Map>,
    /// Which map to pass on.
    #[param(default = Choice::A)]
    pub choice: Choice,
}

impl Evaluate for Switch {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let port = match self.choice {
            Choice::A => return Ok((self.a.take(),)),
            Choice::B => &mut self.b,
            Choice::C => &mut self.c,
            Choice::D => &mut self.d,
            Choice::E => &mut self.e,
            Choice::F => &mut self.f,
            Choice::G => &mut self.g,
            Choice::H => &mut self.h,
        };
        let missing =
            || NodeError::failed("the chosen port has no map", "connect a map to it, or choose another port");
        Ok((port.take().ok_or_else(missing)?,))
    }

    fn reads(&self, input: usize) -> bool {
        input == self.choice as usize
    }

    fn check(&self) -> Result<(), Invalid> {
        let input = self.choice as usize;
        if !matches!(Declare::port(self, input).source(), Source::Unset) {
            return Ok(());
        }
        let port = <Self as Declare>::spec().inputs[input].name;
        let message = format!("`choice` is {:?}, but nothing is connected to `{port}`", self.choice);
        Err(Invalid {
            field: "choice",
            message,
            help: format!(
                "write {port}: \"NODE\", or choose another \
            port"
            ),
        })
    }
}
