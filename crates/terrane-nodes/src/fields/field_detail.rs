//! Level of detail of fields.

use terrane_fields::stitch::MOST_LEVELS;
use terrane_flow::{Context, Evaluate, Header, Input, Invalid, Node, NodeError, Reach};
use terrane_grid::{Domain, Heightmap};

use super::support::{ids, numbers};
use super::terrains::level;
use crate::support::domain;
use crate::values::{FieldAt, Fields, Map};

/// Sets the level of detail of each field: the terrain of far or selected fields gets a lower resolution,
/// which takes less time.
///
/// In a field of level k, terrain is generated only for every 2^k-th column and row, counted from the world's
/// origin. Heights between these samples are interpolated smoothly. The generated samples have the same
/// heights as at level 0. They also have the same heights as in a graph with 2^k times the spacing. So one
/// map combines several resolutions of the same graph.
///
/// `StitchFields` reads each field at all samples, so it stitches fields of different levels like any others.
/// Maps of overlapping areas, computed from the same graph, have the same bits where they overlap.
///
/// With a `viewer`, the level of a field depends on the field's distance from the viewer. It is 0 up to the
/// distance `near`, 1 up to twice `near`, 2 up to four times `near`, and so on. So the resolution of a field
/// is in proportion to its visible size. Each field keeps at least four samples along the longer side of its
/// bounding box.
///
/// Terrain that comes from a map is reduced in the same way, but this saves no time. Place this node anywhere
/// before `PopulateFields` or `StitchFields`.
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
///                 ("High", MidpointDisplacement(amplitude: 90, offset: 40, persistence: 0.6)),
///                 ("Low", Noise(wavelength: 60, octaves: 6, amplitude: 20)),
///             ],
///         ),
///         "by distance": FieldDetail(
///             fields: "fields",
///             viewer: Some((0, 0)),
///             near: 60,
///             levels: [((500, 20), 0)],
///         ),
///         "terrain": StitchFields(fields: "by distance", distance: 50),
///         "shade": Hillshade(height: "terrain"),
///     },
///     outputs: { "shade.png": "shade", "detail.png": "by distance.detail" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "lod level of detail resolution far distance faster coarser performance",
    tiles = Pointwise, paper = "Mijailovic, section 5.1", working_maps = 2.0, header)]
#[output(fields: Fields, doc = "The fields with their levels.")]
#[output(detail: Map, lazy, doc = "For each sample, the actual level of its field, or -1 outside all \
    fields.")]
pub struct FieldDetail {
    /// The fields.
    #[input]
    pub fields: Input<Fields>,
    /// World x and y of the point from which fields are seen.
    #[param(default = None, unit = "world units", place)]
    pub viewer: Option<(f64, f64)>,
    /// Distance from the viewer up to which fields have full detail.
    #[param(default = 500.0, above = 0.0, unit = "world units")]
    pub near: f64,
    /// Maximum level that a field can get because of its distance.
    #[param(default = 4, max = 16)]
    pub most: u32,
    /// Levels of single fields, as (field, level). They take precedence over levels by distance. Write the
    /// field as its number or as a point (x, y) in it.
    #[param(default = Vec::new())]
    pub levels: Vec<(FieldAt, u32)>,
}

impl Evaluate for FieldDetail {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let mut fields = (*self.fields.get()).clone();
        let by_distance = |field| self.viewer.map_or(0, |from| self.level(distance(&fields, field, from)));
        let mut levels: Vec<u32> = (0..fields.names.len()).map(by_distance).collect();
        let manual = numbers(&fields, self.levels.iter().map(|(field, _)| field))?;
        for (field, (_, level)) in manual.into_iter().zip(&self.levels) {
            levels[field as usize] = *level;
        }
        fields.levels = levels;
        // Removes the maps of an earlier `PopulateFields`, because they have other levels.
        (fields.maps, fields.domain) = (Vec::new(), None);
        let detail = match cx.asked(Self::DETAIL) {
            true => {
                let domain = domain(cx);
                let actual = |field| level(&fields, field, domain.spacing) as f32;
                let actual: Vec<f32> = (0..fields.names.len()).map(actual).collect();
                let of = |&id: &u32| actual.get(id as usize).copied().unwrap_or(-1.0);
                Heightmap::from_grid(domain, ids(&fields, &domain).0.map(of))
            }
            false => Heightmap::from_vec(Domain::new(0, 0), Vec::new()),
        };
        Ok((fields, Map(detail)))
    }

    fn check(&self) -> Result<(), Invalid> {
        match self.levels.iter().find(|(_, level)| *level > MOST_LEVELS) {
            Some((field, level)) => Err(Invalid {
                field: "levels",
                message: format!("the level {level} for {field} is out of range"),
                help: format!("write a level of at most {MOST_LEVELS}"),
            }),
            None => Ok(()),
        }
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        let by_distance = self.viewer.map_or(0, |_| self.most);
        let deepest = self.levels.iter().map(|(_, level)| *level).fold(by_distance, u32::max);
        // If a field's terrain comes from a map, each height is interpolated from two coarse samples on each
        // side.
        Reach::Samples(if deepest == 0 { 0 } else { 2 << deepest.min(MOST_LEVELS) })
    }
}

impl FieldDetail {
    /// The level of a field at a distance from the viewer.
    fn level(&self, distance: f64) -> u32 {
        (0..self.most).take_while(|&level| distance > self.near * libm::exp2(f64::from(level))).count() as u32
    }
}

/// The distance of a point from a field, or 0 if the point is in the field.
fn distance(fields: &Fields, field: usize, (x, y): (f64, f64)) -> f64 {
    let own = &fields.sections.fields[field];
    let rings = std::iter::once(&own.ring).chain(&own.holes);
    let sides = rings.flat_map(|ring| ring.nodes.iter().zip(ring.nodes.iter().cycle().skip(1)));
    let position = |node: u32| fields.plane.nodes[node as usize];
    let (mut inside, mut least) = (false, f64::INFINITY);
    for (a, b) in sides.map(|(&a, &b)| (position(a), position(b))) {
        let (along, from) = ((b.0 - a.0, b.1 - a.1), (x - a.0, y - a.1));
        let square = along.0 * along.0 + along.1 * along.1;
        let at = ((from.0 * along.0 + from.1 * along.1) / square).clamp(0.0, 1.0);
        let off = (from.0 - at * along.0, from.1 - at * along.1);
        least = least.min((off.0 * off.0 + off.1 * off.1).sqrt());
        if (a.1 <= y) != (b.1 <= y) && x < a.0 + (y - a.1) / along.1 * along.0 {
            inside = !inside;
        }
    }
    if inside { 0.0 } else { least }
}
