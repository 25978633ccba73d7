//! Rivers and ridges along edges.

use terrane_fields::stitch::{Bend, Crest, Feature, trace};
use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};

use super::support::check_names;
use crate::support::{Report, cancelled, forecast_domain, maps, seed};
use crate::values::{Fields, Map};

/// Turns edges of a graph into rivers or ridges with a given cross-section.
///
/// Edges are selected by number, or by the descriptions of the fields on their two sides. For example,
/// `between: [("Lake", "Lake")]` selects every edge between two lakes. A river has a negative `size`, and a
/// ridge has a positive one. Use one node for rivers and another for ridges.
///
/// The cross-section says how much of the full change applies at each distance from the centre line. Beyond
/// the sides of the feature and outside all fields, the ground does not change, to the bit. Towards a node
/// where the feature ends, the change fades out, unless water leaves at that node. It fades out over a length
/// that equals the feature's width, even across several short edges.
///
/// With `bend`, edges meander smoothly, by less than half the distance to any other edge. So they cross no
/// other edge and stay between their two fields. Nodes do not move. The course of an edge depends only on the
/// graph and the seed. So maps of neighbouring areas, computed from the same graph, have the same courses.
///
/// With `crest: Even`, the bed of a river lies below the ground along its course, by the amount of `size`.
/// Across a steep slope it is deeper: at both sides, the ground is above the bed by at least half of `size`,
/// except near a node where the feature ends. The bed descends wherever the ground does. For example, a river
/// between two nodes that differ in height by 60 m is as steep as the ground between them, and has a
/// waterfall at a cliff. The bed never rises downstream. Where the ground rises, the bed is cut only as deep
/// as the water needs to flow.
///
/// Water leaves the rivers at nodes on the outer border of the fields, and at nodes beyond the map. From all
/// other points, water takes the route with the smallest climb to any of these nodes. So a river over a
/// hill may flow down both sides. If the cut through a hill would have to be deeper than `deepest` allows,
/// the river ends before the hill, as if it flowed into a lake. The river on the other side of the hill is
/// then separate. A network of rivers without an outlet ends at its lowest point.
///
/// Where a river joins a deeper river, the higher bed descends to the deeper bed gradually, over a length of
/// a few widths. The *drop* is the difference in height between the two beds at the junction, without this
/// descent. The descent makes the bed steeper by at most the drop divided by the river's width. With the
/// default of `deepest`, the descent adds a slope of at most 0.5. One width upstream of the junction, the bed
/// is still lowered by about a third of the drop. The descent never cuts a point deeper than the deepest cut
/// downstream of this point. A river that starts within one width of a deeper river has less room for the
/// descent, and is as steep there as the sides of a bed.
///
/// In the middle, a bed is level across. This level part extends on each side of the centre line by an eighth
/// of the bed's width, but by at least one sample and at most eight. There the bed is lower than the original
/// ground at every sample, so drainage algorithms follow it from sample to sample.
///
/// The heights of beds depend only on the map itself, not on the ground beyond the map. So on two maps of
/// neighbouring areas, a bed can have different heights at the common border.
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
#[node(category = "fields",
    words = "river rivers ridge ridges edges border mountains range wall along lines gorge",
    tiles = Global, because = "an edge is traced from end to \
    end", paper = "Mijailovic, section 3.1", version = 5, working_maps = 2.0,
    main(size, width, profile, bend))]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
#[output(mask: Map, doc = "Share of the change at each sample: 1 on the centre line, less where the \
    feature fades out towards a node, 0 beyond the sides.")]
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
    /// Height of the centre line above the height that `crest` chooses. It is negative for a river's bed.
    #[param(default = -5.0, unit = "world units")]
    pub size: f64,
    /// Width from side to side. The minimum is four samples, because a narrower feature would look like a row
    /// of dots.
    #[param(default = 20.0, above = 0.0, unit = "world units")]
    pub width: f64,
    /// Cross-section as (position, share of the change). Positions increase from 0 at the centre line to 1 at
    /// the side. Between them, the share is interpolated linearly. The centre line of a bed with an even
    /// crest always has the full change. Default: a smooth step.
    #[param(default = Vec::new(), min = 0.0, max = 1.0)]
    pub profile: Vec<(f64, f64)>,
    /// The height from which `size` is measured.
    #[param(default = Crest::Even)]
    pub crest: Crest,
    /// Share of the free space beside an edge that its course uses to meander; 0 is straight.
    #[param(default = 0.0, min = 0.0, max = 1.0)]
    pub bend: f64,
    /// Length of a meander, from one bend to the next on the same side. A course deviates from the straight
    /// line by at most a quarter of this length.
    #[param(default = 100.0, above = 0.0, unit = "world units")]
    pub bend_length: f64,
    /// For rivers with an even crest: the minimum descent of the bed per unit of length.
    #[param(default = 0.001, min = 0.0, max = 1.0)]
    pub fall: f64,
    /// For rivers with an even crest: how much deeper than `size` the bed may be cut so that water can flow,
    /// as a share of the river's width. Where water would need a deeper cut, the river ends.
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
            crest: self.crest,
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
