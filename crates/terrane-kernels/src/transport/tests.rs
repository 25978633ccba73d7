//! Checks against a slow solver that shares no code with the fast one, and
//! against the optimality certificate where the slow one would take too long.

use pathfinding::prelude::{Matrix, kuhn_munkres_min};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::flow::{Flow, FlowError, grid_flow, short_sigma, solve};
use crate::Cancelled;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Random supplies from `-limit` to `limit`.
fn random_supply(random: &mut StdRng, cells: usize, limit: i64) -> Vec<i64> {
    (0..cells).map(|_| random.random_range(-limit..=limit)).collect()
}

/// An arc of the slow solver; arc `i ^ 1` is its reverse.
struct Arc {
    from: usize,
    to: usize,
    cost: i64,
    room: i64,
}

/// All arcs between neighbours and with the outside, which is the last node.
fn arcs(width: usize, height: usize, sigma: i64) -> Vec<Arc> {
    let mut list = Vec::new();
    let mut join = |a: usize, b: usize, cost: i64| {
        for (from, to) in [(a, b), (b, a)] {
            list.push(Arc { from, to, cost, room: i64::MAX / 4 });
            list.push(Arc { from: to, to: from, cost: -cost, room: 0 });
        }
    };
    for v in 0..width * height {
        if v % width + 1 < width {
            join(v, v + 1, 1);
        }
        if v + width < width * height {
            join(v, v + width, 1);
        }
        join(v, width * height, sigma);
    }
    list
}

/// Cheapest cost by successive shortest paths, each found by Bellman and Ford's
/// method from all surpluses at once.
fn slow_cost(width: usize, height: usize, supply: &[i64], sigma: i64) -> i128 {
    let mut list = arcs(width, height, sigma);
    let mut excess = supply.to_vec();
    excess.push(-supply.iter().sum::<i64>());
    let mut cost = 0;
    while excess.iter().any(|&e| e > 0) {
        let (distance, via) = shortest(&list, &excess);
        let sinks = (0..excess.len()).filter(|&v| excess[v] < 0);
        let Some(sink) = sinks.min_by_key(|&v| distance[v]) else {
            break;
        };
        let (mut amount, mut v) = (-excess[sink], sink);
        while let Some(i) = via[v] {
            amount = amount.min(list[i].room);
            v = list[i].from;
        }
        amount = amount.min(excess[v]);
        excess[v] -= amount;
        excess[sink] += amount;
        cost += i128::from(amount) * i128::from(distance[sink]);
        v = sink;
        while let Some(i) = via[v] {
            list[i].room -= amount;
            list[i ^ 1].room += amount;
            v = list[i].from;
        }
    }
    cost
}

/// Distance of every node from the nearest surplus, and the arc it came by.
fn shortest(list: &[Arc], excess: &[i64]) -> (Vec<i64>, Vec<Option<usize>>) {
    let far = i64::MAX / 4;
    let mut distance: Vec<i64> = excess.iter().map(|&e| if e > 0 { 0 } else { far }).collect();
    let mut via = vec![None; excess.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (i, arc) in list.iter().enumerate() {
            let offer = distance[arc.from] + arc.cost;
            if arc.room > 0 && distance[arc.from] < far && offer < distance[arc.to] {
                distance[arc.to] = offer;
                via[arc.to] = Some(i);
                changed = true;
            }
        }
    }
    (distance, via)
}

fn solved(width: usize, height: usize, supply: &[i64], sigma: i64) -> Result<Flow, FlowError> {
    grid_flow(width, height, supply, sigma, &|| Ok(()))
}

/// The outflow of each cell minus its inflow is its supply; nothing crosses the border; and the cost is
/// that of the flow.
fn assert_conserved(width: usize, supply: &[i64], sigma: i64, flow: &Flow) {
    let mut net: Vec<i128> = flow.outside.iter().map(|&f| i128::from(f)).collect();
    let mut cost = net.iter().map(|f| i128::from(sigma) * f.abs()).sum::<i128>();
    for (v, (&right, &down)) in flow.right.iter().zip(&flow.down).enumerate() {
        for (to, amount) in [(v + 1, i128::from(right)), (v + width, i128::from(down))] {
            if amount != 0 {
                net[v] += amount;
                net[to] -= amount;
                cost += amount.abs();
            }
        }
        assert!(right == 0 || (v + 1) % width != 0, "flow past the right border");
    }
    let supply: Vec<i128> = supply.iter().map(|&s| i128::from(s)).collect();
    assert_eq!(net, supply);
    assert_eq!(cost, flow.cost);
}

fn assert_optimal(width: usize, height: usize, supply: &[i64], sigma: i64) -> Result<(), FlowError> {
    let flow = solved(width, height, supply, sigma)?;
    assert_conserved(width, supply, sigma, &flow);
    let want = slow_cost(width, height, supply, sigma);
    assert_eq!(flow.cost, want, "{width} x {height}, sigma {sigma}, {supply:?}");
    Ok(())
}

#[test]
fn agrees_with_the_slow_solver_on_all_small_grids() -> Result<(), FlowError> {
    let mut random = StdRng::seed_from_u64(1);
    for (width, height) in (1..=6).flat_map(|w| (1..=6).map(move |h| (w, h))) {
        for sigma in [0, 1, 2, 3, 5, 12, 1000] {
            for limit in [1, 3, 1000] {
                let supply = random_supply(&mut random, width * height, limit);
                assert_optimal(width, height, &supply, sigma)?;
            }
        }
    }
    Ok(())
}

#[test]
fn agrees_with_the_slow_solver_on_lines() -> Result<(), FlowError> {
    let mut random = StdRng::seed_from_u64(2);
    for length in 1..=24 {
        for sigma in [0, 2, 7, 48] {
            let supply = random_supply(&mut random, length, 9);
            assert_optimal(length, 1, &supply, sigma)?;
            assert_optimal(1, length, &supply, sigma)?;
        }
    }
    Ok(())
}

#[test]
fn agrees_with_the_slow_solver_on_sparse_and_one_sided_supplies() -> Result<(), FlowError> {
    let mut random = StdRng::seed_from_u64(3);
    for case in 0..200 {
        let mut supply = vec![0; 36];
        for _ in 0..1 + case % 5 {
            supply[random.random_range(..36_usize)] += random.random_range(-50..=50);
        }
        assert_optimal(6, 6, &supply, 1 + case as i64 % 12)?;
        let one_sided: Vec<i64> = supply.iter().map(|s| -s.abs()).collect();
        assert_optimal(6, 6, &one_sided, 1 + case as i64 % 12)?;
    }
    Ok(())
}

/// Checks larger grids by duality: the potentials obey the steepness rule and are worth as much as the flow
/// costs, which proves both optimal.
#[test]
fn potentials_certify_larger_grids() -> Result<(), FlowError> {
    let mut random = StdRng::seed_from_u64(4);
    for (width, height, sigma) in [(40, 31, 80), (17, 64, 9), (90, 2, 200), (33, 33, 3)] {
        let supply = random_supply(&mut random, width * height, 1 << 40);
        let flow = solved(width, height, &supply, sigma)?;
        assert_conserved(width, &supply, sigma, &flow);
        let used = short_sigma(width, height, sigma);
        let potential = solve(width, height, &supply, used, &|| Ok(()))?.potentials();
        assert!(potential.iter().all(|p| p.abs() <= used));
        for row in potential.chunks(width) {
            assert!(row.windows(2).all(|pair| (pair[0] - pair[1]).abs() <= 1));
        }
        for (upper, lower) in potential.iter().zip(potential.iter().skip(width)) {
            assert!((upper - lower).abs() <= 1);
        }
        let pairs = supply.iter().zip(&potential);
        let worth: i128 = pairs.map(|(&s, &p)| i128::from(s) * i128::from(p)).sum();
        // Where sigma was limited, only the imbalance pays the difference.
        let imbalance: i128 = supply.iter().map(|&s| i128::from(s)).sum();
        let rest = i128::from(sigma - i64::from(used)) * imbalance.abs();
        assert_eq!(worth + rest, flow.cost);
    }
    Ok(())
}

#[test]
fn gives_the_same_flow_each_time() {
    let supply = random_supply(&mut StdRng::seed_from_u64(5), 30 * 20, 1000);
    assert_eq!(solved(30, 20, &supply, 60), solved(30, 20, &supply, 60));
}

#[test]
fn carries_the_largest_supplies() -> Result<(), FlowError> {
    let half = i64::MAX / 2;
    let flow = solved(3, 1, &[half, 0, -half], i64::MAX)?;
    assert_eq!(flow.cost, 2 * i128::from(half));
    let flow = solved(2, 1, &[i64::MAX, 0], i64::MAX)?;
    assert_eq!(flow.cost, i128::from(i64::MAX) * i128::from(i64::MAX));
    Ok(())
}

#[test]
fn accepts_an_empty_grid_and_rejects_bad_input() -> Result<(), FlowError> {
    assert_eq!(solved(0, 3, &[], 1)?.cost, 0);
    let refused = |w, h, s: &[i64], sigma| grid_flow(w, h, s, sigma, &|| Ok(())).is_err();
    assert!(refused(2, 2, &[0; 3], 1));
    assert!(refused(1, 2, &[1, -1], -1));
    assert!(refused(1, 2, &[i64::MAX, 1], 1));
    assert!(refused(1, 1, &[i64::MIN], 1));
    assert!(refused(usize::MAX, 2, &[], 1));
    Ok(())
}

#[test]
fn stops_when_no_longer_alive() {
    let supply = random_supply(&mut StdRng::seed_from_u64(6), 64 * 64, 1000);
    let asked = AtomicU32::new(0);
    let alive = || if asked.fetch_add(1, Relaxed) >= 5 { Err(Cancelled) } else { Ok(()) };
    assert_eq!(grid_flow(64, 64, &supply, 128, &alive), Err(FlowError::Cancelled));
    assert_eq!(asked.into_inner(), 6);
}

/// Compares with a plan between all pairs of samples, by the distance's definition. Every unit is a row or a
/// column of an assignment with L1 distances as costs, and the outside provides the units that one side
/// lacks.
#[test]
fn agrees_with_a_dense_plan() -> Result<(), FlowError> {
    let mut random = StdRng::seed_from_u64(7);
    for (width, height) in [(3, 2), (5, 5), (9, 9), (17, 17)] {
        let sigma = 2 * width as i64;
        let supply = random_supply(&mut random, width * height, 1);
        let (mut from, mut to): (Vec<_>, Vec<_>) =
            (units_of(&supply, 1).map(Some).collect(), units_of(&supply, -1).map(Some).collect());
        let all = from.len().max(to.len());
        from.resize(all, None);
        to.resize(all, None);
        let cost = |a: Option<usize>, b: Option<usize>| match (a, b) {
            (Some(a), Some(b)) => ((a % width).abs_diff(b % width) + (a / width).abs_diff(b / width)) as i64,
            _ => sigma,
        };
        let weights = Matrix::from_fn(all, all, |(row, column)| cost(from[row], to[column]));
        let (dense, _) = kuhn_munkres_min(&weights);
        assert_eq!(solved(width, height, &supply, sigma)?.cost, i128::from(dense), "{width} x {height}");
    }
    Ok(())
}

/// The cells whose supply has the given sign.
fn units_of(supply: &[i64], sign: i64) -> impl Iterator<Item = usize> {
    (0..supply.len()).filter(move |&at| supply[at] * sign > 0)
}
