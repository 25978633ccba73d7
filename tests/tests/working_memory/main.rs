//! What nodes work with, against what is forecast of them: every type, at its example, at its defaults and at the extremes
//! of its parameters, on few samples and on many.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod case;
mod measure;

use case::{Bench, Taken};
use measure::Counting;
use terrane_tests::variants::examples;

#[global_allocator]
static HEAP: Counting = Counting;

/// What is too small to matter to a budget, where lists that grow and what threads hold are seen.
const UNSEEN: u64 = 256 << 10;

/// What is wrong with a forecast: whoever trusts it takes more than he may, or nodes wait for memory that none takes.
fn wrong(taken: &Taken) -> Option<&'static str> {
    if taken.peak > taken.forecast + taken.forecast / 5 + UNSEEN {
        Some("takes more than forecast")
    } else if taken.ended && taken.forecast > 2 * taken.peak + 4 * UNSEEN {
        Some("takes far less than forecast")
    } else {
        None
    }
}

#[test]
fn nodes_take_what_is_forecast_of_them() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let mut problems = Vec::new();
    for (spec, example) in examples() {
        for side in [17, 257] {
            let bench = Bench::new(spec, example, side);
            let all = (1u32 << spec.outputs.len()) - 1;
            let asked = if spec.lazy() == 0 { vec![all] } else { vec![all & !spec.lazy(), all] };
            for (name, text) in bench.variants() {
                for &asked in &asked {
                    let Some(taken) = bench.run(&text, asked, &pool) else { continue };
                    // Once more: what was set up once, such as tables, is not the node's.
                    if wrong(&taken).is_some()
                        && let Some(taken) = bench.run(&text, asked, &pool)
                        && let Some(wrong) = wrong(&taken)
                    {
                        problems
                            .push(format!("{} {side}\u{b2} {name} {asked:b} {wrong}: {taken:?}", spec.name));
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn far_more_regions_than_samples_take_little() {
    let (spec, example) = examples().into_iter().find(|(spec, _)| spec.name == "Voronoi").unwrap();
    let bench = Bench::new(spec, example, 17);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (_, text) = bench.variants().into_iter().find(|(name, _)| name == "regions: 65536").unwrap();
    let taken = bench.run(&text, 1, &pool).unwrap();
    assert!(taken.ended && taken.peak < 64 << 20, "{taken:?}");
}
