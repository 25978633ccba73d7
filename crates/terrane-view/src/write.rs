//! Writes changes into the current texts of their files. All files are checked first, then each is written as
//! a whole. Changes that would break the graph are not written.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_flow::syntax::Tree;

use crate::editable::EditableValues;
use crate::load_check::{Read, new_error};
use crate::page_requests::{self, Changes};

/// The result of writing changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The files that were written.
    pub written: Vec<Arc<Path>>,
    /// The message for the page.
    pub notice: String,
}

/// A file with its changes.
struct File {
    path: Arc<Path>,
    shown: String,
    /// Its current text.
    text: String,
    /// Its text with the changes.
    edited: String,
    count: usize,
}

impl File {
    /// Whether another program saved it since it was read.
    fn is_saved(&self) -> bool {
        !terrane_io::read_regular(&self.path).is_ok_and(|bytes| bytes == self.text.as_bytes())
    }
}

/// Writes changes into their files. `read` loads the graph that they belong to.
pub fn write(changes: &Changes, editable: &EditableValues, read: &mut Read<'_>) -> Outcome {
    let prepared = prepared(changes, editable).and_then(|files| match broken(&files, read) {
        Some(why) => Err(format!("nothing was written: the graph would not load: {why}")),
        None => Ok(files),
    });
    let files = match prepared {
        Ok(files) => files,
        Err(notice) => return Outcome { written: Vec::new(), notice },
    };
    put_all(&files, &mut |file| {
        let done = terrane_io::write_atomic(&file.path, true, |out| {
            out.write_all(file.edited.as_bytes())?;
            // The last check before renaming, so that a file saved in the meantime is not overwritten.
            if file.is_saved() { Err(std::io::Error::other(SAVED)) } else { Ok(()) }
        });
        done.map(|_| ()).map_err(|error| error.problem.to_string())
    })
}

const SAVED: &str = "another program has just saved it";

/// The error that the graph would have with the edited texts and does not have with those on disk.
fn broken(files: &[File], read: &mut Read<'_>) -> Option<String> {
    let tree = |path: &Path, read: Tree, of: fn(&File) -> &str| {
        let file = files.iter().find(|file| &*file.path == path);
        file.map_or(read, |file| Tree::parse(of(file).trim_start_matches('\u{feff}')))
    };
    let mut without = |path: &Path, read: Tree| tree(path, read, |file| &file.text);
    let mut with = |path: &Path, read: Tree| tree(path, read, |file| &file.edited);
    new_error(read, &mut without, &mut with)
}

/// Writes the files, unless one was saved since it was read.
fn put_all(files: &[File], put: &mut dyn FnMut(&File) -> Result<(), String>) -> Outcome {
    // A file that was saved in the meantime is not overwritten.
    if let Some(File { shown, .. }) = files.iter().find(|file| file.is_saved()) {
        let notice = format!("another program has just saved {shown}; write again");
        return Outcome { written: Vec::new(), notice };
    }
    let (mut written, mut said) = (Vec::new(), Vec::new());
    for (index, file) in files.iter().enumerate() {
        // Checked again, since writing the previous files took time.
        let done = if file.is_saved() { Err(SAVED.to_owned()) } else { put(file) };
        if let Err(problem) = done {
            let wrote =
                if said.is_empty() { String::new() } else { format!("wrote {}; ", said.join(" and ")) };
            let rest: Vec<&str> = files[index + 1..].iter().map(|file| &*file.shown).collect();
            let rest = if rest.is_empty() {
                String::new()
            } else {
                format!("; {} was not changed", rest.join(" and "))
            };
            let notice = format!("{wrote}cannot write {}: {problem}{rest}", file.shown);
            return Outcome { written, notice };
        }
        written.push(Arc::clone(&file.path));
        let values = if file.count == 1 { "value" } else { "values" };
        said.push(format!("{} {values} to {}", file.count, file.shown));
    }
    let notice = if said.is_empty() {
        "there are no changes to write".to_owned()
    } else {
        format!("wrote {}", said.join(" and "))
    };
    Outcome { written, notice }
}

/// The files with the changes applied to their current texts, or why a change cannot be applied.
fn prepared(changes: &Changes, editable: &EditableValues) -> Result<Vec<File>, String> {
    let mut counts: IndexMap<Arc<Path>, usize> = IndexMap::new();
    for home in changes.keys() {
        *counts.entry(Arc::clone(&home.file)).or_default() += 1;
    }
    let mut changes = changes.clone();
    counts
        .into_iter()
        .map(|(path, count)| {
            let shown = editable.shown(&path);
            if !editable.may_write(&path) {
                return Err(format!(
                    "nothing was written: {shown} is not part of the graph, or is outside its folder"
                ));
            }
            let text = terrane_io::read_regular(&path)
                .and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other))
                .map_err(|error| format!("cannot read {shown}: {error}; nothing was written"))?;
            // A byte order mark is not part of the graph and is kept.
            let (mark, graph) = text.split_at(text.len() - text.trim_start_matches('\u{feff}').len());
            let edited =
                format!("{mark}{}", page_requests::apply(&mut changes, &path, Tree::parse(graph)).text());
            let mut here = changes.iter().filter(|(home, _)| home.file == path);
            match here.find_map(|(_, change)| change.problem.as_ref()) {
                Some(problem) => Err(format!("nothing was written: {shown}: {problem}")),
                None => Ok(File { path, shown, text, edited, count }),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Outcome, prepared, put_all};
    use crate::editable::EditableValues;
    use crate::page_requests::Changes;
    use crate::testing::{changes, graph, reader};

    fn write(changes: &Changes, editable: &EditableValues, folder: &tempfile::TempDir) -> Outcome {
        super::write(changes, editable, &mut *reader(&folder.path().join("g.ron")))
    }

    const FILES: [(&str, &str); 3] = [
        (
            "g.ron",
            "Graph(nodes: {\n    \"a\": Take(amount: 1), // kept\n    \"s\": Subgraph(file: \
            \"sub/s.ron\"),\n    \"t\": Subgraph(file: \"sub/t.ron\"),\n})",
        ),
        ("sub/s.ron", "\u{feff}Graph(nodes: { \"b\": Take(/* b */) })"),
        ("sub/t.ron", "Graph(nodes: { \"c\": Take(amount: 3.0) })"),
    ];

    #[test]
    fn each_change_goes_into_its_own_file() {
        let (folder, loaded) = graph(&FILES, &[]);
        let editable = EditableValues::new(&loaded);
        let all =
            changes(&editable, &[("a", "amount", "1.5"), ("s/b", "times", "3"), ("s/b", "amount", "2.5")]);
        let outcome = write(&all, &editable, &folder);
        let own = loaded.graph.files[0].display();
        let s = std::path::Path::new("sub").join("s.ron");
        assert_eq!(outcome.notice, format!("wrote 1 value to {own} and 2 values to {}", s.display()));
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text("g.ron"), FILES[0].1.replace("amount: 1)", "amount: 1.5)"));
        assert_eq!(text("sub/s.ron"), FILES[1].1.replace("Take(", "Take(times: 3, amount: 2.5"));
        assert_eq!(text("sub/t.ron"), FILES[2].1);
        assert_eq!(write(&Changes::default(), &editable, &folder).notice, "there are no changes to write");
    }

    #[test]
    fn nothing_is_written_if_changes_of_one_file_do_not_apply() {
        let (folder, loaded) = graph(&FILES, &[]);
        let editable = EditableValues::new(&loaded);
        let all = changes(&editable, &[("a", "amount", "1.5"), ("s/b", "times", "3")]);
        let inner = folder.path().join("sub/s.ron");
        for broken in ["Graph(nodes: {", "Graph(nodes: { \"other\": Take() })"] {
            fs::write(&inner, broken).unwrap();
            let outcome = write(&all, &editable, &folder);
            assert!(
                outcome.written.is_empty() && outcome.notice.starts_with("nothing was written: sub"),
                "{outcome:?}"
            );
        }
        fs::remove_file(&inner).unwrap();
        assert!(write(&all, &editable, &folder).notice.ends_with("nothing was written"));
        assert_eq!(fs::read_to_string(folder.path().join("g.ron")).unwrap(), FILES[0].1);
    }

    #[test]
    fn after_an_error_the_written_files_are_named() {
        let (_folder, loaded) = graph(&FILES, &[]);
        let editable = EditableValues::new(&loaded);
        let all = changes(&editable, &[("s/b", "times", "3"), ("a", "amount", "1.5"), ("t/c", "times", "4")]);
        let mut put = Vec::new();
        let outcome = put_all(&prepared(&all, &editable).unwrap(), &mut |file| {
            if file.path.ends_with("g.ron") {
                return Err("the disk is full".to_owned());
            }
            put.push(file.edited.clone());
            Ok(())
        });
        let own = loaded.graph.files[0].display().to_string();
        let expected = format!(
            "wrote 1 value to sub/s.ron; cannot write {own}: the disk is full; sub/t.ron was not changed"
        );
        assert_eq!(outcome.notice.replace('\\', "/"), expected.replace('\\', "/"));
        assert_eq!((outcome.written.len(), put.len()), (1, 1));
        assert!(outcome.written[0].ends_with("s.ron"));
    }

    #[test]
    fn a_file_saved_in_the_meantime_is_not_overwritten() {
        let (folder, loaded) = graph(&FILES, &[]);
        let editable = EditableValues::new(&loaded);
        let all = changes(&editable, &[("a", "amount", "1.5"), ("s/b", "times", "3")]);
        let files = prepared(&all, &editable).unwrap();
        let inner = folder.path().join("sub/s.ron");
        fs::write(&inner, "// Saved.").unwrap();
        let outcome = put_all(&files, &mut |file| panic!("{} was written", file.shown));
        assert!(outcome.written.is_empty());
        assert!(outcome.notice.ends_with("s.ron; write again"), "{outcome:?}");
    }

    #[test]
    fn a_file_saved_while_another_is_written_is_not_overwritten() {
        let (_folder, loaded) = graph(&FILES, &[]);
        let editable = EditableValues::new(&loaded);
        let all = changes(&editable, &[("a", "amount", "1.5"), ("s/b", "times", "3")]);
        let files = prepared(&all, &editable).unwrap();
        let outcome = put_all(&files, &mut |file| {
            assert!(file.path.ends_with("g.ron"), "{} was written", file.shown);
            fs::write(&files[1].path, "// Saved.").unwrap();
            Ok(())
        });
        assert_eq!(outcome.written.len(), 1);
        let notice = outcome.notice.replace('\\', "/");
        assert!(
            notice.starts_with("wrote 1 value to ")
                && notice.ends_with("cannot write sub/s.ron: another program has just saved it"),
            "{notice}"
        );
    }

    #[test]
    fn changes_that_would_break_the_graph_are_not_written() {
        let (folder, loaded) = graph(&FILES, &[]);
        let editable = EditableValues::new(&loaded);
        let notice = |node: &str, field: &str, value: &str| {
            let outcome = write(&changes(&editable, &[(node, field, value)]), &editable, &folder);
            assert!(outcome.written.is_empty(), "{outcome:?}");
            outcome.notice
        };
        let why = "nothing was written: the graph would not load: ";
        assert!(notice("a", "amount", "99.0").starts_with(why));
        // The node became one of another type, which has no such parameter.
        let other = FILES[0].1.replace("Take(amount: 1)", "Give(count: 1)");
        let path = folder.path().join("g.ron");
        fs::write(&path, &other).unwrap();
        assert!(notice("a", "amount", "2.0").starts_with(why));
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
        // Errors that exist without the change do not prevent writing.
        fs::write(&path, FILES[0].1.replace("\"t\": Subgraph(", "\"u\": Tike(), \"t\": Subgraph(")).unwrap();
        let outcome = write(&changes(&editable, &[("a", "amount", "2.0")]), &editable, &folder);
        assert!(outcome.notice.starts_with("wrote 1 value"), "{outcome:?}");
    }

    #[test]
    fn files_outside_the_folder_are_never_written() {
        let (outside, _) = graph(&[("out.ron", "Graph(nodes: { \"x\": Take(amount: 1.0) })")], &[]);
        let file = outside.path().join("out.ron");
        let text = format!("Graph(nodes: {{ \"s\": Subgraph(file: {:?}) }})", file.display().to_string());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.ron");
        fs::write(&path, text).unwrap();
        let options = terrane_flow::LoadOptions { allow_outside: true, ..Default::default() };
        let loaded = crate::testing::load(&path, &options);
        let editable = EditableValues::new(&loaded);
        let why = editable.field("s/x", "amount").unwrap_err();
        assert!(why.ends_with("is outside the graph's folder"), "{why}");
        let inner = EditableValues::new(&crate::testing::load(&file, &options));
        let notice = write(&changes(&inner, &[("x", "amount", "2.0")]), &editable, &folder).notice;
        assert!(
            notice.starts_with("nothing was written") && notice.ends_with("is outside its folder"),
            "{notice}"
        );
        assert!(fs::read_to_string(&file).unwrap().contains("1.0"));
    }
}
