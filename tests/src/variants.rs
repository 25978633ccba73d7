//! Variants of nodes' examples, with other values in their fields, as users may write them.

use rand::Rng as _;
use rand::rngs::StdRng;
use terrane::flow::{NodeSpec, NodeType, ParamSpec, Shape};
use terrane::registry;

/// Every node's spec with its example.
///
/// # Panics
/// If a node has no example.
#[must_use]
pub fn examples() -> Vec<(&'static NodeSpec, &'static str)> {
    let registry = registry();
    let specs = registry.nodes().map(NodeType::spec);
    specs
        .map(|spec| (spec, spec.example().unwrap_or_else(|| panic!("{} has no example", spec.name))))
        .collect()
}

/// Values at the ends of a parameter's range, and values near the smallest and largest possible numbers.
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

/// Some typical values within a parameter's range.
#[must_use]
pub fn ordinary(random: &mut StdRng, param: &ParamSpec, count: usize) -> Vec<String> {
    (0..count).filter_map(|_| one(random, param, &(param.shape)())).collect()
}

fn one(random: &mut StdRng, param: &ParamSpec, shape: &Shape) -> Option<String> {
    let range = |usual: (f64, f64)| {
        let low = param.range.min.unwrap_or(usual.0).max(usual.0);
        (low, param.range.max.unwrap_or(usual.1).min(usual.1).max(low + 1e-3))
    };
    Some(match shape {
        Shape::Bool => random.random_bool(0.5).to_string(),
        Shape::Integer { .. } => {
            let (low, high) = range((0.0, 9.0));
            random.random_range(low as u64..=high as u64).to_string()
        }
        Shape::Float => {
            let (low, high) = range(if random.random_bool(0.5) { (-2.0, 2.0) } else { (-60.0, 60.0) });
            format!("{:?}", (random.random_range(low..high) * 1000.0).round() / 1000.0)
        }
        Shape::Choice(choices) => choices[random.random_range(0..choices.len())].name.to_owned(),
        Shape::Optional(inner) if random.random_bool(0.8) => one(random, param, inner)?,
        Shape::Optional(_) => "None".to_owned(),
        Shape::Tuple(parts) if parts.iter().all(|part| *part == Shape::Float) => {
            let mut numbers: Vec<f64> = parts.iter().map(|_| random.random_range(-40.0..60.0)).collect();
            numbers.sort_by(f64::total_cmp);
            format!(
                "({})",
                numbers.iter().map(|number| format!("{number:.2}")).collect::<Vec<_>>().join(", ")
            )
        }
        Shape::List(inner) if **inner == Shape::Float => {
            format!("[{:.2}, {:.2}]", random.random_range(-2.0..2.0), random.random_range(-2.0..2.0))
        }
        _ => return None,
    })
}
