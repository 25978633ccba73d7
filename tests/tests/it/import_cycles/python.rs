//! Imports between files of a Python package, read from their text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The native module, which has no file here and imports none.
const NATIVE: &str = "_pyterrane";

/// All pairs of a file and a file that it imports. Imports in functions, imports for type checkers and
/// imports of a file's stub count like all others.
pub fn imports(package: &Path) -> BTreeSet<(String, String)> {
    let own = package.file_name().unwrap().to_str().unwrap();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for entry in fs::read_dir(package).unwrap() {
        let path = entry.unwrap().path();
        assert!(!path.join("__init__.py").exists(), "{}: packages in packages are not read", path.display());
        if path.extension().is_some_and(|extension| extension == "py" || extension == "pyi") {
            let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
            *texts.entry(module).or_default() += &(fs::read_to_string(&path).unwrap() + "\n");
        }
    }
    let mut found = BTreeSet::new();
    for (user, text) in &texts {
        for used in code(text).lines().flat_map(|line| imported(line, own, &texts)) {
            if used != *user {
                found.insert((format!("{user}.py"), format!("{used}.py")));
            }
        }
    }
    found
}

/// The modules of the package that a statement imports.
fn imported(line: &str, package: &str, modules: &BTreeMap<String, String>) -> Vec<String> {
    // A statement can follow `if TYPE_CHECKING:` on the same line.
    let statement = line.rsplit(": ").next().unwrap_or_default().trim();
    let names = |list: &str| -> Vec<String> {
        let each = list.trim_matches([' ', '(', ')']).split(',');
        each.filter_map(|part| part.split_whitespace().next().map(str::to_owned)).collect()
    };
    // A name that no file has is a name of the package itself.
    let file = |name: &str| {
        let has_file = modules.contains_key(name);
        if has_file { name.to_owned() } else { "__init__".to_owned() }
    };
    let inner = |path: &str| -> Option<String> {
        let path = path.strip_prefix(package).unwrap_or(path);
        if path.is_empty() { Some("__init__".to_owned()) } else { path.strip_prefix('.').map(file) }
    };
    if let Some(list) = statement.strip_prefix("import ") {
        return names(list)
            .iter()
            .filter(|name| name.starts_with(package))
            .filter_map(|name| inner(name))
            .collect();
    }
    match statement.strip_prefix("from ").and_then(|rest| rest.split_once(" import")) {
        Some((from, list)) if from == "." || from == package => {
            names(list).iter().filter(|name| *name != NATIVE).map(|name| file(name)).collect()
        }
        Some((from, _)) if from.starts_with(['.']) || from.starts_with(package) => {
            inner(from).filter(|_| !from.ends_with(NATIVE)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// A text without its strings and comments, and with each statement on one line.
fn code(text: &str) -> String {
    let mut code = String::new();
    let (mut rest, mut depth) = (text, 0_usize);
    while let Some(next) = rest.chars().next() {
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| rest.starts_with(quote));
        if let Some(quote) = quote {
            rest = after_string(&rest[quote.len()..], quote);
            continue;
        }
        if next == '#' {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        if let Some(joined) = rest.strip_prefix("\\\n") {
            rest = joined;
            continue;
        }
        match next {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        code.push(match next {
            '\n' if depth > 0 => ' ',
            ';' => '\n',
            other => other,
        });
        rest = &rest[next.len_utf8()..];
    }
    code
}

/// What follows a string, from the text after its first quote.
fn after_string<'a>(mut rest: &'a str, quote: &str) -> &'a str {
    while let Some(next) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(quote) {
            return after;
        }
        rest = &rest[next.len_utf8()..];
        if next == '\\' {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    rest
}
