//! Sources whose heights look as if they had another unit than the spacing: heights in [0, 1] on a map that
//! is kilometres wide, or heights in metres on a map whose samples are kilometres or degrees apart.

use std::path::Path;

use terrane_flow::{Graph, Node, Reference, Source};
use terrane_io::Format;

use crate::suited::suited_amplitude;
use crate::terrain::Terrain;

/// Share of the map's longer side below which a range of heights is nearly flat.
const FLAT: f64 = 1e-3;
/// Share of the map's longer side above which a range of heights towers over it.
const TOWERING: f64 = 2.0;

/// Nodes that change where heights are, but not how high they are: the terrain at their first port is
/// followed.
const PASSED: [&str; 6] = ["Blur", "Crop", "Perturb", "Resample", "Terrace", "Transform"];

/// Warnings of sources whose range of heights is below a thousandth of the map's longer side, or above twice
/// that side, and whose heights reach erosion, `Render`, `Mesh` or a file that holds heights in world units.
/// Each has the name of the node that the source reaches, or of the file.
#[must_use]
pub fn height_unit_warnings(graph: &Graph) -> Vec<(String, String)> {
    let to_nodes = graph.nodes.iter().filter_map(|(name, entry)| {
        let node = entry.node();
        let shows = node.spec().category == "erosion" || ["Mesh", "Render"].contains(&node.spec().name);
        let from = shows.then(|| wire(node, "height")).flatten()?;
        Some((name.clone(), warning(graph, &from)?))
    });
    let to_files = graph.outputs.iter().filter_map(|output| {
        let format = Format::from_extension(Path::new(&output.file))?;
        let heights = [Format::TIFF, Format::EXR, Format::RAW32];
        let from = heights.contains(&format).then_some(&output.from)?;
        Some((output.file.clone(), warning(graph, from)?))
    });
    to_nodes.chain(to_files).collect()
}

/// The warning of a terrain, if it is that of a nearly flat or of a towering source.
fn warning(graph: &Graph, from: &Reference) -> Option<String> {
    let mut at = from.clone();
    // A graph has no circles, but one that is built in code may.
    for _ in 0..graph.nodes.len() {
        let (index, name, entry) = graph.nodes.get_full(&*at.node)?;
        if PASSED.contains(&entry.node().spec().name) {
            at = wire(entry.node(), "height")?;
            continue;
        }
        let is_height = at.output.as_deref().is_none_or(|output| output == "height");
        let range = (is_height && entry.node().spec().category == "sources")
            .then(|| amplitude(entry.node()))
            .flatten()?
            .abs();
        let domain = Terrain::of(graph.header_of(index))?.domain;
        let extent = domain.width().max(domain.height()).saturating_sub(1) as f64 * domain.spacing;
        if range > TOWERING * extent && extent > 0.0 {
            return Some(format!(
                "the terrain of `{name}` towers: heights differ by about {range} on a map that is only \
                {extent} long; write `spacing` in the unit of the heights, or set the `amplitude` of \
                `{name}`, such as {}",
                suited_amplitude(entry.node().spec(), extent)
            ));
        }
        return (range < FLAT * extent).then(|| {
            format!(
                "the terrain of `{name}` is nearly flat: heights differ by about {range} on a map that is \
                {extent} long; set the `amplitude` of `{name}`, such as {}",
                suited_amplitude(entry.node().spec(), extent)
            )
        });
    }
    None
}

/// The output that a port is connected to.
fn wire(node: &dyn Node, port: &str) -> Option<Reference> {
    let index = node.spec().inputs.iter().position(|input| input.name == port)?;
    node.port(index).source().wire().cloned()
}

/// A node's `amplitude`, if it is a number.
fn amplitude(node: &dyn Node) -> Option<f64> {
    let spec = node.spec();
    if let Some(index) = spec.inputs.iter().position(|input| input.name == "amplitude") {
        return match node.port(index).source() {
            Source::Number(amplitude) => Some(*amplitude),
            _ => None,
        };
    }
    let index = spec.params.iter().position(|param| param.name == "amplitude")?;
    node.param(index).parse().ok()
}
