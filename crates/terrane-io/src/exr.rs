//! OpenEXR: one channel of heights.

use std::io::{self, Cursor};

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, ReadChannels, ReadLayers,
    WritableImage, read,
};
use terrane_grid::{Grid, Heightmap};

use crate::atomic::WriteSeek;
use crate::error::Problem;
use crate::read::{Raster, ReadOptions, check_size};

/// Names that a channel of heights goes by, the likeliest first.
const NAMES: &[&str] = &["Y", "Z", "height", "Height", "R"];

pub fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let meta = exr::meta::MetaData::read_from_buffered(Cursor::new(bytes), true).map_err(Problem::broken)?;
    for header in &meta.headers {
        check_size(header.layer_size.width() as u64, header.layer_size.height() as u64, options)?;
    }
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .non_parallel()
        .from_buffered(Cursor::new(bytes))
        .map_err(Problem::broken)?;
    let layer = &image.layer_data;
    let (width, height) = check_size(layer.size.width() as u64, layer.size.height() as u64, options)?;
    let channels = &layer.channel_data.list;
    let named = |name: &str| channels.iter().find(|c| c.name.to_string() == name);
    let channel = NAMES
        .iter()
        .find_map(|name| named(name))
        .or_else(|| channels.first().filter(|_| channels.len() == 1));
    let channel = channel.ok_or_else(|| {
        let names: Vec<String> = channels.iter().map(|c| c.name.to_string()).collect();
        Problem::new(
            format!("none of its channels ({}) is a height", names.join(", ")),
            format!("name the channel one of {}", NAMES.join(", ")),
        )
    })?;
    let samples: Vec<f32> = channel.sample_data.values_as_f32().collect();
    if samples.len() != width * height {
        return Err(Problem::broken("a channel has another size than the picture"));
    }
    Ok(Raster { grid: Grid::from_vec(width, height, samples), greatest_code: None, georef: None })
}

pub fn encode(out: &mut dyn WriteSeek, map: &Heightmap) -> io::Result<()> {
    let samples = FlatSamples::F32(map.samples().to_vec());
    let channels = AnyChannels::sort(std::iter::once(AnyChannel::new("Y", samples)).collect());
    let attributes = LayerAttributes::named("height");
    let layer = Layer::new(map.domain().size, attributes, Encoding::FAST_LOSSLESS, channels);
    Image::from_layer(layer).write().non_parallel().to_buffered(out).map_err(io::Error::other)
}
