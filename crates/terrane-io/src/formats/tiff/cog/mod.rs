//! Cloud-optimised GeoTIFF: a map and its overviews, laid out so that reading a part over a network needs few
//! bytes.
//!
//! Directories come first, from the map to the smallest level, then the tiles, from the smallest level to the
//! map. Samples are requested one row of tiles at a time. Memory holds one such row, some deflated tiles and
//! the tables. The offsets of tiles are known only after deflating, so the head is written twice, first to
//! reserve its space. All bytes are little-endian on every machine.

mod field;
mod head;
mod pyramid;
mod tile;

#[cfg(test)]
mod reader;
#[cfg(test)]
mod tests;

use std::io::{self, SeekFrom};

use terrane_grid::GeoReference;
use tiff::tags::Tag;

use self::{
    field::{Field, Width},
    pyramid::{Band, Level, TILE},
    tile::{Extent, joined},
};
use super::{compress::compress, geo::geo_tags, predict::Line, write::BIG};
use crate::{CogSamples, Effort, Levels, codec::Sink, deflate::Deflate, pieces};

/// A pyramid to write. It has at least one sample.
pub(crate) struct Pyramid<'a> {
    pub levels: &'a dyn Levels,
    pub samples: CogSamples,
    pub effort: Effort,
    pub georef: Option<&'a GeoReference>,
    /// The value that marks missing samples.
    pub nodata: Option<f32>,
}

/// The offsets and lengths of a level's tiles.
struct Table {
    level: Level,
    offsets: Vec<u64>,
    lengths: Vec<u32>,
}

/// The working memory of a thread.
#[derive(Default)]
struct Tools {
    line: Line,
    data: Vec<u8>,
    deflate: Deflate,
}

/// Writes the file, and returns the minimum and maximum of the finite heights.
///
/// An error of [`Levels::read`] is wrapped in the returned error.
pub(crate) fn write(w: &mut dyn Sink, pyramid: &Pyramid<'_>) -> io::Result<Extent> {
    pyramid.write_above(w, BIG)
}

impl Pyramid<'_> {
    /// Writes a file, as a `BigTIFF` if the uncompressed tiles have more than `max` bytes.
    fn write_above(&self, w: &mut dyn Sink, max: u64) -> io::Result<Extent> {
        let levels = Level::all(self.levels.size());
        let tiles: usize = levels.iter().map(|level| level.tiles()).sum();
        let bytes = (tiles * TILE * TILE * self.samples.bytes()) as u64;
        let width = if bytes > max { Width::Big } else { Width::Narrow };
        let mut tables: Vec<_> = levels.into_iter().map(Table::new).collect();
        let room = self.head(width, &tables)?;
        w.write_all(&room)?;
        let (mut end, mut heights) = (room.len() as u64, None);
        for table in tables.iter_mut().rev() {
            // The map comes last, and its extent covers all levels.
            heights = None;
            for row in 0..table.level.down() {
                let band = Band::read(self.levels, self.samples, table.level, row)?;
                heights = joined(heights, self.write_band(w, &band, row, table, &mut end)?);
            }
        }
        w.seek(SeekFrom::Start(0))?;
        w.write_all(&self.head(width, &tables)?)?;
        Ok(heights)
    }

    /// Writes a row of tiles. `end` is the end of the file so far.
    fn write_band(
        &self,
        w: &mut dyn Sink,
        band: &Band,
        row: usize,
        table: &mut Table,
        end: &mut u64,
    ) -> io::Result<Extent> {
        let (samples, effort, across) = (self.samples, self.effort, band.level.across());
        let mut heights = None;
        pieces::in_order(
            across,
            Tools::default,
            |number, tools, bytes| {
                let Tools { line, data, deflate } = tools;
                data.clear();
                let heights = tile::push(samples, band, number, line, data);
                compress(effort, data, deflate, bytes)?;
                Ok(heights)
            },
            |number, bytes, of_tile| {
                let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
                // Every deflate stream has at least four bytes.
                w.write_all(&length.to_le_bytes())?;
                w.write_all(bytes)?;
                w.write_all(&bytes[bytes.len() - 4..])?;
                table.offsets[row * across + number] = *end + 4;
                table.lengths[row * across + number] = length;
                *end += 4 + u64::from(length) + 4;
                heights = joined(heights, of_tile);
                Ok(())
            },
        )?;
        Ok(heights)
    }

    fn head(&self, width: Width, tables: &[Table]) -> io::Result<Vec<u8>> {
        let directories: io::Result<Vec<_>> = tables.iter().map(|table| self.fields(width, table)).collect();
        head::head(width, &directories?)
    }

    /// The fields of a level's directory, sorted by tag.
    fn fields(&self, width: Width, table: &Table) -> io::Result<Vec<Field>> {
        let size = |samples: usize| u32::try_from(samples).map_err(io::Error::other);
        let (columns, rows) = table.level.size;
        let (bits, format, predictor, photometric): (&[u16], &[u16], u16, u16) = match self.samples {
            CogSamples::Heights => (&[32], &[3], 3, 1),
            CogSamples::Colours => (&[8; 3], &[1; 3], 2, 2),
        };
        let mut fields = vec![
            Field::longs(Tag::ImageWidth, &[size(columns)?]),
            Field::longs(Tag::ImageLength, &[size(rows)?]),
            Field::shorts(Tag::BitsPerSample, bits),
            Field::shorts(Tag::Compression, &[8]),
            Field::shorts(Tag::PhotometricInterpretation, &[photometric]),
            Field::shorts(Tag::SamplesPerPixel, &[bits.len() as u16]),
            Field::shorts(Tag::PlanarConfiguration, &[1]),
            Field::shorts(Tag::Predictor, &[predictor]),
            Field::longs(Tag::TileWidth, &[size(TILE)?]),
            Field::longs(Tag::TileLength, &[size(TILE)?]),
            Field::offsets(Tag::TileOffsets, &table.offsets, width)?,
            Field::longs(Tag::TileByteCounts, &table.lengths),
            Field::shorts(Tag::SampleFormat, format),
        ];
        if table.level.number > 0 {
            // Marks a reduced version of another image in the file.
            fields.push(Field::longs(Tag::NewSubfileType, &[1]));
        } else if let Some(georef) = self.georef {
            fields.extend(geo_tags(georef).map(Field::geo));
        }
        fields.extend(self.nodata.map(|nodata| Field::text(Tag::GdalNodata, &number(nodata))));
        fields.sort_by_key(|field| field.tag);
        Ok(fields)
    }
}

impl Table {
    fn new(level: Level) -> Self {
        Self { level, offsets: vec![0; level.tiles()], lengths: vec![0; level.tiles()] }
    }
}

/// A number in GDAL's text form: all digits of the 32-bit value.
fn number(value: f32) -> String {
    if value.is_nan() { "nan".into() } else { f64::from(value).to_string() }
}
