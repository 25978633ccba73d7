//! Claims of EdgeFeature's page.

use super::*;

/// Ditches along the lines of a grid, at the defaults, over hills on a slope that rises in some direction:
/// the ground, the result and the mask. Lines are 64 world units apart and begin at 32, on samples.
fn ditches(seed: u64) -> [Arc<Map>; 3] {
    let (rise, kind) = (10.0 * (seed % 10) as f64, ["Perlin", "OpenSimplex"][seed as usize / 10]);
    let text = format!(
        r#"Graph(size: (129, 129), spacing: 2.0, seed: {seed}, nodes: {{
"graph": GridGraph(columns: 3, rows: 3, cell: 64, corner: (32, 32)),
"empty": Section(graph: "graph"),
"fields": AssignTerrain(fields: "empty", descriptions: [("Plain", Noise(amplitude: 1))]),
"hills": {kind}(amplitude: 60.0, wavelength: 200.0, seed: {seed}),
"slope": Ramp(from: (0, 0), to: (80, 240), high: {rise:?}),
"ground": Combine(a: "hills", b: "slope"),
"ditch": EdgeFeature(height: "ground", fields: "fields", between: [("Plain", "Plain")]),
}})"#
    );
    let out = run(&text, &["ground", "ditch", "ditch.mask"]);
    [0, 1, 2].map(|at| value(&out, at))
}

/// On twenty grounds, with slopes across of up to a half: on both sides of a ditch, the bank is above the bed
/// by at least half of its size, and keeps its bits. The bed is computed at points up to half a sample away,
/// so the bank's highest point within that distance counts. Samples within a width of a node are left out:
/// the ditch may end there, and others cross.
#[test]
fn a_ditch_keeps_its_banks() {
    for seed in 0..20 {
        let [ground, after, mask] = ditches(seed);
        for line in [48, 80] {
            for along in (16..112).filter(|along| (10..=22).contains(&((along - 16) % 32))) {
                for turned in [false, true] {
                    let at =
                        |along: usize, across: usize| if turned { (across, along) } else { (along, across) };
                    let bed = at(along, line);
                    assert_eq!(mask[bed], 1.0);
                    for side in [line - 5, line + 5] {
                        let [before, here, behind] =
                            [along - 1, along, along + 1].map(|x| after[at(x, side)]);
                        assert_eq!(here.to_bits(), ground[at(along, side)].to_bits(), "{seed} {bed:?}");
                        let bank = here.max((here + before) / 2.0).max((here + behind) / 2.0);
                        // Heights are rounded to single precision.
                        assert!(bank - after[bed] >= 2.5 - 1e-4, "{seed} {bed:?}: {bank} {}", after[bed]);
                    }
                }
            }
        }
    }
}
