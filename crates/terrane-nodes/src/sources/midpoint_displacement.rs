//! Diamond-square.

use terrane_flow::{Context, Evaluate, Node, NodeError, OptionalInput};
use terrane_kernels::displacement::{self, Midpoint, MidpointError};

use crate::support::{Report, choice, domain, scale, seed};
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
        /// Each border is made from its own lattice points alone, so that neighbouring patches share it to the bit;
        /// columns must be `lattice - 1` times a power of two, plus one.
        Seamless,
    }
}

/// Fractal terrain by displacing midpoints: the diamond-square algorithm.
///
/// Starting points are random in [0, 1); each level halves the spacing, and a midpoint is the mean of its neighbours plus an
/// offset within plus or minus `persistence^level / 2`. `smoothed` multiplies the mean by 1 plus the offset instead, so that
/// low ground is smooth as if sediment lay on it. Before `amplitude` and `offset`, heights lie about [0, 1] and always within
/// [-e, 1 + e] with e = p / (1 - p). With half the samples the terrain is every second sample of the full one.
///
/// With `points`, the terrain passes through their heights: each bends its surroundings at all levels. Patches with points near
/// a border meet only when both have them. `Seamless` draws its borders from two neighbours instead of three.
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
#[node(category = "sources", tiles = Global, paper = "Olsen 2004, Midpoint displacement; Mijailovic 2015; Velzel, midpoint displacement; points after Belhadj 2007", working_maps = 1.5)]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
pub struct MidpointDisplacement {
    /// Heights to pass through, in the units of the output.
    #[input(unit = "world units")]
    pub points: OptionalInput<Points>,
    /// Range of offsets at a level over that of the one before; below 1, higher is rougher.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub persistence: f64,
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

impl MidpointDisplacement {
    /// Points and corners, in heights before amplitude and offset.
    fn fixed_points(&self, domain: &terrane_grid::Domain) -> Vec<(f64, f64, f32)> {
        let scale = if self.amplitude == 0.0 { 0.0 } else { 1.0 / self.amplitude };
        let height = |h: f64| ((h - self.offset) * scale) as f32;
        let mut points = Vec::new();
        if let Some(given) = self.points.get() {
            points.extend(given.0.iter().map(|&[x, y, h]| (x, y, height(h))));
        }
        if let Some((a, b, c, d)) = self.corners {
            let (left, top) = domain.origin;
            let (right, bottom) = (domain.x(domain.width() - 1), domain.y(domain.height() - 1));
            let corners = [(left, top, a), (right, top, b), (left, bottom, c), (right, bottom, d)];
            points.extend(corners.map(|(x, y, h)| (x, y, height(h))));
        }
        points
    }
}

impl Evaluate for MidpointDisplacement {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let domain = domain(cx);
        let parameters = Midpoint {
            persistence: self.persistence as f32,
            distribution: self.distribution.into(),
            smoothed: self.smoothed,
            boundary: self.boundary.into(),
            lattice: self.lattice,
            points: self.fixed_points(&domain),
        };
        match displacement::midpoint_displacement(&domain, seed(cx, self.seed), &parameters, &Report(cx)) {
            Ok(height) => Ok((Map(scale(height, self.amplitude, self.offset)),)),
            Err(MidpointError::Cancelled) => Err(NodeError::Cancelled),
            Err(error @ MidpointError::Size { .. }) => Err(NodeError::failed(
                error,
                "change the graph's size, or take boundary: Open, which fits any size",
            )),
            Err(error) => Err(NodeError::failed(error, "move or remove one of the points")),
        }
    }
}
