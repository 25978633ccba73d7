//! How strongly files are compressed.

use std::io;

/// How strongly PNG and TIFF are compressed. Other formats have only one setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Effort {
    /// Fast compression.
    #[default]
    Fast,
    /// A few per cent smaller, in about three times the time.
    Small,
}

impl Effort {
    /// Fills `bytes` with the result of the `fast` setting or, for [`Effort::Small`], with the shortest
    /// result of the `small` settings. A slower setting usually gives fewer bytes, but not for rough 16-bit
    /// heights.
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
        for &setting in others {
            let mut other = Vec::new();
            deflate(setting, &mut other)?;
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
    fn the_shortest_result_is_used() {
        let lengths = |effort: Effort, small: &[usize]| {
            let mut bytes = Vec::new();
            let deflate = |length, out: &mut Vec<u8>| {
                out.resize(length, 0);
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
