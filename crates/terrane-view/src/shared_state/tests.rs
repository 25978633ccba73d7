//! Tests of the shared state.

use serde_json::json;
use terrane_flow::{Diagnostic, Diagnostics};

use super::*;
use crate::preview_source::PreviewSource;
use crate::testing::{FACES, graph, registry};

#[test]
fn the_first_errors_and_their_total_number_are_reported() {
    let shared = SharedState::default();
    let many = (0..500).map(|at| Diagnostic::nowhere(format!("mistake {at}"), "mend it")).collect();
    shared.change(|state| state.broken(&Diagnostics(many)));
    let state: Json = serde_json::from_str(&shared.tell(None).1).unwrap();
    assert_eq!((state["errors"].as_array().unwrap().len(), &state["mistakes"]), (20, &json!(500)));
}

#[test]
fn the_current_and_the_previous_output_of_a_node_are_found() {
    let (_folder, loaded) = graph(&[("graph.ron", "Graph(nodes: { \"a\": Take() })")], &[]);
    let shared = SharedState::default();
    shared.change(|state| {
        drop(state.graph(&loaded, &PreviewSource::default(), None, &FACES, registry().family().graph));
    });
    let gives = |id: u8| shared.change(|state| state.set_outputs("a", &[ValueId([id; 32])], &loaded, false));
    let is_found = |id: u8| shared.find(&ValueId([id; 32])).is_some();
    gives(1);
    gives(2);
    gives(2);
    assert!(is_found(1) && is_found(2), "a page may still request the previous output");
    gives(3);
    assert!(!is_found(1) && is_found(2) && is_found(3));
}
