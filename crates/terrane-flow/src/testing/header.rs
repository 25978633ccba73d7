//! The header of toy graphs.

use std::any::Any;
use std::sync::Arc;

use super::log::Log;
use crate::model::context::{Context, Header};

/// The header of a toy graph.
#[derive(Debug, Default)]
pub struct Toy {
    pub size: f64,
    pub log: Log,
}

impl Header for Toy {
    fn key(&self) -> Vec<u8> {
        self.size.to_le_bytes().to_vec()
    }

    fn value_bytes(&self, kind: &str) -> u64 {
        if matches!(kind, "block" | "field") { self.size as u64 } else { 0 }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The log of the graph that a node runs for.
pub fn log<'a>(cx: &Context<'a>) -> &'a Log {
    &cx.header_unkeyed::<Toy>().log
}

/// An empty header.
#[must_use]
pub fn header() -> Arc<dyn Header> {
    Arc::new(Toy::default())
}
