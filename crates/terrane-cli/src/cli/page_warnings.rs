//! The warnings on the pages of `terrane view`.

use std::sync::Arc;

use terrane_flow::{Engine, Loaded};
use terrane_runs::lint::{KnownValues, Warning, lint_graph};
use terrane_view::{Warned, Warnings};

/// The warnings of `terrane check`.
#[derive(Debug, Default)]
pub struct PageWarnings {
    values: KnownValues,
}

fn warned(all: Vec<Warning>) -> Warned {
    all.into_iter().map(|warning| (warning.node, warning.diagnostic)).collect()
}

impl Warnings for PageWarnings {
    fn of_text(&self, loaded: &Loaded, is_whole: bool) -> Warned {
        warned(lint_graph(loaded, is_whole))
    }

    fn of_values(&self, engine: &Engine, loaded: &Arc<Loaded>) -> Warned {
        warned(self.values.warnings(engine, loaded))
    }
}
