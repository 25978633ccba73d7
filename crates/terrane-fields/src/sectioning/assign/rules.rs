//! Which kinds may touch, and masks of kinds.

/// Which kinds may touch, as bits.
pub struct Rules {
    /// Kinds with a weight.
    pub drawn: u64,
    /// For each kind, the kinds that may be next to it, since both allow it.
    pub touching: Vec<u64>,
}

impl Rules {
    pub fn new(weights: &[f64], may_touch: &[u64]) -> Self {
        let kinds = || 0..weights.len();
        let both = |a: usize, b: usize| may_touch[a] >> b & 1 == 1 && may_touch[b] >> a & 1 == 1;
        let touching =
            kinds().map(|a| kinds().filter(|&b| both(a, b)).fold(0u64, |bits, b| bits | 1 << b)).collect();
        Self { drawn: kinds().filter(|&a| weights[a] > 0.0).fold(0, |bits, a| bits | 1 << a), touching }
    }

    /// The kinds that may be next to at least one of several.
    pub fn beside(&self, kinds: u64) -> u64 {
        bits(kinds).fold(0, |may, kind| may | self.touching[kind as usize])
    }

    /// Whether all kinds with a weight may touch each other.
    pub fn free(&self) -> bool {
        bits(self.drawn).all(|kind| self.touching[kind as usize] & self.drawn == self.drawn)
    }
}

/// The kinds in a mask.
pub fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let kind = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (kind < 64).then_some(kind)
    })
}
