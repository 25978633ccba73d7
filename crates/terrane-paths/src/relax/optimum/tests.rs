use super::*;

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{a} is not {b}");
}

#[test]
fn no_constraint_changes_nothing() {
    let result = solve(2, 1, 1.0, &[0.0, 5.0], &Requirements::default(), &crate::Silent);
    assert_eq!(result.map(|r| r.heights), Ok(vec![0.0, 5.0]));
}

#[test]
fn a_raised_sample_takes_from_its_free_neighbours() -> Result<(), OptimumError> {
    let positions = vec![Position { sample: 4, height: 0.4 }];
    let requirements = Requirements { positions, ..Requirements::default() };
    let result = solve(3, 3, 2.0, &[0.0; 9], &requirements, &crate::Silent)?;
    close(result.cost, 0.8);
    close(result.heights[1], -0.1);
    close(result.heights.iter().sum(), 0.0);
    Ok(())
}

#[test]
fn creation_pays_where_no_sample_is_free() -> Result<(), OptimumError> {
    let positions = vec![Position { sample: 0, height: 0.4 }];
    let creation = Creation { samples: vec![0], cost: 3.0 };
    let requirements = Requirements { positions, creation, ..Requirements::default() };
    let result = solve(1, 1, 1.0, &[0.1], &requirements, &crate::Silent)?;
    close(result.cost, 0.9);
    close(result.created, 0.3);
    Ok(())
}

/// Earth goes from one end of a row of fixed heights to the other, or is exported and imported where that is
/// farther than twice the cost of creation.
#[test]
fn creation_pays_beyond_twice_its_cost() -> Result<(), OptimumError> {
    for (side, cost) in [(8, 3.0), (8, 3.5), (8, 4.0), (6, 2.0), (6, 3.0)] {
        let mut given = vec![0.0; side];
        given[0] = 1.0;
        let wanted = |sample: usize| if sample + 1 == side { 1.0 } else { 0.0 };
        let positions = (0..side).map(|sample| Position { sample, height: wanted(sample) }).collect();
        let creation = Creation { samples: (0..side).collect(), cost };
        let requirements = Requirements { positions, creation, ..Requirements::default() };
        let result = solve(side, 1, 1.0, &given, &requirements, &crate::Silent)?;
        let apart = (side - 1) as f64;
        close(result.cost, apart.min(2.0 * cost));
    }
    Ok(())
}

#[test]
fn without_creation_a_lone_position_is_infeasible() {
    let positions = vec![Position { sample: 0, height: 0.4 }, Position { sample: 1, height: 0.4 }];
    let requirements = Requirements { positions, ..Requirements::default() };
    assert_eq!(solve(2, 1, 1.0, &[0.1, 0.1], &requirements, &crate::Silent), Err(OptimumError::Infeasible));
}

#[test]
fn a_peak_sinks_as_computed_by_hand() -> Result<(), OptimumError> {
    // Lowering sample 0 by y into its two neighbours reduces each slope by 1.5 y for a cost of spacing * y;
    // nothing else is as cheap.
    let gradients = vec![GradientLimit { sample: 0, limit: 0.1 }];
    let requirements = Requirements { gradients, ..Requirements::default() };
    let result = solve(2, 2, 2.0, &[1.0, 0.0, 0.0, 0.0], &requirements, &crate::Silent)?;
    let y = (1.0 - 0.2 / f64::sqrt(2.0)) / 1.5;
    close(result.cost, 2.0 * y);
    close(result.lower_bound, 2.0 * y);
    close(result.heights[0], 1.0 - y);
    close(result.heights[1], y / 2.0);
    Ok(())
}

#[test]
fn a_direction_limits_only_its_own_slope() -> Result<(), OptimumError> {
    let directions = vec![DirectionLimit { sample: 0, limit: 0.0, direction: [1.0, 0.0] }];
    let requirements = Requirements { directions, ..Requirements::default() };
    let result = solve(2, 2, 1.0, &[1.0, 0.0, 0.0, 0.0], &requirements, &crate::Silent)?;
    close(result.heights[0], result.heights[1]);
    close(result.cost, 0.5);
    Ok(())
}

#[test]
fn bad_input_is_rejected() {
    let bad = |r: Result<Optimum, OptimumError>| assert!(matches!(r, Err(OptimumError::Input(_))));
    bad(solve(2, 2, 1.0, &[0.0; 3], &Requirements::default(), &crate::Silent));
    bad(solve(2, 2, 0.0, &[0.0; 4], &Requirements::default(), &crate::Silent));
    let gradients = vec![GradientLimit { sample: 4, limit: 0.1 }];
    bad(solve(2, 2, 1.0, &[0.0; 4], &Requirements { gradients, ..Requirements::default() }, &crate::Silent));
}

/// The thesis's own formulation: a transport plan from every sample to every other one, on a patch of 4 x 4.
#[test]
fn agrees_with_a_dense_plan() -> Result<(), OptimumError> {
    use super::program::{Linear, Program};

    let (side, spacing) = (4usize, 0.5);
    let lattice = terrane_grid::Seed(3).lattice();
    let given: Vec<f64> = (0..16).map(|at| f64::from(lattice.unit(at % 4, at / 4))).collect();
    let gradients: Vec<GradientLimit> =
        [5, 6, 9].map(|sample| GradientLimit { sample, limit: 0.05 }).to_vec();
    let directions = vec![DirectionLimit { sample: 10, limit: 0.1, direction: [0.6, 0.8] }];
    let requirements = Requirements { gradients, directions, ..Requirements::default() };
    let found = solve(side, side, spacing, &given, &requirements, &crate::Silent)?;

    let mut dense = Program::default();
    let term = |v: usize, factor: f64| Linear { terms: vec![(v, factor)], constant: 0.0 };
    let heights: Vec<usize> = (0..16).map(|_| dense.variable(0.0)).collect();
    let mut sent: Vec<Linear> = given.iter().map(|&l| Linear { terms: vec![], constant: -l }).collect();
    let mut come: Vec<Linear> = heights.iter().map(|&h| term(h, -1.0)).collect();
    for (from, sent) in sent.iter_mut().enumerate() {
        for (to, come) in come.iter_mut().enumerate() {
            let apart = (from % 4).abs_diff(to % 4) + (from / 4).abs_diff(to / 4);
            let flow = dense.positive_variable(apart as f64 * spacing);
            sent.add(1.0, &term(flow, 1.0));
            come.add(1.0, &term(flow, 1.0));
        }
    }
    dense.zero.extend(sent);
    dense.zero.extend(come);
    let rise = |to: usize, at: usize| {
        let mut rise = term(heights[to], 1.0 / spacing);
        rise.add(-1.0 / spacing, &term(heights[at], 1.0));
        rise
    };
    let quadrants = |at: usize| [(at + 1, at + 4), (at - 1, at + 4), (at + 1, at - 4), (at - 1, at - 4)];
    for at in [5usize, 6, 9] {
        for (x, y) in quadrants(at) {
            dense.cones.extend([Linear { terms: vec![], constant: 0.05 }, rise(x, at), rise(y, at)]);
        }
    }
    for (x, y) in quadrants(10) {
        let mut slope = rise(x, 10).times(if x == 11 { 0.6 } else { -0.6 });
        slope.add(if y == 14 { 0.8 } else { -0.8 }, &rise(y, 10));
        for sign in [1.0, -1.0] {
            let mut row = slope.times(sign);
            row.constant += 0.1;
            dense.positive.push(row);
        }
    }
    let dense = dense.solve(std::sync::Arc::default())?;
    assert!((found.cost - dense.cost).abs() <= 1e-5 * dense.cost, "{} {}", found.cost, dense.cost);
    assert!(found.cost > 0.01 && found.lower_bound <= found.cost * (1.0 + 1e-6));
    Ok(())
}

/// Cancels at its first check.
struct Never;

impl Progress for Never {
    fn report(&self, _share: f64) -> Result<(), terrane_kernels::Cancelled> {
        Err(terrane_kernels::Cancelled)
    }

    fn check(&self) -> Result<(), terrane_kernels::Cancelled> {
        Err(terrane_kernels::Cancelled)
    }
}

#[test]
fn after_a_cancel_the_next_optimum_is_the_same() -> Result<(), OptimumError> {
    let side = 33;
    let lattice = terrane_grid::Seed(5).lattice();
    let given: Vec<f64> = (0..side * side).map(|at| f64::from(lattice.unit(at % 33, at / 33))).collect();
    let gradients: Vec<GradientLimit> =
        (400..430).map(|sample| GradientLimit { sample, limit: 0.05 }).collect();
    let requirements = Requirements { gradients, ..Requirements::default() };
    let run =
        |progress: &dyn Progress| solve(side as usize, side as usize, 1.0, &given, &requirements, progress);
    let first = run(&crate::Silent)?;
    for _ in 0..3 {
        assert!(matches!(run(&Never), Err(OptimumError::Cancelled)));
    }
    assert_eq!(run(&crate::Silent)?.heights, first.heights);
    Ok(())
}
