//! Transforms compared with direct sums.

use super::*;

/// Σ x(j)·exp(−2πi·j·k / n).
fn sum(re: &[f64], im: &[f64], k: usize) -> [f64; 2] {
    let n = re.len();
    re.iter().zip(im).enumerate().fold([0.0; 2], |sum, (j, (&re, &im))| {
        let angle = TAU * ((j * k) % n) as f64 / n as f64;
        let (cos, sin) = (libm::cos(angle), libm::sin(angle));
        [sum[0] + re * cos + im * sin, sum[1] + im * cos - re * sin]
    })
}

fn random(count: usize, part: i64) -> Vec<f64> {
    let lattice = terrane_grid::Seed(5).lattice();
    (0..count).map(|at| f64::from(lattice.unit(at as i64, part)) - 0.5).collect()
}

/// Every length up to 100 and some longer ones, primes included, several lines together.
#[test]
fn a_transform_equals_its_direct_sum() {
    for length in (1..=100).chain([127, 128, 243, 257, 513, 648, 1000, 1021, 1024]) {
        let batch = 1 + length % 3;
        let mut lines = Lines { re: random(length * batch, 0), im: random(length * batch, 1) };
        let before = lines.clone();
        let mut spare = Lines::zeros(length * batch);
        let transform = Transform::new(length);
        transform.forward(&mut lines, &mut spare, batch);
        let most = 1e-13 * (length as f64).max(4.0);
        for line in 0..batch {
            let of =
                |numbers: &[f64]| -> Vec<f64> { (0..length).map(|j| numbers[j * batch + line]).collect() };
            let (re, im) = (of(&before.re), of(&before.im));
            for k in 0..length {
                let expected = sum(&re, &im, k);
                for (found, expected) in
                    [lines.re[k * batch + line], lines.im[k * batch + line]].iter().zip(expected)
                {
                    assert!((found - expected).abs() < most, "{length} {k}: {found} {expected}");
                }
            }
        }
        transform.backward(&mut lines, &mut spare, batch);
        let back = |numbers: &[f64]| -> Vec<f64> { numbers.iter().map(|n| n / length as f64).collect() };
        assert!(worst(&back(&lines.re), &before.re) < 1e-14 * 8.0, "{length}");
        assert!(worst(&back(&lines.im), &before.im) < 1e-14 * 8.0, "{length}");
    }
}

#[test]
fn smooth_lengths_are_the_next_larger_ones() {
    let is_smooth = |mut n: usize| {
        for p in [2, 3] {
            while n.is_multiple_of(p) {
                n /= p;
            }
        }
        n == 1
    };
    let mut next = 1;
    for least in 0..5000 {
        while next < least || !is_smooth(next) {
            next += 1;
        }
        assert_eq!(Smooth::length_from(least), next, "{least}");
        assert_eq!(Smooth::new(least.max(1)).is_some(), is_smooth(least.max(1)));
    }
}

#[test]
fn roots_of_unity_are_exact_at_eighths_and_mirrored() {
    use super::super::fft::root_of_unity;
    assert_eq!(
        [root_of_unity(0, 8), root_of_unity(2, 8), root_of_unity(4, 8), root_of_unity(6, 8)],
        [[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 1.0]]
    );
    for length in [3, 7, 24, 1000] {
        for j in 1..length {
            let ([a, b], [c, d]) = (root_of_unity(j, length), root_of_unity(length - j, length));
            assert_eq!((a, b), (c, -d));
            let angle = TAU * j as f64 / length as f64;
            assert!((a - libm::cos(angle)).abs() < 1e-15 && (b + libm::sin(angle)).abs() < 1e-15);
        }
    }
}
