//! How much of a terrain units can reach and build on (Olsen 2004, "Terrain for computer games").

use terrane_grid::{Grid, Heightmap};

use super::{SlopeKind, erosion_score, slope_map};
use crate::Boundary;

/// Requirements of units and structures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// Units can stand where the slope, rise over run, is below this.
    pub unit_slope: f32,
    /// Side, in samples, of the square that a unit covers; more than 0.
    pub unit_size: usize,
    /// Structures can be built where the slope, rise over run, is below this.
    pub structure_slope: f32,
    /// Side, in samples, of the square that a structure covers; more than 0.
    pub structure_size: usize,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

impl Default for Needs {
    /// The paper's units and structures.
    fn default() -> Self {
        Self {
            unit_slope: 8.0,
            unit_size: 1,
            structure_slope: 2.0,
            structure_size: 9,
            boundary: Boundary::Open,
        }
    }
}

/// How well a terrain suits a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Playability {
    /// The erosion score, ε.
    pub erosion: f64,
    /// Share of samples that units reach, υ.
    pub units: f64,
    /// Share of samples that structures can cover, β.
    pub structures: f64,
    /// Samples that units reach, U.
    pub reached: Grid<bool>,
    /// Samples that structures can cover, B.
    pub built: Grid<bool>,
}

impl Playability {
    /// The score γ: the product of ε, υ and β.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.erosion * self.units * self.structures
    }
}

/// Measures a terrain's playability. O(samples).
///
/// A unit stands where its square fits on ground flatter than `unit_slope`, and moves to squares one sample
/// away. Squares form connected parts. Units reach the samples that the part with the most squares covers. If
/// several parts have the most, the first in index order counts. Structures can stand on reached ground that
/// is flatter than `structure_slope`, as far as a structure's square fits there: the samples of all squares
/// that fit count.
#[must_use]
pub fn playability(map: &Heightmap, needs: &Needs) -> Playability {
    let slope = slope_map(map, SlopeKind::Olsen, needs.boundary);
    let below = |limit: f32| slope.grid().map(|&slope| slope < limit);
    let reached = walkable(&below(needs.unit_slope), needs.unit_size, needs.boundary);
    let flat = below(needs.structure_slope);
    let both = Grid::from_fn(flat.width(), flat.height(), |x, y| flat[(x, y)] && reached[(x, y)]);
    let built = opened(&both, needs.structure_size, needs.boundary);
    let share = |grid: &Grid<bool>| {
        let count = grid.as_slice().iter().filter(|&&inside| inside).count();
        count as f64 / grid.as_slice().len().max(1) as f64
    };
    Playability {
        erosion: erosion_score(map, needs.boundary).score,
        units: share(&reached),
        structures: share(&built),
        reached,
        built,
    }
}

/// The samples that a unit of `side` by `side` samples can cover. Squares that fit inside the set are
/// connected if they are one sample apart along a row or a column. Units move in the connected part with the
/// most squares. O(samples).
#[must_use]
pub fn walkable(set: &Grid<bool>, side: usize, boundary: Boundary) -> Grid<bool> {
    covered_by(&largest_part(&squares(set, side, boundary), boundary), side, boundary)
}

/// The samples of all squares of `side` samples that fit inside the set. O(samples).
#[must_use]
pub fn opened(set: &Grid<bool>, side: usize, boundary: Boundary) -> Grid<bool> {
    covered_by(&squares(set, side, boundary), side, boundary)
}

/// Where squares of `side` samples fit inside the set, each marked at its corner of minimum column and row.
fn squares(set: &Grid<bool>, side: usize, boundary: Boundary) -> Grid<bool> {
    // On a torus narrower than the square, the square overlaps itself: it fits only where whole rows or
    // columns are inside the set.
    let wrap = boundary == Boundary::Wrap;
    transposed(&runs(&transposed(&runs(set, side, wrap)), side, wrap))
}

/// The samples covered by squares.
fn covered_by(squares: &Grid<bool>, side: usize, boundary: Boundary) -> Grid<bool> {
    let wrap = boundary == Boundary::Wrap;
    transposed(&covered(&transposed(&covered(squares, side, wrap)), side, wrap))
}

/// Where runs of `side` samples of a row begin.
fn runs(set: &Grid<bool>, side: usize, wrap: bool) -> Grid<bool> {
    let (w, h) = set.size();
    let mut out = Grid::from_fn(w, h, |_, _| false);
    for row in 0..h {
        let from = set.row(row);
        let to = out.row_mut(row);
        // Consecutive samples inside the set, from this one on.
        let mut run = if wrap { from.iter().take_while(|&&inside| inside).count() } else { 0 };
        for column in (0..w).rev() {
            run = if from[column] { run + 1 } else { 0 };
            to[column] = run >= side || (wrap && run >= w);
        }
    }
    out
}

/// The samples of all runs of `side` that begin somewhere in a row.
fn covered(begins: &Grid<bool>, side: usize, wrap: bool) -> Grid<bool> {
    let (w, h) = begins.size();
    let mut out = Grid::from_fn(w, h, |_, _| false);
    for row in 0..h {
        let (from, to) = (begins.row(row), out.row_mut(row));
        let last = if wrap { from.iter().rposition(|&begins| begins) } else { None };
        // Samples at the start of the row that its last run covers, on a torus.
        let mut remaining = last.map_or(0, |last| (last + side).saturating_sub(w));
        for column in 0..w {
            remaining = if from[column] { side } else { remaining };
            to[column] = remaining > 0;
            remaining = remaining.saturating_sub(1);
        }
    }
    out
}

fn transposed(grid: &Grid<bool>) -> Grid<bool> {
    Grid::from_fn(grid.height(), grid.width(), |x, y| grid[(y, x)])
}

/// The largest part of a set whose samples are connected by sides; if several are equally large, the first in
/// index order. O(samples).
#[must_use]
pub fn largest_part(set: &Grid<bool>, boundary: Boundary) -> Grid<bool> {
    let (w, h) = set.size();
    let mut part = vec![0u32; w * h];
    let (mut parts, mut best) = (0, (0, 0));
    let mut open: Vec<usize> = Vec::new();
    for start in 0..w * h {
        if !set.as_slice()[start] || part[start] != 0 {
            continue;
        }
        parts += 1;
        part[start] = parts;
        open.push(start);
        let mut size = 0usize;
        while let Some(at) = open.pop() {
            size += 1;
            for next in sides(at, (w, h), boundary) {
                if set.as_slice()[next] && part[next] == 0 {
                    part[next] = parts;
                    open.push(next);
                }
            }
        }
        if size > best.0 {
            best = (size, parts);
        }
    }
    Grid::from_fn(w, h, |x, y| best.1 != 0 && part[y * w + x] == best.1)
}

/// The four neighbours of a sample.
fn sides(at: usize, (w, h): (usize, usize), boundary: Boundary) -> impl Iterator<Item = usize> {
    let (x, y) = (at % w, at / w);
    let wrap = boundary == Boundary::Wrap;
    let back = |at: usize, count: usize| if at > 0 { Some(at - 1) } else { wrap.then_some(count - 1) };
    let on = |at: usize, count: usize| if at + 1 < count { Some(at + 1) } else { wrap.then_some(0) };
    let row = move |y: Option<usize>| y.map(|y| y * w + x);
    let column = move |x: Option<usize>| x.map(|x| y * w + x);
    [row(back(y, h)), column(back(x, w)), column(on(x, w)), row(on(y, h))].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    fn set(rows: &[&str]) -> Grid<bool> {
        Grid::from_fn(rows[0].len(), rows.len(), |x, y| rows[y].as_bytes()[x] == b'#')
    }

    #[test]
    fn an_opening_by_hand() {
        let from = set(&["##..#", "##..#", "###.#", "....."]);
        assert_eq!(
            opened(&from, 2, Boundary::Open),
            set(&["##...", "##...", "##...", "....."]),
            "all samples of squares that fit"
        );
        // On the torus the last column is next to the first.
        assert_eq!(opened(&from, 2, Boundary::Wrap), set(&["##..#", "##..#", "##..#", "....."]));
    }

    #[test]
    fn the_largest_part_by_hand() {
        let from = set(&["#.##", "#.#.", "...#"]);
        assert_eq!(largest_part(&from, Boundary::Open), set(&["..##", "..#.", "...."]));
        assert_eq!(largest_part(&from, Boundary::Wrap), set(&["#.##", "#.#.", "...#"]));
        assert_eq!(largest_part(&set(&["..", ".."]), Boundary::Open), set(&["..", ".."]));
    }

    #[test]
    fn a_ramp_with_a_cliff_by_hand() {
        // Two plains of 40 and 60 samples with a cliff between: units stay on the larger one, without the
        // cliff's foot.
        let map = Heightmap::from_fn(Domain::new(10, 10), |x, _| if x < 4 { 0.0 } else { 100.0 });
        let needs = Needs {
            unit_slope: 8.0,
            unit_size: 1,
            structure_slope: 2.0,
            structure_size: 5,
            boundary: Boundary::Open,
        };
        let found = playability(&map, &needs);
        assert_eq!((found.units, found.structures), (0.5, 0.5));
        let found = playability(&map, &Needs { structure_size: 6, ..needs });
        assert_eq!((found.units, found.structures, found.score()), (0.5, 0.0, 0.0));
    }

    /// Two rooms of 10 by 10 samples with an opening of `wide` samples in the wall between them.
    fn two_rooms(wide: usize) -> Grid<bool> {
        Grid::from_fn(21, 10, |x, y| x != 10 || (4..4 + wide).contains(&y))
    }

    #[test]
    fn units_do_not_squeeze_through_openings() {
        let count = |set: &Grid<bool>| set.as_slice().iter().filter(|&&inside| inside).count();
        for (wide, expected) in [(2, 100), (3, 203)] {
            let reached = walkable(&two_rooms(wide), 3, Boundary::Open);
            assert_eq!(count(&reached), expected, "an opening of {wide}");
        }
        // The adjacent rooms touch over two samples; both are walkable, but neither can be reached from the
        // other.
        let shifted = Grid::from_fn(20, 18, |x, y| if x < 10 { y < 10 } else { y >= 8 });
        assert_eq!(count(&opened(&shifted, 3, Boundary::Open)), 200);
        let reached = walkable(&shifted, 3, Boundary::Open);
        assert_eq!((count(&reached), reached[(0, 0)]), (100, true), "the first of two equal rooms");
        assert_eq!(count(&walkable(&shifted, 2, Boundary::Open)), 200);
        // On the torus the rooms touch over ten samples.
        assert_eq!(count(&walkable(&two_rooms(2), 3, Boundary::Wrap)), 200);
    }

    #[test]
    fn a_narrow_passage_stops_large_units() {
        // Plains of 8 x 8 samples, joined by a passage two samples wide, with cliffs beside it.
        let flat = |x: usize, y: usize| (y < 8 && !(8..16).contains(&x)) || (3..5).contains(&y);
        let map =
            Heightmap::from_fn(
                Domain::new(24, 8),
                |x, y| if flat(x, y) { 0.0 } else { 100.0 * (x + y) as f32 },
            );
        let needs = Needs {
            unit_slope: 1.0,
            unit_size: 2,
            structure_slope: 1.0,
            structure_size: 1,
            boundary: Boundary::Open,
        };
        let slope = slope_map(&map, SlopeKind::Olsen, Boundary::Open).grid().map(|&slope| slope < 1.0);
        let found = playability(&map, &needs);
        assert_eq!(found.reached, walkable(&slope, 2, Boundary::Open));
        assert_eq!(found.built, found.reached, "what units reach can be built on");
    }

    /// Floods over the squares that fit, testing each sample by sample.
    fn slow_walkable(set: &Grid<bool>, side: usize, wrap: bool) -> Grid<bool> {
        let (w, h) = set.size();
        let cells = |(x, y): (usize, usize)| (0..side * side).map(move |i| (x + i % side, y + i / side));
        let fits = |at| cells(at).all(|(x, y)| (wrap || (x < w && y < h)) && set[(x % w, y % h)]);
        let (mut left, mut best): (Vec<_>, Vec<_>) =
            ((0..h).flat_map(|y| (0..w).map(move |x| (x, y))).filter(|&at| fits(at)).collect(), Vec::new());
        let apart = |a: usize, b: usize, count: usize| {
            let apart = a.abs_diff(b);
            if wrap { apart.min(count - apart) } else { apart }
        };
        while !left.is_empty() {
            let mut part = vec![left.remove(0)];
            let mut next = 0;
            while next < part.len() {
                let at = part[next];
                let beside = |b: &(usize, usize)| apart(at.0, b.0, w) + apart(at.1, b.1, h) == 1;
                part.extend(left.extract_if(.., |b| beside(b)));
                next += 1;
            }
            if part.len() > best.len() {
                best = part;
            }
        }
        let mut out = Grid::from_fn(w, h, |_, _| false);
        best.into_iter().flat_map(cells).for_each(|(x, y)| out[(x % w, y % h)] = true);
        out
    }

    fn any_set() -> impl Strategy<Value = Grid<bool>> {
        (1usize..14, 1usize..14).prop_flat_map(|(w, h)| {
            prop::collection::vec(prop::bool::weighted(0.8), w * h)
                .prop_map(move |cells| Grid::from_vec(w, h, cells))
        })
    }

    proptest! {
        #[test]
        fn an_opening_is_the_union_of_squares(from in any_set(), side in 1usize..6, wrap: bool) {
            let (w, h) = from.size();
            let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
            let mut expected = Grid::from_fn(w, h, |_, _| false);
            for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
                let cells = || (0..side * side).map(move |i| (x + i % side, y + i / side));
                if cells().all(|(x, y)| (wrap || (x < w && y < h)) && from[(x % w, y % h)]) {
                    cells().for_each(|(x, y)| expected[(x % w, y % h)] = true);
                }
            }
            prop_assert_eq!(opened(&from, side, boundary), expected);
        }

        #[test]
        fn units_walk_over_squares(from in any_set(), side in 1usize..5, wrap: bool) {
            let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
            let expected = slow_walkable(&from, side, wrap);
            prop_assert_eq!(walkable(&from, side, boundary), expected.clone());
            if side == 1 {
                prop_assert_eq!(expected, largest_part(&from, boundary), "a unit of one sample walks over \
                    samples");
            }
        }
    }
}
