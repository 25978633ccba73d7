//! How far erosion has lowered and raised ground.

use terrane_flow::Context;
use terrane_grid::{Domain, Heightmap};

use crate::values::Map;

/// How far each sample lies below its height before, and how far above. A map that is not asked for is empty.
pub fn changes(
    cx: &Context<'_>,
    [eroded, deposited]: [usize; 2],
    before: impl Fn(usize) -> f32,
    after: &Heightmap,
) -> [Map; 2] {
    let map = |output: usize, sign: f32| {
        if !cx.asked(output) {
            return Map(Heightmap::constant(Domain::new(0, 0), 0.0));
        }
        let samples = after.samples().iter().enumerate();
        // A hole is neither.
        let moved = samples.map(|(at, after)| (sign * (after - before(at))).max(0.0)).collect();
        Map(after.with_grid(terrane_grid::Grid::from_vec(after.width(), after.height(), moved)))
    };
    [map(eroded, -1.0), map(deposited, 1.0)]
}

#[cfg(test)]
mod tests {
    use crate::testing::Run;
    use crate::values::Map;

    #[test]
    fn every_erosion_says_where_it_lowered_and_raised() {
        for (erosion, raises) in [
            ("ThermalErosion(height: \"h\")", true),
            ("HydraulicErosion(height: \"h\")", true),
            ("OlsenErosion(height: \"h\")", true),
            ("FluvialErosion(height: \"h\", unevenness: 0.0, sea_level: -1000.0)", false),
            ("UpliftErosion(height: \"h\")", false),
            ("UpliftErosion(height: \"h\", deposition: 1.0, time_step: 100000.0)", true),
        ] {
            let nodes =
                format!("\"h\": Perlin(octaves: 4, wavelength: 40.0, amplitude: 20.0), \"e\": {erosion}");
            let output = r#""h.tif": "h", "e.tif": "e", "down.tif": "e.eroded", "up.tif": "e.deposited""#;
            let run = Run::of_nodes(&nodes, output).unwrap();
            let [before, after, eroded, deposited] = [0, 1, 2, 3].map(|index| run.value::<Map>(index));
            let at = |map: &Map, at: usize| map.samples()[at];
            for sample in 0..before.samples().len() {
                let (down, up) = (at(&eroded, sample), at(&deposited, sample));
                assert!(down >= 0.0 && up >= 0.0 && down * up == 0.0, "{erosion}");
                assert!((at(&before, sample) - down + up - at(&after, sample)).abs() < 1e-4, "{erosion}");
            }
            assert!(eroded.samples().iter().any(|&down| down > 0.0), "{erosion}");
            assert_eq!(deposited.samples().iter().any(|&up| up > 1e-5), raises, "{erosion}");
        }
    }

    #[test]
    fn hollows_that_are_left_are_named() {
        let hills = r#""h": OpenSimplex(octaves: 1, wavelength: 24.0, amplitude: 10.0), "#;
        let run = |erosion: &str| {
            Run::of_nodes(&format!("{hills} \"e\": {erosion}"), r#""e.tif": "e""#).map(|run| run.warnings())
        };
        let sea = "sea_level: -1000.0";
        let said = run(&format!("FluvialErosion(height: \"h\", {sea})")).unwrap();
        assert!(said.contains("% of the land lies in hollows") && said.contains("`drain: true`"), "{said}");
        assert_eq!(run(&format!("FluvialErosion(height: \"h\", {sea}, drain: true)")).unwrap(), "");
        let said = run(&format!("FluvialErosion(height: \"h\", {sea}, solver: Explicit)")).unwrap();
        assert!(said.contains("`Depressions` removes them"), "{said}");
        let said = run("UpliftErosion(height: \"h\")").unwrap();
        assert!(said.contains("`drain: true`"), "{said}");
        assert_eq!(run("UpliftErosion(height: \"h\", drain: true)").unwrap(), "");
        let refused = run("FluvialErosion(height: \"h\", drain: true, diagonals: false)").err().unwrap();
        assert!(refused.contains("`drain: true` requires `diagonals: true`"), "{refused}");
    }
}
