//! External files: reading one yields a map with finite heights, lines or points, or an error with a message,
//! and uses no more memory than requested.

use std::path::Path;

use image::ImageFormat;
use terrane::io::{Format, IoError, ReadOptions, read_heightmap, read_lines, read_picture, read_points};

use super::Target;
use super::mutate::{self, Rng};
use super::seeds;
use super::tokens::Corpus;
use crate::Result;

/// Maximum number of samples in a file.
const SAMPLES: u64 = 1 << 21;

type Read = fn(&Path, &[u8]) -> std::result::Result<bool, String>;

/// How inputs are generated.
enum Make {
    /// Files, mutated by bytes.
    Bytes(Vec<Vec<u8>>),
    /// Files that consist of chunks with checksums.
    Chunks(Vec<Vec<u8>>),
    /// Texts, mutated by tokens.
    Text(Corpus),
}

/// A reader of one kind of file.
struct File {
    name: &'static str,
    share: u64,
    file: &'static str,
    make: Make,
    read: Read,
}

/// A reader for each format.
pub fn targets(folder: &Path) -> Result<Vec<Box<dyn Target>>> {
    let own = |format| seeds::written(format, folder);
    let texts = |all: &[&str]| Make::Text(Corpus::new(all.iter().map(|&text| text.to_owned()).collect(), []));
    let mut sidecars = Vec::new();
    for format in [Format::PNG, Format::TIFF, Format::RAW16, Format::NPY] {
        sidecars.extend(own(format)?.1);
    }
    let file = |name, share, file, make, read| -> Box<dyn Target> {
        Box::new(File { name, share, file, make, read })
    };
    let pixels = |format| Ok::<_, Box<dyn std::error::Error>>(Make::Bytes(seeds::pictures(format)?));
    Ok(vec![
        file("import-png", 8, "a.png", Make::Chunks([own(Format::PNG)?.0, seeds::pngs()?].concat()), picture),
        file("import-jpeg", 4, "a.jpg", pixels(ImageFormat::Jpeg)?, picture),
        file("import-webp", 4, "a.webp", pixels(ImageFormat::WebP)?, picture),
        file("import-bmp", 3, "a.bmp", pixels(ImageFormat::Bmp)?, picture),
        file("import-tga", 3, "a.tga", pixels(ImageFormat::Tga)?, picture),
        file(
            "import-tiff",
            10,
            "a.tif",
            Make::Bytes([own(Format::TIFF)?.0, seeds::tiffs()?].concat()),
            heights,
        ),
        file("import-exr", 6, "a.exr", Make::Bytes([own(Format::EXR)?.0, seeds::exrs()?].concat()), heights),
        file("import-npy", 6, "a.npy", Make::Bytes([own(Format::NPY)?.0, seeds::npys()].concat()), heights),
        file("import-raw", 2, "a.r16", Make::Bytes(seeds::raws()), raw),
        file("import-sidecar", 4, "a.json", Make::Text(Corpus::new(sidecars, [])), sidecar),
        file("import-svg", 4, "a.svg", texts(&seeds::SVGS), lines),
        file("import-lines", 5, "a.geojson", texts(&seeds::LINES), lines),
        file("import-points", 5, "b.geojson", texts(&seeds::POINTS), points),
        file("import-csv", 4, "a.csv", texts(&seeds::TABLES), points),
    ])
}

impl Target for File {
    fn name(&self) -> &'static str {
        self.name
    }

    fn share(&self) -> u64 {
        self.share
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let (files, chunks) = match &self.make {
            Make::Text(corpus) => return corpus.mutated(rng).into_bytes(),
            Make::Bytes(files) => (files, false),
            Make::Chunks(files) => (files, true),
        };
        let mut data = rng.pick(files).clone();
        if chunks && rng.one_in(3) {
            shuffle(rng, &mut data);
        }
        let other: &Vec<u8> = rng.pick(files);
        mutate::bytes(rng, &mut data, other);
        if chunks && rng.one_in(2) {
            mend(&mut data);
        }
        data
    }

    fn run(&self, input: &[u8], folder: &Path) -> std::result::Result<bool, String> {
        let path = folder.join(self.file);
        if self.file == "a.json" {
            return (self.read)(folder, input);
        }
        std::fs::write(&path, input).map_err(|error| error.to_string())?;
        (self.read)(&path, input)
    }
}

/// Checks that an error has a message.
fn refused(error: &IoError) -> std::result::Result<bool, String> {
    if error.to_string().is_empty() || error.remedy().is_empty() {
        return Err("an error has no message".to_owned());
    }
    Ok(false)
}

fn heights(path: &Path, input: &[u8]) -> std::result::Result<bool, String> {
    // Some inputs are read with a range, depending on their length.
    let range = input.len().is_multiple_of(3).then_some((-10.0, 90.0));
    check(path, &ReadOptions { max_samples: SAMPLES, range, ..ReadOptions::default() })
}

fn check(path: &Path, options: &ReadOptions) -> std::result::Result<bool, String> {
    let imported = match read_heightmap(path, options) {
        Ok(imported) => imported,
        Err(error) => return refused(&error),
    };
    let (width, height) = imported.map.domain().size;
    let samples = imported.map.samples();
    if samples.len() != width * height || samples.len() as u64 > SAMPLES || samples.is_empty() {
        return Err(format!("{} samples of {width} x {height}", samples.len()));
    }
    if let Some(wrong) = samples.iter().find(|height| !height.is_finite()) {
        return Err(format!("a height is {wrong}"));
    }
    let domain = imported.map.domain();
    if !(domain.spacing > 0.0
        && domain.spacing.is_finite()
        && domain.origin.0.is_finite()
        && domain.origin.1.is_finite())
    {
        return Err(format!("its domain is {domain:?}"));
    }
    if imported.mask.is_some_and(|mask| mask.samples().iter().any(|&sample| sample != 0.0 && sample != 1.0)) {
        return Err("a mask is neither 0 nor 1".to_owned());
    }
    if seeds::is_known(imported.sample) { Ok(true) } else { Err("an unknown kind of sample".to_owned()) }
}

fn picture(path: &Path, input: &[u8]) -> std::result::Result<bool, String> {
    if let Err(error) = read_picture(path, SAMPLES) {
        refused(&error)?;
    }
    heights(path, input)
}

fn raw(path: &Path, input: &[u8]) -> std::result::Result<bool, String> {
    let format = if input.len().is_multiple_of(2) { Format::RAW16 } else { Format::RAW32 };
    let size = (input.len() % 5 == 1).then_some((3, 3));
    check(path, &ReadOptions { format: Some(format), size, max_samples: SAMPLES, ..ReadOptions::default() })
}

/// Sidecars of intact files.
fn sidecar(folder: &Path, input: &[u8]) -> std::result::Result<bool, String> {
    const FILES: [&str; 4] = ["side.png", "side.r16", "side.tif", "side.npy"];
    let text = |error: std::io::Error| error.to_string();
    let file = folder.join(FILES[input.len() % FILES.len()]);
    if !file.exists() {
        let map = terrane::Heightmap::from_grid(
            terrane::Domain::new(7, 5),
            terrane::Grid::from_fn(7, 5, |x, y| (x * y) as f32),
        );
        terrane::io::write_heightmap(&file, &map, &terrane::io::WriteOptions::default())
            .map_err(|error| error.to_string())?;
    }
    std::fs::write(terrane::io::Sidecar::path_of(&file), input).map_err(text)?;
    check(&file, &ReadOptions { max_samples: SAMPLES, ..ReadOptions::default() })
}

fn lines(path: &Path, _: &[u8]) -> std::result::Result<bool, String> {
    let lines = match read_lines(path) {
        Ok(lines) => lines,
        Err(error) => return refused(&error),
    };
    for line in &lines {
        if line.line.points.len() < 2 {
            return Err("a line has fewer than two points".to_owned());
        }
        if let Some(point) = line.line.points.iter().find(|(x, y)| !near(*x) || !near(*y)) {
            return Err(format!("a line has the point {point:?}"));
        }
        if line.slope.into_iter().chain(line.width).any(|number| !(number.is_finite() && number >= 0.0)) {
            return Err(format!("a line has slope {:?} and width {:?}", line.slope, line.width));
        }
    }
    if lines.is_empty() { Err("no lines and no error".to_owned()) } else { Ok(true) }
}

/// Whether a coordinate is within the allowed range.
fn near(number: f64) -> bool {
    number.abs() <= 1e12
}

fn points(path: &Path, _: &[u8]) -> std::result::Result<bool, String> {
    let points = match read_points(path) {
        Ok(points) => points,
        Err(error) => return refused(&error),
    };
    for point in &points {
        let numbers = [Some(point.x), Some(point.y), point.height];
        if numbers.iter().flatten().any(|number| !near(*number)) {
            return Err(format!("a point is {point:?}"));
        }
    }
    if points.is_empty() { Err("no points and no error".to_owned()) } else { Ok(true) }
}

/// The chunks of a PNG as byte ranges, without invalid ones.
fn chunks(data: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 8);
    while let Some(&[a, b, c, d]) = data.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        let end = at.saturating_add(12).saturating_add(u32::from_be_bytes([a, b, c, d]) as usize);
        if end > data.len() {
            break;
        }
        found.push(at..end);
        at = end;
    }
    found
}

/// Removes, duplicates or moves a chunk.
fn shuffle(rng: &mut Rng, data: &mut Vec<u8>) {
    let all = chunks(data);
    if all.is_empty() {
        return;
    }
    let chunk = rng.pick(&all).clone();
    let copy = data[chunk.clone()].to_vec();
    let at = rng.pick(&all).start;
    match rng.below(3) {
        0 => {
            data.drain(chunk);
        }
        _ => {
            data.splice(at..at, copy);
        }
    }
}

/// Corrects the checksums of a PNG's chunks.
fn mend(data: &mut [u8]) {
    for chunk in chunks(data) {
        let end = chunk.end - 4;
        let sum = crc(&data[chunk.start + 4..end]);
        data[end..chunk.end].copy_from_slice(&sum.to_be_bytes());
    }
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32| (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
    !bytes.iter().fold(!0_u32, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), |sum, _| step(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_match_png_and_correct_checksums_stay() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
        for file in seeds::pngs().unwrap() {
            let mut mended = file.clone();
            mend(&mut mended);
            assert_eq!(mended, file);
            assert!(chunks(&file).len() >= 3);
        }
    }

    #[test]
    fn what_inputs_begin_with_is_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let accepted = |name: &str, files: Vec<Vec<u8>>| {
            let path = folder.path().join(name);
            let read = |file: &Vec<u8>| {
                std::fs::write(&path, file).unwrap();
                heights(&path, file).unwrap()
            };
            (files.iter().filter(|file| read(file)).count(), files.len())
        };
        let (read, all) = accepted("a.tif", seeds::tiffs().unwrap());
        assert!(read * 2 > all, "{read} of {all}");
        let (read, all) = accepted("a.exr", seeds::exrs().unwrap());
        assert!(read * 2 > all, "{read} of {all}");
        let (read, all) = accepted("a.npy", seeds::npys());
        assert!(read * 2 > all, "{read} of {all}");
    }
}
