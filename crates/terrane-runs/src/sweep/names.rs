//! Parsing names of metrics.

/// Splits the name of a metric or curve into its node and the rest: `("thermal", "history.score@last")`.
pub fn split<'a>(name: &'a str, nodes: &[String]) -> (&'a str, &'a str) {
    let rest = |node: &String| {
        name.strip_prefix(node.as_str()).filter(|rest| rest.is_empty() || rest.starts_with(['.', '@']))
    };
    // If two nodes match, the longer name wins.
    let found =
        nodes.iter().filter_map(|node| Some((node.len(), rest(node)?))).max_by_key(|(length, _)| *length);
    match found {
        Some((length, rest)) => (&name[..length], rest.strip_prefix('.').unwrap_or(rest)),
        None => (name, ""),
    }
}

/// Column names without their output, if they stay unique.
pub fn short(columns: Vec<&str>) -> Vec<&str> {
    // The row after the @ may contain dots, too.
    let end = |name: &str| name.split('@').next().unwrap_or_default().rfind('.').map_or(0, |at| at + 1);
    let mut bare: Vec<&str> = columns.iter().map(|name| &name[end(name)..]).collect();
    bare.sort_unstable();
    bare.dedup();
    let unique = bare.len() == columns.len();
    let name = |name| if unique { &name[end(name)..] } else { name };
    // The column of a table's only number has no name, and is called `value`.
    columns.into_iter().map(name).map(|name| if name.is_empty() { "value" } else { name }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_after_their_node() {
        let nodes = ["play".to_owned(), "play.new".to_owned()];
        assert_eq!(split("play.score", &nodes), ("play", "score"));
        assert_eq!(split("play.new.score@last", &nodes), ("play.new", "score@last"));
        assert_eq!(split("play.newer", &nodes), ("play", "newer"));
        assert_eq!(split("play", &nodes), ("play", ""));
        assert_eq!(split("play@0", &nodes), ("play", "@0"));
    }

    #[test]
    fn columns_have_short_names_if_these_are_unique() {
        assert_eq!(
            short(vec!["score.score", "history.excess@talus=0.5", "mean"]),
            ["score", "excess@talus=0.5", "mean"]
        );
        assert_eq!(short(vec!["score.mean", "mean"]), ["score.mean", "mean"]);
        assert_eq!(short(vec![""]), ["value"]);
    }
}
