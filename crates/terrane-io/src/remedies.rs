//! The second half of all messages: what a file should have been, and what to do.
//!
//! These texts list formats from the table of all formats, and the functions in that table return problems.
//! The texts can therefore not be in `error.rs`.

use std::path::Path;

use crate::{
    Format, IoError, Kind, LeadsOut, Problem, Sample, codec::Codec, formats::CODECS,
    limits::MAX_SAMPLES_PER_BYTE,
};

impl IoError {
    /// What the file should have been.
    #[must_use]
    pub fn expected(&self) -> String {
        self.problem.expected()
    }

    /// What a person can do about it.
    #[must_use]
    pub fn remedy(&self) -> String {
        let found = match &self.problem {
            Problem::Unrecognised { found } | Problem::WrongMagic { found, .. } => found,
            problem => return problem.remedy(),
        };
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let has = |extension: &str| name.to_ascii_lowercase().ends_with(extension);
        // What files that are no rasters begin with.
        if found.starts_with("50 4b 03 04") && has(".npz") {
            return "write one of its arrays: `numpy.save(\"heights.npy\", arrays[\"NAME\"])`".to_owned();
        }
        if found.starts_with("50 4b 03 04") {
            return format!("unpack it first: `unzip {}`", quoted(&name));
        }
        if found.starts_with("1f 8b") {
            return format!("unpack it first: `gunzip {}`", quoted(&name));
        }
        if found.starts_with("4c 41 53 46") {
            return "make a raster of its points, for example with `pdal` or `lasgrid`".to_owned();
        }
        // "version https://git-lfs": a text in place of the file.
        if found.starts_with("76 65 72 73 69 6f 6e 20") {
            return "if it is kept by Git LFS, fetch it: `git lfs pull`; otherwise export it again"
                .to_owned();
        }
        if matches!(self.problem, Problem::WrongMagic { .. }) {
            return self.problem.remedy();
        }
        let raster = Path::new(&name).with_extension("tif");
        format!(
            "convert it: heights to GeoTIFF, such as `gdal_translate {} {}`, pictures to PNG",
            quoted(&name),
            quoted(&raster.to_string_lossy())
        )
    }
}

/// A file name as a word of a command.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-+,@%".contains(c);
    match name.chars().all(is_plain) && !name.starts_with('-') {
        true => name.to_owned(),
        false if name.contains('"') => format!("'{name}'"),
        false => format!("\"{name}\""),
    }
}

impl Problem {
    /// What the file should have been.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Self::Read(_) => "a file that can be read".into(),
            Self::Write(_) => "a folder that can be written to".into(),
            Self::Empty => "a raster".into(),
            Self::Unrecognised { .. } => {
                let formats = CODECS.iter().filter(|codec| codec.reader.is_some()).map(|codec| codec.format);
                format!("one of {}", formats.map(|format| format.to_string()).collect::<Vec<_>>().join(", "))
            }
            Self::Missing { feature, .. } => format!("a build with the feature `{feature}`"),
            Self::WrongMagic { format, .. } => format!("the content of a {format}"),
            Self::UnknownExtension { kind } | Self::WrongKind { kind, .. } => {
                format!("one of {}", names(*kind))
            }
            Self::WrongSample { format, .. } => {
                let samples: Vec<_> = format.samples().iter().map(Sample::to_string).collect();
                format!("one of {}", samples.join(", "))
            }
            Self::Truncated { needed, .. } => format!("{needed} bytes"),
            Self::Damaged { format, .. } => format!("a whole {format}"),
            Self::Unsupported { format, .. } | Self::Transparency { format } => {
                format!("a {format} of one channel of numbers")
            }
            Self::ManyChannels { .. } => "one channel of heights".into(),
            Self::NoChannel { .. } => "one of its channels".into(),
            Self::Turned { .. } => "rows that lead east".into(),
            Self::Colour { .. } => "grey samples: heights".into(),
            Self::NotRead { kind, .. } => format!("one of {}", read(*kind)),
            Self::TooLong { most, .. } => format!("1 to {most} columns and rows"),
            Self::TooLarge { limit, .. } => format!("1 to {limit}"),
            Self::Memory { .. } => "a raster that fits into memory".into(),
            Self::Room { .. } => "a raster that fits into memory".into(),
            Self::Sparse { .. } => format!("at most {MAX_SAMPLES_PER_BYTE} samples for each byte"),
            Self::NoSample { .. } => "at least one column and one row".into(),
            Self::RawSize { .. } => "a size from the options or a sidecar".into(),
            Self::RawLength { width, height, sample, .. } => {
                format!("{} bytes", *width as u128 * *height as u128 * sample.bytes() as u128)
            }
            Self::AllMissing { .. } => "at least one valid sample".into(),
            Self::Nothing { .. } => "at least one sample or triangle".into(),
            Self::NotFinite { .. } => "finite numbers".into(),
            Self::Sidecar { .. } => "the sidecar that was written with the file".into(),
            Self::OtherData { .. } => "the file that the sidecar was written with".into(),
            Self::BadOption { expected, .. } => (*expected).into(),
            Self::Engine { .. } => "a file that the engine can import".into(),
            Self::Lines { .. } => "lines as GeoJSON or SVG".into(),
            Self::Points { .. } => "points as CSV or GeoJSON".into(),
            Self::BadMesh { .. } => "the same number of vertices, normals and texture coordinates".into(),
        }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::Read(_) => "check the path and its permissions".into(),
            Self::Write(error)
                if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<LeadsOut>) =>
            {
                LeadsOut::REMEDY.into()
            }
            Self::Write(_) => "create the folder, free some space or check the permissions".into(),
            Self::Empty | Self::Truncated { .. } | Self::Damaged { .. } => {
                "copy or export the file again".into()
            }
            Self::Missing { feature, .. } => format!("use a build with the feature `{feature}`"),
            Self::Unrecognised { .. } => {
                "convert it, heights for example with `gdal_translate` to GeoTIFF, pictures to PNG".into()
            }
            Self::WrongMagic { .. } => {
                "export it again or, if it is of another format, end its name accordingly".into()
            }
            Self::NotRead { kind, .. } => format!("convert it to one of {}", read(*kind)),
            Self::TooLong { .. } => "choose another format, such as PNG, or fewer samples".into(),
            Self::UnknownExtension { kind } | Self::WrongKind { kind, .. } => {
                let extensions: Vec<_> =
                    kind.formats().iter().flat_map(Format::extensions).copied().collect();
                format!("end the name in one of .{}", extensions.join(", ."))
            }
            Self::WrongSample { .. } => "choose another type of sample or another format".into(),
            Self::Unsupported { format: Format::NPY, .. } => {
                "save one array of numbers, such as `numpy.save(\"heights.npy\", array[0].astype(\"f4\"))`"
                    .into()
            }
            Self::Unsupported { format: Format::EXR, .. } => {
                "save it with channels of full size, compressed by ZIP or PIZ".into()
            }
            Self::Unsupported { format: Format::TIFF, .. } => {
                "convert it, for example with `gdal_translate -b 1 -ot Float32 -co COMPRESS=DEFLATE`".into()
            }
            Self::Unsupported { .. } => "convert it: pictures to PNG, heights to GeoTIFF".into(),
            Self::Transparency { .. } => {
                "keep it as a mask, for example with `gdal_translate -b 1 -mask 2 -co COMPRESS=DEFLATE`"
                    .into()
            }
            Self::ManyChannels { first, .. } => format!("name one of them, such as `channel: {first:?}`"),
            Self::NoChannel { .. } => "name one of them".into(),
            Self::Turned { .. } => {
                "turn it so that north is up, for example with `gdalwarp turned.tif upright.tif`".into()
            }
            Self::Colour { format: Format::EXR, .. } => {
                "export the heights as one channel, or name one, such as `channel: \"R\"`".into()
            }
            Self::Colour { .. } => "export the heights as one grey channel".into(),
            Self::TooLarge { .. } => "make it smaller, or cut out a part".into(),
            Self::Memory { .. } => "split the raster or free some memory".into(),
            Self::Room { .. } => {
                "make it smaller first, for example with `gdal_translate -outsize 50% 50%`, or cut out a part"
                    .into()
            }
            Self::Sparse { .. } => {
                "cut out the part that has heights, or write all samples: `gdal_translate -co \
                COMPRESS=DEFLATE`"
                    .into()
            }
            Self::NoSample { .. } => "write it again with the samples".into(),
            Self::RawSize { .. } | Self::RawLength { .. } => "write the right columns and rows, such as \
                `raw_size: (512, 256)`; samples of .raw and .r16 have 16 bits, of .r32 and .f32 32 bits"
                .into(),
            Self::AllMissing { .. } => {
                "check its nodata value and its mask, or keep the holes with `voids: Keep`".into()
            }
            Self::Nothing { .. } => "give it a size".into(),
            Self::NotFinite { .. } => {
                "fill or clamp them, or write 32-bit numbers: .tif, .exr or .npy".into()
            }
            Self::Sidecar { .. } => "delete the sidecar, or repair it".into(),
            Self::OtherData { .. } => {
                "if it was only edited, remove `data` from the sidecar; otherwise write \
                both again, remove the sidecar, or give `range`"
                    .into()
            }
            Self::BadOption { expected, .. } => format!("it must be {expected}"),
            Self::Engine { remedy, .. } => remedy.clone(),
            Self::Lines { remedy, .. } | Self::Points { remedy, .. } => (*remedy).into(),
            Self::BadMesh { .. } => "build the mesh again".into(),
        }
    }
}

/// The formats that are read as a kind of value.
fn read(kind: Kind) -> String {
    let reads = |codec: &&&Codec| match kind {
        Kind::Picture => codec.read_picture.is_some(),
        _ => codec.reader.is_some(),
    };
    let names: Vec<_> = CODECS.iter().filter(reads).map(|codec| codec.format.to_string()).collect();
    names.join(", ")
}

/// The formats that are written for a kind of value.
fn names(kind: Kind) -> String {
    let names: Vec<_> = kind.formats().iter().map(Format::to_string).collect();
    names.join(", ")
}
