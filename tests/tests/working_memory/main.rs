//! What nodes work with, against what is forecast of them.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod case;
mod measure;

use std::fmt::Write as _;

use case::Bench;
use measure::Counting;
use terrane_tests::variants::examples;

#[global_allocator]
static HEAP: Counting = Counting;

#[test]
fn explore() {
    let threads = std::env::var("MEM_THREADS").map_or(2, |t| t.parse().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let only = std::env::var("MEM_ONLY").unwrap_or_default();
    let sides = std::env::var("MEM_SIDES").unwrap_or("17,257".to_owned());
    let mut out = String::new();
    let begun = std::time::Instant::now();
    for (spec, example) in examples() {
        if !only.is_empty() && !only.split(',').any(|o| o == spec.name) { continue; }
        for side in sides.split(',').map(|s| s.parse::<usize>().unwrap()) {
            let bench = Bench::new(spec, example, side);
            for (i, (name, text)) in bench.variants().into_iter().enumerate() {
                if std::env::var("MEM_FEW").is_ok() && name.contains(|c: char| c.is_ascii_digit()) { continue; }
                let sets: &[u32] = if spec.lazy() == 0 { &[u32::MAX - 0x8000_0000] } else { &[!spec.lazy(), u32::MAX] };
                for &asked in sets {
                let name = if asked == u32::MAX { format!("{name} +lazy") } else { name.clone() };
                if i == 0 { bench.run(&text, asked, &pool); }
                let at = begun.elapsed().as_secs_f64();
                match bench.run(&text, asked, &pool) {
                    None => writeln!(out, "{}\t{side}\t{name}\tNONE", spec.name).unwrap(),
                    Some(t) => {
                        writeln!(out, "{}\t{side}\t{name}\t{}\t{}\t{}\t{:.3}\t{at:.1}", spec.name, t.peak, t.forecast, t.ended, t.time.as_secs_f64()).unwrap();
                    }
                }
                }
            }
        }
        std::fs::write(std::env::var("MEM_OUT").unwrap_or("/tmp/mem_out.tsv".into()), &out).unwrap();
    }
}
