//! Tests of spectral synthesis.

use proptest::prelude::*;

use super::super::hash::LatticeHash;
use super::super::layout::turn;
use super::*;
use crate::Silent;
use terrane_compute::Stop;

/// Every interpolation on an aligned and on a rotated lattice.
fn all(octaves: u32) -> impl Iterator<Item = Spectral> {
    [Interpolation::Linear, Interpolation::Cubic].into_iter().flat_map(move |interpolation| {
        let straight = parameters(octaves, interpolation);
        [straight, Spectral { layout: Layout::Turned, ..straight }]
    })
}

fn parameters(octaves: u32, interpolation: Interpolation) -> Spectral {
    Spectral { octaves, wavelength: 37.5, persistence: 0.5, interpolation, layout: Layout::Straight }
}

/// One sample, computed directly from the definition.
fn slow(domain: &Domain, seed: Seed, p: &Spectral, column: usize, row: usize) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for octave in 0..p.octaves {
        let cell = p.wavelength / f64::from(1u32 << octave);
        let amplitude = (0..octave).fold(1.0, |a, _| a * f64::from(p.persistence));
        let lattice = seed.part(u64::from(octave)).lattice();
        let (x, y) = (domain.x(column), domain.y(row));
        let [x, y] = if p.layout == Layout::Turned {
            let shift = LatticeHash::new(seed.part(u64::from(octave))).shift;
            let turn = turn(octave, 4.0);
            [0, 1].map(|axis| (x * turn[axis][0] + y * turn[axis][1]) / cell + shift[axis])
        } else {
            [x / cell, y / cell]
        };
        let at = |i: i64, j: i64| f64::from(lattice.unit(x.floor() as i64 + i, y.floor() as i64 + j));
        let (tx, ty) = (x - x.floor(), y - y.floor());
        let value = match p.interpolation {
            Interpolation::Linear => {
                let low = at(0, 0) * (1.0 - tx) + at(1, 0) * tx;
                let high = at(0, 1) * (1.0 - tx) + at(1, 1) * tx;
                low * (1.0 - ty) + high * ty
            }
            Interpolation::Cubic => {
                let cubic = |p: [f64; 4], t: f64| {
                    p[1] + 0.5
                        * t
                        * (p[2] - p[0]
                            + t * (2.0 * p[0] - 5.0 * p[1] + 4.0 * p[2] - p[3]
                                + t * (3.0 * (p[1] - p[2]) + p[3] - p[0])))
                };
                let row = |j: i64| cubic([at(-1, j), at(0, j), at(1, j), at(2, j)], tx);
                cubic([row(-1), row(0), row(1), row(2)], ty)
            }
        };
        sum += amplitude * value;
        total += amplitude;
    }
    sum / total
}

#[test]
fn agrees_with_the_definition() {
    for p in all(7) {
        let domain = Domain::new(83, 71).with_spacing(1.25).with_origin(-41.0, 17.5);
        let map = spectral_synthesis(&domain, Seed(9), &p, &Silent).unwrap();
        for row in 0..71 {
            for column in 0..83 {
                let expected = slow(&domain, Seed(9), &p, column, row);
                assert!((f64::from(map[(column, row)]) - expected).abs() < 2e-6, "{column} {row}");
            }
        }
    }
}

proptest! {
    #[test]
    fn a_window_is_a_crop_of_the_plane(
        x in 0usize..60, y in 0usize..60, w in 1usize..40, h in 1usize..40,
        far in prop::sample::select(vec![0.0, -3.0e5, 1.0e9]),
        p in prop::sample::select(all(6).collect::<Vec<_>>()),
    ) {
        let whole = Domain::new(100, 100).with_spacing(0.5).with_origin(far, -far);
        let part = Domain::new(w, h).with_spacing(0.5).with_origin(whole.x(x), whole.y(y));
        let a = spectral_synthesis(&whole, Seed(3), &p, &Silent).unwrap();
        let b = spectral_synthesis(&part, Seed(3), &p, &Silent).unwrap();
        for row in 0..h {
            for column in 0..w {
                prop_assert_eq!(a[(x + column, y + row)].to_bits(), b[(column, row)].to_bits());
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let domain = Domain::new(200, 300);
    let run = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            spectral_synthesis(&domain, Seed(1), &parameters(9, Interpolation::Linear), &Silent).unwrap()
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn cells_far_smaller_than_a_sample_are_sampled_and_cost_no_memory() {
    let p = Spectral { wavelength: 1.0e-3, ..parameters(20, Interpolation::Cubic) };
    let map = spectral_synthesis(&Domain::new(50, 3), Seed(1), &p, &Silent).unwrap();
    assert!(map.samples().iter().all(|h| h.is_finite()));
    let octave = Aligned::new(&Domain::new(50, 3), Seed(1), 1.0e-9, 1.0, &p);
    assert!(octave.columns.len() <= 200);
}

#[test]
fn stops_when_asked() {
    let result =
        spectral_synthesis(&Domain::new(9, 9), Seed(1), &parameters(2, Interpolation::Linear), &Stop);
    assert_eq!(result, Err(Cancelled));
}
