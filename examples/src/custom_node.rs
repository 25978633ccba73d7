//! A custom node: declared, registered, used from a graph's text, and documented like any other.
//!
//! `cargo run -p terrane-examples --bin custom_node`

use std::path::Path;
use std::sync::Arc;

use terrane::kernels::metric;
use terrane::values::Map;
use terrane::{Engine, EngineOptions, LoadOptions, load, registry};
use terrane_flow::{Context, Evaluate, Input, Node, NodeError, schema};

/// A crater dug into the terrain.
///
/// A bowl of `depth` with a raised rim.
#[derive(Clone, Debug, Node)]
#[node(category = "sources", tiles = Pointwise, paper = "none: an example")]
#[output(height: Map, unit = "world units", doc = "The terrain with its crater.")]
struct Crater {
    /// The terrain.
    #[input(unit = "world units")]
    height: Input<Map>,
    /// World x and y of the centre.
    #[param(default = (64.0, 64.0), unit = "world units")]
    centre: (f64, f64),
    /// Distance from the centre to the rim.
    #[param(default = 30.0, above = 0.0, unit = "world units")]
    radius: f64,
    /// Depth of the bowl.
    #[param(default = 10.0, unit = "world units")]
    depth: f64,
}

impl Evaluate for Crater {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let mut height = self.height.take();
        let domain = height.domain();
        for row in 0..domain.height() {
            cx.progress(row as f64 / domain.height() as f64)?;
            for column in 0..domain.width() {
                let (dx, dy) = (domain.x(column) - self.centre.0, domain.y(row) - self.centre.1);
                let r = (dx * dx + dy * dy) / (self.radius * self.radius);
                let bowl = if r < 1.0 { r - 1.0 } else { 0.2 * (2.0 - r).max(0.0) };
                height.grid_mut()[(column, row)] += (bowl * self.depth) as f32;
            }
        }
        Ok((height,))
    }
}

const GRAPH: &str = r#"Graph(
    size: (129, 129),
    nodes: {
        "hills": MidpointDisplacement(amplitude: 20.0),
        "moon": Crater(height: "hills", centre: (64.0, 64.0), radius: 40.0),
    },
)"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = registry();
    registry.add::<Crater>()?;
    let loaded = load("crater.ron", GRAPH, Path::new("."), &registry, &LoadOptions::default())?;
    let engine = Engine::new(EngineOptions::default())?;
    let ground = engine.value_of::<Map>(&Arc::new(loaded), "moon")?;
    let heights = metric::statistics(&ground);
    let page = registry.node("Crater").map(|node| schema::node(node.spec()));
    let text =
        format!("heights from {:.1} to {:.1}\n{:#}\n", heights.min, heights.max, page.unwrap_or_default());
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes())?;
    Ok(())
}
