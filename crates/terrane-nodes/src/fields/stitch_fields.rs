//! Fields made one terrain.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError};
use terrane_grid::{Domain, Heightmap, Polyline};
use terrane_kernels::stitch::{self, Stitch, separators, stitch};

use super::support::ids;
use super::terrains::terrains;
use crate::support::{Report, cancelled, choice, domain};
use crate::values::{Fields, Map, Paths, Table};

choice! {
    /// How changes fall off from edges.
    StitchMethod => stitch::Method {
        /// In straight lines, each sample with its nearest edge: the thesis's way, which leaves creases.
        Linear,
        /// Smoothly, blending all edges in reach.
        Smooth,
    }
}

/// Fields with terrains of their own made one terrain: along each edge both sides move to meet half-way, ever less up to a distance from it.
///
/// All differences are taken first, from the terrains as they are and at the edge itself, so that nothing depends on the order of fields and edges.
/// Where other fields are near an edge all meet at their mean, weighted by how near they are: at nodes alike, less and less up to the distance from
/// them. So edges may be as short as they like, and fields as thin: no ground is steeper there than the difference of the fields needs over the
/// distance. Ground farther than the distance from every edge stays as it is, to the bit. Edges to the outside are left alone.
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
#[node(category = "fields", tiles = Global, paper = "Mijailovic, sections 3.8 and 4", version = 3, working_maps = 5.0)]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
#[output(field_ids: Map, doc = "The number of the field that each sample is in, -1 outside.")]
#[output(seams: Map, unit = "world units", doc = "How far each sample is from the nearest edge between fields, as far as fields change.")]
#[output(separators: Paths, lazy, doc = "From each corner of a field inwards, the line that is as far from one edge as from the other, as long as both change what is there.")]
pub struct StitchFields {
    /// The fields, each with a description and its terrain.
    #[input]
    pub fields: Input<Fields>,
    /// How far from an edge fields may change.
    #[param(default = 60.0, above = 0.0, unit = "world units")]
    pub distance: f64,
    /// The same for single fields, as (field, distance).
    #[param(default = Vec::new(), unit = "world units")]
    pub field_distances: Vec<(u32, f64)>,
    /// The same for single edges, as (edge, distance); before that of fields.
    #[param(default = Vec::new(), unit = "world units")]
    pub edge_distances: Vec<(u32, f64)>,
    /// What part of the difference is taken away.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    pub amount: f64,
    /// Whether all fields near meet; without, only the two of each edge do, and steps stay around nodes.
    #[param(default = true)]
    pub pinch: bool,
    /// How willingly single fields move beside their neighbours, as (field, share); others have 1.
    #[param(default = Vec::new())]
    pub shares: Vec<(u32, f64)>,
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
        let maps = terrains(cx, &fields, &domain)?;
        let maps: Vec<&Heightmap> = maps.iter().map(|map| &map.0).collect();
        let count = fields.names.len();
        let field_distances = spread_out("field", &self.field_distances, count)?;
        let edge_distances = spread_out("edge", &self.edge_distances, fields.plane.edges.len())?;
        let shares = spread_out("field", &self.shares, count)?;
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
        let lines = match cx.asked(3) {
            true => separators(&fields.plane, &outlines, &parameters),
            false => Vec::new(),
        };
        let lines = lines.iter().map(|line| Polyline { points: vec![line.from, line.to], closed: false });
        let lines = Paths { lines: lines.collect(), attributes: Table::default() };
        Ok((Map(out.heights), Map(numbers), Map(out.seam_distance), lines))
    }

    fn check(&self) -> Result<(), Invalid> {
        for (field, values, least) in [
            ("field_distances", &self.field_distances, "greater than 0"),
            ("edge_distances", &self.edge_distances, "greater than 0"),
            ("shares", &self.shares, "at least 0"),
        ] {
            let good = |value: f64| value.is_finite() && (value > 0.0 || field == "shares" && value == 0.0);
            if let Some((number, value)) = values.iter().find(|(_, value)| !good(*value)) {
                let message = format!("{value} for number {number} is out of range");
                return Err(Invalid { field, message, help: format!("write a number {least}") });
            }
        }
        Ok(())
    }
}

impl StitchFields {
    /// Refuses distances that no map of this size can show: tables along edges are as long.
    fn check_distances(&self, domain: &Domain) -> Result<(), NodeError> {
        let most = 4.0 * (domain.extent().0 + domain.extent().1 + domain.spacing);
        let single = self.field_distances.iter().chain(&self.edge_distances).map(|(_, distance)| *distance);
        match single.chain([self.distance]).find(|distance| *distance > most) {
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

/// Values by number as a list with as many places as there are numbers.
fn spread_out(what: &str, values: &[(u32, f64)], count: usize) -> Result<Vec<Option<f64>>, NodeError> {
    let mut all = vec![None; count];
    for &(number, value) in values {
        let place = all.get_mut(number as usize).ok_or_else(|| {
            NodeError::failed(
                format!("there is no {what} {number}"),
                format!("there are {count}, counted from 0; Section's fields as .json list them"),
            )
        })?;
        *place = Some(value);
    }
    Ok(all)
}
