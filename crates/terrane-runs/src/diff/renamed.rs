//! Nodes that only got another name.

use std::collections::HashMap;

use terrane_flow::Graph;

use super::fields::fields;

/// The names of nodes that only one graph has, if they have the same type and the same fields: from the first
/// graph's name to the second's. A node whose match is not unique is not among them.
pub fn renamed(before: &Graph, after: &Graph) -> HashMap<String, String> {
    let mut names = HashMap::new();
    let gone: Vec<&String> = before.nodes.keys().filter(|name| !after.nodes.contains_key(*name)).collect();
    let mut new: Vec<&String> = after.nodes.keys().filter(|name| !before.nodes.contains_key(*name)).collect();
    // A node whose upstream node was renamed matches once that one is known, so rounds repeat.
    loop {
        let known = names.len();
        for old in &gone {
            if names.contains_key(*old) {
                continue;
            }
            let own = before.nodes[*old].node();
            let wanted = fields(own, &names);
            let is_same = |name: &&&String| {
                let other = after.nodes[**name].node();
                other.spec().name == own.spec().name && fields(other, &HashMap::new()) == wanted
            };
            let mut matching = new.iter().filter(is_same).copied();
            if let (Some(name), None) = (matching.next(), matching.next()) {
                names.insert((*old).clone(), name.clone());
                new.retain(|other| *other != name);
            }
        }
        if names.len() == known {
            return names;
        }
    }
}
