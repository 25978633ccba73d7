//! Claims of FluvialErosion's page.

use super::*;

#[test]
fn figures() {
    for ground in grounds() {
        let node = "\"n\": FluvialErosion(height: \"g\")";
        let (before, out) = maps(&ground, node, &["n.height", "n.receivers", "n.gorges", "n.hold"]);
        let after = &out[0];
        let side = before.spacing() as f32;
        for at in samples() {
            let (was, is) = (prominence(&before, at, &AROUND), prominence(after, at, &AROUND));
            if is.0 > (was.0 + 0.2 * side).max(side) || is.1 > (was.1 + 0.2 * side).max(side * 0.25) {
                println!("  {at:?} {was:?} {is:?} side {side}");
            }
        }
        let summit = range(after).1 / range(&before).1;
        let whole = mass(after) / mass(&before);
        let steep = erosion_score(&before.0, Boundary::Open).mean;
        let rms = (samples().map(|at| f64::from(after[at] - before[at]).powi(2)).sum::<f64>() / 4225.0).sqrt();
        let relief = f64::from(range(&before).1 - range(&before).0);
        let on_border = |(x, y): (usize, usize)| x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
        let mut drop = 0.0f32;
        let mut outlets = 0;
        for at in samples().filter(|&at| on_border(at) && out[1][at] == 0.0 && before[at] > 0.0) {
            outlets += 1;
            drop = drop.max((before[at] - after[at] - out[2][at]) / side);
        }
        println!("{}: steep {steep:.2} summit {summit:.3} mean {whole:.3} rms {:.4} outlets {outlets} drop {drop:.3}", ground.name, rms / relief);
    }
}

#[test]
fn by_slope() {
    for seed in 0..3 {
    for amplitude in [20.0, 40.0, 80.0, 160.0, 320.0, 640.0] {
      for kind in ["Perlin(wavelength: 150.0", "MidpointDisplacement(persistence: 0.5", "Perlin(wavelength: 200.0, fractal: Ridged"] {
        let ground = Ground { name: String::new(), node: format!("{kind}, seed: {seed}, amplitude: {amplitude:?}, offset: 1.0)"), spacing: 4.0 };
        let [before, after] = eroded(&ground, "FluvialErosion(height: \"g\")");
        let rms = (samples().map(|at| f64::from(after[at] - before[at]).powi(2)).sum::<f64>() / 4225.0).sqrt();
        let relief = f64::from(range(&before).1 - range(&before).0);
        let steep = erosion_score(&before.0, Boundary::Open).mean;
        println!("{kind} {amplitude}: steep {steep:.2} summit {:.3} mean {:.3} rms {:.4}", range(&after).1 / range(&before).1, mass(&after) / mass(&before), rms / relief);
      }
    }
    }
}
