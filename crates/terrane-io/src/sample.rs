//! Types of samples, and the order of their bytes.

use std::fmt;

/// The type of a raster's samples in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sample {
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 8 bits.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// Floating-point, 16 bits.
    F16,
    /// Floating-point, 32 bits.
    F32,
    /// Floating-point, 64 bits.
    F64,
}

/// The byte order of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Endian {
    /// Lowest byte first, as on nearly all machines and engines.
    #[default]
    Little,
    /// Highest byte first, as in old Macintosh exports and SRTM `.hgt` files.
    Big,
}

impl Sample {
    /// Bytes of one sample.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// The lowest and highest code of an integer type; `None` for a floating-point type.
    #[must_use]
    pub const fn codes(self) -> Option<(f64, f64)> {
        match self {
            Self::U8 => Some((0.0, u8::MAX as f64)),
            Self::U16 => Some((0.0, u16::MAX as f64)),
            Self::U32 => Some((0.0, u32::MAX as f64)),
            Self::U64 => Some((0.0, u64::MAX as f64)),
            Self::I8 => Some((i8::MIN as f64, i8::MAX as f64)),
            Self::I16 => Some((i16::MIN as f64, i16::MAX as f64)),
            Self::I32 => Some((i32::MIN as f64, i32::MAX as f64)),
            Self::I64 => Some((i64::MIN as f64, i64::MAX as f64)),
            Self::F16 | Self::F32 | Self::F64 => None,
        }
    }

    /// A short name: `u16`, `f32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
