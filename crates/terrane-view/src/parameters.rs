//! Describes parameters and their permitted values for the page.

use serde_json::{Value as Json, json};
use terrane_flow::{Bound, GraphNode, Literal as _, Loaded, NodeSpec, Origin, Place, Range, Shape, Source};

use crate::editable::{EditableValue, EditableValues, is_short};

/// Describes the ports and parameters of a node type.
#[must_use]
pub fn describe(spec: &NodeSpec, is_height: fn(&str) -> bool) -> Json {
    let params: Vec<Json> = spec
        .params
        .iter()
        .map(|param| {
            let mut out = accepted(&(param.shape)(), &param.range);
            merge(
                &mut out,
                json!({
                    "name": param.name, "docs": param.docs, "unit": param.unit,
                    "place": param.place.map(Place::name), "joins": param.joins, "each": param.each,
                }),
            );
            out["default"] = param.default.map(|default| default()).into();
            out
        })
        .collect();
    let inputs: Vec<Json> = spec
        .inputs
        .iter()
        .map(|input| {
            let mut out = accepted(&Shape::Float, &input.range);
            merge(
                &mut out,
                json!({
                    "name": input.name, "docs": input.docs, "unit": input.unit, "kind": input.kind.name,
                    "or": input.or.map(|kind| kind.name), "default": input.default,
                    "needed": !input.optional && input.default.is_none(), "scalar": input.scalar,
                }),
            );
            out
        })
        .collect();
    let outputs: Vec<Json> = spec
        .outputs
        .iter()
        .map(|output| {
            let relief = is_height(output.unit);
            json!({
                "name": output.name, "docs": output.docs, "unit": output.unit, "kind": output.kind.name,
                "relief": relief,
            })
        })
        .collect();
    json!({
        "summary": spec.summary(), "category": spec.category, "words": spec.words, "paper": spec.paper,
        "params": params, "inputs": inputs, "outputs": outputs, "main": spec.main,
        "presets": spec.presets.iter().map(|(name, _)| name).collect::<Vec<_>>(),
    })
}

fn merge(into: &mut Json, more: Json) {
    if let (Some(into), Json::Object(more)) = (into.as_object_mut(), more) {
        into.extend(more);
    }
}

/// The permitted values: the shape, with the range of its numbers.
fn accepted(shape: &Shape, range: &Range) -> Json {
    match shape {
        Shape::Bool => json!({ "shape": "bool" }),
        Shape::Text => json!({ "shape": "text" }),
        Shape::File => json!({ "shape": "file" }),
        Shape::Float => number("number", *range),
        Shape::Integer { min, max } => {
            // The range of the type, narrowed by the range of the parameter.
            let (least, most) = (*min as f64, *max as f64);
            let above = range.above && range.min.is_some_and(|min| min >= least);
            let min = Some(range.min.map_or(least, |min| min.max(least)));
            let max = Some(range.max.map_or(most, |max| max.min(most)));
            number("integer", Range { min, max, above })
        }
        Shape::Choice(choices) => {
            let choices: Vec<Json> =
                choices.iter().map(|choice| json!({ "name": choice.name, "docs": choice.docs })).collect();
            json!({ "shape": "choice", "choices": choices })
        }
        Shape::Record(records) => {
            let records: Vec<Json> = records
                .iter()
                .map(|record| {
                    let fields = record.fields.iter().map(|field| {
                        let mut out = accepted(&field.shape(), &Range::default());
                        merge(&mut out, json!({ "name": field.name, "docs": field.docs }));
                        out
                    });
                    json!({ "name": record.name, "docs": record.docs, "fields": fields.collect::<Vec<_>>() })
                })
                .collect();
            json!({ "shape": "record", "records": records })
        }
        Shape::List(item) => json!({ "shape": "list", "item": accepted(item, range) }),
        Shape::Optional(item) => json!({ "shape": "optional", "item": accepted(item, range) }),
        Shape::Map => json!({ "shape": "map" }),
        Shape::NumberOrNamed(_) => accepted(&Shape::Float, range),
        Shape::NumberOrPlace => {
            let number = Shape::Integer { min: 0, max: u32::MAX.into() };
            let parts = [number, Shape::Tuple(vec![Shape::Float, Shape::Float])];
            let items: Vec<Json> = parts.iter().map(|part| accepted(part, &Range::default())).collect();
            json!({ "shape": "either", "items": items })
        }
        Shape::Tuple(items) => {
            let items: Vec<Json> = items.iter().map(|item| accepted(item, range)).collect();
            json!({ "shape": "tuple", "items": items })
        }
    }
}

fn number(name: &str, range: Range) -> Json {
    let mut out = json!({ "shape": name });
    for (name, bound) in [("min", range.min), ("max", range.max)] {
        if let Some(bound) = bound {
            out[name] = json!(bound);
        }
    }
    if range.above {
        out["above"] = json!(true);
    }
    out
}

/// The values of a node's parameters and of its constant inputs: value, text, position in the file, and
/// whether it can be changed.
#[must_use]
pub fn values(name: &str, node: &GraphNode, editable: &EditableValues) -> (Vec<Json>, Vec<Json>) {
    let spec = node.node().spec();
    let location = node.location.as_ref();
    let described = |field: &str,
                     span: Option<&Option<std::ops::Range<usize>>>,
                     own: (Shape, Range),
                     canonical: String| {
        let span = span.and_then(Option::as_ref);
        let written = span.and_then(|span| location?.source.text.get(span.clone()));
        let bound = location.and_then(|location| match location.origin(field, span) {
            Origin::Bound(name, bound) => Some((name, bound)),
            _ => None,
        });
        let text = bound.map_or(written, |(_, bound)| Some(&*bound.text));
        let mut out = adjustable(editable.field(name, field), own, text, canonical, editable);
        if let Some((name, Bound { .. })) = bound {
            out["bound"] = json!(name);
        }
        out
    };
    let params = spec.params.iter().enumerate().map(|(index, param)| {
        let span = location.and_then(|location| location.params.get(index));
        described(param.name, span, ((param.shape)(), param.range), node.node().param(index))
    });
    let inputs = spec.inputs.iter().enumerate().map(|(index, input)| {
        let span = location.and_then(|location| location.inputs.get(index));
        match node.node().port(index).source() {
            Source::Number(number) => {
                let text = if input.none { format!("Some({number:?})") } else { format!("{number:?}") };
                described(input.name, span, (input.shape(), input.range), text)
            }
            Source::Unset if input.scalar && input.none => {
                described(input.name, span, (input.shape(), input.range), "None".to_owned())
            }
            Source::Wire(reference) => json!({ "wire": reference.to_string() }),
            Source::Unset | Source::Bound(_) => Json::Null,
        }
    });
    (params.collect(), inputs.collect())
}

/// The fields of the graph's header that can be changed, with their permitted values.
#[must_use]
pub fn header(spec: &NodeSpec, editable: &EditableValues) -> Vec<Json> {
    let params = spec.params.iter().filter(|param| !matches!((param.shape)(), Shape::Map));
    params
        .map(|param| {
            let own = ((param.shape)(), param.range);
            let canonical = param.default.map(|default| default()).unwrap_or_default();
            let (place, written) = editable.header(param.name);
            let mut out = adjustable(place, own.clone(), written.as_deref(), canonical, editable);
            let mut spec = accepted(&own.0, &own.1);
            merge(&mut spec, json!({ "name": param.name, "docs": param.docs, "unit": param.unit }));
            out["spec"] = spec;
            out
        })
        .collect()
}

/// The parameters that the graph declares, with the fields that they set.
#[must_use]
pub fn graph_params(loaded: &Loaded, editable: &EditableValues) -> Vec<Json> {
    let params = loaded.graph.scope.params.iter();
    params
        .map(|(name, bound)| {
            let place = editable.param(name);
            let shape = place.as_ref().map_or(Shape::Text, |place| place.shape.clone());
            let range = place.as_ref().map(|place| place.range).unwrap_or_default();
            let drives: Vec<Json> = bound
                .home
                .iter()
                .flat_map(|home| editable.driven(home))
                .map(|driven| json!([driven.node, driven.field]))
                .collect();
            let mut out = adjustable(
                place,
                (shape.clone(), range),
                Some(&bound.text),
                bound.text.to_string(),
                editable,
            );
            merge(&mut out, json!({ "name": name, "drives": drives, "as": accepted(&shape, &range) }));
            out
        })
        .collect()
}

/// A value, and whether it can be changed; if not, why.
fn adjustable(
    place: Result<EditableValue, String>,
    (shape, range): (Shape, Range),
    text: Option<&str>,
    canonical: String,
    editable: &EditableValues,
) -> Json {
    let mut out = json!({ "text": text.unwrap_or(&canonical), "given": text.is_some() });
    let place = place.and_then(|place| {
        let full = place.shape.json(&canonical);
        // The value as written, without omitted fields; if that cannot be parsed, the value as loaded.
        let value = text.and_then(|text| place.shape.json(text)).or_else(|| full.clone());
        let value = value.ok_or("it has numbers that JSON cannot represent")?;
        if !is_short(&canonical) {
            return Err("it is too long to be changed here".to_owned());
        }
        Ok((place, value, full))
    });
    match place {
        Ok((place, value, full)) => {
            out["value"] = value;
            out["home"] = json!(editable.name(&place.home));
            if matches!(full, Some(Json::Object(_) | Json::Array(_))) {
                out["full"] = json!(full);
            }
            // Other fields that it sets may narrow its range.
            if place.shape != shape || place.range != range {
                out["as"] = accepted(&place.shape, &place.range);
            }
            if let Some((file, uses)) = editable.elsewhere(&place.home) {
                out["in"] = json!({ "file": file, "uses": uses });
            }
        }
        Err(why) => out["why"] = json!(why),
    }
    out
}

/// The RON text of a value that a page requests. Every part is checked against the shape, so that a page can
/// write nothing else into a file.
///
/// # Errors
/// A sentence that says what was expected, and where.
pub fn to_ron(name: &str, shape: &Shape, value: &Json) -> Result<String, String> {
    let text = shape.ron(value).map_err(|problem| format!("`{name}` takes {shape}; {problem}"))?;
    if is_short(&text) { Ok(text) } else { Err(format!("`{name}` is too long to be changed here")) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{describe, graph_params, to_ron, values};
    use crate::editable::EditableValues;
    use crate::testing::graph;

    const GRAPH: &str = "Graph(params: { \"n\": 3, \"word\": \"hi\" }, nodes: {
        \"a\": Take(amount: \"$n\", points: [(0, 1), (2, 3)], manner: Wrap, title: \"x\\\"y\"),
        \"long\": Take(title: \"LONG\"),
    })";

    fn param(params: &[Json], index: usize) -> (Json, Json) {
        (params[index]["value"].clone(), params[index]["why"].clone())
    }

    #[test]
    fn values_are_described_by_shape_and_position() {
        let text = GRAPH.replace("LONG", &"x".repeat(7000));
        let (_folder, loaded) = graph(&[("g.ron", &text)], &[]);
        let editable = EditableValues::new(&loaded);
        let (params, _) = values("a", &loaded.graph.nodes["a"], &editable);
        assert_eq!(param(&params, 0).0, json!(3.0));
        assert_eq!((&params[0]["bound"], &params[0]["as"]), (&json!("n"), &Json::Null));
        assert_eq!(param(&params, 1).0, json!(2), "a default");
        assert_eq!((&params[1]["given"], &params[3]["given"]), (&json!(false), &json!(true)));
        assert_eq!(param(&params, 3).0, json!([[0.0, 1.0], [2.0, 3.0]]));
        assert_eq!(param(&params, 4).0, json!("Wrap"));
        assert_eq!(param(&params, 5).0, json!("x\"y"));
        assert_eq!(
            param(&params, 6),
            (Json::Null, json!("file names can only be changed in the graph's text"))
        );
        let (long, _) = values("long", &loaded.graph.nodes["long"], &editable);
        assert_eq!(param(&long, 5), (Json::Null, json!("it is too long to be changed here")));
        let graph = graph_params(&loaded, &editable);
        assert_eq!((&graph[0]["value"], &graph[0]["drives"]), (&json!(3.0), &json!([["a", "amount"]])));
        assert_eq!(graph[0]["as"], json!({ "shape": "number", "min": 0.0, "max": 10.0 }));
        assert_eq!((&graph[1]["value"], &graph[1]["as"]["shape"]), (&json!("hi"), &json!("text")));
    }

    #[test]
    fn ranges_are_attached_to_numbers() {
        let (_folder, loaded) = graph(&[("g.ron", GRAPH)], &[]);
        let described = describe(loaded.graph.nodes["a"].node().spec(), |_| false);
        assert_eq!(described["params"][1]["min"], json!(1.0));
        assert_eq!(described["params"][1]["max"], json!(f64::from(u32::MAX)));
        assert_eq!(described["params"][3]["item"]["items"][1], json!({ "shape": "number" }));
        assert_eq!(described["params"][4]["item"]["choices"][1]["name"], json!("Wrap"));
        assert_eq!(described["params"][6]["item"], json!({ "shape": "file" }));
    }

    #[test]
    fn invalid_values_report_what_was_expected() {
        let (_folder, loaded) = graph(&[("g.ron", GRAPH)], &[]);
        let shape = (loaded.graph.nodes["a"].node().spec().params[3].shape)();
        assert_eq!(to_ron("points", &shape, &json!([[1, 2.5]])).unwrap(), "[(1.0, 2.5)]");
        let said = to_ron("points", &shape, &json!([[1, 2], [1, "x"]])).unwrap_err();
        assert!(
            said.starts_with("`points` takes a list") && said.contains("item 2, value 2: expected a number"),
            "{said}"
        );
        assert!(to_ron("points", &shape, &json!(vec![[1, 2]; 2000])).unwrap_err().contains("too long"));
    }
}
