use proptest::prelude::*;
use terrane_grid::{PlanarGraph, Seed, unit_f64};

use super::super::{hex_graph, identities, scattered, section, voronoi_graph};
use super::*;
use crate::Silent;

/// A row of fields, each adjacent to the next.
fn row(count: usize) -> Vec<Vec<u32>> {
    (0..count as u32)
        .map(|at| [at.wrapping_sub(1), at + 1].into_iter().filter(|&n| (n as usize) < count).collect())
        .collect()
}

/// This many identities.
fn any(count: usize) -> Vec<u64> {
    (0..count as u64).map(|field| Seed(field).part(3).0).collect()
}

#[test]
fn given_kinds_propagate() {
    // Lake touches only lake and lowland, mountain only mountain and lowland.
    let (beside, given, identities) = (row(5), [Some(0), None, None, None, Some(2)], any(5));
    let arguments = Assign {
        beside: &beside,
        identities: &identities,
        given: &given,
        weights: &[1.0, 1.0, 1.0],
        may_touch: &[0b011, 0b111, 0b110],
        seed: Seed(3),
    };
    let found = assign(&arguments).unwrap();
    assert_eq!((found[0], found[4]), (0, 2));
    assert!(found.contains(&1));
    let given = [Some(0), Some(2), None, None, None];
    let conflict = assign(&Assign { given: &given, ..arguments }).unwrap_err();
    assert_eq!(conflict, Conflict { field: 1, beside: vec![0, 2] });
}

#[test]
fn shares_match_weights_without_rules() {
    let (beside, identities) = (vec![Vec::new(); 4000], any(4000));
    let arguments = Assign {
        beside: &beside,
        identities: &identities,
        given: &[None; 4000],
        weights: &[1.0, 3.0, 0.0],
        may_touch: &[!0; 3],
        seed: Seed(1),
    };
    let found = assign(&arguments).unwrap();
    let ones = found.iter().filter(|&&kind| kind == 1).count();
    assert!((2850..3150).contains(&ones), "{ones}");
    assert!(!found.contains(&2));
}

#[test]
fn impossible_input_is_rejected() {
    // Three mutually adjacent fields, and two kinds that never touch themselves.
    let (beside, identities) = (vec![vec![1, 2], vec![0, 2], vec![0, 1]], any(3));
    let arguments = Assign {
        beside: &beside,
        identities: &identities,
        given: &[None; 3],
        weights: &[1.0, 1.0],
        may_touch: &[0b10, 0b01],
        seed: Seed(1),
    };
    assert!(assign(&arguments).is_err());
    // Nothing has a weight, and not all kinds are given.
    let given = [Some(0), None, None];
    let arguments = Assign { given: &given, weights: &[0.0], may_touch: &[1], ..arguments };
    assert_eq!(assign(&arguments).unwrap_err().field, 1);
}

/// Which fields share an edge, and the fields' identities.
fn fields(graph: &PlanarGraph) -> (Vec<Vec<u32>>, Vec<u64>) {
    let sections = section(graph).unwrap();
    let mut beside = vec![Vec::new(); sections.fields.len()];
    for pair in &sections.sides {
        if let [Some(a), Some(b)] = *pair {
            beside[a as usize].push(b);
            beside[b as usize].push(a);
        }
    }
    for near in &mut beside {
        near.sort_unstable();
        near.dedup();
    }
    let identities = identities(graph, &sections);
    (beside, identities)
}

/// Each kind may touch itself and its neighbours in the list.
fn chain(kinds: usize) -> Vec<u64> {
    (0..kinds)
        .map(|kind| (0..kinds).filter(|&other| kind.abs_diff(other) <= 1).fold(0, |b, k| b | 1 << k))
        .collect()
}

fn shares(found: &[u32], kinds: usize) -> Vec<f64> {
    let of_kind = |kind: usize| found.iter().filter(|&&other| other as usize == kind).count();
    (0..kinds).map(|kind| of_kind(kind) as f64 / found.len() as f64).collect()
}

fn check_rules(found: &[u32], beside: &[Vec<u32>], rules: &[u64]) {
    for (field, near) in beside.iter().enumerate() {
        for &other in near {
            let (a, b) = (found[field], found[other as usize]);
            assert!(rules[a as usize] >> b & 1 == 1 && rules[b as usize] >> a & 1 == 1, "{field} {other}");
        }
    }
}

/// The worst share over twenty seeds, relative to the requested one.
fn worst(graph: &PlanarGraph, weights: &[f64], rules: &[u64]) -> f64 {
    let (beside, identities) = fields(graph);
    let given = vec![None; beside.len()];
    let all: f64 = weights.iter().sum();
    let mut worst = 0.0f64;
    for seed in 0..20 {
        let arguments = Assign {
            beside: &beside,
            identities: &identities,
            given: &given,
            weights,
            may_touch: rules,
            seed: Seed(seed),
        };
        let found = assign(&arguments).unwrap();
        check_rules(&found, &beside, rules);
        for (share, weight) in shares(&found, weights.len()).iter().zip(weights) {
            worst = worst.max((share * all / weight - 1.0).abs());
        }
    }
    worst
}

/// Lake, plain, hill and mountain: rules that require the middle ones between the others. When fields with
/// the fewest kinds left were drawn one by one, there was no mountain among 900 hexagons.
#[test]
fn shares_approach_weights_under_rules() {
    let hexagons = hex_graph(30, 30, 10.0, 0.0, Seed(1)).unwrap();
    let sites = scattered(3000, (0.0, 0.0), (1000.0, 1000.0), Seed(2)).unwrap();
    let cells = voronoi_graph(&sites, (0.0, 0.0), (1000.0, 1000.0), &Silent).unwrap();
    let squares = super::super::grid_graph(30, 30, 10.0, 0.0, Seed(1)).unwrap();
    let weights = [1.0, 2.0, 1.0, 1.0];
    let found = [&hexagons, &cells, &squares].map(|graph| worst(graph, &weights, &chain(4)));
    println!("worst of a chain: {found:.3?}");
    assert!(found.iter().all(|&worst| worst < 0.33), "{found:?}");
    // A plain between three that never touch each other, and rules for only one kind.
    let star = [0b1111, 0b0011, 0b0101, 0b1001];
    let lakes = [0b0011, 0b1111, 0b1110, 0b1110];
    let found = [(&star, [2.0, 1.0, 1.0, 1.0]), (&lakes, [1.0; 4])].map(|(r, w)| worst(&hexagons, &w, r));
    println!("worst of a star and of lakes: {found:.3?}");
    assert!(found.iter().all(|&worst| worst < 0.33), "{found:?}");
}

/// A hexagon is split in two: fields far away stay the same.
#[test]
fn an_edit_reaches_a_few_fields() {
    let graph = hex_graph(30, 30, 10.0, 0.0, Seed(1)).unwrap();
    let assigned = |graph: &PlanarGraph, seed: u64, rules: &[u64]| {
        let (beside, identities) = fields(graph);
        let given = vec![None; beside.len()];
        let weights = [1.0, 2.0, 1.0, 1.0];
        let arguments = Assign {
            beside: &beside,
            identities: &identities,
            given: &given,
            weights: &weights,
            may_touch: rules,
            seed: Seed(seed),
        };
        let found = assign(&arguments).unwrap();
        identities.into_iter().zip(found).collect::<std::collections::BTreeMap<u64, u32>>()
    };
    for (rules, most) in [(vec![!0; 4], 0), (chain(4), 45)] {
        let before = assigned(&graph, 1, &rules);
        let sections = section(&graph).unwrap();
        let mut changes = Vec::new();
        for field in (7..900).step_by(41) {
            let nodes = &sections.fields[field].ring.nodes;
            let mut cut = graph.clone();
            cut.edges.push((nodes[0], nodes[3]));
            let after = assigned(&cut, 1, &rules);
            let same = before.iter().filter(|(field, _)| after.contains_key(field)).count();
            assert_eq!(same, 899, "all others keep their identities");
            changes
                .push(before.iter().filter(|(f, kind)| after.get(f).is_some_and(|now| now != *kind)).count());
        }
        println!("other fields of 900 that changed: {changes:?}");
        assert!(changes.iter().all(|&count| count <= most), "{changes:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn rules_hold_wherever_something_is_found(
        count in 1usize..40, pairs in proptest::collection::vec((0usize..40, 0usize..40), 0..80),
        rules in proptest::array::uniform4(0u64..16), seed: u64,
    ) {
        let mut beside = vec![Vec::new(); count];
        for (a, b) in pairs.into_iter().map(|(a, b)| (a % count, b % count)).filter(|(a, b)| a != b) {
            beside[a].push(b as u32);
            beside[b].push(a as u32);
        }
        let (given, identities) = (vec![None; count], any(count));
        let arguments = Assign {
            beside: &beside,
            identities: &identities,
            given: &given,
            weights: &[1.0, 2.0, 0.5, 1.0],
            may_touch: &rules,
            seed: Seed(seed),
        };
        match assign(&arguments) {
            Ok(found) => {
                check_rules(&found, &beside, &rules);
                prop_assert_eq!(&assign(&arguments).unwrap(), &found);
            }
            // Small enough for an exhaustive search, field by field.
            Err(_) => prop_assert!(count > 10 || !possible(&beside, &rules, &mut Vec::new())),
        }
    }

    /// Renumbering fields does not change their kinds.
    #[test]
    fn numbers_of_fields_do_not_matter(seed in 0u64..1000, order: u64) {
        let graph = hex_graph(7, 6, 10.0, 0.1, Seed(seed)).unwrap();
        let (beside, identities) = fields(&graph);
        let count = beside.len();
        let mut moved: Vec<u32> = (0..count as u32).collect();
        moved.sort_by(|a, b| {
            let key = |field: &u32| unit_f64(Seed(order).part((*field).into()).0);
            key(a).total_cmp(&key(b))
        });
        let position = |field: u32| moved.iter().position(|&other| other == field).unwrap();
        let given = vec![None; count];
        let rules = chain(4);
        let arguments = Assign {
            beside: &beside,
            identities: &identities,
            given: &given,
            weights: &[1.0, 2.0, 1.0, 1.0],
            may_touch: &rules,
            seed: Seed(seed),
        };
        let found = assign(&arguments).unwrap();
        let other_beside: Vec<Vec<u32>> = moved
            .iter()
            .map(|&field| beside[field as usize].iter().map(|&near| position(near) as u32).collect())
            .collect();
        let other_identities: Vec<u64> = moved.iter().map(|&field| identities[field as usize]).collect();
        let other =
            assign(&Assign { beside: &other_beside, identities: &other_identities, ..arguments }).unwrap();
        for (at, &field) in moved.iter().enumerate() {
            prop_assert_eq!(other[at], found[field as usize]);
        }
    }
}

/// Whether any assignment exists.
fn possible(beside: &[Vec<u32>], rules: &[u64], so_far: &mut Vec<u64>) -> bool {
    let field = so_far.len();
    if field == beside.len() {
        return true;
    }
    for kind in 0..rules.len() {
        let fits = |&other: &u32| match so_far.get(other as usize) {
            Some(&other) => rules[kind] >> other & 1 == 1 && rules[other as usize] >> kind & 1 == 1,
            None => true,
        };
        if beside[field].iter().all(fits) {
            so_far.push(kind as u64);
            if possible(beside, rules, so_far) {
                return true;
            }
            so_far.pop();
        }
    }
    false
}
