//! How hard files are compressed.

use std::io;

/// How hard PNG and TIFF are compressed; other formats know one way alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Quickly.
    #[default]
    Fast,
    /// To some hundredths fewer bytes, in about three times the time.
    Small,
}

impl Effort {
    /// Fills `bytes` with what is compressed in the fast way, or, where bytes count, with the shortest of
    /// what the small ways leave: a slow way leaves fewer bytes as a rule, but not of rough heights of 16
    /// bits.
    pub(crate) fn compress<W: Copy>(
        self,
        fast: W,
        small: &[W],
        bytes: &mut Vec<u8>,
        mut deflate: impl FnMut(W, &mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (&first, others) = match self {
            Self::Fast => (&fast, &[][..]),
            Self::Small => small.split_first().unwrap_or((&fast, &[])),
        };
        deflate(first, bytes)?;
        for &way in others {
            let mut other = Vec::new();
            deflate(way, &mut other)?;
            if other.len() < bytes.len() {
                *bytes = other;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_of_the_small_ways_is_taken() {
        let lengths = |effort: Effort, small: &[usize]| {
            let mut bytes = Vec::new();
            let deflate = |way, out: &mut Vec<u8>| {
                out.resize(way, 0);
                Ok(())
            };
            effort.compress(7, small, &mut bytes, deflate).unwrap();
            bytes.len()
        };
        assert_eq!(lengths(Effort::Fast, &[3]), 7);
        assert_eq!(lengths(Effort::Small, &[9]), 9);
        assert_eq!(lengths(Effort::Small, &[9, 4, 5]), 4);
        assert_eq!(lengths(Effort::Small, &[]), 7);
    }
}
