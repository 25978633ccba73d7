//! Checks whether a graph still loads with changes applied: a node can reject a value that has the right
//! form.

use terrane_flow::{Diagnostics, EditTree, Home};

use crate::changes::{Changes, apply};

/// Loads the graph with its files' texts edited by a function.
pub type Read<'a> = dyn FnMut(&mut EditTree<'_>) -> Result<(), Diagnostics> + 'a;

/// Maximum number of loads to find the failing changes. The rest are then reported together.
const MAX_READS: usize = 64;

/// The first error that occurs with an edit and not without it.
pub fn new_error(read: &mut Read<'_>, without: &mut EditTree<'_>, with: &mut EditTree<'_>) -> Option<String> {
    let new = read(with).err()?;
    let old = read(without).err().map(|old| old.0).unwrap_or_default();
    first_new(new, &old.iter().map(|mistake| mistake.message.as_str()).collect::<Vec<_>>())
}

/// The changes that stop the graph from loading, each with its error.
pub fn failing_changes(read: &mut Read<'_>, changes: &Changes) -> Vec<(Home, String)> {
    // Changes that do not apply to the text have been reported already.
    let made: Changes = changes
        .iter()
        .filter(|(_, change)| change.problem.is_none())
        .map(|(home, change)| (home.clone(), change.clone()))
        .collect();
    let mut out = Vec::new();
    if !made.is_empty() {
        let old = read(&mut |_, text| text).err().map(|old| old.0).unwrap_or_default();
        let old: Vec<&str> = old.iter().map(|mistake| mistake.message.as_str()).collect();
        search(read, &made, &old, &mut MAX_READS.clone(), &mut out);
    }
    out
}

/// Bisects the changes to find those that break the graph without others.
fn search(
    read: &mut Read<'_>,
    changes: &Changes,
    old: &[&str],
    left: &mut usize,
    out: &mut Vec<(Home, String)>,
) {
    let mut tried = changes.clone();
    *left = left.saturating_sub(1);
    let Some(mistakes) = read(&mut |file, text| apply(&mut tried, file, text, None)).err() else { return };
    let Some(message) = first_new(mistakes, old) else { return };
    let found = out.len();
    if changes.len() > 1 && *left > 0 {
        let part = |from: usize, to: usize| -> Changes {
            let all = changes.iter().skip(from).take(to - from);
            all.map(|(home, change)| (home.clone(), change.clone())).collect()
        };
        let middle = changes.len() / 2;
        search(read, &part(0, middle), old, left, out);
        search(read, &part(middle, changes.len()), old, left, out);
    }
    // There is only one change, or the changes break the graph only together.
    if out.len() == found {
        out.extend(changes.keys().map(|home| (home.clone(), message.clone())));
    }
}

fn first_new(mistakes: Diagnostics, old: &[&str]) -> Option<String> {
    mistakes.0.into_iter().map(|mistake| mistake.message).find(|message| !old.contains(&message.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editable::EditableValues;
    use crate::testing::{changes, graph, reader};

    const GRAPH: &str = "Graph(nodes: { \"a\": Take(amount: 1.0), \"b\": Take(), \"c\": Take() })";

    #[test]
    fn only_changes_that_a_node_rejects_are_reported() {
        let (folder, loaded) = graph(&[("g.ron", GRAPH)], &[]);
        let all =
            [("a", "amount", "2.0"), ("b", "amount", "99.0"), ("c", "times", "4"), ("c", "amount", "-1.0")];
        let all = changes(&EditableValues::new(&loaded), &all);
        let path = folder.path().join("g.ron");
        let failing: Vec<Home> = failing_changes(&mut *reader(&path), &all)
            .into_iter()
            .map(|(home, why)| (home, assert!(!why.is_empty())).0)
            .collect();
        assert_eq!(failing, [all.get_index(1).unwrap().0.clone(), all.get_index(3).unwrap().0.clone()]);
    }

    #[test]
    fn errors_that_exist_without_the_changes_are_not_reported() {
        let (folder, loaded) = graph(&[("g.ron", GRAPH)], &[]);
        let all = changes(&EditableValues::new(&loaded), &[("a", "amount", "2.0")]);
        let path = folder.path().join("g.ron");
        std::fs::write(&path, GRAPH.replace("\"b\": Take", "\"b\": Tike")).unwrap();
        assert_eq!(failing_changes(&mut *reader(&path), &all), []);
    }
}
