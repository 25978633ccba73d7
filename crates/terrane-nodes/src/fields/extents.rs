//! The extent of each field: the rectangle of samples in which nodes read the field's terrain.

use terrane_grid::Domain;

use crate::values::Fields;

/// Maximum number of samples that are generated for the fields of a map, in addition to four times the map's
/// own samples.
pub const MAX_BEYOND: usize = 1 << 22;
/// The maximum distance from a map's first sample, in samples.
const FARTHEST: f64 = (1u64 << 40) as f64;
/// Number of samples that are read beyond the reach of borders. Interpolation at a point needs the samples
/// around it. In addition, terrain is read only at some points of a border, which are some distance apart.
pub const MARGIN: f64 = 4.0;

/// A rectangle of samples, by its first and last column and its first and last row. Columns and rows are
/// counted from the first sample of a domain, so columns and rows before that sample are negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub columns: (i64, i64),
    pub rows: (i64, i64),
}

impl Extent {
    /// The samples that cover a box in the world, and one more on each side.
    fn around(low: (f64, f64), high: (f64, f64), domain: &Domain) -> Self {
        let along = |low: f64, high: f64, origin: f64| {
            let index = |world: f64| ((world - origin) / domain.spacing).clamp(-FARTHEST, FARTHEST);
            (index(low).floor() as i64 - 1, index(high).ceil() as i64 + 1)
        };
        Self { columns: along(low.0, high.0, domain.origin.0), rows: along(low.1, high.1, domain.origin.1) }
    }

    /// All samples of a domain, and `beyond` samples beyond each side.
    pub fn all(domain: &Domain, beyond: i64) -> Self {
        let along = |count: usize| (-beyond, count as i64 - 1 + beyond);
        Self { columns: along(domain.width()), rows: along(domain.height()) }
    }

    /// The samples that both extents contain, or `None` if there are none.
    fn intersection(self, other: Self) -> Option<Self> {
        let both = |a: (i64, i64), b: (i64, i64)| (a.0.max(b.0), a.1.min(b.1));
        let met = Self { columns: both(self.columns, other.columns), rows: both(self.rows, other.rows) };
        (met.columns.0 <= met.columns.1 && met.rows.0 <= met.rows.1).then_some(met)
    }

    /// The samples of another extent that are nearest to this one: the intersection, if it is not empty.
    pub fn clamped_to(self, other: Self) -> Self {
        let near = |a: (i64, i64), b: (i64, i64)| (a.0.clamp(b.0, b.1), a.1.clamp(b.0, b.1));
        Self { columns: near(self.columns, other.columns), rows: near(self.rows, other.rows) }
    }

    /// Whether this extent contains all samples of another extent.
    pub fn contains(self, other: Self) -> bool {
        self.intersection(other) == Some(other)
    }

    /// The numbers of columns and rows.
    pub fn size(self) -> (usize, usize) {
        let count = |(first, last): (i64, i64)| (last - first + 1).max(0) as usize;
        (count(self.columns), count(self.rows))
    }

    fn samples(self) -> f64 {
        let (width, height) = self.size();
        width as f64 * height as f64
    }
}

/// Each field's bounding box, with a margin of one sample.
fn boxes(fields: &Fields, domain: &Domain) -> Vec<Extent> {
    let around = |field: &terrane_fields::sectioning::Field| {
        let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        for &node in &field.ring.nodes {
            let (x, y) = fields.plane.nodes[node as usize];
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        Extent::around(low, high, domain)
    };
    fields.sections.fields.iter().map(around).collect()
}

/// For each field, its extent on the map, including the field's edges. A field beyond the map gets the
/// samples of the map that are nearest to it.
pub fn on_map(fields: &Fields, domain: &Domain) -> Vec<Extent> {
    let all = Extent::all(domain, 0);
    boxes(fields, domain).into_iter().map(|extent| extent.clamped_to(all)).collect()
}

/// For each field, the extent that stitching reads if borders change terrain within `reach`. It covers the
/// parts of the field that lie on the map or within `reach` of the map.
///
/// All extents together have at most four times the map's samples plus [`MAX_BEYOND`]. If they have more, all
/// of them are cut off at a smaller distance from the map.
pub fn to_stitch(fields: &Fields, domain: &Domain, reach: f64) -> Vec<Extent> {
    let (boxes, all) = (boxes(fields, domain), Extent::all(domain, 0));
    let beyond = (reach / domain.spacing + MARGIN).clamp(0.0, FARTHEST) as i64;
    let mut extents: Vec<Option<Extent>> =
        boxes.iter().map(|extent| extent.intersection(Extent::all(domain, beyond))).collect();
    bound(&mut extents, domain);
    let or_nearest =
        |(extent, field): (Option<Extent>, Extent)| extent.unwrap_or_else(|| field.clamped_to(all));
    extents.into_iter().zip(boxes).map(or_nearest).collect()
}

/// Cuts extents off at smaller and smaller distances from the map, until their total is within the limit.
fn bound(extents: &mut [Option<Extent>], domain: &Domain) {
    let max = 4.0 * domain.len() as f64 + MAX_BEYOND as f64;
    let cut = |extent: &Option<Extent>, beyond: i64| {
        extent.and_then(|extent| extent.intersection(Extent::all(domain, beyond)))
    };
    let samples = |beyond: i64| -> f64 {
        extents.iter().filter_map(|extent| cut(extent, beyond)).map(Extent::samples).sum()
    };
    let mut beyond = FARTHEST as i64;
    while beyond > 0 && samples(beyond) > max {
        beyond /= 2;
    }
    extents.iter_mut().for_each(|extent| *extent = cut(extent, beyond));
}
