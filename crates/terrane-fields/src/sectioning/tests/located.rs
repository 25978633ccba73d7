//! Fields at positions, compared with the fields of samples.

use proptest::prelude::*;
use terrane_grid::Domain;
use terrane_paths::planar::turn;

use super::random::drawn;
use super::*;
use crate::stitch::{NONE, Outline, rasterise};

#[test]
fn places_in_a_ring_and_its_hole() {
    let nodes = [(0, 0), (9, 0), (9, 9), (0, 9), (3, 3), (6, 3), (6, 6), (3, 6)];
    let edges: Vec<(u32, u32)> = [closed(&[0, 1, 2, 3]), closed(&[4, 5, 6, 7])].concat();
    let graph = graph(&nodes, &edges);
    let sections = section(&graph).unwrap();
    let at = |positions: &[(f64, f64)]| locate(&graph, &sections, positions);
    assert_eq!(at(&[(1.0, 1.0), (5.0, 5.0), (5.0, 8.0), (20.0, 1.0)]), [Some(0), Some(1), Some(0), None]);
    // On edges: the side of larger x, or of larger y.
    assert_eq!(at(&[(3.0, 4.0), (6.0, 4.0), (4.0, 3.0), (4.0, 6.0)]), [Some(1), Some(0), Some(1), Some(0)]);
    assert_eq!(at(&[]), []);
}

proptest! {
    #[test]
    fn a_place_in_a_field_is_in_it(seed: u64, nodes in 4usize..60, lattice: bool) {
        let graph = drawn(seed, nodes, 0.7, lattice);
        let Ok(sections) = section(&graph) else { return Ok(()) };
        let positions: Vec<(f64, f64)> =
            sections.fields.iter().map(|field| place_in(&graph, field)).collect();
        let found = locate(&graph, &sections, &positions);
        prop_assert!(found.iter().zip(0..).all(|(found, field)| *found == Some(field)), "{positions:?} \
            {found:?}");
    }

    /// The same fields as for samples, except on the border to the outside, to which samples belong.
    #[test]
    fn places_are_where_samples_are(seed: u64, nodes in 4usize..60, lattice: bool) {
        let graph = drawn(seed, nodes, 0.7, lattice);
        let Ok(sections) = section(&graph) else { return Ok(()) };
        let outline = |field: &Field| Outline {
            rings: std::iter::once(&field.ring).chain(&field.holes).map(|ring| ring.nodes.clone()).collect(),
        };
        let outlines: Vec<Outline> = sections.fields.iter().map(outline).collect();
        let domain = Domain::new(21, 21).with_spacing(0.5).with_origin(-5.0, -5.0);
        let ids = rasterise(&graph, &outlines, &domain);
        let positions: Vec<(f64, f64)> =
            (0..21).flat_map(|row| (0..21).map(move |column| (domain.x(column), domain.y(row)))).collect();
        let found = locate(&graph, &sections, &positions);
        for (at, found) in found.iter().enumerate() {
            let sample = ids[(at % 21, at / 21)];
            if let Some(found) = found {
                prop_assert_eq!(*found, sample);
            } else {
                let on = |edge: usize| graph.ends(edge).is_some_and(|(a, b)| {
                    let (x, y) = positions[at];
                    turn(a, b, (x, y)) == 0.0
                        && (a.0.min(b.0)..=a.0.max(b.0)).contains(&x)
                        && (a.1.min(b.1)..=a.1.max(b.1)).contains(&y)
                });
                prop_assert!(sample == NONE || (0..graph.edges.len()).any(on));
            }
        }
    }
}
