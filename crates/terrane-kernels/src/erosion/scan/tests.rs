use terrane_grid::Seed;

use super::*;

#[derive(Clone, Copy)]
struct Half(f32);

impl Visit<1> for Half {
    #[inline(always)]
    fn level<S: Simd>(&self, _: S, [height]: [S::f32s; 1]) -> S::f32s {
        height
    }

    #[inline(always)]
    fn amount<S: Simd>(&self, simd: S, _: [S::f32s; 1], greatest: S::f32s) -> S::f32s {
        greatest.simd_gt(self.0).select(greatest * 0.5, S::f32s::splat(simd, 0.0))
    }
}

const NEIGHBOURHOODS: [Neighbourhood; 3] =
    [Neighbourhood::Moore, Neighbourhood::VonNeumann, Neighbourhood::Rotated];

fn noise(w: usize, h: usize) -> Grid<f32> {
    let lattice = Seed(7).lattice();
    Grid::from_fn(w, h, |x, y| lattice.unit(x as i64, y as i64) + 0.05 * (x + y) as f32)
}

/// An open map with walls around it, a torus, and an unvisited border on both.
const BORDERS: [(Boundary, Visited); 4] = [
    (Boundary::Open, Visited::All),
    (Boundary::Wrap, Visited::All),
    (Boundary::Open, Visited::Inside),
    (Boundary::Wrap, Visited::Inside),
];

/// Runs the scan sample by sample, in index order. On a torus the border comes last.
fn one_by_one(
    map: &Grid<f32>,
    neighbourhood: Neighbourhood,
    (boundary, visited): (Boundary, Visited),
    iterations: u32,
) -> Grid<f32> {
    let wrap = boundary == Boundary::Wrap;
    let (w, h) = map.size();
    let mut heights = map.clone();
    let border = |&(x, y): &(usize, usize)| x == 0 || y == 0 || x == w - 1 || y == h - 1;
    let all = || (0..h).flat_map(|y| (0..w).map(move |x| (x, y)));
    let order: Vec<(usize, usize)> = if visited == Visited::Inside {
        all().filter(|at| !border(at)).collect()
    } else if wrap && w >= NARROW && h >= 3 {
        all().filter(|at| !border(at)).chain(all().filter(border)).collect()
    } else {
        all().collect()
    };
    for _ in 0..iterations {
        for &(x, y) in &order {
            let (mut greatest, mut to) = (0.0, None);
            for &(dx, dy) in neighbourhood.offsets() {
                let (nx, ny) = (x as isize + dx, y as isize + dy);
                let inside = (0..w as isize).contains(&nx) && (0..h as isize).contains(&ny);
                let n = (nx.rem_euclid(w as isize) as usize, ny.rem_euclid(h as isize) as usize);
                if (inside || wrap) && heights[(x, y)] - heights[n] > greatest {
                    (greatest, to) = (heights[(x, y)] - heights[n], Some(n));
                }
            }
            if let Some(to) = to.filter(|_| greatest > 0.3) {
                heights[(x, y)] -= greatest * 0.5;
                heights[to] += greatest * 0.5;
            }
        }
    }
    heights
}

fn scan(
    map: &Grid<f32>,
    neighbourhood: Neighbourhood,
    border: (Boundary, Visited),
    steps: &[u32],
    threads: usize,
) -> Grid<f32> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut scan = Scan::new([map], border, neighbourhood, Half(0.3));
        for &step in steps {
            scan.advance(step, &|_| Ok(())).unwrap();
        }
        scan.grid(0)
    })
}

#[test]
fn a_scan_equals_visiting_one_sample_at_a_time() {
    let sizes = [
        (12, 3),
        (13, 12),
        (33, 20),
        (64, 200),
        (200, 64),
        (17, 300),
        (300, 17),
        (1, 9),
        (9, 1),
        (5, 5),
        (11, 40),
        (2, 2),
    ];
    for (w, h) in sizes {
        for neighbourhood in NEIGHBOURHOODS {
            for border in BORDERS {
                let map = noise(w, h);
                let slow = one_by_one(&map, neighbourhood, border, 9);
                for (threads, steps) in [(1, &[9][..]), (3, &[9]), (2, &[4, 5]), (5, &[1, 1, 7])] {
                    let fast = scan(&map, neighbourhood, border, steps, threads);
                    let at =
                        (0..w * h).find(|&i| fast.as_slice()[i].to_bits() != slow.as_slice()[i].to_bits());
                    assert_eq!(
                        at.map(|i| (i % w, i / w)),
                        None,
                        "{w} x {h} {neighbourhood:?} {border:?} {threads} {steps:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_simd_level_gives_the_same_bits() {
    let map = noise(130, 90);
    let run = || scan(&map, Neighbourhood::Moore, BORDERS[0], &[20], 2);
    let widest = run();
    crate::simd::at_each_level(|level| assert_eq!(run(), widest, "{level:?}"));
}

#[test]
fn reports_when_nothing_moves_any_more() {
    for border in BORDERS {
        let map = Grid::from_fn(40, 150, |x, y| if (x, y) == (20, 75) { 2.0 } else { 0.0 });
        let mut scan = Scan::new([&map], border, Neighbourhood::Moore, Half(0.5));
        let last = std::sync::Mutex::new(0.0);
        let moving = scan.advance(u32::MAX, &|part| {
            *last.lock().unwrap() = part;
            Ok(())
        });
        let last = last.into_inner().unwrap();
        assert_eq!(moving, Ok(false));
        assert!(last < 1e-3, "it ends after a few iterations, not {last} of them all");
        assert_eq!(scan.advance(3, &|_| Ok(())), Ok(false));
    }
}

#[test]
fn a_cancelled_scan_stops() {
    let map = noise(40, 40);
    let mut scan = Scan::new([&map], BORDERS[0], Neighbourhood::Rotated, Half(0.0));
    assert_eq!(scan.advance(u32::MAX, &|_| Err(Cancelled)), Err(Cancelled));
}
