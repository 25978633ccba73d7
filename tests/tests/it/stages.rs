//! Erosion in stages, and with rain, in graphs.

use std::sync::Arc;

use terrane::flow::Outcome;
use terrane::values::Map;
use terrane_tests::{engine, evaluate, load_text};

/// The maps of a graph's outputs.
fn maps(nodes: &str, outputs: &[&str], size: (usize, usize), spacing: f64) -> Vec<Map> {
    let list: Vec<String> =
        outputs.iter().enumerate().map(|(at, from)| format!("\"{at}.npy\": \"{from}\"")).collect();
    let text = format!(
        "Graph(size: {size:?}, spacing: {spacing}, seed: 5, nodes: {{ {nodes} }}, outputs: {{ {} }})",
        list.join(", ")
    );
    let loaded = Arc::new(load_text(&text).unwrap_or_else(|errors| panic!("{errors}")));
    let evaluation = evaluate(&engine(2, None), &loaded);
    for timing in &evaluation.nodes {
        assert_eq!(timing.outcome, Outcome::Ran, "{}", timing.node);
    }
    let map = |at: usize| evaluation.outputs[at].value.as_ref().and_then(|value| value.get::<Map>()).cloned();
    (0..outputs.len()).map(|at| map(at).unwrap_or_else(|| panic!("{} is no map", outputs[at]))).collect()
}

#[test]
fn stages_of_a_graph_are_one_erosion_to_the_bit() {
    for parameters in [
        "",
        ", solver: Explicit, border: Wall, diagonals: false, jitter: 1.0, erosion: 0.5",
        ", border: Fixed, talus: 0.8",
    ] {
        let erosion = |wires: &str, iterations: u32| {
            format!("FluvialErosion({wires}, iterations: {iterations}{parameters})")
        };
        let nodes = format!(
            "\"hills\": Perlin(octaves: 7, wavelength: 64.0, amplitude: 50.0, offset: -10.0), \"whole\": {}, \
            \"first\": {}, \"second\": {}",
            erosion("height: \"hills\"", 40),
            erosion("height: \"hills\"", 15),
            erosion("height: \"first\", hold: \"first.hold\", ideal: \"hills\"", 25),
        );
        let outputs = ["whole", "second", "whole.hold", "second.hold", "whole.drainage", "second.drainage"];
        let maps = maps(&nodes, &outputs, (90, 70), 1.0);
        for (pair, names) in maps.chunks(2).zip(outputs.chunks(2)) {
            assert!(
                pair[0]
                    .samples()
                    .iter()
                    .map(|h| h.to_bits())
                    .eq(pair[1].samples().iter().map(|h| h.to_bits())),
                "{names:?} {parameters}"
            );
        }
    }
}

/// The claim on the page of UpliftErosion, from flat and from given ground.
#[test]
fn uplift_in_stages_continues_where_it_ended() {
    let stage = |input: &str, steps: u32| {
        format!("UpliftErosion({input}uplift: 0.0003, iterations: {steps}, time_step: 50000.0)")
    };
    for start in ["", "height: \"hills\", "] {
        let mut nodes = "\"hills\": Perlin(octaves: 6, wavelength: 900.0, amplitude: 700.0), ".to_owned();
        nodes += &format!("\"whole\": {}", stage(start, 20));
        let mut outputs = vec![];
        for (name, count, steps) in [("four", 4, 5), ("twenty", 20, 1)] {
            for part in 0..count {
                let before = format!("{name}{}", part - 1);
                let input = format!(
                    "height: \"{before}\", remainder: \"{before}.remainder\", floor: \"{before}.floor\", "
                );
                let input = if part == 0 { start } else { &input };
                nodes += &format!(", \"{name}{part}\": {}", stage(input, steps));
            }
            outputs.push(format!("{name}{}", count - 1));
        }
        let ports = ["", ".remainder", ".floor", ".drainage", ".receivers", ".basins"];
        let of = |node: &str| {
            let outputs = ports.map(|port| format!("{node}{port}"));
            maps(&nodes, &outputs.each_ref().map(String::as_str), (90, 70), 30.0)
        };
        let whole = of("whole");
        assert!(whole[1].samples().iter().any(|&remainder| remainder != 0.0));
        for node in outputs {
            for ((whole, part), port) in whole.iter().zip(of(&node)).zip(ports) {
                let bits =
                    |map: &Map| map.samples().iter().map(|sample| sample.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(whole), bits(&part), "{node}{port}");
            }
        }
    }
}

/// On folded ridges, rivers erode more than under uniform rain where rainfall exceeds its mean, and less
/// elsewhere.
#[test]
fn rivers_cut_where_it_rains() {
    for azimuth in [135.0, 315.0] {
        let nodes = format!(
            "\"ground\": Import(file: \"data/jacksboro_3s.tif\"), \
             \"rain\": Rain(height: \"ground\", azimuth: {azimuth:?}, conversion_time: 500.0, fallout_time: \
             500.0, moisture_range: (0.0, 1000.0)), \
             \"even\": FluvialErosion(height: \"ground\", gradient_strength: 0.02, passed_on: 1.0, \
             drainage_exponent: 0.5, iterations: 30), \
             \"wet\": FluvialErosion(height: \"ground\", moisture: \"rain.moisture\", gradient_strength: \
             0.02, passed_on: 1.0, drainage_exponent: 0.5, iterations: 30)"
        );
        let maps = maps(&nodes, &["rain.moisture", "even", "wet"], (403, 344), 90.0);
        let [moisture, even, wet] = &maps[..] else { panic!() };
        let mean = moisture.samples().iter().map(|&rain| f64::from(rain)).sum::<f64>() / (403.0 * 344.0);
        assert!((mean - 1.0).abs() < 1e-6, "{mean}");
        let more = |chosen: &dyn Fn(f32) -> bool| {
            let of = moisture.samples().iter().zip(even.samples().iter().zip(wet.samples()));
            let of: Vec<f64> =
                of.filter(|(rain, _)| chosen(**rain)).map(|(_, (even, wet))| f64::from(even - wet)).collect();
            of.iter().sum::<f64>() / of.len() as f64
        };
        let (windward, lee) = (more(&|rain| rain > 1.5), more(&|rain| rain < 0.5));
        println!("{azimuth}: {windward} m more where it rains, {} m less in the shadow", -lee);
        assert!(windward > 0.5 && lee < -0.5, "{azimuth}: {windward} {lee}");
    }
}
