//! The tags that place a raster on the Earth, for writing.

use terrane_grid::GeoReference;
use tiff::tags::Tag;

/// The values of a tag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Values<'a> {
    Shorts(&'a [u16]),
    Reals(&'a [f64]),
    /// Text without its closing zero.
    Text(&'a str),
}

/// The tags that have values, except the nodata value, which is written only if it still marks missing
/// samples.
pub(super) fn geo_tags(georef: &GeoReference) -> impl Iterator<Item = (Tag, Values<'_>)> {
    let reals = [
        (Tag::ModelPixelScaleTag, &georef.pixel_scale),
        (Tag::ModelTiepointTag, &georef.tiepoints),
        (Tag::ModelTransformationTag, &georef.transformation),
        (Tag::GeoDoubleParamsTag, &georef.double_params),
    ];
    let reals = reals.into_iter().filter(|(_, values)| !values.is_empty());
    let keys = (!georef.key_directory.is_empty()).then_some(&georef.key_directory[..]);
    let text = (!georef.ascii_params.is_empty()).then_some(&georef.ascii_params[..]);
    reals
        .map(|(tag, values)| (tag, Values::Reals(values)))
        .chain(keys.map(|keys| (Tag::GeoKeyDirectoryTag, Values::Shorts(keys))))
        .chain(text.map(|text| (Tag::GeoAsciiParamsTag, Values::Text(text))))
}
