//! A small run of `cargo xtask tasks`: graphs with faults are mended over `terrane mcp`.

use std::path::Path;

#[path = "../../../../xtask/src/tasks/mod.rs"]
mod solved;

#[test]
fn graphs_with_faults_are_mended_over_the_server() {
    let program = Path::new(env!("CARGO_BIN_EXE_terrane"));
    let graphs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs");
    let registry = terrane_nodes::registry();
    let report = solved::run(program, &graphs, &registry, (12, 1, 5), &mut |_| {}).unwrap();
    assert_eq!(report.tasks, 12);
    assert!(report.solved >= 11 && report.empty == 0, "{}{}", report.to_text(), report.failures.join("\n"));
}
