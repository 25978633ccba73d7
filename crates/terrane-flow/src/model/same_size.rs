//! Checks that the rasters at a node's ports have one size.

use crate::model::error::NodeError;
use crate::model::port::{Port, Source};
use crate::model::spec::NodeSpec;

/// Rejects rasters of different sizes at the ports of a node, except at ports that take any size.
///
/// # Errors
/// The first raster that differs in size from the first of all.
pub fn check_sizes<'a>(
    spec: &'static NodeSpec,
    port: impl Fn(usize) -> &'a dyn Port,
) -> Result<(), NodeError> {
    let inputs = spec.inputs.iter().enumerate().filter(|(_, input)| !input.any_size);
    let mut rasters = inputs.filter_map(|(index, input)| match port(index).source() {
        Source::Bound(value) => Some((input.name, value.kind(), value.extent()?)),
        _ => None,
    });
    let Some((first, kind, size)) = rasters.next() else { return Ok(()) };
    match rasters.find(|(.., other)| *other != size) {
        None => Ok(()),
        Some((second, other_kind, other)) => {
            let ((w, h), (v, g)) = (size, other);
            let help = if kind == other_kind {
                "bring both to one size with a Resample node"
            } else {
                "make both from the same map"
            };
            let message = format!("`{first}` has {w} x {h} samples, but `{second}` has {v} x {g}");
            Err(NodeError::failed(message, help))
        }
    }
}
