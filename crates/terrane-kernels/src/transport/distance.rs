//! The earth mover's distance of two terrains (Rubner, Tomasi & Guibas 2000, as in Velzel, section 3.1).

use terrane_grid::{Grid, Heightmap};

use super::flow::{FlowError, grid_flow};
use crate::Progress;

/// The cheapest transformation of one terrain into another.
#[derive(Clone, Debug, PartialEq)]
pub struct Transport {
    /// The distance: heights times world units.
    pub distance: f64,
    /// Total height moved: each unit counts once for every step between neighbouring samples.
    pub moved: f64,
    /// Total height created or removed.
    pub made: f64,
    /// Net height that each sample passes to its right neighbour.
    pub right: Heightmap,
    /// Net height that each sample passes to the one below.
    pub down: Heightmap,
}

/// The earth mover's distance from one terrain to another of the same size: the minimum of the sum of height
/// moved times L1 distance plus `sigma` times the height created or removed. It is exact, as a minimum-cost
/// flow between neighbours: any transport plan can be routed along neighbours at its own cost, and any flow
/// splits into such routes. Heights are first scaled to 62 bits, so that sums are integers: differences below
/// 2⁻⁶² of the total difference are lost.
///
/// `sigma` is in whole spacings, rounded up. If it is at least the L1 diameter of the map, as much height as
/// possible is moved, as in the original distance.
///
/// # Errors
/// [`FlowError`]; [`FlowError::Size`] for maps of different sizes, [`FlowError::Supply`] for heights that
/// are not finite.
pub fn earth_movers_distance(
    from: &Heightmap,
    to: &Heightmap,
    sigma: f64,
    progress: &dyn Progress,
) -> Result<Transport, FlowError> {
    let (width, height) = from.domain().size;
    if from.domain().size != to.domain().size {
        return Err(FlowError::Size);
    }
    let pairs = || from.samples().iter().zip(to.samples());
    let all: f64 = pairs().map(|(&a, &b)| (f64::from(a) - f64::from(b)).abs()).sum();
    if !all.is_finite() {
        return Err(FlowError::Supply);
    }
    // A power of two, so that heights lose no more bits than necessary.
    let bits = if all > 0.0 { 61 - libm::ilogb(all) } else { 0 };
    let unit = libm::ldexp(1.0, -bits);
    let supply: Vec<i64> =
        pairs().map(|(&a, &b)| libm::round(libm::ldexp(f64::from(a) - f64::from(b), bits)) as i64).collect();
    let steps = libm::ceil(sigma / from.spacing());
    let sigma = if steps >= 0.0 { steps.min(1.0e15) as i64 } else { -1 };
    let flow = grid_flow(width, height, &supply, sigma, &|| progress.check())?;
    let whole = |flow: &[i64]| {
        from.with_grid(Grid::from_vec(
            width,
            height,
            flow.iter().map(|&f| (f as f64 * unit) as f32).collect(),
        ))
    };
    let made: i128 = flow.outside.iter().map(|&f| i128::from(f).abs()).sum();
    let moved = flow.cost - made * i128::from(sigma);
    Ok(Transport {
        distance: flow.cost as f64 * unit * from.spacing(),
        moved: moved as f64 * unit,
        made: made as f64 * unit,
        right: whole(&flow.right),
        down: whole(&flow.down),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::{Domain, Seed};

    use super::*;
    use crate::Silent;

    fn noise(w: usize, h: usize, seed: u64) -> Heightmap {
        let lattice = Seed(seed).lattice();
        Heightmap::from_fn(Domain::new(w, h).with_spacing(0.5), |x, y| lattice.unit(x as i64, y as i64))
    }

    fn distance(a: &Heightmap, b: &Heightmap) -> f64 {
        let sigma = 2.0 * a.width().max(a.height()) as f64 * a.spacing();
        earth_movers_distance(a, b, sigma, &Silent).unwrap().distance
    }

    #[test]
    fn by_hand() {
        let map =
            |heights: &[f32]| Heightmap::from_vec(Domain::new(3, 1).with_spacing(0.5), heights.to_vec());
        let one =
            earth_movers_distance(&map(&[3.0, 0.0, 0.0]), &map(&[1.0, 0.0, 2.0]), 10.0, &Silent).unwrap();
        assert_eq!((one.distance, one.moved, one.made), (2.0, 4.0, 0.0));
        assert_eq!((one.right.samples(), one.down.samples()), (&[2.0, 2.0, 0.0][..], &[0.0; 3][..]));
        // The second map lacks one unit; the rest is moved.
        let less =
            earth_movers_distance(&map(&[3.0, 0.0, 0.0]), &map(&[0.0, 0.0, 2.0]), 10.0, &Silent).unwrap();
        assert_eq!((less.moved, less.made, less.distance), (4.0, 1.0, 2.0 + 10.0));
        // If creating is free, nothing is moved.
        let free =
            earth_movers_distance(&map(&[3.0, 0.0, 0.0]), &map(&[0.0, 0.0, 2.0]), 0.0, &Silent).unwrap();
        assert_eq!((free.moved, free.distance), (0.0, 0.0));
    }

    #[test]
    fn impossible_input_is_rejected() {
        let (a, b) = (noise(3, 3, 0), noise(3, 2, 0));
        assert_eq!(earth_movers_distance(&a, &b, 1.0, &Silent), Err(FlowError::Size));
        assert_eq!(earth_movers_distance(&a, &a, -1.0, &Silent), Err(FlowError::Sigma));
        assert_eq!(earth_movers_distance(&a, &a, f64::NAN, &Silent), Err(FlowError::Sigma));
        let hole = Heightmap::constant(a.domain(), f32::NAN);
        assert_eq!(earth_movers_distance(&a, &hole, 1.0, &Silent), Err(FlowError::Supply));
    }

    proptest! {
        #[test]
        fn it_is_a_metric(w in 1usize..9, h in 1usize..9, seeds in (0u64..99, 100u64..199, 200u64..299)) {
            let [a, b, c] = [seeds.0, seeds.1, seeds.2].map(|seed| noise(w, h, seed));
            let near = |x: f64, y: f64| (x - y).abs() <= 1e-12 * x.abs().max(1.0);
            prop_assert_eq!(distance(&a, &a), 0.0);
            prop_assert!(distance(&a, &b) > 0.0);
            prop_assert!(near(distance(&a, &b), distance(&b, &a)));
            prop_assert!(distance(&a, &c) <= (distance(&a, &b) + distance(&b, &c)) * (1.0 + 1e-12));
        }
    }
}
