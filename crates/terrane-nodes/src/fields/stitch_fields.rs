//! Stitching of fields into one terrain.

use terrane_fields::stitch::{Method, Stitch, separators, stitch};
use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_grid::{Domain, Heightmap, Polyline};

use super::extents::{MARGIN, MAX_BEYOND, to_stitch};
use super::support::{ids, numbers};
use super::terrains::terrains;
use crate::support::{Report, cancelled, domain, forecast_domain};
use crate::values::{FieldAt, Fields, Map, Paths, Table};

/// Stitches the terrains of fields into one terrain: along each edge, both sides move to meet half-way.
///
/// The change of the ground is greatest at the edge, and decreases to 0 at `distance` from the edge. It
/// decreases over the full distance even beside short edges and in thin fields. Ground that is farther than
/// `distance` from every edge does not change, to the bit. Edits of fields that are farther away than
/// `distance` do not affect such ground. Edges to the outside are not stitched.
///
/// All differences between terrains are measured first, at the edges and before any change. So the result
/// does not depend on the order of fields and edges.
///
/// With `method: Smooth`, the change at a sample is a weighted mean over the fields around the sample. The
/// weight of a field is its share of a disc around the sample with the radius `distance`. So corners and
/// nodes have no creases. At a node where three or more fields meet, all these fields have the same weight
/// instead. With growing distance from the node the weights approach the shares, and at `distance` they equal
/// them.
///
/// Terrain is also generated beyond the map. So maps of neighbouring areas, computed from the same graph,
/// meet at their common border. They may not meet at fields whose terrain is a map.
///
/// The slope of the result is at most the slope of the field's own terrain plus the slope of the change. It
/// reaches this sum where both slopes point in the same direction. The slope of the change has a limit: a
/// difference in height, divided by `distance` and multiplied by a factor.
///
/// | where | difference in height | factor, `Smooth` | factor, `Linear` |
/// |---|---|---|---|
/// | between two fields, away from other borders and from the outside | between these fields | 3/4 | 1/2 |
/// | where a border ends at the outside | between the fields on both sides | 3/2 | 3/2 |
/// | where many thin fields meet at a node | the largest between fields within `distance` | 2.3 | 1.5 |
/// | where several borders end at the outside | the largest between fields within `distance` | 2.3 | 1.5 |
/// | where several borders run side by side | the largest between fields within `distance` | 1.73 | 1.5 |
///
/// A method whose largest factor is below 2.3 would leave creases that start at every node.
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
///                 ("High", Noise(wavelength: 90, octaves: 6, amplitude: 60, offset: 40)),
///                 ("Low", Noise(wavelength: 60, octaves: 4, amplitude: 10)),
///             ],
///         ),
///         "terrain": StitchFields(fields: "fields", distance: 50),
///         "shade": Hillshade(height: "terrain"),
///     },
///     outputs: { "shade.png": "shade", "seams.png": "terrain.seams" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "seam seams blend join borders regions biome transition smooth merge connect",
    tiles = Global, because = "how far fields affect each other depends on their \
    whole shapes", paper = "Mijailovic, sections 3.8 and 4", version = 7, working_maps = 4.0, header,
    main(distance, method))]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
#[output(field_ids: Map, doc = "For each sample, the number of its field, or -1 outside all fields.")]
#[output(seams: Map, unit = "world units", doc = "Distance of each sample from the nearest edge between \
    its field and another. Capped at the maximum distance within which fields change.")]
#[output(separators: Paths, lazy, doc = "Lines from the corners of fields inwards, equally far from both \
    edges of the corner. A line ends where a third edge is equally near, or where the edges no longer change \
    the terrain.")]
pub struct StitchFields {
    /// The fields, each with a description that has a terrain.
    #[input]
    pub fields: Input<Fields>,
    /// Distance from an edge within which fields change.
    #[param(default = 60.0, above = 0.0, unit = "world units")]
    pub distance: f64,
    /// Distances for single fields, as (field, distance), instead of `distance`. Write the field as its
    /// number or as a point (x, y) in it.
    #[param(default = Vec::new(), unit = "world units")]
    pub field_distances: Vec<(FieldAt, f64)>,
    /// Distances for single edges, as (edge, distance). They take precedence over the distances for fields.
    #[param(default = Vec::new(), unit = "world units")]
    pub edge_distances: Vec<(u32, f64)>,
    /// Fraction of the difference between fields that is removed: at 1 the fields meet, at 0 nothing changes.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    pub amount: f64,
    /// Whether all fields around a node meet there. If `false`, only the two fields at each edge meet, and
    /// steps remain around nodes.
    #[param(default = true)]
    pub pinch: bool,
    /// How much single fields move relative to their neighbours, as (field, share). All other fields have the
    /// share 1. Write the field as its number or as a point (x, y) in it.
    #[param(default = Vec::new())]
    pub shares: Vec<(FieldAt, f64)>,
    /// How changes decrease with the distance from edges.
    #[param(default = Method::Smooth)]
    pub method: Method,
    /// Height outside all fields.
    #[param(default = 0.0, unit = "world units")]
    pub outside: f64,
}

impl Evaluate for StitchFields {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (fields, domain) = (self.fields.get(), domain(cx));
        self.check_distances(&domain)?;
        let field_distances = of_fields(&fields, &self.field_distances)?;
        let edge_distances = of_edges(&self.edge_distances, fields.plane.edges.len())?;
        let shares = of_fields(&fields, &self.shares)?;
        let reach = self.distances().fold(0.0, f64::max);
        let maps = terrains(cx, &fields, &domain, &to_stitch(&fields, &domain, reach))?;
        let maps: Vec<&Heightmap> = maps.iter().map(|map| &map.0).collect();
        let shares: Vec<f64> = shares.into_iter().map(|share| share.unwrap_or(1.0)).collect();
        let parameters = Stitch {
            method: self.method,
            distance: self.distance,
            field_distances: &field_distances,
            edge_distances: &edge_distances,
            amount: self.amount,
            shares: &shares,
            pinch: self.pinch,
            outside: self.outside as f32,
        };
        let (ids, numbers) = ids(&fields, &domain);
        let outlines = fields.outlines();
        let out = stitch(&fields.plane, &outlines, &ids, &maps, &domain, &parameters, &Report(cx));
        let out = out.map_err(cancelled)?;
        let lines = match cx.asked(Self::SEPARATORS) {
            true => separators(&fields.plane, &outlines, &parameters),
            false => Vec::new(),
        };
        let lines = lines.iter().map(|line| Polyline { points: vec![line.from, line.to], closed: false });
        let lines = Paths::new(lines.collect(), Table::default());
        Ok((Map(out.heights), Map(numbers), Map(out.seam_distance), lines))
    }

    /// Memory for terrain beyond the map, up to the distance within which edges change the map. The memory is
    /// doubled, because the bounding boxes of fields overlap.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let Some(domain) = forecast_domain(sizes) else { return 0 };
        let reach = self.distances().fold(0.0, f64::max) / domain.spacing + MARGIN;
        let (w, h) = (domain.width() as f64, domain.height() as f64);
        let beyond = 2.0 * ((w + 2.0 * reach) * (h + 2.0 * reach) - w * h);
        4 * beyond.clamp(0.0, MAX_BEYOND as f64) as u64
    }

    fn check(&self) -> Result<(), Invalid> {
        let of_field = |(field, value): &(FieldAt, f64)| (field.to_string(), *value);
        let of_edge = |(edge, value): &(u32, f64)| (format!("edge {edge}"), *value);
        for (field, values, range) in [
            ("field_distances", self.field_distances.iter().map(of_field).collect(), "greater than 0"),
            ("edge_distances", self.edge_distances.iter().map(of_edge).collect(), "greater than 0"),
            ("shares", self.shares.iter().map(of_field).collect::<Vec<_>>(), "at least 0"),
        ] {
            let good = |value: f64| value.is_finite() && (value > 0.0 || field == "shares" && value == 0.0);
            if let Some((which, value)) = values.iter().find(|(_, value)| !good(*value)) {
                let message = format!("{value} for {which} is out of range");
                return Err(Invalid { field, message, help: format!("write a number {range}") });
            }
        }
        Ok(())
    }
}

impl StitchFields {
    /// All distances in the parameters.
    fn distances(&self) -> impl Iterator<Item = f64> {
        let of_fields = self.field_distances.iter().map(|(_, distance)| *distance);
        of_fields.chain(self.edge_distances.iter().map(|(_, distance)| *distance)).chain([self.distance])
    }

    /// Rejects distances that are many times the size of the map, because the length of tables along edges
    /// grows with the distance.
    fn check_distances(&self, domain: &Domain) -> Result<(), NodeError> {
        let max = 4.0 * (domain.extent().0 + domain.extent().1 + domain.spacing);
        match self.distances().find(|distance| *distance > max) {
            Some(distance) => Err(NodeError::failed(
                format!(
                    "a distance of {distance} is too large for the map, which has an extent of {:?}",
                    domain.extent()
                ),
                format!("use at most {max}"),
            )),
            None => Ok(()),
        }
    }
}

/// Expands values of some fields to a list for all fields.
fn of_fields(fields: &Fields, values: &[(FieldAt, f64)]) -> Result<Vec<Option<f64>>, NodeError> {
    let mut all = vec![None; fields.names.len()];
    let wanted = numbers(fields, values.iter().map(|(field, _)| field))?;
    for (field, (_, value)) in wanted.into_iter().zip(values) {
        all[field as usize] = Some(*value);
    }
    Ok(all)
}

/// Expands values of some edges to a list for all edges.
fn of_edges(values: &[(u32, f64)], count: usize) -> Result<Vec<Option<f64>>, NodeError> {
    let mut all = vec![None; count];
    for &(number, value) in values {
        let slot = all.get_mut(number as usize).ok_or_else(|| {
            NodeError::failed(
                format!("there is no edge {number}"),
                format!(
                    "there are {count}, counted from 0; Section's `edges` in a .geojson file have their \
                    numbers"
                ),
            )
        })?;
        *slot = Some(value);
    }
    Ok(all)
}
