//! Constraints of paths that are drawn: a mask, or lines, from any source.

use terrane_grid::{Domain, Heightmap, Polyline};

use super::error::SubdivideError;
use super::parameters::Subdivide;
use super::straight::{Frame, Place, straight};
use super::strips::Lines;
use super::subdivide::constraints_of;
use super::subdivision::Subdivision;
use super::surroundings::Surroundings;
use crate::Progress;

/// A line that a path follows.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// The line in the world; parts outside the patch are ignored.
    pub line: &'a Polyline,
    /// The path's width, in world units; 0 means the samples nearest to the line.
    pub width: f64,
    /// Its own maximum slope, instead of the common one.
    pub slope: Option<f64>,
}

/// The constraints of paths on the ground. The paths are the samples where a mask is above 0.5, and strips
/// around lines, whose samples replace routes. There is no search, so the costs of `parameters`, its widths,
/// and the slopes and widths of edges and nodes are ignored. O(samples) for each width and slope.
///
/// # Errors
/// [`SubdivideError`]: also if no sample of the patch belongs to a path.
pub fn subdivide_traces(
    map: &Heightmap,
    mask: Option<&Heightmap>,
    traces: &[Trace<'_>],
    parameters: &Subdivide<'_>,
    progress: &dyn Progress,
) -> Result<Subdivision, SubdivideError> {
    let domain = map.domain();
    parameters.check(&domain)?;
    let mut lines = Lines::default();
    if let Some(mask) = mask {
        let path = (0..domain.len()).filter(|&at| mask.samples()[at] > 0.5);
        lines.add(parameters.steepness(None), 0.0, path);
    }
    let routes: Vec<Vec<Place>> = traces.iter().map(|trace| samples(&domain, trace.line)).collect();
    for (trace, route) in traces.iter().zip(&routes) {
        let at = |&(x, y): &Place| y as usize * domain.width() + x as usize;
        lines.add(parameters.steepness(trace.slope), trace.width / 2.0, route.iter().map(at));
    }
    if lines.all.iter().all(|line| line.samples.is_empty()) {
        return Err(SubdivideError::NoPath);
    }
    let around = Surroundings::of(domain, 0, &lines, parameters, progress)?;
    constraints_of(map, &routes, &around, parameters, progress)
}

/// The samples of a patch nearest to a line, in their order along the line.
fn samples(domain: &Domain, line: &Polyline) -> Vec<Place> {
    let all = Frame { low: (0, 0), high: (domain.width() as i64 - 1, domain.height() as i64 - 1) };
    let nearest = |&(x, y): &(f64, f64)| {
        let along = |place: f64, origin: f64| {
            libm::round((place - origin) / domain.spacing).clamp(-FARTHEST, FARTHEST) as i64
        };
        (along(x, domain.origin.0), along(y, domain.origin.1))
    };
    let again = line.points.first().filter(|_| line.closed);
    let places: Vec<Place> = line.points.iter().chain(again).map(nearest).collect();
    let mut out: Vec<Place> = match places.as_slice() {
        [one] if all.contains(*one) => vec![*one],
        _ => places.windows(2).flat_map(|ends| straight(ends[0], ends[1], all)).collect(),
    };
    out.dedup();
    out
}

/// Points farther from the patch than this, in samples, are clamped.
const FARTHEST: f64 = (1u64 << 40) as f64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::path::{BadSample, Borders, Costs, Details, Search, Surround};

    const NONE: f32 = f32::INFINITY;

    fn parameters<'a>(details: Details<'a>) -> Subdivide<'a> {
        Subdivide {
            search: Search::by(Costs::Thesis { alpha: 0.0, beta: 1.0 }),
            width: 0.0,
            node_width: 0.0,
            border: 6.0,
            max_slope: 0.1,
            edge_slopes: &[],
            slope_gain: 0.05,
            surround: Surround::Directional,
            borders: Borders::Free,
            anchors: &[],
            details,
        }
    }

    fn ground() -> Heightmap {
        Heightmap::constant(Domain::new(21, 21).with_spacing(2.0), 1.0)
    }

    /// A mask of two rows: bounds grow with the distance from its edge.
    #[test]
    fn a_mask_by_hand() {
        let mask = Heightmap::from_fn(ground().domain(), |_, y| f32::from(u8::from(y == 9 || y == 10)));
        let out =
            subdivide_traces(&ground(), Some(&mask), &[], &parameters(Details::default()), &Silent).unwrap();
        let bound = |beyond: f64| (0.1 + 0.05 * (beyond / 6.0).sqrt()) as f32;
        let column: Vec<(f32, f32)> =
            (5..12).map(|y| (out.slope[y * 21 + 7], out.directional[y * 21 + 7])).collect();
        let wanted = [
            (NONE, NONE),
            (NONE, bound(6.0)),
            (NONE, bound(4.0)),
            (NONE, bound(2.0)),
            (0.1, NONE),
            (0.1, NONE),
            (NONE, bound(2.0)),
        ];
        assert_eq!(column, wanted);
        assert_eq!((out.direction[8 * 21 + 7], out.direction[11 * 21 + 7]), ([0.0, -1.0], [0.0, 1.0]));
        // A map of bounds beside the path sets the bounds sample by sample.
        let beside = Heightmap::from_fn(ground().domain(), |x, _| 0.01 * (x + 1) as f32);
        let details = Details { beside: Some(&beside), ..Details::default() };
        let out = subdivide_traces(&ground(), Some(&mask), &[], &parameters(details), &Silent).unwrap();
        assert_eq!((out.directional[8 * 21 + 7], out.directional[6 * 21 + 2]), (0.08, 0.03));
        assert_eq!((out.directional[9 * 21 + 7], out.slope[9 * 21 + 7]), (NONE, 0.1));
    }

    #[test]
    fn lines_have_widths_and_slopes_and_may_leave_the_patch() {
        let line = |points: &[(f64, f64)], closed| Polyline { points: points.to_vec(), closed };
        let (across, ring) = (
            line(&[(-10.0, 8.0), (60.0, 8.0)], false),
            line(&[(10.0, 20.0), (20.0, 20.0), (20.0, 30.0), (10.0, 30.0)], true),
        );
        let traces = [
            Trace { line: &across, width: 4.0, slope: Some(0.2) },
            Trace { line: &ring, width: 0.0, slope: None },
        ];
        let out =
            subdivide_traces(&ground(), None, &traces, &parameters(Details::default()), &Silent).unwrap();
        assert_eq!(out.paths[0], (4 * 21..5 * 21).collect::<Vec<u32>>());
        assert_eq!(out.paths[1].len(), 21, "five steps a side, and the first sample again");
        let slope = |x: usize, y: usize| out.slope[y * 21 + x];
        assert_eq!((slope(0, 3), slope(20, 5), slope(0, 6)), (0.2, 0.2, NONE));
        assert_eq!((slope(5, 12), slope(10, 15), slope(7, 12)), (0.1, 0.1, NONE));
    }

    #[test]
    fn a_patch_without_path_and_bounds_out_of_range_are_rejected() {
        let far = Polyline { points: vec![(1e300, 0.0), (1e300, 5.0)], closed: false };
        let (zero, traces) =
            (Heightmap::constant(ground().domain(), 0.0), [Trace { line: &far, width: 4.0, slope: None }]);
        let refused = |mask: Option<&Heightmap>, details| {
            subdivide_traces(&ground(), mask, &traces, &parameters(details), &Silent).unwrap_err()
        };
        assert_eq!(refused(None, Details::default()), SubdivideError::NoPath);
        assert_eq!(refused(Some(&zero), Details::default()), SubdivideError::NoPath);
        let details = Details { beside: Some(&zero), ..Details::default() };
        assert!(matches!(
            refused(Some(&zero), details),
            SubdivideError::Sample(BadSample { name: "beside", .. })
        ));
    }
}
