//! Sequences of maps, and animations.

use std::io::{self, Write};
use std::path::Path;

use terrane_flow::Data;
use terrane_grid::Grid;
use terrane_io::{IoError, Kind as FileKind, Stop, WriteOptions, Written, write_animation_until};

use super::bytes::{Reader, invalid};
use super::capabilities::{Shown, TerrainData, extensions_of};
use super::{Map, Picture};

/// A sequence of maps of equal size, which shows how one map changes from its first to its last state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames(pub Vec<Map>);

/// An animation: a sequence of pictures of equal size, in a loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// The pictures.
    pub pictures: Vec<Grid<[u8; 3]>>,
    /// How long each picture is shown, in milliseconds. The last picture is shown ten times as long.
    pub milliseconds: u32,
}

/// Writes parts, each preceded by its length.
fn write_parts(parts: &[impl Data], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&(parts.len() as u64).to_le_bytes())?;
    let mut bytes = Vec::new();
    parts.iter().try_for_each(|part| {
        bytes.clear();
        part.encode(&mut bytes)?;
        out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        out.write_all(&bytes)
    })
}

fn read_parts<T: Data>(reader: &mut Reader<'_>) -> io::Result<Vec<T>> {
    let count = reader.count(8)?;
    (0..count)
        .map(|_| {
            let length = reader.count(1)?;
            T::decode(reader.take(length)?)
        })
        .collect()
}

impl Data for Frames {
    const KIND: &'static str = "frames";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        write_parts(&self.0, out)
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let maps: Vec<Map> = read_parts(&mut reader)?;
        reader.end()?;
        match maps.windows(2).all(|pair| pair[0].domain() == pair[1].domain()) {
            true => Ok(Self(maps)),
            false => Err(invalid("frames differ in size")),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.0.iter().map(Data::heap_bytes).sum()
    }
}

impl Data for Animation {
    const KIND: &'static str = "animation";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.milliseconds.to_le_bytes())?;
        let pictures: Vec<Picture> = self.pictures.iter().cloned().map(Picture).collect();
        write_parts(&pictures, out)
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let milliseconds =
            reader.take(4)?.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
        let pictures: Vec<Picture> = read_parts(&mut reader)?;
        reader.end()?;
        match pictures.windows(2).all(|pair| pair[0].size() == pair[1].size()) {
            true => {
                Ok(Self { pictures: pictures.into_iter().map(|picture| picture.0).collect(), milliseconds })
            }
            false => Err(invalid("pictures differ in size")),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.pictures.iter().map(|picture| picture.len() * 3).sum()
    }
}

impl TerrainData for Frames {
    fn extensions() -> Vec<&'static str> {
        Vec::new()
    }

    /// The last map.
    fn shown(&self) -> Shown<'_> {
        self.0.last().map_or(Shown::Nothing, |map| Shown::Heights(map))
    }
}

impl TerrainData for Animation {
    const IN_PIECES: bool = true;

    fn extensions() -> Vec<&'static str> {
        extensions_of(FileKind::Animation)
    }

    fn write(&self, path: &Path, _: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        write_animation_until(path, &self.pictures, self.milliseconds, stop)
    }

    /// The last picture.
    fn shown(&self) -> Shown<'_> {
        self.pictures.last().map_or(Shown::Nothing, Shown::Picture)
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Heightmap};

    use super::*;

    #[test]
    fn decoding_restores_every_bit_and_rejects_truncated_bytes() {
        let map = |height| Map(Heightmap::constant(Domain::new(3, 2), height));
        let frames = Frames(vec![map(1.0), map(-0.5)]);
        let animation = Animation { pictures: vec![Grid::filled(2, 1, [1, 2, 3]); 3], milliseconds: 70_000 };
        let (mut a, mut b) = (Vec::new(), Vec::new());
        frames.encode(&mut a).unwrap();
        animation.encode(&mut b).unwrap();
        assert_eq!(Frames::decode(&a).unwrap(), frames);
        assert_eq!(Animation::decode(&b).unwrap(), animation);
        assert!((0..a.len()).all(|length| Frames::decode(&a[..length]).is_err()));
        assert!((0..b.len()).all(|length| Animation::decode(&b[..length]).is_err()));
    }
}
