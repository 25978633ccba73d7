//! The dataflow framework without terrain: graphs are recipes, and values are amounts in grams.
//!
//! `cargo run -p terrane-examples --bin recipes`

use std::any::Any;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use terrane_flow::declared;
use terrane_flow::{
    Context, Data, Engine, EngineOptions, Evaluate, Header, Input, LoadOptions, Node, NodeError, Registry,
    load,
};

/// An amount of something.
#[derive(Clone, Debug)]
struct Grams(f64);

impl Data for Grams {
    const KIND: &'static str = "grams";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.0.to_le_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let bytes = bytes.try_into().map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        Ok(Self(f64::from_le_bytes(bytes)))
    }

    fn heap_bytes(&self) -> usize {
        0
    }
}

/// The header of a recipe, which has no fields.
#[derive(Debug)]
struct Kitchen;

impl Header for Kitchen {
    fn key(&self) -> Vec<u8> {
        Vec::new()
    }

    fn value_bytes(&self, _kind: &str) -> u64 {
        8
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An ingredient.
#[derive(Clone, Debug, Node)]
#[output(out: Grams, doc = "The ingredient.")]
struct Take {
    /// The amount.
    #[param(min = 0.0, unit = "g")]
    grams: f64,
}

impl Evaluate for Take {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Grams(self.grams),))
    }
}

/// Mixes two ingredients.
#[derive(Clone, Debug, Node)]
#[output(out: Grams, doc = "The mixture.")]
struct Mix {
    /// The first ingredient.
    #[input]
    a: Input<Grams>,
    /// The second ingredient.
    #[input]
    b: Input<Grams>,
}

impl Evaluate for Mix {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Grams(self.a.get().0 + self.b.get().0),))
    }
}

const RECIPE: &str = r#"Graph(
    params: { "flour": 500.0 },
    nodes: {
        "flour": Take(grams: "$flour"),
        "water": Take(grams: 325.0),
        "dough": Mix(a: "flour", b: "water"),
    },
)"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let family = declared::family(|_, _| Arc::new(Kitchen));
    let mut registry = Registry::new(family);
    registry.add::<Take>()?;
    registry.add::<Mix>()?;
    let loaded = load("bread.ron", RECIPE, Path::new("."), &registry, &LoadOptions::default())?;
    let engine = Engine::new(EngineOptions::default())?;
    let dough = engine.value_of::<Grams>(&Arc::new(loaded), "dough")?;
    if dough.0 != 825.0 {
        return Err(format!("825 g of dough were expected, not {}", dough.0).into());
    }
    writeln!(io::stdout(), "{} g of dough", dough.0)?;
    Ok(())
}
