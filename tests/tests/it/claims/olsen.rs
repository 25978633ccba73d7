//! Claims of OlsenErosion's page.

use terrane::kernels::metric::{SlopeKind, slope_map, statistics};

use super::*;

#[test]
fn mass_is_conserved() {
    for ground in grounds() {
        for scheme in ["Text", "Published"] {
            let [before, after] = eroded(&ground, &format!("OlsenErosion(height: \"g\", scheme: {scheme})"));
            let (created, bound) = ((mass(&after) - mass(&before)).abs(), rounding(&before, 50));
            assert!(created <= bound, "{} {scheme}: {created} of {bound}", ground.name);
        }
    }
}

/// The default talus is 1.2 times the mean slope: the number, computed here, gives the bits of the default.
#[test]
fn the_default_talus_follows_from_the_mean_slope() {
    for ground in grounds() {
        let run = |more: &str| eroded(&ground, &format!("OlsenErosion(height: \"g\"{more})"));
        let [before, after] = run("");
        let talus = 1.2 * statistics(&slope_map(&before.0, SlopeKind::Olsen, Boundary::Open)).mean;
        assert_eq!(run(&format!(", talus: {talus:?}"))[1].samples(), after.samples(), "{}", ground.name);
    }
}

#[test]
fn fifty_iterations_reach_most_of_the_score() {
    for ground in grounds() {
        let score = |iterations: u32| {
            let node = format!("OlsenErosion(height: \"g\", iterations: {iterations})");
            score(&eroded(&ground, &node)[1])
        };
        let part = score(50) / score(1000);
        assert!((0.7..1.0).contains(&part), "{}: {part}", ground.name);
    }
}

#[test]
fn the_published_scheme_has_a_lower_score() {
    for ground in grounds() {
        let run = |scheme: &str| {
            score(&eroded(&ground, &format!("OlsenErosion(height: \"g\", scheme: {scheme})"))[1])
        };
        assert!(run("Published") < run("Text"), "{}", ground.name);
    }
}

/// The share of samples that stand more than one spacing above their four neighbours along the axes, and did
/// not before.
fn needles([before, after]: &[Arc<Map>; 2]) -> f64 {
    let needle = |at: &(usize, usize)| {
        let [was, is] = [before, after].map(|map| prominence(map, *at, &AXES).0);
        is > was.max(before.spacing() as f32)
    };
    samples().filter(needle).count() as f64 / (SIDE * SIDE) as f64
}

#[test]
fn needles_of_the_papers_rule_are_removed() {
    for ground in grounds() {
        assert_eq!(needles(&eroded(&ground, "OlsenErosion(height: \"g\")")), 0.0, "{}", ground.name);
        let kept = needles(&eroded(&ground, "OlsenErosion(height: \"g\", needles: Keep)"));
        if ["ridges", "rough", "cells"].iter().any(|kind| ground.name.starts_with(kind)) {
            assert!((0.005..0.03).contains(&kept), "{}: {kept}", ground.name);
        }
    }
}
