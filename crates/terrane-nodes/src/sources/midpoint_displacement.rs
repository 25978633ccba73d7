//! Midpoint displacement by the diamond-square algorithm.

use terrane_flow::{Context, Evaluate, Node, NodeError, OptionalInput, ScalarInput};
use terrane_kernels::displacement::{
    Boundary, Distribution, Heights, Midpoint, MidpointError, displacement_through,
};

use crate::support::{Report, domain, scalar, seed};
use crate::values::{Map, Points};

/// Fractal terrain by midpoint displacement, with the diamond-square algorithm.
///
/// The heights of the starting points are random in [0, 1). Each level halves the distance between points. A
/// new point, a midpoint, has the mean height of its neighbours plus an offset within
/// ±`persistence^level / 2`. `smoothed` multiplies the mean by 1 plus the offset instead. Low ground is then
/// smooth, as if covered by sediment. A starting point that is higher than those around it remains a peak
/// that grows steeper towards its top. It stands out less with a higher `persistence`, or with a `roughness`
/// above 1 and a lower `amplitude`. With `lattice: 2`, only the corners are starting points. Before
/// `amplitude` and `offset`, heights lie roughly in [0, 1]; without `smoothed` they always lie in
/// [-e, 1 + e] with e = p / (1 - p), where p is `persistence`. A map with half as many samples per side
/// consists of every second sample of the full map.
///
/// `roughness` multiplies the range of offsets point by point: a map, such as a mask, produces plains next to
/// mountains. It does not change the heights of the starting points. At a `roughness` of 0 the other heights
/// are only interpolated between the starting points, which then stand out as single peaks over even ground.
/// Use a small number instead of 0, or set the heights of the starting points with `points`. With a roughness
/// below 1, heights stay within the bounds above.
///
/// With `points`, such as those of a `Points` node, the terrain passes through their heights, to the bit, at
/// the sample nearest to each point. Two points with the same nearest sample must have the same height. A
/// point whose height differs from the terrain's moves its surroundings smoothly, up to about two starting
/// cells away. A starting cell is a square between starting points. With three starting points per side,
/// these surroundings are the whole map: raise `lattice` to limit them. Patches with points near a border
/// therefore meet only if both have these points.
///
/// With `corners`, the corner samples have the given heights, to the bit. The terrain starts from these
/// heights if the map's corners are starting points. This is so if the number of columns is `lattice - 1`
/// times a power of two, plus one, and the number of rows is a multiple of that power of two, plus one. On
/// maps of other sizes, the finished terrain is tilted to reach these heights.
///
/// With `Seamless`, midpoints on the border have two neighbours instead of three.
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
#[node(category = "sources",
    words = "diamond square plasma random hills mountains terrain generate create landscape islands",
    tiles = Global, because = "the subdivision starts from the map's \
    corners", version = 2, paper = "Olsen 2004, Midpoint displacement; Mijailovic 2015; Velzel, midpoint \
    displacement; points after Belhadj 2007", working_maps = 0.6, header,
    suits(lattice = "2", persistence = "0.55", roughness = "2.0", amplitude = 0.1),
    main(persistence, amplitude, offset, smoothed, distribution, lattice, seed))]
#[output(height: Map, unit = "world units", doc = "The terrain.")]
pub struct MidpointDisplacement {
    /// Points that the terrain passes through, with heights in the units of the output.
    #[input(unit = "world units")]
    pub points: OptionalInput<Points>,
    /// Range of offsets at a level relative to the previous level; higher is rougher.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub persistence: f64,
    /// Factor on the range of each offset; a map makes parts of the ground rougher than others.
    #[input(default = 1.0, min = 0.0)]
    pub roughness: ScalarInput<Map>,
    /// Distribution of offsets within their range.
    #[param(default = Distribution::Uniform)]
    pub distribution: Distribution,
    /// Whether offsets are proportional to the local height.
    #[param(default = false)]
    pub smoothed: bool,
    /// Treatment of the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Number of starting points along the columns or, with `Wrap`, of starting cells. There are fewer if
    /// that makes the side of a starting cell a power of two, in samples.
    #[param(default = 3, min = 1, max = 65536)]
    pub lattice: u32,
    /// Heights of the corners (top left, top right, bottom left, bottom right), in the units of the output.
    /// Default: random.
    #[param(default = None, unit = "world units")]
    pub corners: Option<(f64, f64, f64, f64)>,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Factor that scales heights from [0, 1].
    #[param(default = 1.0, unit = "world units")]
    pub amplitude: f64,
    /// Height added to the result.
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
            distribution: self.distribution,
            smoothed: self.smoothed,
            boundary: self.boundary,
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
        if let (Boundary::Wrap, Some([a, b, c, d])) = (self.boundary, heights.corners)
            && !(a == b && b == c && c == d)
        {
            cx.warn(
                "`corners` have different heights, but lie side by side on a map that tiles: the terrain has \
                a step there",
            );
        }
        let report = Report(cx);
        match displacement_through(&domain, seed(cx, self.seed), &parameters, &heights, &report) {
            Ok(height) => Ok((Map(height),)),
            Err(MidpointError::Cancelled) => Err(NodeError::Cancelled),
            Err(error @ MidpointError::Size { .. }) => Err(NodeError::failed(
                error,
                "change the graph's size, or use boundary: Open, which allows any size",
            )),
            Err(error @ MidpointError::Roughness(..)) => {
                Err(NodeError::failed(error, "bring the map to the graph's size with a Resample node"))
            }
            Err(error @ MidpointError::Outside(..)) => {
                let (right, bottom) = (domain.x(domain.width() - 1), domain.y(domain.height() - 1));
                let help = format!(
                    "the map extends from {:?} to ({right}, {bottom}): move or remove the point, or let a \
                    Points node drop it with outside: Drop",
                    domain.origin
                );
                Err(NodeError::failed(error, help))
            }
            Err(error) => Err(NodeError::failed(error, "move or remove one of the points")),
        }
    }
}
