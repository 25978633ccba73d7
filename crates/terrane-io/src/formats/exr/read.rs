//! Reading OpenEXR: the first existing channel of `Y`, `Z`, `height`, `R` and `G`, or the only one.

use std::io::{self, BufRead, BufReader, Seek, SeekFrom};

use exr::{
    compression::Compression,
    error::Error,
    meta::attribute::SampleType,
    prelude::{MetaData, ReadChannels, ReadLayers, ReadSpecificChannel, Vec2, read as read_builder},
};

use crate::{
    Format, Problem, Sample,
    codec::Input,
    error::Outcome,
    limits::{Head, Limits},
    raster::{Raster, guarded, zeros},
};

/// The usual channels of heights, the preferred one first.
const CHANNELS: [&str; 5] = ["Y", "Z", "height", "R", "G"];
/// The number of samples from which files are decoded in parallel. The library starts its own threads for
/// every file, and a smaller file is decoded before they have started.
const PARALLEL_FROM: usize = 1 << 20;

/// Above the ratio of any compression (PXR24, the strongest on a flat raster, reaches 1,376). A picture that
/// claims more is damaged, and memory must not be allocated for it: the decoder allocates a whole tile before
/// it checks the tile's bytes.
const MAX_COMPRESSION: u64 = 2048;

/// The description of the raster, without decoding it.
pub(super) fn head(input: Input<'_>) -> Outcome<Head> {
    guarded(Format::EXR, || {
        Ok(Head { size: begin(input.source, input.length, input.limits)?.0, missing: false, overhead: 0 })
    })
}

pub(super) fn read(input: Input<'_>) -> Outcome<Raster> {
    let Input { mut source, length, limits, .. } = input;
    guarded(Format::EXR, || {
        let (size, name, sample) = begin(&mut source, length, limits)?;
        Ok(Raster::new(size, decode(source, &name, size)?, sample))
    })
}

/// The size, and the channel to read.
fn begin(input: impl BufRead, length: u64, limits: Limits) -> Outcome<((usize, usize), String, Sample)> {
    let headers = MetaData::read_from_buffered(input, false).map_err(damaged)?.headers;
    // Chooses the first layer that has the channel, as the library's reader below does.
    let chosen = headers.iter().filter(|h| !h.deep).find_map(|h| Some((h, choose(h)?)));
    let (header, (name, sample)) = chosen.ok_or_else(|| Problem::Unsupported {
        format: Format::EXR,
        detail: format!("several channels, none of them {}", CHANNELS.join(", ")),
    })?;
    // The decoder (exr 1.74.2, compression/dwa) allocates memory by counters in the file before checking that
    // the data exists: a small file could kill the process.
    if matches!(header.compression, Compression::DWAA(_) | Compression::DWAB(_)) {
        let detail = format!("{}, which loses heights: save it with ZIP or PIZ", header.compression);
        return Err(Problem::Unsupported { format: Format::EXR, detail });
    }
    let Vec2(width, height) = header.layer_size;
    let size = limits.size(width as u64, height as u64)?;
    // A chunk needs at least its entry in the offset table and its header.
    let needed = (header.chunk_count as u64).saturating_mul(16);
    if needed > length {
        return Err(Problem::Truncated { format: Format::EXR, needed, found: length });
    }
    let unpacked = (size.0 as u64 * size.1 as u64).saturating_mul(header.channels.bytes_per_pixel as u64);
    if unpacked / MAX_COMPRESSION > length {
        let needed = unpacked / MAX_COMPRESSION;
        return Err(Problem::Truncated { format: Format::EXR, needed, found: length });
    }
    Ok((size, name, sample))
}

fn choose(header: &exr::meta::header::Header) -> Option<(String, Sample)> {
    let channels = &header.channels.list;
    let named = CHANNELS.iter().find_map(|name| channels.iter().find(|c| c.name.to_string() == *name));
    let channel = named.or(if channels.len() == 1 { channels.first() } else { None })?;
    let sample = match channel.sample_type {
        SampleType::F16 => Sample::F16,
        SampleType::F32 => Sample::F32,
        SampleType::U32 => Sample::U32,
    };
    Some((channel.name.to_string(), sample))
}

fn decode(mut input: impl BufRead + Seek, name: &str, size: (usize, usize)) -> Outcome<Vec<f32>> {
    let room = zeros::<f32>(size.0 * size.1)?;
    // The library calls a function to allocate the storage and could call it again. This memory is returned
    // only once.
    let room = std::cell::Cell::new(Some(room));
    input.seek(SeekFrom::Start(0)).map_err(Problem::Read)?;
    let reader = read_builder()
        .no_deep_data()
        .largest_resolution_level()
        .specific_channels()
        .required(name)
        .collect_pixels(
            |Vec2(width, height), _| {
                (width, if (width, height) == size { room.take().unwrap_or_default() } else { Vec::new() })
            },
            |(width, samples): &mut (usize, Vec<f32>), Vec2(x, y), (height,): (f32,)| {
                samples[y * *width + x] = height;
            },
        )
        .first_valid_layer()
        .all_attributes();
    let reader = if size.0 * size.1 < PARALLEL_FROM { reader.non_parallel() } else { reader };
    let image = reader.from_buffered(BufReader::new(input)).map_err(damaged)?;
    Ok(image.layer_data.channel_data.pixels.1)
}

fn damaged(error: Error) -> Problem {
    match error {
        Error::NotSupported(detail) => {
            Problem::Unsupported { format: Format::EXR, detail: detail.into_owned() }
        }
        Error::Io(e) if e.kind() != io::ErrorKind::UnexpectedEof => Problem::Read(e),
        other => Problem::Damaged { format: Format::EXR, detail: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::super::write;
    use super::*;
    use crate::formats::tests::plain;
    use exr::prelude::{
        AnyChannel, AnyChannels, Blocks, Encoding, FlatSamples, Image, LineOrder, SpecificChannels,
        WritableImage, f16,
    };
    use std::io::Cursor;
    use terrane_grid::Grid;

    fn encode(channels: &[(&str, FlatSamples)]) -> Vec<u8> {
        let list = channels.iter().map(|(name, samples)| AnyChannel::new(*name, samples.clone())).collect();
        let image = Image::from_channels((3, 2), AnyChannels::sort(list));
        let mut bytes = Cursor::new(Vec::new());
        image.write().to_buffered(&mut bytes).unwrap();
        bytes.into_inner()
    }

    fn decode(bytes: &[u8]) -> Outcome<Raster> {
        read(Input::new(&mut Cursor::new(bytes), bytes.len() as u64, Limits::samples(100)))
    }

    #[test]
    fn halves_and_integers_are_read() {
        let halves = FlatSamples::F16((0..6).map(|i| f16::from_f32(i as f32 * 0.5)).collect());
        let raster = decode(&encode(&[("depth", halves)])).unwrap();
        assert_eq!((raster.width, raster.height, raster.sample), (3, 2, Sample::F16));
        assert_eq!(raster.samples, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]);
        let integers = FlatSamples::U32((0..6).collect());
        assert_eq!(decode(&encode(&[("Z", integers)])).unwrap().sample, Sample::U32);
    }

    #[test]
    fn compression_that_could_take_any_memory_is_refused() {
        for compression in [Compression::DWAA(None), Compression::DWAB(None)] {
            let channels = SpecificChannels::build().with_channel("Y").with_pixel_fn(|_| (1.0f32,));
            let encoding = Encoding { compression, ..Encoding::SMALL_LOSSLESS };
            let mut bytes = Cursor::new(Vec::new());
            Image::from_encoded_channels((3, 2), encoding, channels).write().to_buffered(&mut bytes).unwrap();
            let refused = decode(bytes.get_ref());
            assert!(matches!(&refused, Err(Problem::Unsupported { detail, .. }) if detail.contains("ZIP")));
        }
    }

    /// A 2 kB file with one tile used to take 2.4 GB before it was found to be damaged.
    #[test]
    fn a_tile_larger_than_its_bytes_is_refused_before_memory_is_taken() {
        let channels = SpecificChannels::build().with_channel("Y").with_pixel_fn(|_| (1.0f32,));
        let tiles = |side| Encoding {
            compression: Compression::ZIP16,
            blocks: Blocks::Tiles(Vec2(side, side)),
            line_order: LineOrder::Increasing,
        };
        let file = |side: usize| {
            let mut bytes = Cursor::new(Vec::new());
            let image = Image::from_encoded_channels((side, side), tiles(side), channels.clone());
            image.write().to_buffered(&mut bytes).unwrap();
            bytes.into_inner()
        };
        let read = |bytes: &[u8]| {
            read(Input::new(&mut Cursor::new(bytes), bytes.len() as u64, Limits::samples(1 << 31)))
        };
        // The strongest compression in a real file is accepted.
        assert_eq!(read(&file(2000)).unwrap().samples, [1.0; 4_000_000]);
        let mut bytes = file(64);
        for (from, to) in [(63u32, 24_999u32), (64, 25_000)] {
            while let Some(at) = bytes.windows(4).position(|four| four == from.to_le_bytes()) {
                bytes[at..at + 4].copy_from_slice(&to.to_le_bytes());
            }
        }
        let refused = read(&bytes).err().unwrap();
        assert!(matches!(refused, Problem::Truncated { needed: 1_220_703, .. }), "{refused}");
    }

    #[test]
    fn the_height_channel_is_found_among_others() {
        let flat = |value| FlatSamples::F32(vec![value; 6]);
        let colours = [("R", flat(1.0)), ("G", flat(2.0)), ("B", flat(3.0))];
        assert_eq!(decode(&encode(&colours)).unwrap().samples, [1.0; 6]);
        let depth = [("A", flat(1.0)), ("Z", flat(2.0))];
        assert_eq!(decode(&encode(&depth)).unwrap().samples, [2.0; 6]);
        let unknown = decode(&encode(&[("A", flat(1.0)), ("B", flat(2.0))]));
        assert!(matches!(unknown, Err(Problem::Unsupported { .. })));
    }

    #[test]
    fn large_images_are_read_by_all_threads() {
        let grid = Grid::from_fn(1400, 800, |x, y| (x * 31 + y * 17) as f32);
        assert!(grid.len() >= PARALLEL_FROM);
        let mut bytes = Cursor::new(Vec::new());
        write::write(&mut bytes, &plain(&grid)).unwrap();
        let length = bytes.get_ref().len() as u64;
        bytes.set_position(0);
        let raster = read(Input::new(&mut bytes, length, Limits::samples(1 << 30))).unwrap();
        assert!(raster.samples == grid.as_slice());
    }
}
