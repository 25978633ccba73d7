//! How much of a terrain units can reach and build on (Olsen 2004, "Terrain for computer games").

use terrane_grid::{Grid, Heightmap};

use super::{SlopeKind, erosion_score, slope_map};
use crate::Boundary;

/// What counts as passable and as ground to build on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// Slope, rise over run, below which units go.
    pub unit_slope: f32,
    /// Side, in samples, of the square that a unit takes; more than 0.
    pub unit_size: usize,
    /// Slope, rise over run, below which one can build.
    pub structure_slope: f32,
    /// Side, in samples, of the square that a structure takes; more than 0.
    pub structure_size: usize,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

/// How well a terrain serves a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Playability {
    /// The erosion score, ε.
    pub erosion: f64,
    /// Share of samples that units reach, υ.
    pub units: f64,
    /// Share of samples that structures can cover, β.
    pub structures: f64,
    /// Where units come, U.
    pub reached: Grid<bool>,
    /// Where structures can stand, B.
    pub built: Grid<bool>,
}

impl Playability {
    /// The product of all three, γ.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.erosion * self.units * self.structures
    }
}

/// Measures a terrain. O(samples).
///
/// Ground flatter than `unit_slope`, opened by a unit's square, has connected parts; units come to the largest (the first in
/// index order of equally large ones). Where that is flatter than `structure_slope`, opened by a structure's square, structures can
/// stand. An opening keeps the samples of all squares that fit.
#[must_use]
pub fn playability(map: &Heightmap, needs: &Needs) -> Playability {
    let slope = slope_map(map, SlopeKind::Olsen, needs.boundary);
    let below = |limit: f32| slope.grid().map(|&slope| slope < limit);
    let passable = opened(&below(needs.unit_slope), needs.unit_size, needs.boundary);
    let reached = largest_part(&passable, needs.boundary);
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

/// The samples of all squares of `side` samples that fit inside the set. O(samples).
#[must_use]
pub fn opened(set: &Grid<bool>, side: usize, boundary: Boundary) -> Grid<bool> {
    let (w, h) = set.size();
    if side <= 1 {
        return set.clone();
    }
    // A torus that is smaller than the square holds it only where it is all inside: the square laps over itself.
    let wrap = boundary == Boundary::Wrap;
    if !wrap && side > w.min(h) {
        return Grid::from_fn(w, h, |_, _| false);
    }
    // A square's corner with the least column and row stands for it.
    let fits = transposed(&runs(&transposed(&runs(set, side, wrap)), side, wrap));
    transposed(&covered(&transposed(&covered(&fits, side, wrap)), side, wrap))
}

/// Where runs of `side` samples of a row begin.
fn runs(set: &Grid<bool>, side: usize, wrap: bool) -> Grid<bool> {
    let (w, h) = set.size();
    let mut out = Grid::from_fn(w, h, |_, _| false);
    for row in 0..h {
        let from = set.row(row);
        let to = out.row_mut(row);
        // Samples inside, in a row, from this one on.
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
        // Samples that the last run still covers.
        let mut left = last.map_or(0, |last| (last + side).saturating_sub(w));
        for column in 0..w {
            left = if from[column] { side } else { left };
            to[column] = left > 0;
            left = left.saturating_sub(1);
        }
    }
    out
}

fn transposed(grid: &Grid<bool>) -> Grid<bool> {
    Grid::from_fn(grid.height(), grid.width(), |x, y| grid[(y, x)])
}

/// The largest part of a set whose samples are connected by sides; of equally large ones the first in index order. O(samples).
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

/// The neighbours of a sample on its sides.
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
            "all cells of squares that fit"
        );
        // Around the torus the last column has the first beside it.
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
        // Two plains of 40 and 60 samples, a cliff between: units stay on the larger one, without the cliff's foot.
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
    }
}
