//! Border heights from finished neighbouring patches.

use terrane_grid::{Domain, Heightmap};

use super::error::{BadSample, Misfit, SubdivideError};

/// Maximum distance, in spacings, between two samples that count as one position, since positions are
/// rounded.
const ROUNDING: f64 = 1e-6;

/// Heights of the patch's border where neighbours have samples, NaN elsewhere. If several neighbours have a
/// sample, the first counts.
///
/// # Errors
/// [`SubdivideError::Neighbour`], or [`SubdivideError::Sample`] where a height is not finite.
pub fn heights_of(domain: &Domain, neighbours: &[&Heightmap]) -> Result<Vec<f32>, SubdivideError> {
    let (width, height) = domain.size;
    let mut given = vec![f32::NAN; domain.len()];
    for (number, neighbour) in neighbours.iter().enumerate() {
        let other = neighbour.domain();
        let misfit = |misfit| SubdivideError::Neighbour { number, misfit };
        let across = width.max(height).max(other.width()).max(other.height()) as f64;
        if (other.spacing / domain.spacing - 1.0).abs() * across > ROUNDING {
            return Err(misfit(Misfit::Spacing));
        }
        let offset = |own: f64, other: f64| {
            let samples = (own - other) / domain.spacing;
            let whole = libm::round(samples);
            ((samples - whole).abs() <= ROUNDING).then_some(whole).ok_or_else(|| misfit(Misfit::Between))
        };
        let (left, top) =
            (offset(domain.origin.0, other.origin.0)?, offset(domain.origin.1, other.origin.1)?);
        let inside = |at: f64, count: usize| (0.0..count as f64).contains(&at).then_some(at as usize);
        let mut any = false;
        for (x, y) in border(width, height) {
            let place = inside(left + x as f64, other.width()).zip(inside(top + y as f64, other.height()));
            let Some(found) = place.map(|place| neighbour[place]) else { continue };
            let at = y * width + x;
            if !found.is_finite() {
                let bad = BadSample::new(domain, "neighbour", at, found, "a finite height");
                return Err(SubdivideError::Sample(bad));
            }
            any = true;
            if given[at].is_nan() {
                given[at] = found;
            }
        }
        if !any {
            return Err(misfit(Misfit::Apart));
        }
    }
    Ok(given)
}

/// The samples of a border, each once.
fn border(width: usize, height: usize) -> impl Iterator<Item = (usize, usize)> {
    let ends = |count: usize| [0, count.saturating_sub(1)].into_iter().take(count.min(2));
    let rows = ends(height).flat_map(move |y| (0..width).map(move |x| (x, y)));
    rows.chain((1..height.saturating_sub(1)).flat_map(move |y| ends(width).map(move |x| (x, y))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(x: f64, y: f64) -> Domain {
        Domain::new(4, 3).with_spacing(0.1).with_origin(x, y)
    }

    #[test]
    fn heights_match_by_position_and_the_first_neighbour_wins() {
        let (left, above) =
            (Heightmap::constant(patch(0.0, 1.0), 1.0), Heightmap::constant(patch(0.3, 0.8), 2.0));
        let given = heights_of(&patch(0.3, 1.0), &[&left, &above]).unwrap();
        let none = f32::NAN;
        #[rustfmt::skip]
        let wanted = [
            1.0, 2.0, 2.0, 2.0,
            1.0, none, none, none,
            1.0, none, none, none,
        ];
        assert!(given.iter().zip(wanted).all(|(a, b)| *a == b || (a.is_nan() && b.is_nan())), "{given:?}");
        // A neighbour that covers the patch contributes its border and nothing inside.
        let all = Heightmap::from_fn(Domain::new(9, 9).with_spacing(0.1), |x, y| (10 * x + y) as f32);
        let given = heights_of(&patch(0.3, 0.4), &[&all]).unwrap();
        assert_eq!((given[0], given[3], given[11], given[5].is_nan()), (34.0, 64.0, 66.0, true));
    }

    #[test]
    fn maps_that_are_not_neighbours_are_rejected() {
        let refused = |domain: Domain, height: f32| {
            let map = Heightmap::constant(domain, height);
            heights_of(&patch(0.3, 1.0), &[&map]).unwrap_err()
        };
        let misfit = |misfit| SubdivideError::Neighbour { number: 0, misfit };
        assert_eq!(refused(patch(-0.1, 1.0), 1.0), misfit(Misfit::Apart));
        assert_eq!(refused(patch(0.05, 1.0), 1.0), misfit(Misfit::Between));
        assert_eq!(refused(patch(0.0, 1.0).with_spacing(0.2), 1.0), misfit(Misfit::Spacing));
        assert!(
            matches!(refused(patch(0.0, 1.0), f32::NAN), SubdivideError::Sample(bad) if bad.at == (0, 0))
        );
    }
}
