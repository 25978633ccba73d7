//! Sizes of rasters at the ports of a node.

use std::io;

use terrane_flow::testing::{Number, header};
use terrane_flow::{
    Cancel, Context, Data, Evaluate, Input, Node, NodeError, OptionalInput, ScalarInput, Source, Value,
};

/// A raster without samples.
#[derive(Clone, Debug)]
struct Raster(usize, usize);

impl Data for Raster {
    const KIND: &'static str = "raster";

    fn encode(&self, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(&[self.0 as u8, self.1 as u8])
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        Ok(Self(bytes[0].into(), bytes[1].into()))
    }

    fn heap_bytes(&self) -> usize {
        0
    }

    fn extent(&self) -> Option<(usize, usize)> {
        Some((self.0, self.1))
    }
}

/// Takes rasters.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "One.")]
struct Take {
    /// Any number.
    #[input]
    number: OptionalInput<Number>,
    /// A raster.
    #[input]
    a: Input<Raster>,
    /// A raster or a number.
    #[input(default = 1.0, min = 0.0)]
    b: ScalarInput<Raster>,
    /// A raster of any size.
    #[input(any_size)]
    c: OptionalInput<Raster>,
}

impl Evaluate for Take {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Number(1.0),))
    }
}

fn run(values: &[(usize, Value)]) -> Result<Vec<Value>, NodeError> {
    let mut node = Take::default();
    for (port, value) in values {
        Node::port_mut(&mut node, *port).connect(Source::Bound(value.clone()));
    }
    let (header, cancel) = (header(), Cancel::new());
    node.run(&Context::new(&*header, 0, &cancel, &|_| {}, &|_| {}))
}

#[test]
fn rasters_at_the_ports_of_a_node_have_one_size() {
    let raster = |columns, rows| Value::new(Raster(columns, rows));
    let number = (0, Value::new(Number(3.0)));
    assert!(run(&[number.clone(), (1, raster(3, 4))]).is_ok());
    assert!(run(&[number, (1, raster(3, 4)), (2, raster(3, 4)), (3, raster(5, 4))]).is_ok());
    let error = run(&[(1, raster(3, 4)), (2, raster(4, 3))]).unwrap_err().to_string();
    assert!(error.contains("`a` has 3 x 4 samples, but `b` has 4 x 3"), "{error}");
}
