//! Rows of numbers as bytes, for formats that consist of little else.

use std::io::{self, Write};

use half::f16;

use crate::{Endian, Sample, exact::Rules, pieces};

/// The number of samples written together.
const BLOCK: usize = 1 << 16;

/// Appends the numbers in `bytes` to `samples`, rounded to f32. A remainder shorter than a number is ignored.
pub(crate) fn append(sample: Sample, endian: Endian, rules: &Rules, bytes: &[u8], samples: &mut Vec<f32>) {
    let from = samples.len();
    samples.resize(from + bytes.len() / sample.bytes(), 0.0);
    set(sample, endian, rules, bytes, &mut samples[from..]);
}

/// Sets `samples` to the first numbers in `bytes`, rounded to f32 after the rules were applied.
pub(crate) fn set(sample: Sample, endian: Endian, rules: &Rules, bytes: &[u8], samples: &mut [f32]) {
    macro_rules! numbers {
        ($number:ty, $convert:expr) => {{
            let numbers = samples.iter_mut().zip(bytes.as_chunks::<{ size_of::<$number>() }>().0);
            match endian {
                Endian::Little => numbers.for_each(|(s, &b)| *s = $convert(<$number>::from_le_bytes(b))),
                Endian::Big => numbers.for_each(|(s, &b)| *s = $convert(<$number>::from_be_bytes(b))),
            }
        }};
    }
    if !rules.is_empty() {
        return match sample {
            Sample::U32 => numbers!(u32, |n| rules.whole(n, n as f32)),
            Sample::U64 => numbers!(u64, |n| rules.whole(n, n as f32)),
            Sample::I32 => numbers!(i32, |n| rules.whole(n, n as f32)),
            Sample::I64 => numbers!(i64, |n| rules.whole(n, n as f32)),
            Sample::F64 => numbers!(f64, |n| rules.real(n)),
            _ => set(sample, endian, &Rules::default(), bytes, samples),
        };
    }
    match sample {
        Sample::U8 => numbers!(u8, f32::from),
        Sample::U16 => numbers!(u16, f32::from),
        Sample::U32 => numbers!(u32, |n| n as f32),
        Sample::U64 => numbers!(u64, |n| n as f32),
        Sample::I8 => numbers!(i8, f32::from),
        Sample::I16 => numbers!(i16, f32::from),
        Sample::I32 => numbers!(i32, |n| n as f32),
        Sample::I64 => numbers!(i64, |n| n as f32),
        Sample::F16 => numbers!(u16, |n| f16::from_bits(n).to_f32()),
        Sample::F32 => numbers!(f32, |n| n),
        Sample::F64 => numbers!(f64, |n| n as f32),
    }
}

/// Appends floating-point samples.
pub(crate) fn push_f32(samples: &[f32], endian: Endian, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.resize(start + 4 * samples.len(), 0);
    for (b, s) in bytes[start..].as_chunks_mut::<4>().0.iter_mut().zip(samples) {
        *b = if endian == Endian::Big { s.to_be_bytes() } else { s.to_le_bytes() };
    }
}

/// Writes floating-point samples, using all threads.
pub(crate) fn write_f32(w: &mut (impl Write + ?Sized), samples: &[f32], endian: Endian) -> io::Result<()> {
    let blocks: Vec<&[f32]> = samples.chunks(BLOCK).collect();
    pieces::write(w, blocks.len(), |number, bytes| push_f32(blocks[number], endian, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_in_both_orders() {
        let read = |sample, endian, bytes: &[u8]| {
            let mut samples = Vec::new();
            append(sample, endian, &Rules::default(), bytes, &mut samples);
            samples
        };
        assert_eq!(read(Sample::U8, Endian::Little, &[0, 255]), [0.0, 255.0]);
        assert_eq!(read(Sample::I8, Endian::Big, &[128, 127]), [-128.0, 127.0]);
        assert_eq!(read(Sample::U16, Endian::Little, &[1, 2, 9]), [513.0]);
        assert_eq!(read(Sample::I16, Endian::Big, &[0xff, 0xfe]), [-2.0]);
        assert_eq!(read(Sample::U32, Endian::Big, &[0, 1, 0, 0]), [65536.0]);
        assert_eq!(read(Sample::I32, Endian::Little, &(-7i32).to_le_bytes()), [-7.0]);
        assert_eq!(read(Sample::U64, Endian::Little, &(1u64 << 40).to_le_bytes()), [(1u64 << 40) as f32]);
        assert_eq!(read(Sample::I64, Endian::Big, &(-9i64).to_be_bytes()), [-9.0]);
        assert_eq!(read(Sample::F16, Endian::Little, &[0x00, 0x3c, 0x01, 0x00]), [1.0, 5.960_464_5e-8]);
        assert_eq!(read(Sample::F64, Endian::Big, &0.1f64.to_be_bytes()), [0.1]);
        for endian in [Endian::Little, Endian::Big] {
            let wanted: Vec<f32> = (0..500_000).map(|i| (i as f32 - 2500.0) / 7.0).collect();
            let mut bytes = Vec::new();
            write_f32(&mut bytes, &wanted, endian).unwrap();
            assert_eq!(read(Sample::F32, endian, &bytes), wanted);
        }
    }
}
