//! Small files of every format, as initial inputs.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use exr::prelude::{
    AnyChannels, Blocks, Compression as ExrCompression, Encoding, FlatSamples, Image, ImageAttributes,
    IntegerBounds, Layer, LayerAttributes, LineOrder, SpecificChannels, Vec2, WritableImage, f16,
};
use image::{ExtendedColorType, ImageFormat};
use terrane::io::{
    CodeRange, Effort, Endian, Format, Sample, SidecarPolicy, WriteOptions, write_heightmap, write_picture,
};
use terrane::{Domain, Grid, Heightmap};
use terrane_grid::GeoReference;
use tiff::encoder::{Compression, DeflateLevel, Predictor, TiffEncoder, colortype};

use crate::Result;

fn map(size: (usize, usize)) -> Heightmap {
    let grid = Grid::from_fn(size.0, size.1, |x, y| (x * x) as f32 - 3.5 * y as f32);
    Heightmap::from_grid(Domain::new(size.0, size.1).with_spacing(2.0).with_origin(10.0, -20.0), grid)
}

fn georef() -> GeoReference {
    GeoReference {
        pixel_scale: vec![2.0, 2.0, 0.0],
        tiepoints: vec![0.0, 0.0, 0.0, 10.0, 20.0, 0.0],
        key_directory: vec![1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32632, 2049, 34737, 5, 0],
        double_params: vec![1.5],
        ascii_params: "here|".into(),
        nodata: Some("-9999".into()),
        ..GeoReference::default()
    }
}

/// Files of a format from Terrane's own writers, and their sidecars.
pub fn written(format: Format, folder: &Path) -> Result<(Vec<Vec<u8>>, Vec<String>)> {
    let (mut files, mut sidecars) = (Vec::new(), Vec::new());
    let path = folder.join(format!("seed.{}", format.extensions()[0]));
    let side = folder.join(format!("seed.{}.json", format.extensions()[0]));
    for size in [(7, 5), (1, 1), (33, 9)] {
        for &sample in format.samples() {
            let placed = map(size).with_georef((format == Format::TIFF).then(|| Arc::new(georef())));
            for (range, endian) in [
                (CodeRange::MinMax, Endian::Little),
                (CodeRange::Whole, Endian::Big),
                (CodeRange::Fixed(-5.0, 50.0), Endian::Big),
            ] {
                let sidecar = SidecarPolicy::Always;
                let options =
                    WriteOptions { sample: Some(sample), range, endian, sidecar, ..WriteOptions::default() };
                write_heightmap(&path, &placed, &options)?;
                files.push(std::fs::read(&path)?);
                sidecars.push(std::fs::read_to_string(&side)?);
            }
        }
    }
    if format == Format::PNG {
        write_picture(&path, &Grid::from_fn(6, 4, |x, y| [x as u8 * 40, y as u8 * 60, 7]), Effort::Fast)?;
        files.push(std::fs::read(&path)?);
    }
    files.dedup();
    Ok((files, sidecars))
}

/// PNG of every colour type and depth.
pub fn pngs() -> Result<Vec<Vec<u8>>> {
    use png::{BitDepth, ColorType};
    let mut files = Vec::new();
    for colour in
        [ColorType::Grayscale, ColorType::Rgb, ColorType::Indexed, ColorType::GrayscaleAlpha, ColorType::Rgba]
    {
        for depth in [BitDepth::One, BitDepth::Two, BitDepth::Four, BitDepth::Eight, BitDepth::Sixteen] {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, 5, 3);
            encoder.set_color(colour);
            encoder.set_depth(depth);
            if colour == ColorType::Indexed {
                encoder.set_palette((0..48).collect::<Vec<u8>>());
                encoder.set_trns(vec![0, 255, 128]);
            }
            encoder.add_text_chunk("Title".to_owned(), "hills".to_owned())?;
            // The writer rejects combinations that PNG lacks.
            let Ok(mut writer) = encoder.write_header() else { continue };
            let bytes = (5 * colour.samples() * depth as usize).div_ceil(8) * 3;
            writer.write_image_data(&(0..bytes).map(|byte| byte as u8).collect::<Vec<u8>>())?;
            writer.finish()?;
            files.push(file);
        }
    }
    Ok(files)
}

/// Pictures of a format, in grey and in colour, some with alpha.
pub fn pictures(format: ImageFormat) -> Result<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    for (colour, channels) in
        [(ExtendedColorType::L8, 1), (ExtendedColorType::Rgb8, 3), (ExtendedColorType::Rgba8, 4)]
    {
        for (width, height) in [(7, 5), (33, 17)] {
            let pixels: Vec<u8> = (0..width * height * channels).map(|at| (at * 37 / 5) as u8).collect();
            let mut file = Cursor::new(Vec::new());
            // JPEG has no alpha.
            if image::write_buffer_with_format(&mut file, &pixels, width, height, colour, format).is_ok() {
                files.push(file.into_inner());
            }
        }
    }
    if files.is_empty() { Err("no picture was written".into()) } else { Ok(files) }
}

/// TIFF with sample types and compressions that Terrane does not write.
pub fn tiffs() -> Result<Vec<Vec<u8>>> {
    let ways = [
        Compression::Uncompressed,
        Compression::Lzw,
        Compression::Deflate(DeflateLevel::Fast),
        Compression::Packbits,
    ];
    let mut files = Vec::new();
    macro_rules! image {
        ($kind:ident, $number:ty) => {
            for way in ways {
                for predictor in [Predictor::None, Predictor::Horizontal] {
                    let mut file = Cursor::new(Vec::new());
                    let mut encoder =
                        TiffEncoder::new(&mut file)?.with_compression(way).with_predictor(predictor);
                    let samples: Vec<$number> = (0..105).map(|at| at as $number).collect();
                    let mut image = match encoder.new_image::<colortype::$kind>(7, 5) {
                        Ok(image) => image,
                        Err(_) => continue,
                    };
                    image.rows_per_strip(2)?;
                    let count = 35 * <colortype::$kind as colortype::ColorType>::BITS_PER_SAMPLE.len();
                    if image.write_data(&samples[..count]).is_ok() {
                        files.push(file.into_inner());
                    }
                }
            }
        };
    }
    image!(Gray8, u8);
    image!(GrayI8, i8);
    image!(Gray16, u16);
    image!(GrayI16, i16);
    image!(Gray32, u32);
    image!(GrayI32, i32);
    image!(Gray64, u64);
    image!(GrayI64, i64);
    image!(Gray32Float, f32);
    image!(Gray64Float, f64);
    image!(RGB8, u8);
    let mut big = Cursor::new(Vec::new());
    TiffEncoder::new_big(&mut big)?.write_image::<colortype::Gray16>(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    files.push(big.into_inner());
    Ok(files)
}

/// EXR with every lossless compression, in rows and tiles, with three sample types. Also a file with two
/// layers, the second of a type that Terrane rejects.
pub fn exrs() -> Result<Vec<Vec<u8>>> {
    let ways = [
        ExrCompression::Uncompressed,
        ExrCompression::RLE,
        ExrCompression::ZIP1,
        ExrCompression::ZIP16,
        ExrCompression::PIZ,
        ExrCompression::PXR24,
        ExrCompression::B44,
        ExrCompression::B44A,
        ExrCompression::DWAA(None),
    ];
    let mut files = Vec::new();
    for compression in ways {
        for blocks in [Blocks::ScanLines, Blocks::Tiles(Vec2(4, 4))] {
            let encoding = Encoding { compression, blocks, line_order: LineOrder::Increasing };
            macro_rules! image {
                ($name:literal, $number:ty, $from:expr) => {{
                    let pixel = |Vec2(x, y): Vec2<usize>| -> ($number,) { ($from((x * 3 + y) as f32),) };
                    let channels =
                        SpecificChannels::build().with_channel::<$number>($name).with_pixel_fn(pixel);
                    let mut file = Cursor::new(Vec::new());
                    Image::from_encoded_channels((9, 6), encoding, channels)
                        .write()
                        .non_parallel()
                        .to_buffered(&mut file)?;
                    files.push(file.into_inner());
                }};
            }
            image!("Y", f32, |height: f32| height);
            image!("Z", f16, f16::from_f32);
            image!("R", u32, |height: f32| height as u32);
        }
    }
    let layer = |name: &str, compression| {
        let encoding = Encoding { compression, blocks: Blocks::ScanLines, line_order: LineOrder::Increasing };
        let samples = FlatSamples::F32((0..20).map(|at| at as f32).collect());
        let channel = exr::prelude::AnyChannel::new("Y", samples);
        let channels = AnyChannels::sort(exr::prelude::SmallVec::from_vec(vec![channel]));
        Layer::new((5, 4), LayerAttributes::named(name), encoding, channels)
    };
    let bounds = IntegerBounds::from_dimensions(Vec2(5, 4));
    for second in [ExrCompression::ZIP16, ExrCompression::DWAA(None)] {
        let image = Image::empty(ImageAttributes::new(bounds))
            .with_layer(layer("a", ExrCompression::ZIP1))
            .with_layer(layer("b", second));
        let mut file = Cursor::new(Vec::new());
        image.write().non_parallel().to_buffered(&mut file)?;
        files.push(file.into_inner());
    }
    Ok(files)
}

/// NPY with types that Terrane does not write, and Fortran order.
pub fn npys() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for kind in ["<f4", ">f4", "<f8", ">f8", "<f2", "|u1", "|i1", "<u2", ">i2", "<u4", "<i8", ">u8"] {
        for (order, version) in [("False", 1), ("True", 1), ("False", 2)] {
            let width = usize::from(kind.as_bytes()[2] - b'0');
            let text = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': (3, 4), }}");
            let mut file = b"\x93NUMPY".to_vec();
            file.extend_from_slice(&[version, 0]);
            let length = (text.len() + 1) as u32;
            file.extend_from_slice(&length.to_le_bytes()[..if version == 1 { 2 } else { 4 }]);
            file.extend_from_slice(text.as_bytes());
            file.push(b'\n');
            file.extend((0..12 * width).map(|at| at as u8));
            files.push(file);
        }
    }
    files
}

/// Raw files: the reader chooses the sample type, so any bytes are valid.
pub fn raws() -> Vec<Vec<u8>> {
    [2, 8, 18, 32, 64, 100].map(|length: u8| (0..length).collect()).to_vec()
}

/// Sample types that a format's reader must know; the match fails to compile when a type is added.
pub const fn is_known(sample: Sample) -> bool {
    matches!(
        sample,
        Sample::U8
            | Sample::U16
            | Sample::U32
            | Sample::U64
            | Sample::I8
            | Sample::I16
            | Sample::I32
            | Sample::I64
            | Sample::F16
            | Sample::F32
            | Sample::F64
    )
}

/// SVG files with lines.
pub const SVGS: [&str; 5] = [
    r#"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"
        viewBox="0 0 9 6"><path d="M0 0L3 4C1 2 3 4 5 6Q1 1 2 2A3 5 30 0 1 8 2Z" stroke="red"/></svg>"#,
    r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9"
        height="9"><defs><g id="a"><circle cx="2" cy="3" r="1.5" stroke="#000"/></g></defs>
        <use xlink:href="#a" x="3"/><use href="#a" transform="rotate(30) scale(2 0.5)"/></svg>"##,
    r#"<svg xmlns="http://www.w3.org/2000/svg" width="9mm"
        height="50%"><style>.s { stroke: blue; fill: none }</style>
        <rect class="s" x="1" y="1" width="4" height="3" rx="1"/>
        <ellipse cx="4" cy="4" rx="2" ry="1" stroke="red"/>
        <line x1="0" y1="0" x2="9" y2="9" stroke="red" stroke-dasharray="1 2" stroke-width="0.5"/></svg>"#,
    r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><polyline points="0,0 1,2 3,4"
        stroke="red"/><polygon points="0 0 5 0 5 5" fill="green" opacity="0.5"/>
        <g clip-path="url(#c)" transform="matrix(1 0 0 1 2 3)">
        <path d="m1,1h3v3h-3z m5-1e0l.5.5" stroke="red"/></g>
        <clipPath id="c"><rect width="3" height="3"/></clipPath></svg>"#,
    "<!DOCTYPE svg [<!ENTITY e \"M0 0L1 1\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" \
    height=\"9\"><!-- note --><path d=\"&e;\" stroke=\"red\"/><text x=\"1\" y=\"2\">a</text><marker \
    id=\"m\"/><switch><path d=\"M0 0l1 1\" stroke=\"red\"/></switch></svg>",
];

/// GeoJSON files with lines.
pub const LINES: [&str; 5] = [
    r#"{"type": "LineString", "coordinates": [[0, 0], [1, 2], [3.5, -4e1]]}"#,
    r#"{"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"slope": 0.1, "width": 4},
        "geometry": {"type": "LineString", "coordinates": [[0, 0, 5], [1, 2, 6]]}},
            {"type": "Feature", "properties": null, "geometry": {"type": "MultiLineString",
                "coordinates": [[[0, 0], [1, 1]], [[2, 2], [3, 2], [3, 3]]]}}]}"#,
    r#"{"type": "Feature", "id": 7, "bbox": [0, 0, 1, 1], "properties": {},
        "geometry": {"type": "MultiLineString", "coordinates": []}}"#,
    r#"{"type": "GeometryCollection", "geometries": [{"type": "Polygon",
        "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}]}"#,
    r#"{"type": "FeatureCollection", "crs": {"type": "name"}, "features": []}"#,
];

/// GeoJSON files with points.
pub const POINTS: [&str; 4] = [
    r#"{"type": "Point", "coordinates": [1, 2, 3]}"#,
    r#"{"type": "MultiPoint", "coordinates": [[1, 2], [2, 3, 4], [-0.0, 1e9]]}"#,
    r#"{"type": "FeatureCollection", "features": [{"type": "Feature",
        "properties": {"height": 12.5, "name": "peak"}, "geometry": {"type": "Point", "coordinates": [0, 0]}},
        {"type": "Feature", "properties": {"height": null},
        "geometry": {"type": "MultiPoint", "coordinates": [[5, 5], [6, 6]]}}]}"#,
    r#"{"type": "Feature", "properties": {}, "geometry": null}"#,
];

/// Tables with points.
pub const TABLES: [&str; 5] = [
    "x,y,height\n1,2,3\n4,5,6.5\n-1e3,0,\n",
    "name,y,x\r\n\"a, b\",1,2\r\n\"c\"\"d\",3,4\r\n",
    "\u{feff}x , y\n 1 , 2 \n\n3,4\n",
    "x,y,height,height\n1,2,3,4\n",
    "height,x,y\n1,0,0\n2,0,1\n3,1,0\n4,1,1\n",
];
