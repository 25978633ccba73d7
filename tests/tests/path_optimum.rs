//! How much earth the fast solvers move compared with the optimum, in the thesis's setting, where only the
//! path and the band next to it have bounds.

use std::sync::Arc;

use terrane::flow::Reference;
use terrane::flow::Setting;
use terrane::nodes::values::Table;
use terrane::{LoadOptions, Wanted, load_file, registry};
use terrane_tests::{engine, root};

#[test]
fn fast_solvers_move_a_tenth_more_than_the_optimum_at_most() {
    let path = root().join("graphs/velzel/solvers.ron");
    for slope in ["0.0005", "0.0035", "0.0095"] {
        for seed in 0..3 {
            let options = LoadOptions {
                seed: Some(seed),
                header: vec![("size".to_owned(), "(33, 33)".to_owned())],
                set: vec![Setting::param("slope", slope)],
                ..LoadOptions::default()
            };
            let loaded = load_file(&path, &registry(), &options).unwrap_or_else(|errors| panic!("{errors}"));
            let ports =
                ["best.cost", "earth_draft", "earth_near_optimal", "draft.report", "near_optimal.report"];
            let wanted = ports.map(|port| Wanted::from(Reference::parse(port)));
            let evaluation = engine(2, None).start(&Arc::new(loaded), wanted).unwrap().wait();
            let number = |port: usize, column: &str| {
                let value = evaluation.outputs[port].value.clone().unwrap();
                value.get::<Table>().unwrap().column(column).unwrap()[0]
            };
            let best = number(0, "cost");
            for (solver, earth, report) in [("Draft", 1, 3), ("NearOptimal", 2, 4)] {
                let ratio = number(earth, "distance") / best;
                assert!(ratio <= 1.1, "{solver}, slope {slope}, seed {seed}: {ratio} times the optimum");
                assert_eq!(number(report, "met"), 1.0, "{solver}, slope {slope}, seed {seed}");
            }
        }
    }
}
