//! Claims of UpliftErosion's page.

use super::*;

fn range_of(seed: u64, side: usize, spacing: f64, more: &str) -> Arc<Map> {
    let text = format!("Graph(size: ({side}, {side}), spacing: {spacing:?}, seed: {seed}, nodes: {{ \"n\": UpliftErosion({more}) }})");
    value(&run(&text, &["n"]), 0)
}

#[test]
fn figures() {
    for seed in 0..20 {
        let start = std::time::Instant::now();
        let map = range_of(seed, 65, 781.25, "");
        let other = range_of(seed, 65, 781.25, "iterations: 300");
        println!("{seed}: {:.2} mean {:.3} {:.3} {:?}", f64::from(range(&map).1) / 500.0, mass(&map) / 500.0 / 4225.0, mass(&other) / 500.0 / 4225.0, start.elapsed());
    }
}

/// Steps of a given terrain at the defaults.
#[test]
fn given() {
    for ground in grounds() {
        let nodes = "\"n\": UpliftErosion(height: \"g\"), \"m\": UpliftErosion(height: \"g\", iterations: 150, time_step: 250000.0), \"s\": UpliftErosion(height: \"g\", talus: None, iterations: 150, time_step: 250000.0)";
        let (before, out) = maps(&ground, nodes, &["n.height", "n.floor", "m.height", "n.receivers", "s.height"]);
        let rose = samples().filter(|&at| out[0][at] > before[at]).count();
        let under = samples().filter(|&at| out[0][at] < out[1][at]).count();
        let inner = |(x, y): (usize, usize)| (1..SIDE - 1).contains(&x) && (1..SIDE - 1).contains(&y);
        let border = samples().filter(|&at| !inner(at) && out[0][at].to_bits() != before[at].to_bits()).count();
        let ends = samples().filter(|&at| out[3][at] == 0.0 && inner(at)).count();
        let (mut worst, talus) = (0.0f32, 1.0);
        let slope = |map: &Map, (x, y): (usize, usize)| {
            let mut steepest = 0.0f32;
            for (dx, dy) in AROUND {
                let to = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                if to.0 < SIDE && to.1 < SIDE {
                    let run = if dx != 0 && dy != 0 { 2.0f32.sqrt() } else { 1.0 } * map.spacing() as f32;
                    steepest = steepest.max((map[(x, y)] - map[to]) / run);
                }
            }
            steepest
        };
        for at in samples().filter(|&at| inner(at) && out[0][at] > out[1][at]) {
            worst = worst.max(slope(&out[0], at) - slope(&before, at).max(talus));
        }
        let relief = f64::from(range(&before).1 - range(&before).0);
        let rms = (samples().map(|at| f64::from(out[0][at] - before[at]).powi(2)).sum::<f64>() / 4225.0).sqrt() / relief;
        let above = |map: &Map| samples().filter(|&at| inner(at)).map(|at| f64::from(map[at] - out[1][at].max(-1e9))).fold(0.0f64, f64::max) / relief;
        let n = samples().filter(|&at| prominence(&out[4], at, &AROUND).0 > before.spacing() as f32).count();
        println!("{}: rose {rose} below floor {under} border {border} inner ends {ends} worst {worst:.5} rms {rms:.3} max {:.2} long {:?} of {:?} above floor {:.3} needles {n}", ground.name, range(&out[0]).1 / range(&before).1, range(&out[2]), range(&before), above(&out[2]));
    }
}
