//! Charts.

use std::io::{self, Write};

use terrane_flow::Data;

use super::bytes::invalid;

/// A chart, as the text of an SVG file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart(pub String);

impl Data for Chart {
    const KIND: &'static str = "chart";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.0.as_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        String::from_utf8(bytes.to_vec()).map(Self).map_err(|_| invalid("is no chart"))
    }

    fn heap_bytes(&self) -> usize {
        self.0.len()
    }
}
