//! Claims of the pages of ColorRelief and Select.

use terrane::values::Picture;

use super::*;

/// The example of ColorRelief's page: a layer of grey for slopes from 0.7 that fades out over 0.2 starts at a
/// slope of 0.5, and covers everything from 0.7 on. Each row of samples has one slope.
#[test]
fn a_layer_by_slope_fades_out_beyond_its_range() {
    for (slope, share) in [(0.3, 0.0), (0.499, 0.0), (0.6, 0.5), (0.701, 1.0), (2.0, 1.0)] {
        let text = format!(
            r#"Graph(size: (9, 9), spacing: 4.0, nodes: {{
"g": Ramp(from: (0, 0), to: (32, 0), high: {:?}),
"p": ColorRelief(height: "g", ramp: Grey, range: Some((1000, 2000)),
    layers: [(Slope, (112, 104, 96), (0.7, 9.0), 0.2)]),
"s": Select(height: "g", by: Slope, range: (0.7, 9.0), falloff: 0.2),
}})"#,
            32.0 * slope
        );
        let out = run(&text, &["p", "s"]);
        let (picture, mask) = (value::<Picture>(&out, 0), value::<Map>(&out, 1));
        assert!(mask.samples().iter().all(|mask| (mask - share).abs() < 1e-4), "{slope}: {mask:?}");
        let pixel = picture.0[(4, 4)];
        match share {
            0.0 => assert_eq!(pixel, [0, 0, 0], "{slope}"),
            1.0 => assert_eq!(pixel, [112, 104, 96], "{slope}"),
            // Half of the light.
            _ => assert!(pixel[0] > 56 && pixel[0] < 112, "{slope}: {pixel:?}"),
        }
    }
}
