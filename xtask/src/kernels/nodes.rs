//! The nodes of the table.

/// A node whose time is measured.
pub struct Timed {
    /// The name of its row.
    pub name: &'static str,
    /// The maps that it must read and write at least.
    pub maps: f64,
    /// The node `node`. The ground has the maps `a`, `b` and `unit`, and `half`, `a` with half the samples.
    pub text: &'static str,
}

const fn timed(name: &'static str, maps: f64, text: &'static str) -> Timed {
    Timed { name, maps, text }
}

/// Everyday nodes, from the cheapest on.
pub const NODES: &[Timed] = &[
    timed("Constant", 1.0, r#""node": Constant(value: 3.0)"#),
    timed("Clamp", 2.0, r#""node": Clamp(height: "a", min: 10.0, max: 90.0)"#),
    timed("Invert", 2.0, r#""node": Invert(height: "a")"#),
    timed("Remap", 2.0, r#""node": Remap(height: "a")"#),
    timed("Combine Add", 3.0, r#""node": Combine(a: "a", b: "b", mode: Add)"#),
    timed("Combine Multiply", 3.0, r#""node": Combine(a: "a", b: "b", mode: Multiply)"#),
    timed("Combine Max", 3.0, r#""node": Combine(a: "a", b: "b", mode: Max)"#),
    timed("Combine SmoothMax", 3.0, r#""node": Combine(a: "a", b: "b", mode: SmoothMax)"#),
    timed("Combine Power", 2.0, r#""node": Combine(a: "unit", b: 1.7, mode: Power)"#),
    timed("Blend", 4.0, r#""node": Blend(a: "a", b: "b", mask: "unit")"#),
    timed("Curve", 2.0, r#""node": Curve(height: "unit", points: [(0.0, 0.0), (0.4, 0.1), (1.0, 1.0)])"#),
    timed("Terrace", 2.0, r#""node": Terrace(height: "a")"#),
    timed("Ramp", 1.0, r#""node": Ramp()"#),
    timed("Blur 2", 2.0, r#""node": Blur(height: "a", radius: 8.0)"#),
    timed("Blur 8", 2.0, r#""node": Blur(height: "a", radius: 32.0)"#),
    timed("Blur 32", 2.0, r#""node": Blur(height: "a", radius: 128.0)"#),
    timed("Resample Area", 1.0, r#""node": Resample(height: "a", size: HALF, filter: Area)"#),
    timed("Resample Bilinear", 1.0, r#""node": Resample(height: "half", filter: Bilinear)"#),
    timed("Resample Bicubic", 1.0, r#""node": Resample(height: "half", filter: Bicubic)"#),
    timed("Transform", 2.0, r#""node": Transform(height: "a", rotate: 30.0, scale: 1.5)"#),
    timed("Perturb", 3.0, r#""node": Perturb(height: "a")"#),
    timed(
        "Select Height",
        2.0,
        r#""node": Select(height: "a", by: Height, range: (10.0, 90.0), falloff: 5.0)"#,
    ),
    timed("Select Slope", 2.0, r#""node": Select(height: "a", by: Slope, range: (0.1, 0.4), falloff: 0.1)"#),
    timed("Select Curvature", 2.0, r#""node": Select(height: "a", by: Curvature, range: (0.0, 1.0))"#),
    timed("Select Aspect", 2.0, r#""node": Select(height: "a", by: Aspect, range: (90.0, 180.0))"#),
    timed("SlopeMap", 2.0, r#""node": SlopeMap(height: "a", kind: Gradient)"#),
    timed("Roughness", 2.0, r#""node": Roughness(height: "a")"#),
    timed("Statistics", 1.0, r#""node": Statistics(height: "a")"#),
    timed("Hillshade", 2.0, r#""node": Hillshade(height: "a")"#),
    timed("ColorRelief", 1.75, r#""node": ColorRelief(height: "a")"#),
    timed("Contours", 1.0, r#""node": Contours(height: "a", interval: 20.0)"#),
    timed("Mesh", 14.0, r#""node": Mesh(height: "a")"#),
    timed("FractalDimension", 1.0, r#""node": FractalDimension(height: "a")"#),
    timed("AmbientOcclusion", 2.0, r#""node": AmbientOcclusion(height: "a")"#),
    timed("Perlin", 1.0, r#""node": Perlin(octaves: 8, wavelength: 900.0)"#),
    timed("OpenSimplex", 1.0, r#""node": OpenSimplex(octaves: 8, wavelength: 900.0)"#),
    timed("PolynomialNoise", 1.0, r#""node": PolynomialNoise(octaves: 8, wavelength: 900.0)"#),
    timed("SpectralSynthesis", 1.0, r#""node": SpectralSynthesis(octaves: 8, wavelength: 900.0)"#),
    timed("MidpointDisplacement", 1.0, r#""node": MidpointDisplacement()"#),
    timed("Voronoi", 1.0, r#""node": Voronoi(regions: 16)"#),
    timed("ThermalErosion 10", 20.0, r#""node": ThermalErosion(height: "a", iterations: 10)"#),
    timed("FluvialErosion 10", 20.0, r#""node": FluvialErosion(height: "a", iterations: 10)"#),
    timed("Crop", 0.5, r#""node": Crop(height: "a", size: HALF)"#),
    timed("FillHoles", 2.0, r#""node": FillHoles(height: "a")"#),
    timed("Flatten", 3.0, r#""node": Flatten(height: "a", mask: "unit", level: 50.0)"#),
    timed("Texture", 1.0, r#""node": Texture(noise: "unit")"#),
    timed("Curvature", 3.0, r#""node": Curvature(height: "a")"#),
    timed("NormalMap", 1.75, r#""node": NormalMap(height: "a")"#),
    timed("Histogram", 1.0, r#""node": Histogram(height: "a")"#),
    timed("HeightDifference", 3.0, r#""node": HeightDifference(a: "a", b: "b")"#),
    timed("ErosionScore", 1.0, r#""node": ErosionScore(height: "a")"#),
    timed("Playability", 2.0, r#""node": Playability(height: "a")"#),
    timed(
        "Overlay",
        2.0,
        r#""relief": ColorRelief(height: "a"), "node": Overlay(picture: "relief", mask: "unit")"#,
    ),
    timed("Rain", 2.0, r#""node": Rain(height: "a")"#),
    timed("HydraulicErosion 10", 30.0, r#""node": HydraulicErosion(height: "a", iterations: 10)"#),
    timed("OlsenErosion 10", 20.0, r#""node": OlsenErosion(height: "a", iterations: 10)"#),
    timed("UpliftErosion 10", 20.0, r#""node": UpliftErosion(iterations: 10)"#),
    timed("Drainage", 2.0, r#""node": Drainage(height: "a")"#),
    timed(
        "Rivers",
        2.0,
        r#""water": Drainage(height: "a"),
            "node": Rivers(receivers: "water.receivers", drainage: "water", threshold: 1000.0)"#,
    ),
    timed("Render", 1.0, r#""node": Render(height: "a")"#),
];
