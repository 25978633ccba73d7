//! Edges that are rivers or ridges.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_kernels::stitch::{self, Bend, Feature, trace};

use super::support::check_names;
use crate::support::{Report, cancelled, choice, forecast_domain, maps, seed};
use crate::values::{Fields, Map};

choice! {
    /// What a feature's size is counted from.
    Crest => stitch::Crest {
        /// A line without bumps. What has a size greater than 0 only raises ground, to a straight line
        /// between the ground's heights at both ends of an edge. A bed only lowers it: it follows the ground
        /// along the edge, and is lower where water could not run on else.
        Even,
        /// Each sample's own ground, whose shape stays.
        Ground,
    }
}

/// Edges of a graph made rivers or ridges, with a cross-section of their own.
///
/// Edges are named by number, or by the descriptions on their two sides: `between: [("Lake", "Lake")]` makes
/// a river of every edge between lakes. A river has a negative `size`, a ridge a positive one. Ground changes
/// by the cross-section; from its side on, and outside of all fields, it stays as it is, to the bit. From
/// nodes that no other edge of the feature leaves it rises over a width of the way, however short the edges
/// are, unless water leaves there. One node for rivers, another for ridges.
///
/// With `bend` edges wander to the side and back, smoothly and never as far as half-way to another edge, so
/// that they cross nothing and stay between their two fields; nodes stay where they are. A course depends on
/// the graph and the seed alone, so that it is the same in every window of a world.
///
/// A river with an even crest lies `size` below the ground along its course, and falls wherever the ground
/// does: between two nodes 60 m apart in height it is as steep as the ground between them, a fall where there
/// is a cliff. It never rises on its way; where the ground does it is cut in, and no deeper than water needs.
/// Water leaves at nodes on the border of all fields and beyond the map, and comes there on the way on which
/// it must climb least, so that a river over a hill may run down to both sides of it. Where it would have to
/// cut more than `deepest` it stays, as in a lake, and what is on the other side of the hill is a river of
/// its own; where a network has no place to leave it stays at the lowest.
///
/// Where a river joins one that is cut deeper its bed comes down over its last widths, not in one step: by
/// the drop over the width more steeply than the ground, which is 0.5 at most at the default of `deepest`; a
/// width upstream about a third of the drop is left. For that no place is cut deeper below its ground than
/// the deepest cut below it on the way of its water. A river that begins within a width of a deeper one has
/// less way, and is as steep there as a bank.
///
/// A bed is level across for an eighth of its width to each side of its middle, at least for a sample and at
/// most for eight, and lies below every sample there, so that water finds it sample by sample. Heights are
/// those of the map, so that beds of neighbouring windows do not meet in height.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "graph": VoronoiGraph(count: 24),
///         "empty": Section(graph: "graph"),
///         "fields": AssignTerrain(
///             fields: "empty",
///             descriptions: [
///                 ("Hills", Noise(amplitude: 60)),
///                 ("Plain", Noise(amplitude: 20, wavelength: 100)),
///             ],
///         ),
///         "ground": StitchFields(fields: "fields", distance: 50),
///         "rivers": EdgeFeature(
///             height: "ground",
///             fields: "fields",
///             between: [("Plain", "Plain")],
///             size: -8,
///             width: 24,
///             bend: 0.8,
///         ),
///         "ridges": EdgeFeature(
///             height: "rivers",
///             fields: "fields",
///             between: [("Hills", "Hills")],
///             size: 15,
///             width: 60,
///             crest: Ground,
///         ),
///         "shade": Hillshade(height: "ridges"),
///     },
///     outputs: { "shade.png": "shade" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(
    category = "fields",
    tiles = Global,
    because = "an edge is drawn from end to end",
    paper = "Mijailovic, section 3.1",
    version = 4,
    working_maps = 2.0,
)]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
#[output(mask: Map, doc = "What part of the change each sample has: 1 in the middle, less where a ridge \
    begins, 0 from the side on.")]
pub struct EdgeFeature {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The fields whose edges they are.
    #[input]
    pub fields: Input<Fields>,
    /// Numbers of edges.
    #[param(default = Vec::new())]
    pub numbers: Vec<u32>,
    /// Pairs of descriptions: all edges between fields of these.
    #[param(default = Vec::new())]
    pub between: Vec<(String, String)>,
    /// How much higher the middle is than its crest; negative for a river's bed.
    #[param(default = -5.0, unit = "world units")]
    pub size: f64,
    /// Width from side to side; at least four samples, since less would show as a row of dots.
    #[param(default = 20.0, above = 0.0, unit = "world units")]
    pub width: f64,
    /// The cross-section, as (place, part): from the middle, 0, to the side, 1, what part of the change there
    /// is. Places rise, between them it is linear. Empty, it is a smooth step. The middle of a bed with an
    /// even crest has all of the change.
    #[param(default = Vec::new(), min = 0.0, max = 1.0)]
    pub profile: Vec<(f64, f64)>,
    /// What the size is counted from.
    #[param(default = Crest::Even)]
    pub crest: Crest,
    /// How much of the room beside an edge its course takes when it wanders; at 0 it is straight.
    #[param(default = 0.0, min = 0.0, max = 1.0)]
    pub bend: f64,
    /// Length of a bend to one side and a bend to the other; no course leaves the straight way by more than a
    /// quarter of it.
    #[param(default = 100.0, above = 0.0, unit = "world units")]
    pub bend_length: f64,
    /// How much the bed of a river with an even crest falls per unit of its way, at least.
    #[param(default = 0.001, min = 0.0, max = 1.0)]
    pub fall: f64,
    /// How much deeper than its size the bed of a river with an even crest is cut so that water can go on, at
    /// most, as a part of its width; where more were needed water stays.
    #[param(default = 0.5, min = 0.0, max = 1e6)]
    pub deepest: f64,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
}

impl Evaluate for EdgeFeature {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (map, fields) = (self.height.get(), self.fields.get());
        let edges = self.named(&fields)?;
        let feature = Feature {
            edges: &edges,
            size: self.size,
            width: self.width,
            profile: &self.profile,
            crest: self.crest.into(),
            bend: Bend { amount: self.bend, length: self.bend_length, seed: seed(cx, self.seed) },
            fall: self.fall,
            deepest: self.deepest,
        };
        let outlines = fields.outlines();
        let (height, mask) =
            trace(&map, &fields.plane, &outlines, &feature, &Report(cx)).map_err(cancelled)?;
        Ok((Map(height), Map(mask)))
    }

    /// Samples beside edges.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let Some(domain) = forecast_domain(sizes) else { return 0 };
        let across = domain.spacing * domain.width().max(domain.height()) as f64;
        maps(sizes, 2.5 * (self.width / across).min(1.0))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid = |field, message: &str, help: &str| {
            Err(Invalid { field, message: message.to_owned(), help: help.to_owned() })
        };
        if self.numbers.is_empty() && self.between.is_empty() {
            return invalid(
                "numbers",
                "no edge is named",
                "write numbers: [0], or between: [(\"Lake\", \"Lake\")]",
            );
        }
        if !self.profile.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            return invalid(
                "profile",
                "places do not rise",
                "write places from 0 up, each once, such as [(0.3, 1), (0.6, 0.2)]",
            );
        }
        Ok(())
    }
}

impl EdgeFeature {
    /// The numbers of all edges that are named.
    fn named(&self, fields: &Fields) -> Result<Vec<u32>, NodeError> {
        let count = fields.plane.edges.len();
        if let Some(edge) = self.numbers.iter().find(|edge| **edge as usize >= count) {
            return Err(NodeError::failed(
                format!("there is no edge {edge}"),
                format!("there are {count}, counted from 0; Section's `edges` as .geojson has their numbers"),
            ));
        }
        check_names(fields, self.between.iter().flat_map(|(a, b)| [a, b]))?;
        let name = |side: Option<u32>| side.map(|field| fields.names[field as usize].as_str());
        let asked = |[left, right]: [Option<u32>; 2]| {
            let (Some(left), Some(right)) = (name(left), name(right)) else { return false };
            self.between.iter().any(|(a, b)| (a == left && b == right) || (a == right && b == left))
        };
        let between = (0..count as u32).filter(|&edge| asked(fields.sections.sides[edge as usize]));
        Ok(self.numbers.iter().copied().chain(between).collect())
    }
}
