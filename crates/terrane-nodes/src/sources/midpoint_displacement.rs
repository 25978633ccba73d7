//! Diamond-square.

use terrane_flow::{Context, Evaluate, Node, NodeError, OptionalInput, ScalarInput};
use terrane_kernels::displacement::{self, Heights, Midpoint, MidpointError};

use crate::support::{Report, choice, domain, scalar, seed};
use crate::values::{Map, Points};

choice! {
    /// How offsets are distributed in their range.
    Distribution => displacement::Distribution {
        /// Every offset is as likely.
        Uniform,
        /// A bell that ends where the range does.
        Gaussian,
    }
}

choice! {
    /// What happens at the map's border.
    Border => displacement::Boundary {
        /// The map tiles with itself; columns must be `lattice` times a power of two.
        Wrap,
        /// Midpoints on the border have three neighbours; any size.
        Open,
        /// Each border is made from its own lattice points alone, so that neighbouring patches share it to
        /// the bit; columns must be `lattice - 1` times a power of two, plus one.
        Seamless,
    }
}

/// Fractal terrain by displacing midpoints: the diamond-square algorithm.
///
/// Starting points are random in [0, 1); each level halves the spacing, and a midpoint is the mean of its
/// neighbours plus an offset within plus or minus `persistence^level / 2`. `smoothed` multiplies the mean by
/// 1 plus the offset instead, so that low ground is smooth as if sediment lay on it. Before `amplitude` and
/// `offset`, heights lie about [0, 1] and always within [-e, 1 + e] with e = p / (1 - p). With half the
/// samples the terrain is every second sample of the full one.
///
/// `roughness` multiplies that range, point by point: a map of it, such as a mask, gives plains beside
/// mountains. The starting heights, which all else lies between, do not change by it: where it is 0 they
/// stand as single peaks over even ground, so take a small number there, or give them by `points`. Below 1
/// heights keep within these bounds.
///
/// With `points`, such as those of a `Points` node, the terrain passes through their heights, to the bit at
/// the sample nearest to each; two points that share a sample must agree. A height that is not the terrain's
/// own moves its surroundings smoothly, as far as about two starting cells away (with three starting points a
/// side that is the whole map: raise `lattice` to keep it near), so patches with points near a border meet
/// only when both have them. From `corners` the terrain starts where they are starting points (columns are
/// `lattice - 1` times a power of two, plus one, and rows a multiple of the same cells, plus one); maps of
/// other sizes are tilted to them. Corner samples have these heights to the bit.
///
/// `Seamless` draws its borders from two neighbours instead of three.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(persistence: 0.5, smoothed: true, amplitude: 120.0),
///     },
///     outputs: { "hills.png": "hills" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(
    category = "sources",
    tiles = Global,
    because = "it begins with the map's corners",
    version = 2,
    paper = "Olsen 2004, Midpoint displacement; Mijailovic 2015; Velzel, midpoint displacement; points after \
        Belhadj 2007",
    working_maps = 0.6,
    header,
)]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
pub struct MidpointDisplacement {
    /// Heights to pass through, in the units of the output.
    #[input(unit = "world units")]
    pub points: OptionalInput<Points>,
    /// Range of offsets at a level over that of the one before; below 1, higher is rougher.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub persistence: f64,
    /// Factor on the range of each offset, where a map makes some ground rougher than other.
    #[input(default = 1.0, min = 0.0)]
    pub roughness: ScalarInput<Map>,
    /// How offsets are distributed.
    #[param(default = Distribution::Uniform)]
    pub distribution: Distribution,
    /// Whether offsets grow with the local height.
    #[param(default = false)]
    pub smoothed: bool,
    /// What happens at the border.
    #[param(default = Border::Open)]
    pub boundary: Border,
    /// Starting points a side; with `Wrap`, starting cells a side.
    #[param(default = 3, min = 1, max = 65536)]
    pub lattice: u32,
    /// Heights of the corners, top left, top right, bottom left, bottom right, in the units of the output.
    #[param(default = None, unit = "world units")]
    pub corners: Option<(f64, f64, f64, f64)>,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Factor on heights in [0, 1].
    #[param(default = 1.0, unit = "world units")]
    pub amplitude: f64,
    /// Added to heights.
    #[param(default = 0.0, unit = "world units")]
    pub offset: f64,
}

impl Evaluate for MidpointDisplacement {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let domain = domain(cx);
        let roughness = self.roughness.get();
        let parameters = Midpoint {
            persistence: self.persistence as f32,
            roughness: scalar(&roughness),
            distribution: self.distribution.into(),
            smoothed: self.smoothed,
            boundary: self.boundary.into(),
            lattice: self.lattice,
        };
        let points = self.points.get();
        let points = points.iter().flat_map(|points| points.0.iter()).map(|&[x, y, height]| (x, y, height));
        let heights = Heights {
            amplitude: self.amplitude,
            offset: self.offset,
            corners: self.corners.map(|(a, b, c, d)| [a, b, c, d]),
            points: points.collect(),
        };
        if let (Border::Wrap, Some([a, b, c, d])) = (self.boundary, heights.corners)
            && !(a == b && b == c && c == d)
        {
            cx.warn(
                "on a map that tiles the corners lie side by side: `corners` that differ make a step there",
            );
        }
        let report = Report(cx);
        match displacement::displacement_through(&domain, seed(cx, self.seed), &parameters, &heights, &report)
        {
            Ok(height) => Ok((Map(height),)),
            Err(MidpointError::Cancelled) => Err(NodeError::Cancelled),
            Err(error @ MidpointError::Size { .. }) => Err(NodeError::failed(
                error,
                "change the graph's size, or take boundary: Open, which fits any size",
            )),
            Err(error @ MidpointError::Roughness(..)) => {
                Err(NodeError::failed(error, "bring the map to the graph's size with a Resample node"))
            }
            Err(error @ MidpointError::Outside(..)) => {
                let (right, bottom) = (domain.x(domain.width() - 1), domain.y(domain.height() - 1));
                let help = format!(
                    "the map goes from {:?} to ({right}, {bottom}): move or remove the point, or let a \
                    Points node drop it with outside: Drop",
                    domain.origin
                );
                Err(NodeError::failed(error, help))
            }
            Err(error) => Err(NodeError::failed(error, "move or remove one of the points")),
        }
    }
}
