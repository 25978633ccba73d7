//! Routes on models of Earth for different costs: their length, and the earth that building them moves.

use terrane_paths::path::{Costs, Prices, Subdivision};
use terrane_paths::relax::Solver;

use super::{Built, Scene, range, table};
use crate::{Result, say};

/// Metres of detour for a metre of height beyond the slope; the nodes' default is 2 / 0.1 here.
const EXCESS: [f64; 7] = [2.0, 5.0, 10.0, 20.0, 50.0, 200.0, 1000.0];

/// The cost of slopes across the road: the nodes' default.
const SIDE: f64 = 0.1;

/// Prints a row for each cost on each model.
pub fn print() -> Result<()> {
    say("| ground | relief, m | cost | length of routes, km | cut + fill, million m3 | highest cut, m | \
        highest fill, m | bounds missed |");
    say("|---|---|---|---|---|---|---|---|");
    for scene in table::models()? {
        let thesis = Costs::Thesis { alpha: 10_000.0, beta: 1.8 };
        row(&scene, "Thesis", thesis)?;
        for excess in EXCESS {
            let costs = Costs::Builder(Prices { excess: Some(excess), side: SIDE });
            row(&scene, &format!("excess_cost {excess}"), costs)?;
        }
    }
    Ok(())
}

fn row(scene: &Scene, name: &str, costs: Costs) -> Result<()> {
    let subdivision = scene.subdivision(costs)?;
    let Built { missed, moved, .. } = scene.build(&subdivision, Solver::Draft)?;
    let (low, high) = range(&scene.ground);
    say(&format!(
        "| {} | {:.0} | {name} | {:.2} | {:.2} | {:.1} | {:.1} | {missed} |",
        scene.name,
        high - low,
        length(&subdivision) / 1e3,
        (moved.cut + moved.fill) / 1e6,
        moved.highest_cut,
        moved.highest_fill,
    ));
    Ok(())
}

/// The length of all routes along their samples.
fn length(subdivision: &Subdivision) -> f64 {
    let width = subdivision.domain.size.0 as i64;
    let position = |at: u32| (i64::from(at) % width, i64::from(at) / width);
    let step = |two: &[u32]| {
        let (a, b) = (position(two[0]), position(two[1]));
        libm::hypot((a.0 - b.0) as f64, (a.1 - b.1) as f64)
    };
    let samples: f64 = subdivision.paths.iter().flat_map(|way| way.windows(2)).map(step).sum();
    samples * subdivision.domain.spacing
}
