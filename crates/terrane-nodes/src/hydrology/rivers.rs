//! Rivers as lines.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, Sizes};
use terrane_kernels::hydrology::rivers;

use crate::support::{forecast_domain, maps, same_size};
use crate::values::{Map, Paths, Table};

/// Rivers as lines, with their order after Strahler.
///
/// There is a river where the drainage is at least `threshold`, and from there all the way down. Its order is
/// 1 from the source on; where two of an order meet, it is one more. Each line is a river from where its
/// order begins to where it joins one of a higher order or ends; its last point may belong to the other.
/// Numbers of a line: `order`; `drainage` of its last sample; `length` in world units.
///
/// `FluvialErosion` and `Drainage` tell where samples drain. Both count drainage differently, and so does
/// `threshold`: rain for the one, of which some is lost on every step, area for the other. Where water is
/// lost `least_order` sorts small rivers out better. A river over the seam of a torus is two lines. `Overlay`
/// draws them; a `.geojson` file holds them.
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
#[node(category = "hydrology", tiles = Global, because = "rivers are followed from their springs to where \
    they end", paper = "Strahler 1957", working_maps = 4.0)]
#[output(rivers: Paths, doc = "The lines, with their order, drainage and length.")]
#[output(order: Map, doc = "The order of the river through each sample, 0 where there is none.")]
pub struct Rivers {
    /// Where each sample drains, as `Drainage` and `FluvialErosion` tell.
    #[input]
    pub receivers: Input<Map>,
    /// What runs through each sample.
    #[input]
    pub drainage: Input<Map>,
    /// Drainage from which on there is a river.
    #[param(default = 3.0, above = 0.0)]
    pub threshold: f64,
    /// The least order of a river that counts: smaller ones are left out of lines and map.
    #[param(default = 1, min = 1, max = 32)]
    pub least_order: u32,
}

impl Evaluate for Rivers {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (receivers, drainage) = (self.receivers.get(), self.drainage.get());
        same_size("receivers", &receivers, "drainage", &drainage)?;
        let found = rivers(&receivers, &drainage, self.threshold as f32).map_err(|circle| {
            NodeError::failed(
                format!("water runs in circles at column {}, row {}", circle.at.0, circle.at.1),
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

    /// Lines: the samples that drain an area are as many as its power of about -0.45 (Hack 1957), each a
    /// place of 16 bytes in lists that grow.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let Some(domain) = forecast_domain(sizes) else { return 0 };
        let cells = self.threshold / (domain.spacing * domain.spacing);
        maps(sizes, 24.0 * libm::pow(cells.max(1.0), -0.45))
    }
}
