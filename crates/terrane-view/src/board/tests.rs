//! Tests of the board.

use super::*;
use terrane_flow::Diagnostic;

#[test]
fn of_many_mistakes_the_first_are_told_and_their_number() {
    let board = Board::default();
    let many = (0..500).map(|at| Diagnostic::nowhere(format!("mistake {at}"), "mend it")).collect();
    board.change(|state| state.broken(&Diagnostics(many)));
    let state: Json = serde_json::from_str(&board.tell(None).1).unwrap();
    assert_eq!((state["errors"].as_array().unwrap().len(), &state["mistakes"]), (20, &json!(500)));
}
