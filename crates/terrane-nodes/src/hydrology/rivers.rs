//! River networks as lines.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, Sizes};
use terrane_kernels::hydrology::rivers;

use crate::support::{forecast_domain, maps};
use crate::values::{Map, Paths, Table};

/// The river network as lines, with Strahler order.
///
/// A river starts where the drainage is at least `threshold` and continues all the way down. Its order is 1
/// from the source; where two rivers of the same order meet, the order increases by one. Each line is a
/// stretch of one order. It runs from where this order begins to where the river ends or joins a river of a
/// higher order. If it joins a river, the last point of the line belongs to that river. The attributes of a
/// line are `order`, `drainage` (through the line's last sample before it joins another river) and `length`
/// (in world units).
///
/// `FluvialErosion` and `Drainage` provide the drainage directions. They measure drainage in different units,
/// which also apply to `threshold`. `FluvialErosion` measures rain, of which some is lost at every step.
/// `Drainage` measures area. Where water is lost, `least_order` is the better filter for small rivers. A
/// river across the seam of a torus is two lines. `Overlay` draws the lines, and a `.geojson` file stores
/// them.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "water": Drainage(height: "hills"),
///         "rivers": Rivers(receivers: "water.receivers", drainage: "water", threshold: 1000.0),
///         "relief": ColorRelief(height: "hills"),
///         "map": Overlay(picture: "relief", height: "hills", paths: "rivers", thicken: "order"),
///     },
///     outputs: { "map.png": "map", "rivers.geojson": "rivers", "order.exr": "rivers.order" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology", version = 2, tiles = Global, because = "rivers are traced from their \
    sources to their ends", paper = "Strahler 1957", working_maps = 4.0, holes = Kept)]
#[output(rivers: Paths, doc = "The rivers as lines, with their order, drainage and length.")]
#[output(order: Map, doc = "Order of the river through each sample, or 0.")]
pub struct Rivers {
    /// Drainage directions, from the output `receivers` of `Drainage` or `FluvialErosion`.
    #[input]
    pub receivers: Input<Map>,
    /// Drainage through each sample.
    #[input]
    pub drainage: Input<Map>,
    /// Minimum drainage of a river.
    #[param(default = 3.0, above = 0.0)]
    pub threshold: f64,
    /// Minimum order of a river. Rivers of a lower order are left out of the lines and the map.
    #[param(default = 1, min = 1, max = 32)]
    pub least_order: u32,
}

impl Evaluate for Rivers {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (receivers, drainage) = (self.receivers.get(), self.drainage.get());
        let found = rivers(&receivers, &drainage, self.threshold as f32).map_err(|circle| {
            NodeError::failed(
                format!("`receivers` form a cycle at column {}, row {}", circle.at.0, circle.at.1),
                "connect the receivers of a Drainage or a FluvialErosion node",
            )
        })?;
        let mut rivers = found.rivers;
        rivers.retain(|river| river.order >= self.least_order);
        let column =
            |number: &dyn Fn(&terrane_kernels::hydrology::River) -> f64| rivers.iter().map(number).collect();
        let attributes = Table::new(vec![
            ("order", column(&|river| f64::from(river.order))),
            ("drainage", column(&|river| f64::from(river.drainage))),
            ("length", column(&|river| river.line.length())),
        ]);
        let least = self.least_order as f32;
        let mut order = found.order;
        order.samples_mut().iter_mut().filter(|order| **order < least).for_each(|order| *order = 0.0);
        let lines = rivers.into_iter().map(|river| river.line).collect();
        Ok((Paths { lines, attributes }, Map(order)))
    }

    /// Memory for the lines. The share of samples that drain at least an area of A samples is A to the power
    /// of -0.45 (Hack 1957). Each of these samples is a point of 16 bytes in a list that grows.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let Some(domain) = forecast_domain(sizes) else { return 0 };
        let cells = self.threshold / (domain.spacing * domain.spacing);
        maps(sizes, 24.0 * libm::pow(cells.max(1.0), -0.45))
    }
}
