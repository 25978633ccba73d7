//! Rivers that join deeper ones, compared with a slow reference.

use proptest::prelude::*;

use super::bed::{Shape, network_points};
use super::junction::tapered;
use super::networks::{cases, edges_of};
use super::water::{Water, Ways};
use super::*;

const FALL: f64 = 0.01;

/// All points that a point's water passes: itself and those downstream; and the distance of each.
fn down(ways: &Ways, point: usize) -> Vec<(usize, f64)> {
    std::iter::successors(Some((point, 0.0)), |&(at, way)| ways.to[at].map(|(to, far)| (to, way + far)))
        .collect()
}

/// The lowering of each point, from the definition. A drop is how much lower a bed is than the water of one
/// route alone needs. The maximum lowering within all bounds is found by lowering bounds until nothing
/// changes.
fn reference(water: &Water, ways: &Ways, beds: &[f64], taper: Taper) -> Vec<f64> {
    let all = 0..beds.len();
    let downs: Vec<Vec<(usize, f64)>> = all.clone().map(|point| down(ways, point)).collect();
    let cut =
        |point: usize| if water.most[point].is_finite() { water.most[point] - beds[point] } else { 0.0 };
    // The maximum height of the bed at `to`, as limited by the water that arrives through `point` and by the
    // ground there.
    let alone = |point: usize, to: usize| {
        let asks = |source: usize| {
            let by = downs[source].iter().any(|down| down.0 == point);
            let far = downs[source].iter().find(|down| down.0 == to).map(|down| down.1);
            far.filter(|_| by).map(|far| water.most[source] - FALL * far)
        };
        all.clone().filter_map(asks).fold(water.most[to], f64::min)
    };
    // Differences below rounding count as 0.
    let drop =
        |point: usize| ways.to[point].map(|(to, _)| alone(point, to) - beds[to]).filter(|drop| *drop > 1e-9);
    let drops: Vec<f64> = all.clone().map(|point| drop(point).unwrap_or(0.0)).collect();
    let room = |point: usize| downs[point].iter().map(|down| cut(down.0)).fold(0.0, f64::max) - cut(point);
    // Distance to the nearest junction downstream with a drop; the whole lowering applies up to `level`
    // from there.
    let junction = |point: usize| {
        let last = downs[point].iter().find(|down| drops[down.0] > 0.0);
        last.and_then(|down| ways.to[down.0].map(|to| down.1 + to.1))
    };
    let left = |point: usize, far: f64| {
        let Some(way) = junction(point) else { return 0.0 };
        let fades = (way - taper.level).max(0.0) - (way - far - taper.level).max(0.0);
        libm::exp(-fades / taper.length)
    };
    let mut lowered: Vec<f64> = all.clone().map(room).collect();
    for _ in all.clone() {
        for point in all.clone() {
            let most = |(to, far): (usize, f64)| (lowered[to] + drops[point]) * left(point, far);
            lowered[point] = lowered[point].min(ways.to[point].map_or(0.0, most));
        }
    }
    lowered
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    /// For any network: beds are lowered as in the reference, and run down from every point. They are cut
    /// nowhere deeper than downstream, and so no deeper in total. They are steeper by at most the drop over
    /// the length. They keep their bits where no route joins a deeper one.
    #[test]
    fn beds_come_down_to_deeper_ones(
        case in cases(),
        deepest in prop_oneof![Just(f64::INFINITY), 0.0..60.0f64],
        length in prop_oneof![Just(20.0), 0.5..200.0f64],
        level in prop_oneof![Just(0.0), 0.0..20.0f64],
    ) {
        let edges = edges_of(&case.graph);
        let network = Network::new(&edges, &case.nodes);
        let shares = shares(&network, 3.0);
        let taper = Taper { level, length };
        let shape = Shape { size: -5.0, fall: FALL, deepest, taper };
        let water =
            network_points(&network, &shares, [Vec::new(), case.most.clone()], &shape, &Silent).unwrap();
        let ways = water.ways(&water.lakes(deepest, &Silent).unwrap(), &Silent).unwrap();
        let beds = water.highest(&ways, FALL);
        let tapered = tapered(&water, &ways, &beds, FALL, taper);
        let reference = reference(&water, &ways, &beds, taper);
        let lowered = |point: usize| if beds[point].is_finite() { beds[point] - tapered[point] } else { 0.0 };
        let known = |beds: &[f64], point: usize| {
            if water.most[point].is_finite() { water.most[point] - beds[point] } else { 0.0 }
        };
        for point in 0..beds.len() {
            prop_assert!(
                (lowered(point) - reference[point]).abs() < 1e-9,
                "{point}: {} {}",
                lowered(point),
                reference[point]
            );
            prop_assert!(tapered[point] <= beds[point]);
            let down = down(&ways, point);
            let most = down.iter().map(|down| known(&beds, down.0)).fold(0.0, f64::max);
            prop_assert!(known(&tapered, point) <= most + 1e-9);
            let Some((to, far)) = ways.to[point] else {
                prop_assert!(tapered[point].to_bits() == beds[point].to_bits());
                continue;
            };
            prop_assert!(tapered[to] <= tapered[point] && tapered[to] <= tapered[point] - FALL * far + 1e-9);
            // No other route joins downstream of this point, except at its end.
            let joins = down.windows(2).any(|pair| {
                (0..beds.len())
                    .any(|other| other != pair[0].0 && ways.to[other].is_some_and(|way| way.0 == pair[1].0))
            });
            prop_assert!(joins || tapered[point].to_bits() == beds[point].to_bits());
            // Unless there is no room, the bed gets steeper than without a drop by at most the lowering
            // over the length.
            let drop = (water.most[to].min(beds[point] - FALL * far) - beds[to]).max(0.0);
            let room = most - known(&beds, point);
            let above = lowered(to) + drop;
            prop_assert!(
                lowered(point) >= room - 1e-9 || above - lowered(point) <= above * far / length + 1e-9
            );
        }
        let greatest = |beds: &[f64]| (0..beds.len()).map(|point| known(beds, point)).fold(0.0, f64::max);
        prop_assert!((greatest(&tapered) - greatest(&beds)).abs() < 1e-9);
    }
}

/// A river out of a hollow, and one that joins it, by hand.
#[test]
fn a_river_comes_down_to_a_gorge() {
    let graph = PlanarGraph {
        nodes: vec![(0.0, 0.0), (20.0, 0.0), (40.0, 0.0), (50.0, 0.0)],
        edges: vec![(0, 1), (1, 2), (1, 3)],
    };
    // All on one line, so that they are in the order of their ends: from the hollow to the junction, from
    // there to the border, and the tributary.
    let edges = edges(&graph, &[0, 1, 2]);
    let node = |ground: f64, leaves: Leaves| Node { ground, leaves };
    let known = BTreeMap::from([
        (0, node(10.0, Leaves::No)),
        (1, node(24.0, Leaves::No)),
        (2, node(14.0, Leaves::Border)),
        (3, node(26.0, Leaves::No)),
    ]);
    let of = |hill: f64| {
        let network = Network::new(&edges, &known);
        let taper = Taper { level: 2.0, length: 10.0 };
        let shape = Shape { size: -4.0, fall: 0.0, deepest: f64::INFINITY, taper };
        let most = vec![(0, 10.0, 15.0), (2, 2.0, 20.0), (2, 12.0, hill), (2, 22.0, 24.0)];
        beds(&network, &shares(&network, 10.0), [Vec::new(), most], &shape, &Silent).unwrap()
    };
    // The hollow of 10 needs the bed at the junction to be 10 lower than the 20 that it would be.
    let found = of(21.0);
    assert_eq!(found[0], [(0.0, 10.0), (10.0, 10.0), (20.0, 10.0)]);
    assert_eq!(found[1], [(0.0, 10.0), (20.0, 10.0)]);
    // The tributary is lowered by the whole 10 for 2 units. From there on the lowering decays to 1/e over
    // every 10 units.
    let lowered = |points: &bed::Heights, at: usize, bed: f64| bed - points[at].1;
    let e = libm::exp(1.0);
    for (at, bed, wanted) in [(1, 20.0, 10.0), (2, 21.0, 10.0 / e), (3, 24.0, 10.0 / e / e)] {
        assert!((lowered(&found[2], at, bed) - wanted).abs() < 1e-12, "{at}: {:?}", found[2]);
    }
    // A hill of 33 on its way is cut by 9 for the 24 above, and by no more than the 10 at the junction.
    let found = of(33.0);
    assert_eq!((lowered(&found[2], 1, 20.0), found[2][2], found[2][3].1 < 24.0), (10.0, (12.0, 23.0), true));
}

/// With the node's defaults, on ground of 50 with a hollow of 42 that a river leaves. A tributary descends by
/// 8 without a step. One width upstream of the level middle, 1/e of the 8 is left.
#[test]
fn a_junction_is_no_waterfall() {
    let nodes = vec![
        (0.0, 0.0),
        (200.0, 0.0),
        (200.0, 100.0),
        (200.0, 200.0),
        (0.0, 200.0),
        (20.0, 100.0),
        (100.0, 100.0),
        (100.0, 180.0),
    ];
    let edges = vec![(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (5, 6), (6, 2), (6, 7)];
    let graph = PlanarGraph { nodes, edges };
    let map = Heightmap::from_fn(Domain::new(201, 201), |x, _| if x < 60 { 42.0 } else { 50.0 });
    let (out, mask) = trace(&map, &graph, &outlines(&graph), &feature(&[5, 6, 7]), &Silent).unwrap();
    let bed = |y: usize| f64::from(out[(100, y)]);
    // The hollow's bed is at 37, and falls by 0.001 a unit; a size of 5 less is 45.
    assert!((bed(100) - 37.0).abs() < 0.1 && (bed(150) - 45.0).abs() < 1.0, "{} {}", bed(100), bed(150));
    let drop = 45.0 - bed(102);
    assert!(((45.0 - bed(122)) / drop - libm::exp(-19.5 / 20.0)).abs() < 0.01, "{}", bed(122));
    // A drop of 8 over a width of 20 is 0.4 a sample, at its steepest.
    let steepest = (100..158).map(|y| bed(y + 1) - bed(y)).fold(0.0, f64::max);
    assert!((0.3..=0.41).contains(&steepest) && (100..158).all(|y| mask[(100, y)] == 1.0), "{steepest}");
}
