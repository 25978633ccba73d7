//! Toy nodes whose samples depend on one sample each.

use terrane_flow_derive::Node;

use super::header::log;
use super::values::{Field, Number};
use crate::model::context::Context;
use crate::model::error::NodeError;
use crate::model::node::Evaluate;
use crate::model::pointwise::Pointwise;
use crate::model::port::{Input, ScalarInput};

/// Samples that rise by 1.
#[derive(Clone, Debug, Node)]
#[output(field: Field, doc = "The samples.")]
pub struct Rise {
    /// The first sample.
    #[param(default = 0.0)]
    from: f64,
    /// The number of samples.
    #[param(default = 40000)]
    samples: u32,
}

impl Evaluate for Rise {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        log(cx).note(format!("Rise {}", self.from));
        Ok((Field((0..self.samples).map(|at| self.from as f32 + at as f32).collect()),))
    }
}

/// Samples that rise by 1 from a number.
#[derive(Clone, Debug, Node)]
#[output(field: Field, doc = "The samples.")]
pub struct Rising {
    /// The first sample.
    #[input]
    n: Input<Number>,
}

impl Evaluate for Rising {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let first = self.n.get().0 as f32;
        log(cx).note(format!("Rising {first}"));
        Ok((Field((0..40_000).map(|at| first + at as f32).collect()),))
    }
}

/// Sums, sample by sample.
#[derive(Clone, Debug, Node)]
#[node(cost = Cheap)]
#[output(field: Field, doc = "The sums.")]
pub struct Plus {
    /// Samples.
    #[input]
    a: Input<Field>,
    /// Other samples, or a number.
    #[input(default = 0.0)]
    b: ScalarInput<Field>,
    /// The factor of each sum.
    #[param(default = 1.0)]
    by: f64,
    /// A sum that makes the node panic.
    #[param(default = None)]
    fears: Option<f64>,
    /// A warning.
    #[param(default = String::new())]
    warns: String,
}

impl Evaluate for Plus {
    fn pointwise(&self) -> Option<Pointwise> {
        let (by, fears, warns) = (self.by as f32, self.fears.map(|fears| fears as f32), self.warns.clone());
        let function = Pointwise::new(move |samples, inputs| {
            for ((sample, a), b) in samples.iter_mut().zip(inputs[0]).zip(inputs[1]) {
                *sample = (a + b) * by;
            }
            if let Some(fears) = fears {
                assert!(!samples.contains(&fears), "it fears {fears}");
            }
        });
        Some(function.then(move |cx| {
            log(cx).note("Plus");
            if !warns.is_empty() {
                cx.warn(warns.clone());
            }
        }))
    }
}

/// The largest sample, or 0.
#[derive(Clone, Debug, Node)]
#[output(top: Number, doc = "The sample.")]
pub struct Top {
    /// Samples.
    #[input]
    a: Input<Field>,
}

impl Evaluate for Top {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let top = self.a.get().0.iter().fold(0.0f32, |top, &sample| top.max(sample));
        log(cx).note(format!("Top {top}"));
        Ok((Number(f64::from(top)),))
    }
}
