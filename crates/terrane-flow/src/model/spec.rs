//! What a node says about itself: the one place from which parsing, checks, pages and schema are made.

use crate::model::param::Shape;
use crate::model::value::Kind;

/// Everything there is to know about a type of node; made by `#[derive(Node)]`.
#[derive(Debug)]
pub struct NodeSpec {
    /// The type's name in graphs.
    pub name: &'static str,
    /// The struct's doc comment, in Markdown: a summary sentence, then sections.
    pub docs: &'static str,
    /// The shelf of the catalogue that the node stands on.
    pub category: &'static str,
    /// Where the technique comes from: paper and section.
    pub paper: &'static str,
    /// Version of the technique: raised whenever the same input gives other bits, so that old cache entries
    /// are not taken for new ones.
    pub version: u32,
    /// How the node with its defaults behaves when a world is computed in tiles; with other parameters see
    /// [`Node::reach`](crate::Node::reach).
    pub tiles: Tiles,
    /// Why a sample depends on the whole map, where `tiles` is [`Tiles::Global`].
    pub because: &'static str,
    /// Working memory beside inputs and outputs, over the largest output that the header tells the size of.
    pub working_maps: f32,
    /// Whether the result depends on the graph's header; of other nodes it is no part of the key, and they
    /// cannot read it.
    pub header: bool,
    /// What evaluating costs beside reading the result from disk.
    pub cost: Cost,
    /// Ports, in the order of the struct's fields.
    pub inputs: &'static [InputSpec],
    /// Parameters, in the order of the struct's fields.
    pub params: &'static [ParamSpec],
    /// Outputs; the first is meant when none is named.
    pub outputs: &'static [OutputSpec],
}

impl NodeSpec {
    /// Whether the result depends on the graph's seed: a node does when it has a parameter called `seed`.
    #[must_use]
    pub fn seeded(&self) -> bool {
        self.params.iter().any(|param| param.name == "seed")
    }

    /// How the node with its defaults behaves in tiles, and why where it depends on the whole map.
    #[must_use]
    pub fn under_tiles(&self) -> String {
        let (tiles, because) = (self.tiles.name(), self.because);
        if because.is_empty() { tiles.to_owned() } else { format!("{tiles}, since {because}") }
    }

    /// A bit per output that is made only when something reads it.
    #[must_use]
    pub fn lazy(&self) -> u32 {
        self.outputs.iter().enumerate().fold(0, |bits, (i, output)| bits | u32::from(output.lazy) << i)
    }

    /// The first sentence of the docs.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.docs.split("\n\n").next().unwrap_or_default()
    }

    /// The first fenced block of the docs that is marked `ron`: a graph that runs.
    #[must_use]
    pub fn example(&self) -> Option<&'static str> {
        let (_, rest) = self.docs.split_once("```ron\n")?;
        Some(rest.split_once("```")?.0)
    }

    /// Position of an output; `None` names the first.
    #[must_use]
    pub fn output(&self, name: Option<&str>) -> Option<usize> {
        match name {
            None => (!self.outputs.is_empty()).then_some(0),
            Some(name) => self.outputs.iter().position(|output| output.name == name),
        }
    }
}

/// What evaluating a node costs beside reading its result from disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// About as much, or less: a few operations a sample. Large results are not kept for other runs.
    Cheap,
    /// More.
    Dear,
}

/// How a node behaves when a world is computed in tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiles {
    /// A sample depends on the same sample of the inputs, or on its world position alone: tiles meet exactly.
    Pointwise,
    /// A sample depends on its neighbourhood: tiles meet when they overlap by that much.
    Halo,
    /// A sample may depend on the whole map: tiles do not meet by themselves.
    Global,
}

impl Tiles {
    /// The word for it in pages and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pointwise => "pointwise",
            Self::Halo => "halo",
            Self::Global => "global",
        }
    }
}

/// A port.
#[derive(Debug)]
pub struct InputSpec {
    /// Name in graphs.
    pub name: &'static str,
    /// What it is.
    pub docs: &'static str,
    /// Unit of the values, empty when they have none.
    pub unit: &'static str,
    /// Kind of value taken.
    pub kind: &'static Kind,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether a number may stand for a constant.
    pub scalar: bool,
    /// Whether `None` may be written, for nothing.
    pub none: bool,
    /// The constant taken when a scalar port is left out.
    pub default: Option<f64>,
    /// Least and greatest constant, at a scalar port.
    pub range: Range,
}

impl InputSpec {
    /// What may be written at a scalar port instead of a wire.
    #[must_use]
    pub fn shape(&self) -> Shape {
        if self.none { Shape::Optional(Box::new(Shape::Float)) } else { Shape::Float }
    }

    /// Whether the port must be connected, or what happens where it is not; in words.
    #[must_use]
    pub fn need(&self) -> String {
        let nothing = if self.none && self.scalar { " or None" } else { "" };
        match (self.default, self.optional) {
            (Some(default), _) => format!("a number or a map{nothing}, default {default}"),
            (None, true) if self.scalar => "a number or a map, default None".to_owned(),
            (None, true) => "optional".to_owned(),
            (None, false) if self.scalar => "a number or a map, required".to_owned(),
            (None, false) => "required".to_owned(),
        }
    }
}

/// A parameter.
pub struct ParamSpec {
    /// Name in graphs.
    pub name: &'static str,
    /// What it is.
    pub docs: &'static str,
    /// Unit, empty when it has none.
    pub unit: &'static str,
    /// The default as RON text; `None` for a parameter that must be given.
    pub default: Option<&'static (dyn Fn() -> String + Sync)>,
    /// Range of its numbers.
    pub range: Range,
    /// What may be written.
    pub shape: fn() -> Shape,
}

impl std::fmt::Debug for ParamSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, (self.shape)())
    }
}

/// An output.
#[derive(Debug)]
pub struct OutputSpec {
    /// Name in graphs.
    pub name: &'static str,
    /// What it is.
    pub docs: &'static str,
    /// Unit of the values, empty when they have none.
    pub unit: &'static str,
    /// Kind of value given.
    pub kind: &'static Kind,
    /// Whether the node makes it only when something reads it; see [`Context::asked`](crate::Context::asked).
    pub lazy: bool,
}

/// How large and, but for 0, how small a number in a graph can be: values of maps have 32 bits, and hold no
/// more than about 3.4e38.
pub const LARGEST: f64 = 1e30;

/// See [`LARGEST`].
pub const SMALLEST: f64 = 1e-30;

/// Bounds of a number; both are inclusive, and either may be missing. Not-a-number, infinities and numbers
/// beyond 1e30 are never inside, nor are numbers nearer to 0 than 1e-30.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// Least value.
    pub min: Option<f64>,
    /// Greatest value.
    pub max: Option<f64>,
    /// Whether `min` itself is outside: "greater than" instead of "at least".
    pub above: bool,
}

impl Range {
    /// Whether `value` lies inside.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        Self::is_moderate(value)
            && self.min.is_none_or(|min| if self.above { value > min } else { value >= min })
            && self.max.is_none_or(|max| value <= max)
    }

    /// Whether a number is one that graphs can have.
    #[must_use]
    pub fn is_moderate(value: f64) -> bool {
        value == 0.0 || (SMALLEST..=LARGEST).contains(&value.abs())
    }

    /// Whether nothing is asked but what is of every number.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.min.is_none() && self.max.is_none()
    }
}

/// A bound without more zeros than one can count.
fn shown(bound: f64) -> String {
    let is_plain = bound == 0.0 || (1e-6..=1e9).contains(&bound.abs());
    if is_plain { bound.to_string() } else { format!("{bound:e}") }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let least = if self.above { "greater than" } else { "at least" };
        let [min, max] = [self.min, self.max].map(|bound| bound.map(shown));
        match (min, max) {
            (Some(min), Some(max)) if !self.above => write!(f, "from {min} to {max}"),
            (Some(min), Some(max)) => write!(f, "greater than {min} and at most {max}"),
            (Some(min), None) => write!(f, "{least} {min}"),
            (None, Some(max)) => write!(f, "at most {max}"),
            (None, None) => f.write_str("any finite number"),
        }
    }
}
