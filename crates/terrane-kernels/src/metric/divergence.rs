//! Divergence of two distributions.

/// The divergence of two distributions, in nats (natural logarithms).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergence {
    /// Kullback-Leibler divergence of the second distribution, q, from the first, p: the sum of p·ln(p/q). It
    /// is 0 for equal distributions, not symmetric, and without an upper bound.
    pub forward: f64,
    /// The divergence of the first from the second.
    pub backward: f64,
    /// Jensen-Shannon divergence: the mean divergence of both from their mean; symmetric, at most ln 2.
    pub jensen_shannon: f64,
}

/// The divergence between two histograms over the same bins (Kullback & Leibler 1951).
///
/// `smoothing` counts are first added to every bin, so that an empty bin does not give infinity. NaN if a
/// histogram is empty and nothing is added.
///
/// # Panics
/// When the histograms differ in their number of bins.
#[must_use]
pub fn kullback_leibler(first: &[u64], second: &[u64], smoothing: f64) -> Divergence {
    assert_eq!(first.len(), second.len(), "histograms need the same bins");
    let shares = |counts: &[u64]| -> Vec<f64> {
        let total: f64 = counts.iter().map(|&count| count as f64 + smoothing).sum();
        counts.iter().map(|&count| (count as f64 + smoothing) / total).collect()
    };
    let (p, q) = (shares(first), shares(second));
    let mean: Vec<f64> = p.iter().zip(&q).map(|(p, q)| 0.5 * (p + q)).collect();
    let divergence = |p: &[f64], q: &[f64]| -> f64 {
        // 0·ln 0 is 0.
        p.iter().zip(q).filter(|(p, _)| **p != 0.0).map(|(p, q)| p * libm::log(p / q)).sum()
    };
    Divergence {
        forward: divergence(&p, &q),
        backward: divergence(&q, &p),
        jensen_shannon: 0.5 * (divergence(&p, &mean) + divergence(&q, &mean)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        // p = (½, ½), q = (¼, ¾): ½ ln 2 + ½ ln ⅔.
        let found = kullback_leibler(&[2, 2], &[1, 3], 0.0);
        assert!((found.forward - 0.5 * (libm::log(2.0) + libm::log(2.0 / 3.0))).abs() < 1e-15);
        assert!((found.backward - (0.25 * libm::log(0.5) + 0.75 * libm::log(1.5))).abs() < 1e-15);
        let apart = kullback_leibler(&[4, 0], &[0, 4], 0.0);
        assert_eq!(apart.forward, f64::INFINITY);
        assert!((apart.jensen_shannon - libm::log(2.0)).abs() < 1e-15);
        assert!(kullback_leibler(&[4, 0], &[0, 4], 1.0).forward.is_finite());
        assert!(kullback_leibler(&[0], &[0], 0.0).forward.is_nan());
    }

    proptest! {
        #[test]
        fn it_is_never_negative_and_zero_for_itself(
            p in prop::collection::vec(0u64..1000, 8),
            q in prop::collection::vec(0u64..1000, 8),
        ) {
            let found = kullback_leibler(&p, &q, 1.0);
            prop_assert!(found.forward > -1e-12 && found.backward > -1e-12);
            prop_assert!(found.jensen_shannon <= libm::log(2.0) + 1e-12);
            let same = kullback_leibler(&p, &p, 1.0);
            prop_assert_eq!((same.forward, same.jensen_shannon), (0.0, 0.0));
            let swapped = kullback_leibler(&q, &p, 1.0);
            prop_assert_eq!(swapped.forward, found.backward);
        }
    }
}
