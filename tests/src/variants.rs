//! Examples of nodes with other values in their fields: what strangers may write.

use terrane::flow::{NodeSpec, NodeType, ParamSpec, Shape};
use terrane::registry;

/// Every node's spec with its example.
///
/// # Panics
/// When a node has none.
#[must_use]
pub fn examples() -> Vec<(&'static NodeSpec, &'static str)> {
    let registry = registry();
    let specs = registry.nodes().map(NodeType::spec);
    specs
        .map(|spec| (spec, spec.example().unwrap_or_else(|| panic!("{} has no example", spec.name))))
        .collect()
}

/// Values at the ends of what a parameter takes, and at what is nearly too small or too large for any.
#[must_use]
pub fn extremes(param: &ParamSpec) -> Vec<String> {
    let float = || {
        let ends = [param.range.min, param.range.max].into_iter().flatten();
        let far = [0.0, 1e-30, -1e-30, 1e30, -1e30, 1e12, 1e-6];
        let mut all: Vec<f64> = ends.chain(far).filter(|&number| param.range.contains(number)).collect();
        all.dedup();
        all.into_iter().map(|number| format!("{number:?}")).collect::<Vec<_>>()
    };
    let whole = |min: i128, max: i128| {
        let ends = [param.range.min, param.range.max].into_iter().flatten().map(|end| end as i128);
        let inside = |number: &i128| param.range.contains(*number as f64) && (min..=max).contains(number);
        let far = ends.chain([min, max, 0, 1, 1_000_000]).filter(inside);
        far.map(|number| number.to_string()).collect::<Vec<_>>()
    };
    match (param.shape)() {
        Shape::Float => float(),
        Shape::Integer { min, max } => whole(min, max),
        Shape::Optional(inner) => match *inner {
            Shape::Float => float(),
            Shape::Integer { min, max } => whole(min, max),
            _ => Vec::new(),
        },
        Shape::Tuple(parts) if parts.iter().all(|part| *part == Shape::Float) => {
            let row = |number: &String| format!("({})", vec![number.as_str(); parts.len()].join(", "));
            float().iter().map(row).collect()
        }
        Shape::List(inner) if *inner == Shape::Float => {
            float().iter().map(|number| format!("[{number}, {number}]")).collect()
        }
        Shape::Choice(choices) => choices.iter().map(|choice| choice.name.to_owned()).collect(),
        Shape::Bool => vec!["true".to_owned(), "false".to_owned()],
        _ => Vec::new(),
    }
}
