//! Terrain of fields before stitching (Mijailovic 2015, "Populating fields").

use std::ops::Range;

use terrane_grid::{Domain, Heightmap};

use super::outline::Point;

/// Sample positions are rounded to this fraction of a sample.
const FINE: f64 = (1u64 << 24) as f64;

/// One field's terrain as a function of the plane: bilinear between samples; beyond its map the border's
/// heights are repeated.
pub struct Terrain<'a> {
    map: &'a Heightmap,
    spacing: f64,
    /// Offset of samples from multiples of the spacing, in samples.
    shift: [f64; 2],
    /// Number of multiples of the spacing before the map's first sample.
    skipped: [f64; 2],
    /// Column and row of the map's first sample, counted from the domain's.
    first: (i64, i64),
}

impl<'a> Terrain<'a> {
    /// A map whose sample positions coincide with a domain's. The domain's spacing is used for it, and its
    /// origin is rounded to whole samples.
    pub fn new(map: &'a Heightmap, domain: &Domain) -> Self {
        let Domain { origin, spacing, .. } = map.domain();
        let samples = |from: f64, to: f64| ((from - to) / domain.spacing).round() as i64;
        let first = (samples(origin.0, domain.origin.0), samples(origin.1, domain.origin.1));
        // Rounded to 2⁻²⁴, so that maps that begin at different samples agree to the bit.
        let fine = |origin: f64| (origin / spacing * FINE).round() / FINE;
        let positions = [fine(origin.0), fine(origin.1)];
        let skipped = positions.map(f64::floor);
        Self { map, spacing, shift: [0, 1].map(|i| positions[i] - skipped[i]), skipped, first }
    }

    /// The height at a point of the world; not a number if the map has no samples.
    pub fn at(&self, (x, y): Point) -> f64 {
        let (width, height) = self.map.domain().size;
        if width == 0 || height == 0 {
            return f64::NAN;
        }
        // Relative to a point that all maps of a plane share: interpolation does not depend on where a map
        // begins.
        let position = |at: f64, i: usize| {
            let position = at / self.spacing - self.shift[i];
            let first = libm::floor(position);
            (first - self.skipped[i], position - first)
        };
        let (left, right, across) = between(position(x, 0), width);
        let (upper, lower, down) = between(position(y, 1), height);
        let row = |row: usize| {
            let row = self.map.grid().row(row);
            let (a, b) = (f64::from(row[left]), f64::from(row[right]));
            a + (b - a) * across
        };
        let (a, b) = (row(upper), row(lower));
        a + (b - a) * down
    }

    /// Copies the heights of some columns in a row of the domain.
    pub fn copy(&self, row: usize, columns: Range<usize>, to: &mut [f32]) {
        let (width, height) = self.map.domain().size;
        if width == 0 || height == 0 {
            to.fill(f32::NAN);
            return;
        }
        let row = (row as i64 - self.first.1).clamp(0, height as i64 - 1) as usize;
        let samples = self.map.grid().row(row);
        let start = columns.start as i64 - self.first.0;
        match usize::try_from(start).ok().and_then(|start| samples.get(start..start + columns.len())) {
            Some(samples) => to.copy_from_slice(samples),
            None => to.iter_mut().enumerate().for_each(|(i, to)| {
                *to = samples[(start + i as i64).clamp(0, width as i64 - 1) as usize];
            }),
        }
    }
}

/// The two samples around a position, and the fraction of the way from the first to the second. The position
/// is given as the sample before it and that fraction.
fn between((first, part): (f64, f64), count: usize) -> (usize, usize, f64) {
    let last = count - 1;
    if first < 0.0 {
        (0, 0, 0.0)
    } else {
        let first = (first as usize).min(last);
        (first, (first + 1).min(last), part)
    }
}

/// Runs of samples of one field in a row of field numbers: the field and its columns.
pub fn runs(ids: &[u32]) -> impl Iterator<Item = (u32, Range<usize>)> {
    let mut start = 0;
    ids.chunk_by(|a, b| a == b).filter_map(move |run| {
        let columns = start..start + run.len();
        start = columns.end;
        (run[0] != super::parameters::NONE).then_some((run[0], columns))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stitch::NONE;

    #[test]
    fn heights_are_bilinear_and_go_on() {
        let domain = Domain::new(3, 2).with_spacing(2.0).with_origin(10.0, 20.0);
        let map = Heightmap::from_vec(domain, vec![0.0, 2.0, 4.0, 10.0, 12.0, 20.0]);
        let whole = Domain::new(9, 9).with_spacing(2.0).with_origin(6.0, 16.0);
        let terrain = Terrain::new(&map, &whole);
        assert_eq!(terrain.at((12.0, 22.0)), 12.0);
        assert_eq!(terrain.at((13.0, 21.0)), 0.25 * (2.0 + 4.0 + 12.0 + 20.0));
        assert_eq!(terrain.at((-50.0, 21.0)), 5.0);
        assert_eq!(terrain.at((14.0, 90.0)), 20.0);
        let mut row = [0.0; 7];
        terrain.copy(3, 0..7, &mut row);
        assert_eq!(row, [10.0, 10.0, 10.0, 12.0, 20.0, 20.0, 20.0]);
        terrain.copy(3, 2..4, &mut row[..2]);
        assert_eq!(row[..2], [10.0, 12.0]);
    }

    #[test]
    fn runs_leave_out_what_is_in_no_field() {
        let found: Vec<_> = runs(&[NONE, 4, 4, 2, NONE, NONE, 2]).collect();
        assert_eq!(found, [(4, 1..3), (2, 3..4), (2, 6..7)]);
        assert_eq!(runs(&[]).count(), 0);
    }
}
