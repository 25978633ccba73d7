//! Decompressing strips and tiles.
//!
//! A chunk is decoded up to the bytes that its samples need. What follows them is not read, so the end mark
//! of a compression may be missing.

use std::io::Read;

use weezl::{BitOrder, LzwStatus, decode::Configuration};

/// How chunks are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Lzw,
    Deflate,
    PackBits,
}

/// Compressions that are not read, by their codes.
const OTHERS: &[(u16, &str)] = &[
    (2, "CCITT fax"),
    (3, "CCITT fax 3"),
    (4, "CCITT fax 4"),
    (6, "old JPEG"),
    (7, "JPEG"),
    (34712, "JPEG 2000"),
    (34887, "LERC"),
    (34925, "LZMA"),
    (50000, "ZSTD"),
    (50001, "WebP"),
    (50002, "JPEG XL"),
    (52546, "JPEG XL"),
];

impl Compression {
    /// The compression with a code of TIFF; the error is its name.
    pub fn of(code: u16) -> Result<Self, String> {
        match code {
            1 => Ok(Self::None),
            5 => Ok(Self::Lzw),
            8 | 32946 => Ok(Self::Deflate),
            32773 => Ok(Self::PackBits),
            other => {
                let name = OTHERS.iter().find(|(code, _)| *code == other).map(|(_, name)| name);
                Err(name.map_or_else(
                    || format!("compression {other}"),
                    |name| format!("compression with {name}"),
                ))
            }
        }
    }

    /// Above the ratio of unpacked to packed bytes that the compression can reach. A chunk that claims more
    /// is damaged, and memory must not be allocated for it.
    pub const fn most(self) -> u64 {
        match self {
            Self::None => 1,
            Self::PackBits => 64,
            Self::Deflate => 1032,
            Self::Lzw => 2816,
        }
    }

    /// Whether the bits of codes are in the order that programs used before 1992.
    pub fn is_of_old_order(self, packed: &[u8]) -> bool {
        self == Self::Lzw && packed.len() >= 2 && packed[0] == 0 && packed[1] & 1 == 1
    }

    /// The content of a chunk, of a length in bytes. The error says what is wrong with the chunk.
    pub fn unpacked(self, mut packed: Vec<u8>, length: usize) -> Result<Vec<u8>, String> {
        if self == Self::None {
            // The bytes are the content.
            return match packed.len() >= length {
                true => {
                    packed.truncate(length);
                    Ok(packed)
                }
                false => Err(short()),
            };
        }
        let mut content = vec![0; length];
        self.unpack(&packed, &mut content).map(|()| content)
    }

    /// Fills `out` with the content of a chunk. The error says what is wrong with the chunk.
    fn unpack(self, packed: &[u8], out: &mut [u8]) -> Result<(), String> {
        match self {
            Self::None => {
                let whole = packed.get(..out.len()).ok_or_else(short)?;
                out.copy_from_slice(whole);
                Ok(())
            }
            Self::Lzw => lzw(packed, out),
            Self::Deflate => flate2::read::ZlibDecoder::new(packed)
                .read_exact(out)
                .map_err(|error| format!("deflate: {error}")),
            Self::PackBits => pack_bits(packed, out),
        }
    }
}

fn short() -> String {
    "a strip or tile ends before its last sample".to_owned()
}

fn lzw(mut packed: &[u8], mut out: &mut [u8]) -> Result<(), String> {
    let mut decoder =
        Configuration::with_tiff_size_switch(BitOrder::Msb, 8).with_yield_on_full_buffer(true).build();
    while !out.is_empty() {
        let done = decoder.decode_bytes(packed, out);
        packed = &packed[done.consumed_in..];
        out = &mut out[done.consumed_out..];
        match done.status {
            Ok(LzwStatus::Ok) if done.consumed_in + done.consumed_out > 0 => {}
            _ if out.is_empty() => {}
            Ok(_) => return Err(short()),
            Err(error) => return Err(format!("LZW: {error}")),
        }
    }
    Ok(())
}

/// Runs of bytes (TIFF 6.0, section 9): a count from 0 to 127 precedes as many bytes and one more; a count
/// from -1 to -127 repeats the next byte; -128 is skipped.
fn pack_bits(mut packed: &[u8], mut out: &mut [u8]) -> Result<(), String> {
    while !out.is_empty() {
        let (&count, rest) = packed.split_first().ok_or_else(short)?;
        packed = rest;
        match count as i8 {
            -128 => {}
            count @ 0.. => {
                let length = (count as usize + 1).min(out.len());
                let (bytes, rest) = packed.split_at_checked(length).ok_or_else(short)?;
                let (run, behind) = std::mem::take(&mut out).split_at_mut(length);
                run.copy_from_slice(bytes);
                (packed, out) = (rest, behind);
            }
            count => {
                let (&byte, rest) = packed.split_first().ok_or_else(short)?;
                let length = (usize::from(count.unsigned_abs()) + 1).min(out.len());
                let (run, behind) = std::mem::take(&mut out).split_at_mut(length);
                run.fill(byte);
                (packed, out) = (rest, behind);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The example of TIFF 6.0, section 9.
    #[test]
    fn runs_of_bytes() {
        let packed =
            [0xFE, 0xAA, 0x02, 0x80, 0x00, 0x2A, 0xFD, 0xAA, 0x03, 0x80, 0x00, 0x2A, 0x22, 0xF7, 0xAA];
        let whole = [
            0xAA, 0xAA, 0xAA, 0x80, 0x00, 0x2A, 0xAA, 0xAA, 0xAA, 0xAA, 0x80, 0x00, 0x2A, 0x22, 0xAA, 0xAA,
            0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA,
        ];
        let mut out = [0; 24];
        Compression::PackBits.unpack(&packed, &mut out).unwrap();
        assert_eq!(out, whole);
        assert!(Compression::PackBits.unpack(&packed, &mut [0; 25]).is_err());
    }

    proptest! {
        #[test]
        fn a_chunk_needs_no_end_mark(bytes in proptest::collection::vec(0..4u8, 1..5000), cut in 0..4usize) {
            let mut coder = weezl::encode::Encoder::with_tiff_size_switch(BitOrder::Msb, 8);
            let packed = coder.encode(&bytes).unwrap();
            let packed = &packed[..packed.len().saturating_sub(cut)];
            let mut out = vec![9; bytes.len()];
            let result = Compression::Lzw.unpack(packed, &mut out);
            // The end mark has nine to twelve bits: two bytes at most may be missing.
            prop_assert!(result.is_err() || out == bytes);
            prop_assert!(cut > 0 || result.is_ok());
        }
    }
}
