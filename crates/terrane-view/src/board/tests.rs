//! Tests of the board.

use super::*;
use crate::testing::graph;
use terrane_flow::Diagnostic;

#[test]
fn of_many_mistakes_the_first_are_told_and_their_number() {
    let board = Board::default();
    let many = (0..500).map(|at| Diagnostic::nowhere(format!("mistake {at}"), "mend it")).collect();
    board.change(|state| state.broken(&Diagnostics(many)));
    let state: Json = serde_json::from_str(&board.tell(None).1).unwrap();
    assert_eq!((state["errors"].as_array().unwrap().len(), &state["mistakes"]), (20, &json!(500)));
}

#[test]
fn what_a_node_gave_last_is_found_until_it_gives_something_else_twice() {
    let (_folder, loaded) = graph(&[("graph.ron", "Graph(nodes: { \"a\": Take() })")], &[]);
    let board = Board::default();
    board.change(|state| drop(state.graph(&loaded, &Subject::default(), None, |_| true)));
    let gives = |digest: u8| board.change(|state| state.gave("a", &[Digest([digest; 32])], &loaded, false));
    let is_found = |digest: u8| board.find(&Digest([digest; 32])).is_some();
    gives(1);
    gives(2);
    gives(2);
    assert!(is_found(1) && is_found(2), "a page may ask for what it was told before the last change");
    gives(3);
    assert!(!is_found(1) && is_found(2) && is_found(3));
}
