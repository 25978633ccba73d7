//! Random numbers that depend only on seed, target and number, and mutations of bytes.

use terrane_grid::Seed;

/// A sequence of random numbers.
pub struct Rng {
    seed: Seed,
    drawn: u64,
}

impl Rng {
    /// The generator for one input of a target.
    pub fn new(seed: u64, target: &str, number: u64) -> Self {
        let name = target.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Self { seed: Seed(seed).mixed(name).part(number), drawn: 0 }
    }

    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.drawn += 1;
        self.seed.part(self.drawn).0
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// True with probability 1 / `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several; there must be at least one.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A small number, most often 1.
    pub fn few(&mut self, most: usize) -> usize {
        let most = 1 + self.below(most);
        1 + self.below(most)
    }

    /// A range within a length, more often a short one.
    pub fn part(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        let longest = if self.one_in(4) { length - start } else { (length - start).min(16) };
        start..start + self.few(longest.max(1)).min(length - start)
    }
}

/// Integers at which counters, sizes and signs overflow.
pub const EDGES: [u64; 20] = [
    0,
    1,
    2,
    3,
    7,
    8,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
];

/// Maximum size of an input in bytes.
const LONGEST: usize = 1 << 20;

/// Changes bytes at a few positions.
pub fn bytes(rng: &mut Rng, data: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..rng.few(8) {
        if data.is_empty() {
            data.extend_from_slice(other);
        }
        if !data.is_empty() {
            once(rng, data, other);
        }
        data.truncate(LONGEST);
    }
}

fn once(rng: &mut Rng, data: &mut Vec<u8>, other: &[u8]) {
    let at = position(rng, data.len());
    match rng.below(12) {
        0 | 1 => data[at] ^= 1 << rng.below(8),
        2 => data[at] = rng.next() as u8,
        3 => data[at] = *rng.pick(&[0, 1, 0x7f, 0x80, 0xff]),
        4 => data[at] = data[at].wrapping_add(*rng.pick(&[1, 2, 255, 254])),
        5..=7 => number(rng, data, at),
        8 => {
            let part = rng.part(data.len());
            data.drain(part);
        }
        9 => {
            let copy = data[rng.part(data.len())].to_vec();
            data.splice(at..at, copy);
        }
        10 if !other.is_empty() => {
            let copy = other[rng.part(other.len())].to_vec();
            let end = if rng.one_in(2) { at } else { (at + copy.len()).min(data.len()) };
            data.splice(at..end, copy);
        }
        _ => data.truncate(at),
    }
}

/// A position in a file, more often near its beginning, where headers are.
fn position(rng: &mut Rng, length: usize) -> usize {
    let end = if rng.one_in(2) { length } else { length.min(256) };
    rng.below(end)
}

/// Overwrites bytes with a number of 2, 4 or 8 bytes, in either byte order.
fn number(rng: &mut Rng, data: &mut [u8], at: usize) {
    let value = if rng.one_in(4) {
        rng.next()
    } else {
        rng.pick(&EDGES).wrapping_add(rng.below(3) as u64).wrapping_sub(1)
    };
    let width = *rng.pick(&[2, 4, 4, 8]);
    let (low, high) = (value.to_le_bytes(), value.to_be_bytes());
    let bytes = if rng.one_in(2) { &low[..width] } else { &high[8 - width..] };
    let at = if rng.one_in(2) { at } else { at - at % width };
    for (into, byte) in data[at..].iter_mut().zip(bytes) {
        *into = *byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_depend_only_on_their_number() {
        let input = |number| {
            let mut data = vec![7; 100];
            bytes(&mut Rng::new(3, "graph", number), &mut data, b"other");
            data
        };
        assert_eq!(input(5), input(5));
        let different: std::collections::BTreeSet<_> = (0..100).map(input).collect();
        assert!(different.len() > 90);
        assert_ne!(Rng::new(3, "graph", 1).next(), Rng::new(3, "format", 1).next());
    }
}
