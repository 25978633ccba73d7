//! Questions as users word them, and the types that answer them.

use serde_json::json;
use terrane_flow::find::Finder;

use crate::client::{calls, error, setup};

/// Questions, each with the types of which one must be among the first three.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("mask", &["Select", "FieldMask", "Blend"]),
    ("mask of steep slopes", &["Select"]),
    ("where is it flat enough for grass", &["Select"]),
    ("snow on high ground", &["Select"]),
    ("how do I make a road", &["RelaxPath", "SubdividePath"]),
    ("find a path up the mountain for a street", &["SubdividePath", "RelaxPath"]),
    ("cheapest road with exact optimum", &["OptimalPath"]),
    ("water", &["Water", "Lakes", "Flood"]),
    ("lake", &["Lakes"]),
    ("fill the valleys with a lake", &["Lakes"]),
    ("river", &["Rivers", "CarveRivers"]),
    ("dig a river bed into the ground", &["CarveRivers"]),
    ("sea level and coast", &["Flood"]),
    (
        "noise",
        &["Perlin", "OpenSimplex", "SpectralSynthesis", "PolynomialNoise", "MidpointDisplacement", "Voronoi"],
    ),
    (
        "random hills",
        &["Perlin", "OpenSimplex", "SpectralSynthesis", "MidpointDisplacement", "PolynomialNoise"],
    ),
    ("simplex noise", &["OpenSimplex"]),
    ("worley cells", &["Voronoi"]),
    ("diamond square", &["MidpointDisplacement"]),
    ("cliff", &["Select", "Terrace", "OlsenErosion"]),
    ("terrace", &["Terrace"]),
    ("stepped rice fields", &["Terrace"]),
    ("flatten the ground for a building", &["Flatten"]),
    ("place for a village", &["Flatten"]),
    ("export a heightmap for unity", &["Export"]),
    ("save as 16 bit png", &["Export"]),
    ("load a dem from geotiff", &["Import"]),
    ("smooth", &["Blur", "RelaxPath"]),
    ("remove bumps", &["Blur"]),
    ("add two maps", &["Combine"]),
    ("mix two terrains with a mask", &["Blend"]),
    ("make mountains higher", &["Remap"]),
    ("upside down", &["Invert"]),
    ("rotate the terrain", &["Transform"]),
    ("cut out a region", &["Crop"]),
    ("change the resolution", &["Resample"]),
    ("warp the coordinates", &["Perturb"]),
    ("rain shadow behind mountains", &["Rain"]),
    ("fill sinks", &["Depressions"]),
    ("flow accumulation", &["Drainage"]),
    ("landslides and scree", &["ThermalErosion"]),
    ("erode by rain", &["HydraulicErosion", "Rain"]),
    ("canyons cut by rivers", &["FluvialErosion"]),
    ("mountain range by tectonic uplift", &["UpliftErosion"]),
    ("3d view", &["Render"]),
    ("normal map for a game engine", &["NormalMap"]),
    ("contour lines", &["Contours"]),
    ("colour by height", &["ColorRelief", "Gradient"]),
    ("shaded relief", &["Hillshade", "ColorRelief"]),
    ("make a gif", &["Animate"]),
    ("3d model as obj or gltf", &["Mesh"]),
    ("average height", &["Statistics"]),
    ("histogram of heights", &["Histogram"]),
    ("how steep is it", &["SlopeMap", "Select"]),
    ("compare before and after", &["HeightDifference"]),
    ("hexagons", &["HexGraph"]),
    (
        "biomes with different terrain",
        &["AssignTerrain", "DescribeTerrain", "PopulateFields", "StitchFields", "Section"],
    ),
    ("blend the seams between regions", &["StitchFields"]),
    ("infinite world", &["World"]),
    ("use a graph in another graph", &["Subgraph"]),
    ("repeat a step ten times", &["Repeat"]),
    ("ambient occlusion", &["AmbientOcclusion"]),
    ("fill missing data", &["FillHoles"]),
    (
        "errosion",
        &[
            "ThermalErosion",
            "HydraulicErosion",
            "FluvialErosion",
            "OlsenErosion",
            "UpliftErosion",
            "ErosionScore",
        ],
    ),
];

/// At least 95 % of the questions find their type among the first three. Those that do not are shown by name
/// if there are more.
#[test]
fn questions_find_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let setup = setup(folder.path());
    let specs = setup.registry.nodes().map(terrane_flow::NodeType::spec).chain(setup.others);
    let finder = Finder::new(specs);
    let mut worst = Vec::new();
    for (question, expected) in QUESTIONS {
        let found: Vec<&str> = finder.find(question).types.iter().map(|found| found.spec.name).collect();
        let first = &found[..found.len().min(3)];
        if !first.iter().any(|name| expected.contains(name)) {
            let at = found.iter().position(|name| expected.contains(name));
            worst.push(format!("{question}: found {first:?}, expected {expected:?}, which is at {at:?}"));
        }
    }
    let most = QUESTIONS.len() / 20;
    assert!(QUESTIONS.len() >= 40 && worst.len() <= most, "{} wrong:\n{}", worst.len(), worst.join("\n"));
}

#[test]
fn a_name_comes_first_and_unknown_words_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let find = |words: &str| calls(folder.path(), &[("find_nodes", json!({ "words": words }))]).remove(0);
    for name in ["Level", "Graph", "ThermalErosion", "Water", "Rain"] {
        assert_eq!(find(name)["structuredContent"]["types"][0]["type"], name);
    }
    let refused = find("Perlim");
    assert_eq!(error(&refused)["remedy"], "did you mean `Perlin`?");
    assert!(error(&find("gabor"))["remedy"].as_str().unwrap().contains("the types are"));
    let unknown = &find("qqqqqq lake")["structuredContent"]["unknown_words"];
    assert_eq!(unknown[0]["word"], "qqqqqq");
}
