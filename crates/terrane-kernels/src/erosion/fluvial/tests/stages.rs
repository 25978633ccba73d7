//! Erosion in stages that continue one another.

use super::*;

/// Continues the erosion `before`, which started from `start`, with the parameters `p`.
fn continued(start: &Heightmap, before: &Rivers, p: &Fluvial<'_>) -> Rivers {
    let p = Fluvial { ideal: Some(start), hold: ScalarMap::Map(&before.hold), ..*p };
    fluvial_erosion(&before.height, &p, Seed(4), &Silent, None).unwrap()
}

/// Compares the state that the next stage starts from, and the drainage. Gorges are not compared, since they
/// are counted per stage.
fn assert_same(a: &Rivers, b: &Rivers, what: &str) {
    for (name, a, b) in [
        ("height", &a.height, &b.height),
        ("hold", &a.hold, &b.hold),
        ("water", &a.water, &b.water),
        ("drainage", &a.drainage, &b.drainage),
        ("receivers", &a.receivers, &b.receivers),
    ] {
        assert!(
            a.samples().iter().map(|h| h.to_bits()).eq(b.samples().iter().map(|h| h.to_bits())),
            "{what}: {name}"
        );
    }
}

/// Several stages equal one erosion with as many iterations: two stages of 50, for example, equal 100. This
/// holds for both solvers and all borders, with outlets, a talus, noise and gorges, on hills and on real
/// ground.
#[test]
fn stages_equal_one_erosion() {
    let real = elevation_models().remove(0);
    let real_low = range(&real).0;
    let maps = [(hills(70, 53, 3), 0.0), (hills(41, 300, 5), 0.0), (real, real_low + 10.0)];
    let mut cut = 0.0f32;
    for (map, sea_level) in &maps {
        let (iterations, pieces): (u32, &[&[u32]]) = match map.width() {
            70 => (100, &[&[50, 50], &[1, 98, 1]]),
            41 => (30, &[&[10, 15, 5]]),
            _ => (20, &[&[10, 10]]),
        };
        let mask =
            Heightmap::from_fn(map.domain(), |x, y| if x == 20 && y > 15 && y < 30 { 1.0 } else { 0.0 });
        for solver in [Solver::Explicit, Solver::Implicit] {
            for (border, outlets, talus, boundary) in [
                (Border::Wall, None, None, Boundary::Open),
                (Border::Outflow, Some(&mask), Some(1.5), Boundary::Open),
                (Border::Fixed, None, Some(0.6), Boundary::Open),
                (Border::Fixed, Some(&mask), None, Boundary::Open),
                (Border::Wall, None, None, Boundary::Wrap),
            ] {
                let p = Fluvial {
                    solver,
                    outlets,
                    boundary,
                    sea_level: *sea_level,
                    border: Sides::all(border),
                    diagonals: solver == Solver::Implicit,
                    talus: talus.map(ScalarMap::Constant),
                    unevenness: 0.3,
                    valley_width: (map.width() == 41).then_some(2.6 * map.spacing()),
                    ..parameters(iterations)
                };
                let whole = fluvial_erosion(map, &p, Seed(4), &Silent, None).unwrap();
                cut = whole.hold.samples().iter().fold(cut, |most, hold| most.max(1.0 - hold));
                for pieces in pieces {
                    let mut stage: Option<Rivers> = None;
                    for &iterations in *pieces {
                        let p = Fluvial { iterations, ..p };
                        stage = Some(match &stage {
                            None => fluvial_erosion(map, &p, Seed(4), &Silent, None).unwrap(),
                            Some(before) => continued(map, before, &p),
                        });
                    }
                    let what =
                        format!("{:?} {solver:?} {border:?} {boundary:?} {pieces:?}", map.domain().size);
                    assert_same(&stage.unwrap(), &whole, &what);
                }
            }
        }
    }
    // Gorges have weakened the gradient strength. Otherwise `hold` would be 1 in all stages.
    assert!(cut > 0.3, "{cut}");
}

/// A stage without rain, gorges and constraints leaves the ground unchanged. A stage with a value strength of
/// 1 restores the ideal heights, including their noise.
#[test]
fn a_stage_has_its_own_strengths() {
    let map = hills(60, 60, 2);
    let first = fluvial_erosion(&map, &parameters(30), Seed(4), &Silent, None).unwrap();
    assert!(first.hold.samples().iter().any(|&hold| hold < 1.0));
    let zero = ScalarMap::Constant(0.0);
    let still = Fluvial {
        value_strength: zero,
        gradient_strength: zero,
        moisture: zero,
        gorge: 0.0,
        ..parameters(10)
    };
    for solver in [Solver::Explicit, Solver::Implicit] {
        let after = continued(&map, &first, &Fluvial { solver, ..still });
        assert_eq!((&after.height, &after.hold), (&first.height, &first.hold));
    }
    let back = Fluvial { value_strength: ScalarMap::Constant(1.0), ..still };
    let ideal = fluvial_erosion(&map, &back, Seed(4), &Silent, None).unwrap().height;
    assert_eq!(continued(&map, &first, &back).height, ideal);
    // Gradient strengths that gorges weakened stay weak.
    let after = continued(&map, &first, &parameters(10));
    assert!(after.hold.samples().iter().zip(first.hold.samples()).all(|(after, before)| after <= before));
}

/// A hold of 0 equals a gradient strength of 0; values are clamped to [0, 1].
#[test]
fn hold_is_a_factor_of_the_gradient_strength() {
    let map = hills(30, 20, 6);
    let run = |hold: f32, gradient: f32| {
        let (hold, gradient) = (ScalarMap::Constant(hold), ScalarMap::Constant(gradient));
        let p = Fluvial { hold, gradient_strength: gradient, gorge: 0.0, ..parameters(10) };
        fluvial_erosion(&map, &p, Seed(4), &Silent, None).unwrap().height
    };
    assert_eq!(run(0.5, 0.8), run(1.0, 0.4));
    assert_eq!(run(0.0, 0.8), run(1.0, 0.0));
    assert_eq!(run(f32::NAN, 0.8), run(-3.0, 0.8));
    assert_eq!(run(7.0, 0.8), run(1.0, 0.8));
}
