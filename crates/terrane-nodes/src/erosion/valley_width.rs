//! The width of the smallest valleys.

use terrane_flow::{Context, NodeError, Sizes};
use terrane_grid::Domain;

use crate::support::forecast_domain;

/// Spacings along the longer side of a map whose smallest valleys are, by default, one spacing wide.
const VALLEYS: f64 = 256.0;

/// The most spacings that the smallest valleys may have.
const MOST: f64 = 256.0;

/// A share of the map's longer side, so that maps of the same ground with more samples have the same valleys.
fn default(domain: &Domain) -> f64 {
    let (width, height) = domain.extent();
    width.max(height) / VALLEYS
}

/// The width in world units, the default if none is given.
///
/// # Errors
/// If the width is more than [`MOST`] spacings: an iteration takes time in proportion to it.
pub fn valley_width(cx: &Context<'_>, given: Option<f64>, domain: &Domain) -> Result<f64, NodeError> {
    let spacing = domain.spacing;
    let Some(width) = given else { return Ok(default(domain)) };
    if width > MOST * spacing {
        let message = format!("`valley_width` is {width}, more than {MOST} times the spacing of {spacing}");
        let most = MOST * spacing;
        return Err(NodeError::failed(message, format!("write at most {most}, or erode a smaller map")));
    }
    if width > 0.0 && width < spacing {
        cx.warn(format!(
            "`valley_width` is {width}, but valleys cannot be narrower than the spacing: the smallest are \
            {spacing} wide"
        ));
    }
    Ok(width)
}

/// Whether the smallest valleys are wider than the spacing, for memory forecasts.
pub fn is_wide(given: Option<f64>, sizes: &Sizes<'_>) -> bool {
    let domain = forecast_domain(sizes);
    domain.is_some_and(|domain| given.unwrap_or_else(|| default(&domain)) > domain.spacing)
}
