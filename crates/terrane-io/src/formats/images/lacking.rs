//! The functions of these formats in builds without the feature `image`.

use terrane_grid::Grid;

use crate::{
    Format,
    codec::{Input, WritePicture},
    error::Outcome,
    limits::Head,
    raster::Raster,
};

pub(super) const WRITE_WEBP: Option<WritePicture> = None;
pub(super) const WRITE_JPEG: Option<WritePicture> = None;

pub(super) fn head(format: Format, _: Input<'_>) -> Outcome<Head> {
    Err(format.missing())
}

pub(super) fn heights(format: Format, _: Input<'_>) -> Outcome<Raster> {
    Err(format.missing())
}

pub(super) fn picture(format: Format, _: Input<'_>) -> Outcome<Grid<[u8; 3]>> {
    Err(format.missing())
}
