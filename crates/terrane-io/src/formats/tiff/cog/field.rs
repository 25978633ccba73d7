//! The fields of a directory: tags with their values as little-endian bytes.

use std::io;

use tiff::tags::{Tag, Type};

use super::super::geo::Values;

/// Whether file offsets have 32 bits or, in a `BigTIFF`, 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Narrow,
    Big,
}

impl Width {
    /// The bytes of an offset, which is also the most that values stored in the field itself may have.
    pub fn bytes(self) -> usize {
        match self {
            Self::Narrow => 4,
            Self::Big => 8,
        }
    }

    /// The bytes of an offset.
    pub fn offset(self, offset: u64) -> io::Result<Vec<u8>> {
        match self {
            Self::Narrow => match u32::try_from(offset) {
                Ok(offset) => Ok(offset.to_le_bytes().into()),
                Err(_) => Err(io::Error::other("the file is too large for a TIFF other than BigTIFF")),
            },
            Self::Big => Ok(offset.to_le_bytes().into()),
        }
    }
}

/// A tag and its values.
pub(super) struct Field {
    pub tag: u16,
    pub kind: u16,
    pub count: u64,
    pub bytes: Vec<u8>,
}

impl Field {
    fn new(tag: Tag, kind: Type, count: usize, bytes: Vec<u8>) -> Self {
        Self { tag: tag.to_u16(), kind: kind.to_u16(), count: count as u64, bytes }
    }

    pub fn shorts(tag: Tag, values: &[u16]) -> Self {
        Self::new(tag, Type::SHORT, values.len(), values.iter().flat_map(|v| v.to_le_bytes()).collect())
    }

    pub fn longs(tag: Tag, values: &[u32]) -> Self {
        Self::new(tag, Type::LONG, values.len(), values.iter().flat_map(|v| v.to_le_bytes()).collect())
    }

    /// Text with its closing zero.
    pub fn text(tag: Tag, text: &str) -> Self {
        Self::new(tag, Type::ASCII, text.len() + 1, [text.as_bytes(), &[0]].concat())
    }

    pub fn geo((tag, values): (Tag, Values<'_>)) -> Self {
        match values {
            Values::Shorts(values) => Self::shorts(tag, values),
            Values::Text(text) => Self::text(tag, text),
            Values::Reals(values) => {
                let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                Self::new(tag, Type::DOUBLE, values.len(), bytes)
            }
        }
    }

    /// File offsets.
    pub fn offsets(tag: Tag, offsets: &[u64], width: Width) -> io::Result<Self> {
        let kind = match width {
            Width::Narrow => Type::LONG,
            Width::Big => Type::LONG8,
        };
        let mut bytes = Vec::with_capacity(offsets.len() * width.bytes());
        for &offset in offsets {
            bytes.extend(width.offset(offset)?);
        }
        Ok(Self::new(tag, kind, offsets.len(), bytes))
    }

    /// Whether the values are stored in the field itself.
    pub fn is_inside(&self, width: Width) -> bool {
        self.bytes.len() <= width.bytes()
    }

    /// Whether this is a table with one value per tile.
    pub fn is_table(&self) -> bool {
        [Tag::TileOffsets, Tag::TileByteCounts].iter().any(|tag| tag.to_u16() == self.tag)
    }

    /// Appends the field to its directory. Values that do not fit into the field are at `offset`.
    pub fn push(&self, width: Width, offset: u64, out: &mut Vec<u8>) -> io::Result<()> {
        out.extend(self.tag.to_le_bytes());
        out.extend(self.kind.to_le_bytes());
        out.extend(width.offset(self.count)?);
        if self.is_inside(width) {
            out.extend(&self.bytes);
            out.resize(out.len() + width.bytes() - self.bytes.len(), 0);
        } else {
            out.extend(width.offset(offset)?);
        }
        Ok(())
    }
}
