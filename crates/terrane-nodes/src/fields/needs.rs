//! What part of each field's terrain is read.

use terrane_grid::Domain;

use crate::values::Fields;

/// Samples outside of a map that may be made in any case, beside four for each of its own.
pub const BEYOND: usize = 1 << 22;
/// Samples from a map's first, at most.
const FARTHEST: f64 = (1u64 << 40) as f64;
/// Samples beyond the reach that are read, too: terrain between samples, and the step between places of
/// borders where it is read.
pub const MORE: f64 = 4.0;

/// A rectangle of samples: first and last columns and rows, counted from a domain's first; negative ones lie
/// before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub columns: (i64, i64),
    pub rows: (i64, i64),
}

impl Part {
    /// The samples around a box in the world, and one more on each side.
    fn around(low: (f64, f64), high: (f64, f64), domain: &Domain) -> Self {
        let along = |low: f64, high: f64, origin: f64| {
            let place = |world: f64| ((world - origin) / domain.spacing).clamp(-FARTHEST, FARTHEST);
            (place(low).floor() as i64 - 1, place(high).ceil() as i64 + 1)
        };
        Self { columns: along(low.0, high.0, domain.origin.0), rows: along(low.1, high.1, domain.origin.1) }
    }

    /// All of a domain, and so many samples beyond each side.
    pub fn all(domain: &Domain, beyond: i64) -> Self {
        let along = |count: usize| (-beyond, count as i64 - 1 + beyond);
        Self { columns: along(domain.width()), rows: along(domain.height()) }
    }

    /// What is in both.
    fn meet(self, other: Self) -> Option<Self> {
        let both = |a: (i64, i64), b: (i64, i64)| (a.0.max(b.0), a.1.min(b.1));
        let met = Self { columns: both(self.columns, other.columns), rows: both(self.rows, other.rows) };
        (met.columns.0 <= met.columns.1 && met.rows.0 <= met.rows.1).then_some(met)
    }

    /// The samples of another part that are nearest to this one: what is in both where there is any.
    pub fn within(self, other: Self) -> Self {
        let near = |a: (i64, i64), b: (i64, i64)| (a.0.clamp(b.0, b.1), a.1.clamp(b.0, b.1));
        Self { columns: near(self.columns, other.columns), rows: near(self.rows, other.rows) }
    }

    /// Whether it has all samples of another.
    pub fn holds(self, other: Self) -> bool {
        self.meet(other) == Some(other)
    }

    /// Columns and rows.
    pub fn size(self) -> (usize, usize) {
        let count = |(first, last): (i64, i64)| (last - first + 1).max(0) as usize;
        (count(self.columns), count(self.rows))
    }

    fn samples(self) -> f64 {
        let (width, height) = self.size();
        width as f64 * height as f64
    }
}

/// Each field's bounding box and a sample beyond.
fn boxes(fields: &Fields, domain: &Domain) -> Vec<Part> {
    let around = |field: &terrane_kernels::sectioning::Field| {
        let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        for &node in &field.ring.nodes {
            let (x, y) = fields.plane.nodes[node as usize];
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        Part::around(low, high, domain)
    };
    fields.sections.fields.iter().map(around).collect()
}

/// What of each field lies on the map, its edges within; where it lies beside the map the nearest sample.
pub fn inside(fields: &Fields, domain: &Domain) -> Vec<Part> {
    let all = Part::all(domain, 0);
    boxes(fields, domain).into_iter().map(|part| part.within(all)).collect()
}

/// What a stitch reads of each field where borders change it as far as `reach`: what lies on the map, and
/// borders within the reach of it.
///
/// In all that is at most four times the map's samples and [`BEYOND`] more; where it would be more, parts end
/// at some distance from the map.
pub fn stitched(fields: &Fields, domain: &Domain, reach: f64) -> Vec<Part> {
    let (boxes, all) = (boxes(fields, domain), Part::all(domain, 0));
    let beyond = (reach / domain.spacing + MORE).clamp(0.0, FARTHEST) as i64;
    let mut needs: Vec<Option<Part>> =
        boxes.iter().map(|part| part.meet(Part::all(domain, beyond))).collect();
    bound(&mut needs, domain);
    let or_nearest = |(need, part): (Option<Part>, Part)| need.unwrap_or_else(|| part.within(all));
    needs.into_iter().zip(boxes).map(or_nearest).collect()
}

/// Cuts parts off beyond the map so far that they have no more samples than they may.
fn bound(needs: &mut [Option<Part>], domain: &Domain) {
    let most = 4.0 * domain.len() as f64 + BEYOND as f64;
    let cut = |need: &Option<Part>, beyond: i64| need.and_then(|need| need.meet(Part::all(domain, beyond)));
    let samples =
        |beyond: i64| -> f64 { needs.iter().filter_map(|need| cut(need, beyond)).map(Part::samples).sum() };
    let mut beyond = FARTHEST as i64;
    while beyond > 0 && samples(beyond) > most {
        beyond /= 2;
    }
    needs.iter_mut().for_each(|need| *need = cut(need, beyond));
}
