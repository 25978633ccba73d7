//! Fields made one terrain.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_grid::{Domain, Heightmap, Polyline};
use terrane_kernels::stitch::{self, Stitch, separators, stitch};

use super::needs::{BEYOND, MORE, stitched};
use super::support::{ids, numbers};
use super::terrains::terrains;
use crate::support::{Report, cancelled, choice, domain, forecast_domain};
use crate::values::{FieldAt, Fields, Map, Paths, Table};

choice! {
    /// How changes fall off from edges.
    StitchMethod => stitch::Method {
        /// In straight lines, each sample with its nearest edge: the thesis's way, which leaves creases.
        Linear,
        /// Smoothly, blending all edges in reach.
        Smooth,
    }
}

/// Fields with terrains of their own made one terrain: along each edge both sides move to meet half-way, ever
/// less up to a distance from it.
///
/// All differences are taken first, from the terrains as they are and at the edge itself, so that nothing
/// depends on the order of fields and edges. With the smooth method each field weighs as much as it has of
/// the disc of that distance around a sample, so that corners and nodes have no creases; where three or more
/// are near all weigh alike, as at nodes, less and less up to the distance from them. Edges may be short and
/// fields thin: beside them, too, the change falls off over the distance. The slope of the result is that of
/// the fields plus that of the change; where both point the same way they add. Between two fields, away from
/// other borders and from the outside, the change is no steeper than 3/4 of their difference divided by the
/// distance (`Linear`: 1/2); where a border ends beside what is in no field, no steeper than 3/2 of it. Where
/// many thin fields meet at a node, or several borders end beside what is in no field, it is up to 2.3 times
/// (`Linear`: 1.5) the difference of all fields in reach divided by the distance: any less would draw creases
/// from every node. Where several borders run side by side it is no steeper than 1.73 times (`Linear`: 1.5)
/// the difference of all fields in reach divided by the distance. Ground farther than the distance from every
/// edge stays as it is, to the bit; and so it does where fields are edited farther away than that. Edges to
/// the outside are left alone. Terrain is read beyond the map too, so that maps of neighbouring windows of
/// one graph meet, unless their fields' terrain is a map.
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
#[node(category = "fields", tiles = Global, because = "how far fields reach into each other follows from \
    their whole shapes", paper = "Mijailovic, sections 3.8 and 4", version = 7, working_maps = 4.0, header)]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
#[output(field_ids: Map, doc = "The number of the field that each sample is in, -1 outside.")]
#[output(seams: Map, unit = "world units", doc = "How far each sample is from the nearest edge between \
    fields, as far as fields change.")]
#[output(separators: Paths, lazy, doc = "From each corner of a field inwards, the line that is as far from \
    one edge as from the other, as long as both change what is there.")]
pub struct StitchFields {
    /// The fields, each with a description and its terrain.
    #[input]
    pub fields: Input<Fields>,
    /// How far from an edge fields may change.
    #[param(default = 60.0, above = 0.0, unit = "world units")]
    pub distance: f64,
    /// The same for single fields, as (field, distance); a field is its number or a place (x, y) in it.
    #[param(default = Vec::new(), unit = "world units")]
    pub field_distances: Vec<(FieldAt, f64)>,
    /// The same for single edges, as (edge, distance); before that of fields.
    #[param(default = Vec::new(), unit = "world units")]
    pub edge_distances: Vec<(u32, f64)>,
    /// What part of the difference is taken away.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    pub amount: f64,
    /// Whether all fields near meet; without, only the two of each edge do, and steps stay around nodes.
    #[param(default = true)]
    pub pinch: bool,
    /// How willingly single fields move beside their neighbours, as (field, share); others have 1. A field is
    /// its number or a place (x, y) in it.
    #[param(default = Vec::new())]
    pub shares: Vec<(FieldAt, f64)>,
    /// How changes fall off.
    #[param(default = StitchMethod::Smooth)]
    pub method: StitchMethod,
    /// Height outside of all fields.
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
        let maps = terrains(cx, &fields, &domain, &stitched(&fields, &domain, reach))?;
        let maps: Vec<&Heightmap> = maps.iter().map(|map| &map.0).collect();
        let shares: Vec<f64> = shares.into_iter().map(|share| share.unwrap_or(1.0)).collect();
        let parameters = Stitch {
            method: self.method.into(),
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
        let lines = Paths { lines: lines.collect(), attributes: Table::default() };
        Ok((Map(out.heights), Map(numbers), Map(out.seam_distance), lines))
    }

    /// What is made of fields beyond the map, as far as edges change it; boxes of fields lap over each other.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let Some(domain) = forecast_domain(sizes) else { return 0 };
        let reach = self.distances().fold(0.0, f64::max) / domain.spacing + MORE;
        let (w, h) = (domain.width() as f64, domain.height() as f64);
        let beyond = 2.0 * ((w + 2.0 * reach) * (h + 2.0 * reach) - w * h);
        4 * beyond.clamp(0.0, BEYOND as f64) as u64
    }

    fn check(&self) -> Result<(), Invalid> {
        let of_field = |(field, value): &(FieldAt, f64)| (field.to_string(), *value);
        let of_edge = |(edge, value): &(u32, f64)| (format!("edge {edge}"), *value);
        for (field, values, least) in [
            ("field_distances", self.field_distances.iter().map(of_field).collect(), "greater than 0"),
            ("edge_distances", self.edge_distances.iter().map(of_edge).collect(), "greater than 0"),
            ("shares", self.shares.iter().map(of_field).collect::<Vec<_>>(), "at least 0"),
        ] {
            let good = |value: f64| value.is_finite() && (value > 0.0 || field == "shares" && value == 0.0);
            if let Some((which, value)) = values.iter().find(|(_, value)| !good(*value)) {
                let message = format!("{value} for {which} is out of range");
                return Err(Invalid { field, message, help: format!("write a number {least}") });
            }
        }
        Ok(())
    }
}

impl StitchFields {
    /// All distances that are given.
    fn distances(&self) -> impl Iterator<Item = f64> {
        let of_fields = self.field_distances.iter().map(|(_, distance)| *distance);
        of_fields.chain(self.edge_distances.iter().map(|(_, distance)| *distance)).chain([self.distance])
    }

    /// Refuses distances that no map of this size can show: tables along edges are as long.
    fn check_distances(&self, domain: &Domain) -> Result<(), NodeError> {
        let most = 4.0 * (domain.extent().0 + domain.extent().1 + domain.spacing);
        match self.distances().find(|distance| *distance > most) {
            Some(distance) => Err(NodeError::failed(
                format!(
                    "a distance of {distance} is many times the map, which has {:?} units",
                    domain.extent()
                ),
                format!("take at most {most}"),
            )),
            None => Ok(()),
        }
    }
}

/// Values of some fields as a list of all.
fn of_fields(fields: &Fields, values: &[(FieldAt, f64)]) -> Result<Vec<Option<f64>>, NodeError> {
    let mut all = vec![None; fields.names.len()];
    let meant = numbers(fields, values.iter().map(|(field, _)| field))?;
    for (field, (_, value)) in meant.into_iter().zip(values) {
        all[field as usize] = Some(*value);
    }
    Ok(all)
}

/// Values of some edges as a list of all.
fn of_edges(values: &[(u32, f64)], count: usize) -> Result<Vec<Option<f64>>, NodeError> {
    let mut all = vec![None; count];
    for &(number, value) in values {
        let place = all.get_mut(number as usize).ok_or_else(|| {
            NodeError::failed(
                format!("there is no edge {number}"),
                format!("there are {count}, counted from 0; Section's `edges` as .geojson has their numbers"),
            )
        })?;
        *place = Some(value);
    }
    Ok(all)
}
