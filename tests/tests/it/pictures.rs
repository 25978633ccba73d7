//! Pictures in perspective, gradients and layers of colour, in graphs.

use std::sync::Arc;

use terrane::flow::Outcome;
use terrane::values::{Animation, Picture};
use terrane_grid::Grid;
use terrane_tests::{engine, evaluate, load_text, root};

const GROUND: &str = "\"hills\": Perlin(octaves: 6, wavelength: 60.0, amplitude: 40.0, offset: -12.0)";

fn graph(nodes: &str, output: &str) -> String {
    format!(
        "Graph(size: (48, 40), spacing: 2.0, seed: 3, nodes: {{ {GROUND}, {nodes} }}, outputs: {{ {output} \
        }})"
    )
}

/// The value of a graph's single output.
fn value(text: &str, threads: usize) -> terrane::flow::Value {
    let loaded = Arc::new(load_text(text).unwrap_or_else(|errors| panic!("{errors}")));
    let evaluation = evaluate(&engine(threads, None), &loaded);
    for timing in &evaluation.nodes {
        assert_eq!(timing.outcome, Outcome::Ran, "{}: {text}", timing.node);
    }
    evaluation.outputs[0].value.clone().unwrap_or_else(|| panic!("no value: {text}"))
}

fn picture(nodes: &str) -> Grid<[u8; 3]> {
    let value = value(&graph(nodes, "\"view.png\": \"view\""), 2);
    value.get::<Picture>().unwrap_or_else(|| panic!("no picture: {nodes}")).0.clone()
}

fn animation(nodes: &str) -> Vec<Grid<[u8; 3]>> {
    let value = value(&graph(nodes, "\"view.gif\": \"view.animation\""), 2);
    value.get::<Animation>().unwrap_or_else(|| panic!("no animation: {nodes}")).pictures.clone()
}

/// The mistakes found when a graph is loaded.
fn mistakes(nodes: &str) -> String {
    match load_text(&graph(nodes, "\"view.png\": \"view\"")) {
        Err(mistakes) => mistakes.to_string(),
        Ok(_) => panic!("no mistake: {nodes}"),
    }
}

#[test]
fn a_view_is_the_same_on_one_two_and_eight_threads() {
    let text =
        graph("\"view\": Render(height: \"hills\", sea: 0.0, pixels: (160, 90))", "\"view.png\": \"view\"");
    let one = value(&text, 1).digest();
    for threads in [2, 8] {
        assert_eq!(value(&text, threads).digest(), one, "{threads}");
    }
}

#[test]
fn the_picture_of_a_view_is_kept() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.bind(|| terrane::assert_port_picture!(root().join("tests/view.ron"), "view"));
}

#[test]
fn cameras_by_angle_and_by_position_see_the_same_ground() {
    let from_above = picture("\"view\": Render(height: \"hills\", pixels: (64, 64), camera_altitude: 90.0)");
    let placed = "eye: (47.0, 39.5, 150.0), target: (47.0, 39.0, 0.0)";
    let by_place = picture(&format!("\"view\": Render(height: \"hills\", pixels: (64, 64), {placed})"));
    // Both show ground in the middle, not sky.
    let blue = |picture: &Grid<[u8; 3]>| {
        let [red, _, blue] = picture[(32, 32)];
        blue > red.saturating_add(30)
    };
    assert!(!blue(&from_above) && !blue(&by_place));
}

#[test]
fn animations_have_the_declared_number_of_pictures() {
    let small = "pixels: (32, 18), rays: 1";
    let turn = animation(&format!("\"view\": Render(height: \"hills\", {small}, count: 5)"));
    assert_eq!(turn.len(), 5);
    assert!(turn.windows(2).all(|pair| pair[0] != pair[1]));
    let placed = "eye: (10.0, 60.0, 30.0), target: (47.0, 39.0, 0.0), turn: 180.0";
    let turn = animation(&format!("\"view\": Render(height: \"hills\", {small}, {placed}, count: 4)"));
    assert!(turn.len() == 4 && turn.windows(2).all(|pair| pair[0] != pair[1]));
    let track = animation(&format!(
        "\"stops\": PathGraph(nodes: [(4, 4), (80, 70)], edges: [(0, 1)]), \"way\": SubdividePath(height: \
        \"hills\", graph: \"stops\", width: 4.0, border: 4.0), \"view\": Render(height: \"hills\", track: \
        \"way.paths\", lift: 12.0, {small}, count: 4)"
    ));
    assert_eq!(track.len(), 4);
    assert!(track.windows(2).all(|pair| pair[0] != pair[1]));
    let changing = animation(&format!(
        "\"worn\": ThermalErosion(height: \"hills\", talus: 0.2, iterations: 20, history_every: 10), \
        \"view\": \
        Render(height: \"worn\", frames: \"worn.frames\", {small})"
    ));
    assert_eq!(changing.len(), 3);
    assert!(changing.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn invalid_views_are_rejected_before_any_node_runs() {
    for (parameters, said) in [
        ("pixels: (0, 10)", "`pixels` is (0, 10)"),
        ("pixels: (100000, 100000)", "`pixels` is (100000, 100000)"),
        ("eye: (1.0, 2.0, 3.0)", "without a `target`"),
        ("eye: (1.0, 2.0, 9.0), target: (1.0, 2.0, 3.0)", "straight above or below"),
        ("rays: 9", "`rays` is 9"),
        ("haze: 1.5", "`haze` is 1.5"),
    ] {
        let message = mistakes(&format!("\"view\": Render(height: \"hills\", {parameters})"));
        assert!(message.contains(said), "{parameters}: {message}");
    }
}

#[test]
fn invalid_gradients_and_layers_are_rejected() {
    for (node, said) in [
        ("Gradient()", "two stops"),
        ("Gradient(stops: [(0.0, (1, 2, 3))])", "two stops"),
        ("Gradient(stops: [(1.0, (1, 2, 3)), (0.5, (1, 2, 3))])", "0.5 is not greater than 1"),
        ("Gradient(file: \"a.png\", stops: [(0.0, (1, 2, 3))])", "both"),
        ("Gradient(file: \"a.png\", end: (2.0, 0.5))", "outside the picture"),
    ] {
        let text =
            format!("\"colors\": {node}, \"view\": ColorRelief(height: \"hills\", gradient: \"colors\")");
        let message = mistakes(&text);
        assert!(message.contains(said), "{node}: {message}");
    }
    for (layer, said) in [
        ("(A, (1, 2, 3), (0.0, 1.0), 0.0)", "nothing is connected"),
        ("(Height, (1, 2, 3), (2.0, 1.0), 0.0)", "above its end"),
        ("(Slope, (1, 2, 3), (0.0, 1.0), -1.0)", "fades out over -1"),
    ] {
        let message = mistakes(&format!("\"view\": ColorRelief(height: \"hills\", layers: [{layer}])"));
        assert!(message.contains(said), "{layer}: {message}");
    }
}

#[test]
fn a_gradient_colours_the_lowest_and_the_highest_sample_as_its_ends() {
    let relief = picture(
        "\"colors\": Gradient(stops: [(2.0, (10, 20, 30)), (4.0, (200, 0, 0)), (7.0, (250, 240, 230))]), \
        \"view\": ColorRelief(height: \"hills\", gradient: \"colors\")",
    );
    for end in [[10, 20, 30], [250, 240, 230]] {
        assert!(relief.as_slice().contains(&end));
    }
}

#[test]
fn a_mask_applies_only_its_layer() {
    let relief = |layers: &str| {
        picture(&format!(
            "\"high\": Select(height: \"hills\", by: Height, range: (10.0, 99.0)), \"view\": \
            ColorRelief(height: \
            \"hills\", a: \"high\", layers: [{layers}])"
        ))
    };
    let laid = relief("(A, (255, 0, 255), (1.0, 1.0), 0.0)");
    let plain = relief("");
    let count = laid.as_slice().iter().filter(|color| **color == [255, 0, 255]).count();
    assert!(count > 50, "{count}");
    let other = laid.as_slice().iter().zip(plain.as_slice()).filter(|(a, _)| **a != [255, 0, 255]);
    assert!(other.clone().count() > 50);
    // The same colours, except for the steps of the plain relief's table.
    assert!(other.flat_map(|(a, b)| (0..3).map(move |c| a[c].abs_diff(b[c]))).max() <= Some(4));
}

#[test]
fn a_higher_target_raises_the_view() {
    let at = |height: f64| {
        picture(&format!(
            "\"view\": Render(height: \"hills\", pixels: (32, 18), target: (47.0, 39.0, {height:?}))"
        ))
    };
    assert_ne!(at(0.0), at(60.0));
}

/// The warnings of a view with these parameters.
fn warnings(parameters: &str) -> Vec<String> {
    let view = format!("\"view\": Render(height: \"hills\", pixels: (32, 18), {parameters})");
    let text = graph(&view, "\"view.png\": \"view\"");
    let loaded = Arc::new(load_text(&text).unwrap_or_else(|errors| panic!("{errors}")));
    evaluate(&engine(1, None), &loaded).warnings
}

#[test]
fn views_that_show_hardly_anything_are_reported() {
    let reported = |parameters: &str, text: &str| {
        let warnings = warnings(parameters);
        assert!(warnings.iter().any(|warning| warning.contains(text)), "{warnings:?}");
    };
    reported("sea: 500.0", "below the sea");
    reported("exaggeration: 1e9", "the longer side of the map is only 94");
    assert_eq!(warnings("sea: 0.0"), [""; 0]);
}
