//! Texts that a mistake may mean: what the search tries.

use serde_json::{Value as Json, json};

use super::catalogue::{Catalogue, text};
use super::client::Client;

/// The text with all fixes that do not overlap; `None` if there are none.
pub fn all_fixed(own: &str, mistakes: &[Json]) -> Option<String> {
    let mut fixes: Vec<&Json> =
        mistakes.iter().map(|mistake| &mistake["fix"]).filter(|fix| !fix.is_null()).collect();
    fixes.sort_by_key(|fix| number(&fix["start"]));
    let (mut fixed, mut at) = (String::new(), 0);
    for fix in &fixes {
        let (start, end) = (number(&fix["start"]), number(&fix["end"]));
        if start >= at {
            fixed += own.get(at..start)?;
            fixed += text(&fix["text"]);
            at = end;
        }
    }
    fixed += own.get(at..)?;
    (!fixes.is_empty()).then_some(fixed)
}

/// The texts that mend one mistake, the most probable first.
pub fn mended(
    own: &str,
    mistake: &Json,
    nodes: &[Json],
    (catalogue, client): (&Catalogue, &mut Client),
) -> std::io::Result<Vec<String>> {
    let mut found: Vec<String> = all_fixed(own, std::slice::from_ref(mistake)).into_iter().collect();
    let (start, end) = (number(&mistake["start"]), number(&mistake["end"]));
    let within = |part: &&Json| number(&part["start"]) <= start && start <= number(&part["end"]);
    let node = nodes.iter().find(within);
    let fields = || node.and_then(|node| node["fields"].as_array()).into_iter().flatten();
    let field = fields().find(within);
    let replaced = |with: &str| splice(own, (start, end), with);
    let code = text(&mistake["code"]);
    match (code, node, field) {
        ("unknown-type", _, _) => {
            let words = spaced(text(&mistake["text"]));
            if let Ok(answer) = client.call("find_nodes", &json!({ "words": words }))? {
                let types = answer["types"].as_array().into_iter().flatten();
                found.extend(types.map(|own| replaced(text(&own["type"]))));
            }
        }
        ("missing-port", Some(node), _) => {
            for port in lacking(catalogue, node, "inputs") {
                let fitting = catalogue.fitting(nodes, port, node);
                found.extend(
                    fitting.iter().filter_map(|from| added(own, node, text(&port["name"]), &quoted(from))),
                );
            }
        }
        ("missing-parameter", Some(node), _) => {
            for param in lacking(catalogue, node, "parameters") {
                let name = text(&param["name"]);
                let values = catalogue.values(text(&node["type"]), name);
                found.extend(values.iter().filter_map(|value| added(own, node, name, value)));
            }
        }
        ("wrong-kind" | "unknown-reference" | "no-wire" | "holes", Some(node), Some(field)) => {
            if let Some(port) = catalogue.port(text(&node["type"]), text(&field["name"])) {
                let fitting = catalogue.fitting(nodes, port, node);
                found.extend(fitting.iter().map(|from| set(own, field, &quoted(from))));
            }
        }
        ("unknown-reference" | "no-wire", None, _) => {
            found.extend(nodes.iter().map(|node| replaced(&quoted(text(&node["name"])))));
        }
        ("unknown-field", Some(node), Some(field)) => {
            found.push(without(own, field));
            let known = ["inputs", "parameters"].map(|list| lacking_all(catalogue, node, list));
            found.extend(known.into_iter().flatten().map(|name| replaced(&name)));
        }
        ("given-twice", _, Some(field)) => {
            found.push(without(own, field));
            found.extend(
                fields().filter(|other| other["name"] == field["name"]).map(|other| without(own, other)),
            );
        }
        (_, Some(node), Some(field)) if !code.is_empty() => {
            let values = catalogue.values(text(&node["type"]), text(&field["name"]));
            found.push(without(own, field));
            found.extend(values.iter().map(|value| set(own, field, value)));
        }
        _ => {}
    }
    for sign in [")", "}", ",", "]", "\"", "(", "{"] {
        found.extend([start, end].map(|at| splice(own, (at, at), sign)));
    }
    found.push(replaced(""));
    Ok(found)
}

/// The required ports or parameters that a node does not set.
fn lacking<'a>(catalogue: &'a Catalogue, node: &Json, list: &str) -> Vec<&'a Json> {
    let all = catalogue.listed(text(&node["type"]), list);
    all.filter(|own| own["required"] == true && !has(node, text(&own["name"]))).collect()
}

/// The names of all ports or parameters that a node does not set.
fn lacking_all(catalogue: &Catalogue, node: &Json, list: &str) -> Vec<String> {
    let names = catalogue.listed(text(&node["type"]), list).map(|own| text(&own["name"]).to_owned());
    names.filter(|name| !has(node, name)).collect()
}

fn has(node: &Json, field: &str) -> bool {
    node["fields"].as_array().into_iter().flatten().any(|own| own["name"] == field)
}

fn number(json: &Json) -> usize {
    json.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

fn quoted(reference: &str) -> String {
    format!("\"{reference}\"")
}

/// `ThermlErosion` as words.
fn spaced(name: &str) -> String {
    name.chars().flat_map(|c| c.is_uppercase().then_some(' ').into_iter().chain([c])).collect()
}

/// The text with other text at a span.
fn splice(own: &str, (start, end): (usize, usize), with: &str) -> String {
    format!("{}{with}{}", own.get(..start).unwrap_or(own), own.get(end..).unwrap_or_default())
}

/// The text with another value of a field.
fn set(own: &str, field: &Json, value: &str) -> String {
    let (start, end) = (number(&field["start"]), number(&field["end"]));
    let comma = if own.get(start..end).is_some_and(|text| text.trim_end().ends_with(',')) { "," } else { "" };
    splice(own, (start, end), &format!("{}: {value}{comma}", text(&field["name"])))
}

/// The text without a field.
fn without(own: &str, field: &Json) -> String {
    let (start, mut end) = (number(&field["start"]), number(&field["end"]));
    let rest = own.get(end..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start().len();
    if rest[blanks..].starts_with(',') && !own.get(start..end).unwrap_or_default().ends_with(',') {
        end += blanks + 1;
    }
    splice(own, (start, end), "")
}

/// The text with a further field of a node.
fn added(own: &str, node: &Json, name: &str, value: &str) -> Option<String> {
    let start = number(&node["start"]);
    let call = start + own.get(start..)?.find(&format!("{}(", text(&node["type"])))?;
    let at = call + text(&node["type"]).len() + 1;
    Some(splice(own, (at, at), &format!("{name}: {value}, ")))
}
