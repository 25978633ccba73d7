//! Rivers and ridges along edges.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_kernels::stitch::{self, Bend, Feature, trace};

use super::support::check_names;
use crate::support::{Report, cancelled, choice, forecast_domain, maps, seed};
use crate::values::{Fields, Map};

choice! {
    /// Reference height of a feature's size.
    Crest => stitch::Crest {
        /// An even line. A positive size only raises the ground, to a straight line `size` above the ground's
        /// heights at both ends of an edge. A negative size, a bed, only lowers it: the bed follows the
        /// ground along the edge, and is lower where water could not flow otherwise.
        Even,
        /// The ground at each sample, whose shape is kept.
        Ground,
    }
}

/// Turns edges of a graph into rivers or ridges with a given cross-section.
///
/// Edges are selected by number, or by the descriptions on their two sides: `between: [("Lake", "Lake")]`
/// turns every edge between lakes into a river. A river has a negative `size`, a ridge a positive one; use
/// one node for rivers and another for ridges. The ground changes by the cross-section; beyond its sides and
/// outside all fields it does not change, to the bit. Towards a node where the feature ends, it fades out
/// over one width of its course, however short the edges are, unless water leaves at that node.
///
/// With `bend` edges meander smoothly, by less than half the distance to another edge, so that they cross
/// nothing and stay between their two fields; nodes do not move. A course depends only on the graph and the
/// seed, so it is the same in every window of a world.
///
/// A river with an even crest lies `size` below the ground along its course, and descends wherever the ground
/// does: between two nodes that differ in height by 60 m it is as steep as the ground between them, with a
/// waterfall at a cliff. It never ascends downstream; where the ground rises, the bed is cut only as deep as
/// the water needs to flow. Water leaves at nodes on the outer border of the fields, and at nodes beyond the
/// map. It takes the route to these nodes with the smallest climb, so a river over a hill may flow down both
/// sides. Where it would have to cut more than `deepest`, it ends there, as if it flowed into a lake, and the
/// river on the other side of the hill is separate; a network without an outlet ends at its lowest node.
///
/// Where a river joins a deeper one, its bed descends gradually, over the last few widths of its course,
/// rather than in one step. It is steeper than the ground by the drop divided by the width, at most 0.5 at
/// the default of `deepest`. One width upstream, about a third of the drop remains. This descent never cuts a
/// point deeper than the deepest cut downstream of it. A river that starts within one width of a deeper one
/// has less room, and is as steep there as a bank.
///
/// A bed is level across for an eighth of its width on each side of its centre line, at least one sample and
/// at most eight. In this part it is lower than the original ground at every sample, so that drainage
/// algorithms follow it from sample to sample. The height of a bed is computed from this map alone, so at the
/// border of two neighbouring windows the beds can have different heights.
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
#[node(category = "fields", tiles = Global, because = "an edge is traced from end to \
    end", paper = "Mijailovic, section 3.1", version = 4, working_maps = 2.0)]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
#[output(mask: Map, doc = "Share of the change at each sample: 1 on the centre line, less where a ridge \
    begins, 0 beyond the sides.")]
pub struct EdgeFeature {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The fields to whose edges features are added.
    #[input]
    pub fields: Input<Fields>,
    /// Numbers of edges to select.
    #[param(default = Vec::new())]
    pub numbers: Vec<u32>,
    /// Pairs of descriptions: all edges between two fields with these descriptions are selected.
    #[param(default = Vec::new())]
    pub between: Vec<(String, String)>,
    /// Height of the centre line above the reference that `crest` chooses; negative for a river's bed.
    #[param(default = -5.0, unit = "world units")]
    pub size: f64,
    /// Width from side to side, at least four samples; a narrower feature would look like a row of dots.
    #[param(default = 20.0, above = 0.0, unit = "world units")]
    pub width: f64,
    /// Cross-section as (position, share of the change), with increasing positions from 0 at the centre line
    /// to 1 at the side, interpolated linearly. The centre line of a bed with an even crest always has the
    /// full change. Default: a smooth step.
    #[param(default = Vec::new(), min = 0.0, max = 1.0)]
    pub profile: Vec<(f64, f64)>,
    /// Reference height of `size`.
    #[param(default = Crest::Even)]
    pub crest: Crest,
    /// Share of the free space beside an edge that its course uses to meander; 0 is straight.
    #[param(default = 0.0, min = 0.0, max = 1.0)]
    pub bend: f64,
    /// Length of a meander, from one bend to the next on the same side; a course deviates from the straight
    /// line by at most a quarter of it.
    #[param(default = 100.0, above = 0.0, unit = "world units")]
    pub bend_length: f64,
    /// Minimum descent per unit of length of the bed of a river with an even crest.
    #[param(default = 0.001, min = 0.0, max = 1.0)]
    pub fall: f64,
    /// Maximum depth below `size` to which the bed of a river with an even crest is cut so that water can
    /// flow, as a share of its width; where more is needed, the river ends.
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

    /// Memory for samples beside edges.
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
                "no edge is selected",
                "write numbers: [0], or between: [(\"Lake\", \"Lake\")]",
            );
        }
        if !self.profile.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            return invalid(
                "profile",
                "the positions of `profile` do not increase",
                "write increasing positions from 0 to 1, such as [(0.3, 1), (0.6, 0.2)]",
            );
        }
        Ok(())
    }
}

impl EdgeFeature {
    /// The numbers of all selected edges.
    fn named(&self, fields: &Fields) -> Result<Vec<u32>, NodeError> {
        let count = fields.plane.edges.len();
        if let Some(edge) = self.numbers.iter().find(|edge| **edge as usize >= count) {
            return Err(NodeError::failed(
                format!("there is no edge {edge}"),
                format!(
                    "there are {count}, counted from 0; Section's `edges` in a .geojson file have their \
                    numbers"
                ),
            ));
        }
        check_names(fields, self.between.iter().flat_map(|(a, b)| [a, b]))?;
        let name = |side: Option<u32>| side.map(|field| fields.names[field as usize].as_str());
        let is_between = |[left, right]: [Option<u32>; 2]| {
            let (Some(left), Some(right)) = (name(left), name(right)) else { return false };
            self.between.iter().any(|(a, b)| (a == left && b == right) || (a == right && b == left))
        };
        let between = (0..count as u32).filter(|&edge| is_between(fields.sections.sides[edge as usize]));
        Ok(self.numbers.iter().copied().chain(between).collect())
    }
}
