//! Heights of points along paths that respect the paths' maximum slopes.

use std::convert::Infallible;

use super::lowering::lower;

/// Two points, and the maximum difference of their heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The points.
    pub ends: (u32, u32),
    /// The maximum difference of their heights; at least 0.
    pub most: f64,
}

/// Heights nearest to the wanted ones within all links: for each point the mean of the highest and the lowest
/// height that respect all links (McShane 1934; Whitney 1934). Wanted heights that already respect the links
/// do not change. A point does not depend on another if the path between them allows more than the total
/// range of heights. O(links · log points).
#[must_use]
pub fn within_slopes(wanted: &[f64], links: &[Link]) -> Vec<f64> {
    let mut beside: Vec<Vec<(u32, f64)>> = vec![Vec::new(); wanted.len()];
    for &Link { ends: (a, b), most } in links {
        beside[a as usize].push((b, most));
        beside[b as usize].push((a, most));
    }
    let highest = least_through(wanted.to_vec(), &beside);
    let lowest = least_through(wanted.iter().map(|height| -height).collect(), &beside);
    highest.into_iter().zip(lowest).map(|(high, low)| (high - low) / 2.0).collect()
}

/// For each point, the minimum over all points of that point's value plus the sum of limits along the path
/// from there.
fn least_through(mut least: Vec<f64>, beside: &[Vec<(u32, f64)>]) -> Vec<f64> {
    let all = 0..least.len();
    let beside = |at: usize| beside[at].iter().map(|&(next, most)| (next as usize, most));
    let Ok(()) = lower(&mut least, all, beside, || Ok::<(), Infallible>(()));
    least
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_peak_and_a_hollow_yield_equally() {
        let links = [(0, 1), (1, 2), (2, 3)].map(|ends| Link { ends, most: 1.0 });
        // The highest heights within the links are 0, 0, 1, 2, and the lowest are 2, 3, 4, 4. The excess is
        // shared.
        assert_eq!(within_slopes(&[0.0, 0.0, 4.0, 4.0], &links), [1.0, 1.5, 2.5, 3.0]);
        assert_eq!(within_slopes(&[0.0, 1.0, 1.5, 0.5], &links), [0.0, 1.0, 1.5, 0.5]);
        assert_eq!(within_slopes(&[0.0, 9.0], &[]), [0.0, 9.0]);
    }

    proptest! {
        #[test]
        fn links_are_respected_and_valid_heights_stay(
            wanted in proptest::collection::vec(-5.0f64..5.0, 1..30),
            ends in proptest::collection::vec((0u32..30, 0u32..30, 0.0f64..2.0), 0..60)
        ) {
            let count = wanted.len() as u32;
            let links: Vec<Link> =
                ends.iter().map(|&(a, b, most)| Link { ends: (a % count, b % count), most }).collect();
            let found = within_slopes(&wanted, &links);
            for &Link { ends: (a, b), most } in &links {
                prop_assert!((found[a as usize] - found[b as usize]).abs() <= most + 1e-12);
            }
            let again = within_slopes(&found, &links);
            prop_assert!(found.iter().zip(&again).all(|(a, b)| (a - b).abs() <= 1e-12));
        }
    }
}
