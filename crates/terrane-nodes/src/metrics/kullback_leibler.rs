//! The Kullback-Leibler divergence of terrains.

use std::borrow::Cow;

use terrane_flow::{Choice, Context, Evaluate, Input, Node, NodeError, Sizes};
use terrane_grid::Heightmap;
use terrane_kernels::{Boundary, metric};

use serde::{Deserialize, Serialize};

use crate::values::{Map, Table};

/// Quantity whose distributions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Quantity {
    /// Heights.
    Height,
    /// Slopes, as the magnitude of the gradient.
    Slope,
}

/// The Kullback-Leibler divergence between the distributions of heights or slopes of two terrains.
///
/// Both terrains are counted in the same bins, over the range that covers both. Let p and q be the shares of
/// samples that a bin has in `a` and in `b`. The divergence of `a` from `b` is the sum of p ln(p / q) over
/// all bins, in nats. It is 0 if both distributions are the same. This divergence is not symmetric. The
/// Jensen-Shannon divergence is symmetric and lies between 0 and ln 2. One count is added to every bin,
/// because an empty bin would make the divergence infinite. The maps may differ in size.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "perlin": Perlin(),
///         "polynomial": PolynomialNoise(),
///         "apart": KullbackLeibler(a: "perlin", b: "polynomial", of: Slope),
///     },
///     outputs: { "apart.json": "apart" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "divergence distribution compare similarity entropy difference",
    tiles = Global, because = "it counts all samples", paper = "Thorimbert & \
    Chopard 2018, section 5.3; Kullback & Leibler 1951", holes = Kept)]
#[output(divergence: Table, unit = "nats", doc = "One row: `forward` (of `a` from `b`), `backward` (of \
    `b` from `a`) and `jensen_shannon`.")]
pub struct KullbackLeibler {
    /// The first terrain.
    #[input(unit = "world units")]
    pub a: Input<Map>,
    /// The second terrain.
    #[input(unit = "world units", any_size)]
    pub b: Input<Map>,
    /// Quantity whose distributions are compared.
    #[param(default = Quantity::Height)]
    pub of: Quantity,
    /// Number of bins.
    #[param(default = 64, min = 2, max = 1_000_000)]
    pub bins: u32,
}

impl Evaluate for KullbackLeibler {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let given = [self.a.get(), self.b.get()];
        let quantity = |map| match self.of {
            Quantity::Height => Cow::Borrowed(map),
            Quantity::Slope => {
                Cow::Owned(metric::slope_with_holes(map, metric::SlopeKind::Gradient, Boundary::Open))
            }
        };
        let [a, b]: [Cow<'_, Heightmap>; 2] = given.each_ref().map(|map| quantity(&map.0));
        let [sa, sb] = [&a, &b].map(|map| metric::statistics(map));
        let range = Some((sa.min.min(sb.min), sa.max.max(sb.max)));
        let [p, q] = [&a, &b].map(|map| metric::histogram(map, self.bins as usize, range));
        let found = metric::kullback_leibler(&p.counts, &q.counts, 1.0);
        Ok((Table::row(&[
            ("forward", found.forward),
            ("backward", found.backward),
            ("jensen_shannon", found.jensen_shannon),
        ]),))
    }

    /// Memory for counts, shares and slopes.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let slopes = if self.of == Quantity::Slope { sizes.inputs[0] + sizes.inputs[1] } else { 0 };
        u64::from(self.bins) * 40 + 2 * sizes.inputs[0] + slopes
    }
}
