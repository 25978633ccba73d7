//! Reading OpenEXR: the only channel, or the one that the options name.
//!
//! Grey saved as equal `R`, `G` and `B` is read as well. Other files have several channels that could all be
//! the heights, so one must be named.

use std::{
    cell::Cell,
    io::{self, BufRead, BufReader, Seek, SeekFrom},
};

use exr::{
    compression::Compression,
    error::Error,
    meta::{
        attribute::{SampleType, Text},
        header::Header,
    },
    prelude::{MetaData, ReadChannels, ReadLayers, ReadSpecificChannel, Vec2, read as read_builder},
};

use crate::{
    Format, Problem, Sample,
    codec::Input,
    error::Outcome,
    limits::{Head, Limits},
    raster::{Raster, guarded, zeros},
};

/// The most channels that a message lists.
const LISTED: usize = 12;
/// The number of samples from which files are decoded in parallel. The library starts its own threads for
/// every file, and a smaller file is decoded before they have started.
const PARALLEL_FROM: usize = 1 << 20;

/// Above the ratio of any compression (PXR24, the strongest on a flat raster, reaches 1,376). A picture that
/// claims more is damaged, and memory must not be allocated for it: the decoder allocates a whole tile before
/// it checks the tile's bytes.
const MAX_COMPRESSION: u64 = 2048;

/// The channels that are read: one, or three that must be equal.
struct Chosen {
    size: (usize, usize),
    names: Vec<String>,
    /// The number of parts before this one that have a channel of the same name.
    skipped: usize,
    sample: Sample,
    warnings: Vec<String>,
}

/// A channel of a part, with its full name in messages and parameters.
struct Candidate<'a> {
    part: usize,
    header: &'a Header,
    name: String,
    full: String,
    sample: Sample,
}

/// The description of the raster, without decoding it.
pub(super) fn head(input: Input<'_>) -> Outcome<Head> {
    let Input { source, length, limits, layout } = input;
    guarded(Format::EXR, || {
        let size = begin(source, length, limits, layout.channel)?.size;
        Ok(Head { size, missing: false, overhead: 0, georef: None })
    })
}

pub(super) fn read(input: Input<'_>) -> Outcome<Raster> {
    let Input { mut source, length, limits, layout } = input;
    guarded(Format::EXR, || {
        let chosen = begin(&mut source, length, limits, layout.channel)?;
        let mut raster = Raster::new(chosen.size, Vec::new(), chosen.sample);
        for (number, name) in chosen.names.iter().enumerate() {
            let samples = decode(&mut source, name, chosen.size, chosen.skipped)?;
            if number == 0 {
                raster.samples = samples;
                continue;
            }
            let differs = |(a, b): (&f32, &f32)| a.to_bits() != b.to_bits();
            if let Some(at) = raster.samples.iter().zip(&samples).position(differs) {
                let (column, row) = (at % chosen.size.0, at / chosen.size.0);
                return Err(Problem::Colour { format: Format::EXR, column, row });
            }
        }
        raster.warnings = chosen.warnings;
        Ok(raster)
    })
}

/// The size, and the channels to read.
fn begin(input: impl BufRead, length: u64, limits: Limits, named: Option<&str>) -> Outcome<Chosen> {
    let headers = MetaData::read_from_buffered(input, false).map_err(damaged)?.headers;
    let candidates = candidates(&headers);
    if candidates.is_empty() && headers.iter().any(|header| !header.deep && has_smaller(header)) {
        return Err(smaller());
    }
    let (chosen, mut warnings) = choose(&candidates, named)?;
    let header = chosen[0].header;
    if has_smaller(header) {
        return Err(smaller());
    }
    // The decoder (exr 1.74.2, compression/dwa) allocates memory by counters in the file before checking that
    // the data exists: a small file could kill the process.
    if matches!(header.compression, Compression::DWAA(_) | Compression::DWAB(_)) {
        let detail = format!("{}, which loses heights: save it with ZIP or PIZ", header.compression);
        return Err(Problem::Unsupported { format: Format::EXR, detail });
    }
    let Vec2(width, height) = header.layer_size;
    let first = &chosen[0];
    let with_channel =
        |candidate: &&Candidate<'_>| candidate.name == first.name && candidate.part < first.part;
    let skipped = candidates.iter().filter(with_channel).count();
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
    let (shown, stored) = (header.shared_attributes.display_window, header.own_attributes.layer_position);
    let Vec2(left, top) = stored;
    if (shown.position, shown.size) != (stored, header.layer_size) {
        warnings.push(format!(
            "the file stores {width} x {height} samples from column {left}, row {top} of a picture of \
            {} x {}: only these are read",
            shown.size.0, shown.size.1
        ));
    }
    let names = chosen.iter().map(|channel| channel.name.clone()).collect();
    Ok(Chosen { size, names, skipped, sample: first.sample, warnings })
}

/// All channels of numbers, with names that are unique in the file where that is possible.
fn candidates(headers: &[Header]) -> Vec<Candidate<'_>> {
    let flat = headers.iter().enumerate().filter(|(_, header)| !header.deep);
    let mut all: Vec<Candidate<'_>> = flat
        .flat_map(|(part, header)| header.channels.list.iter().map(move |channel| (part, header, channel)))
        .filter(|(.., channel)| channel.sampling == Vec2(1, 1))
        .map(|(part, header, channel)| {
            let sample = match channel.sample_type {
                SampleType::F16 => Sample::F16,
                SampleType::F32 => Sample::F32,
                SampleType::U32 => Sample::U32,
            };
            Candidate { part, header, full: shown(&channel.name), name: channel.name.to_string(), sample }
        })
        .collect();
    let mut counts = std::collections::HashMap::new();
    for candidate in &all {
        *counts.entry(candidate.name.clone()).or_insert(0) += 1;
    }
    for candidate in all.iter_mut().filter(|candidate| counts[&candidate.name] > 1) {
        let own = candidate.header.own_attributes.layer_name.as_ref().map(shown);
        let part = own.unwrap_or_else(|| candidate.part.to_string());
        candidate.full = format!("{part}/{}", candidate.full);
    }
    all
}

/// A name, which the library takes for Latin-1.
fn shown(name: &Text) -> String {
    String::from_utf8(name.bytes().to_vec()).unwrap_or_else(|_| name.to_string())
}

/// The channel to read, or red, green and blue, and warnings.
fn choose<'c, 'h>(
    all: &'c [Candidate<'h>],
    named: Option<&str>,
) -> Outcome<(Vec<&'c Candidate<'h>>, Vec<String>)> {
    let list = || {
        let names: Vec<String> =
            all.iter().take(LISTED).map(|channel| format!("`{}`", channel.full)).collect();
        let more = all.len() - names.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{rest}", names.join(", "))
    };
    if let Some(named) = named {
        return match all.iter().find(|channel| channel.full == named) {
            Some(channel) => Ok((vec![channel], Vec::new())),
            None => Err(Problem::NoChannel { named: named.to_owned(), channels: list() }),
        };
    }
    // Transparency is not a height.
    let is_alpha = |channel: &Candidate<'_>| channel.name == "A" || channel.name.ends_with(".A");
    let rest: Vec<&Candidate<'_>> = all.iter().filter(|channel| !is_alpha(channel)).collect();
    let alpha = all
        .iter()
        .filter(|channel| is_alpha(channel))
        .map(|channel| format!("the channel `{}`, transparency, is not used", channel.full))
        .collect::<Vec<_>>();
    let names: Vec<&str> = rest.iter().map(|channel| &*channel.name).collect();
    match &names[..] {
        [] if all.len() == 1 => Ok((vec![&all[0]], Vec::new())),
        [_] => Ok((rest, alpha)),
        // Channels are in the order of the alphabet.
        ["B", "G", "R"] if rest.iter().all(|channel| channel.part == rest[0].part) => {
            let warning = "the picture has colours, all of them grey: red was read".to_owned();
            Ok((rest.into_iter().rev().collect(), alpha.into_iter().chain([warning]).collect()))
        }
        _ => {
            let first = rest.first().map_or_else(String::new, |channel| channel.full.clone());
            Err(Problem::ManyChannels { channels: list(), first })
        }
    }
}

/// The channels of the first part that has one of this name, after `skipped` others.
struct Later<'a, C> {
    channels: C,
    name: &'a str,
    skipped: Cell<usize>,
}

impl<'s, C: ReadChannels<'s>> ReadChannels<'s> for Later<'_, C> {
    type Reader = C::Reader;

    fn create_channels_reader(&'s self, header: &Header) -> exr::error::Result<C::Reader> {
        if header.channels.list.iter().any(|channel| channel.name.eq(self.name)) {
            match self.skipped.get() {
                0 => return self.channels.create_channels_reader(header),
                left => self.skipped.set(left - 1),
            }
        }
        Err(Error::Invalid("another part is read".into()))
    }
}

/// The samples of a channel, of the first part that has it after `skipped` others.
fn decode(
    mut input: impl BufRead + Seek,
    name: &str,
    size: (usize, usize),
    skipped: usize,
) -> Outcome<Vec<f32>> {
    let room = zeros::<f32>(size.0 * size.1)?;
    // The library calls a function to allocate the storage and could call it again. This memory is returned
    // only once.
    let room = Cell::new(Some(room));
    input.seek(SeekFrom::Start(0)).map_err(Problem::Read)?;
    let channels = read_builder()
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
        );
    let reader = Later { channels, name, skipped: Cell::new(skipped) }.first_valid_layer().all_attributes();
    let reader = if size.0 * size.1 < PARALLEL_FROM { reader.non_parallel() } else { reader };
    let image = reader.from_buffered(BufReader::new(input)).map_err(damaged)?;
    Ok(image.layer_data.channel_data.pixels.1)
}

fn has_smaller(header: &Header) -> bool {
    header.channels.list.iter().any(|channel| channel.sampling != Vec2(1, 1))
}

/// A file with channels that have fewer samples than the picture, such as differences of colours.
fn smaller() -> Problem {
    let detail = "channels of less than the full size (subsampled)".to_owned();
    Problem::Unsupported { format: Format::EXR, detail }
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
        AnyChannel, AnyChannels, Blocks, Encoding, FlatSamples, Image, ImageAttributes, IntegerBounds, Layer,
        LayerAttributes, Layers, LineOrder, SpecificChannels, WritableImage, f16,
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

    fn decode_channel(bytes: &[u8], channel: &str) -> Outcome<Raster> {
        let mut source = Cursor::new(bytes);
        let mut input = Input::new(&mut source, bytes.len() as u64, Limits::samples(100));
        input.layout.channel = Some(channel);
        read(input)
    }

    #[test]
    fn a_channel_is_named_unless_there_is_only_one() {
        let flat = |value| FlatSamples::F32(vec![value; 6]);
        let grey = [("R", flat(1.0)), ("G", flat(1.0)), ("B", flat(1.0)), ("A", flat(0.5))];
        let raster = decode(&encode(&grey)).unwrap();
        assert_eq!((raster.samples, raster.warnings.len()), (vec![1.0; 6], 2));
        let colours = [("R", flat(1.0)), ("G", flat(1.0)), ("B", flat(3.0))];
        assert!(matches!(decode(&encode(&colours)), Err(Problem::Colour { column: 0, row: 0, .. })));
        let depth = encode(&[("R", flat(1.0)), ("G", flat(1.0)), ("B", flat(1.0)), ("Z", flat(1e10))]);
        let refused = decode(&depth).err().unwrap();
        assert!(refused.to_string().contains("`B`, `G`, `R`, `Z`"), "{refused}");
        assert_eq!(refused.remedy(), "name one of them, such as `channel: \"B\"`");
        assert_eq!(decode_channel(&depth, "Z").unwrap().samples, [1e10; 6]);
        let layers = encode(&[("height.Y", flat(2.0)), ("mask.Y", flat(3.0))]);
        assert!(decode(&layers).is_err());
        assert_eq!(decode_channel(&layers, "height.Y").unwrap().samples, [2.0; 6]);
        let unknown = decode_channel(&layers, "Y").err().unwrap();
        assert!(unknown.to_string().contains("`height.Y`, `mask.Y`"), "{unknown}");
        let alone = decode(&encode(&[("A", flat(1.0)), ("depth", flat(2.0))])).unwrap();
        assert_eq!((alone.samples, alone.warnings.len()), (vec![2.0; 6], 1));
    }

    #[test]
    fn a_part_is_named_if_others_have_the_same_channel() {
        let layer = |name: &str, value: f32| {
            let channels = SpecificChannels::build().with_channel("Y").with_pixel_fn(move |_| (value,));
            Layer::new((3, 2), LayerAttributes::named(name), Encoding::FAST_LOSSLESS, channels)
        };
        let attributes = ImageAttributes::new(IntegerBounds::from_dimensions((3, 2)));
        let layers: Layers<_> = [layer("mask", 1.0), layer("ground", 2.0)].into_iter().collect();
        let image = Image::from_layers(attributes, layers);
        let mut bytes = Cursor::new(Vec::new());
        image.write().to_buffered(&mut bytes).unwrap();
        let bytes = bytes.into_inner();
        assert!(decode(&bytes).is_err_and(|refused| refused.to_string().contains("`ground/Y`")));
        assert_eq!(decode_channel(&bytes, "mask/Y").unwrap().samples, [1.0; 6]);
        assert_eq!(decode_channel(&bytes, "ground/Y").unwrap().samples, [2.0; 6]);
    }

    #[test]
    fn a_window_of_a_larger_picture_is_named() {
        let channels = SpecificChannels::build().with_channel("Y").with_pixel_fn(|_| (1.0f32,));
        let mut image = Image::from_channels((3, 2), channels);
        image.attributes.display_window = IntegerBounds::from_dimensions((9, 9));
        let mut bytes = Cursor::new(Vec::new());
        image.write().to_buffered(&mut bytes).unwrap();
        let warnings = decode(bytes.get_ref()).unwrap().warnings;
        assert!(
            warnings[0].contains("3 x 2 samples from column 0, row 0 of a picture of 9 x 9"),
            "{warnings:?}"
        );
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
