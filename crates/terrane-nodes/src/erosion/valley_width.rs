//! The width of the smallest valleys.

use terrane_flow::{Context, NodeError};
use terrane_grid::Domain;

/// Samples along the longer side of a map whose smallest valleys are, by default, one sample wide.
const VALLEYS: f64 = 256.0;

/// The most spacings that the smallest valleys may have.
const MOST: f64 = 256.0;

/// A width in world units. Default: a share of the map's longer side, so that maps of the same ground with
/// more samples have the same valleys.
///
/// # Errors
/// If the width is more than [`MOST`] spacings, since an iteration takes time in proportion to it.
pub fn valley_width(cx: &Context<'_>, given: Option<f64>, domain: &Domain) -> Result<f64, NodeError> {
    let spacing = domain.spacing;
    let Some(width) = given else {
        let (width, height) = domain.extent();
        return Ok(width.max(height) / VALLEYS);
    };
    if width > MOST * spacing {
        let message = format!("`valley_width` is {width}, more than {MOST} spacings of {spacing}");
        return Err(NodeError::failed(message, format!("write at most {}", MOST * spacing)));
    }
    if width > 0.0 && width < spacing {
        cx.warn(format!(
            "`valley_width` is {width}, less than the spacing: the smallest valleys are {spacing} wide"
        ));
    }
    Ok(width)
}
