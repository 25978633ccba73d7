//! Writes changes into the current texts of their files. All files are checked first, then each is written as
//! a whole. Changes that would break the graph are not written.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_flow::syntax::Tree;

use crate::draft::{Difference, Draft, Made, WrittenFile};
use crate::load_check::{Read, new_error};
use crate::reach::Reach;
use crate::set_text;

/// The result of writing a draft.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The files that were written.
    pub written: Vec<WrittenFile>,
    /// The message for the page.
    pub notice: String,
}

/// A file with its changes.
struct File {
    path: Arc<Path>,
    shown: String,
    /// Its current text; `None` if it is new.
    text: Option<String>,
    /// Its text with the changes.
    edited: String,
    /// What changes, in words.
    count: String,
}

impl File {
    /// Whether another program saved it since it was read.
    fn is_saved(&self) -> bool {
        match &self.text {
            Some(text) => !terrane_io::read_regular(&self.path).is_ok_and(|bytes| bytes == text.as_bytes()),
            None => self.path.symlink_metadata().is_ok(),
        }
    }
}

/// Writes a draft into its files. `read` loads the graph that they belong to; without it, the draft is
/// written whether the graph loads then or not.
pub fn write(draft: &Draft, reach: &Reach, apply: &mut Apply<'_>, read: Option<&mut Read<'_>>) -> Outcome {
    let prepared =
        prepared(draft, reach, apply).and_then(|files| match read.and_then(|read| broken(&files, read)) {
            Some(why) => Err(format!("nothing was written: the graph would not load: {why}")),
            None => Ok(files),
        });
    let files = match prepared {
        Ok(files) => files,
        Err(notice) => return Outcome { written: Vec::new(), notice },
    };
    put_all(&files, &mut |file| set_text::put(&file.path, file.text.as_deref(), &file.edited))
}

/// The differences that writing a draft makes.
///
/// # Errors
/// Why it cannot be written.
pub fn differences(draft: &Draft, reach: &Reach, apply: &mut Apply<'_>) -> Result<Vec<Difference>, String> {
    let files = prepared(draft, reach, apply)?;
    let difference = |file: File| Difference { shown: file.shown, before: file.text, after: file.edited };
    Ok(files.into_iter().map(difference).collect())
}

/// Applies a draft to the text of a file, and collects the files that it makes.
pub type Apply<'a> = dyn FnMut(&mut Draft, &Path, Tree, &mut Made) -> Tree + 'a;

/// The error that the graph would have with the edited texts and does not have with those on disk.
fn broken(files: &[File], read: &mut Read<'_>) -> Option<String> {
    let tree = |path: &Path, read: Tree, of: fn(&File) -> Option<&str>| {
        let file = files.iter().find(|file| &*file.path == path).and_then(of);
        file.map_or(read, |text| Tree::parse(text.trim_start_matches('\u{feff}')))
    };
    let mut without = |path: &Path, read: Tree| tree(path, read, |file| file.text.as_deref());
    let mut with = |path: &Path, read: Tree| tree(path, read, |file| Some(&file.edited));
    new_error(read, &mut without, &mut with)
}

/// Writes the files, unless one was saved since it was read.
fn put_all(files: &[File], put: &mut dyn FnMut(&File) -> Result<(), String>) -> Outcome {
    // A file that was saved in the meantime is not overwritten.
    if let Some(File { shown, .. }) = files.iter().find(|file| file.is_saved()) {
        let notice = format!("another program has just saved {shown}; write again");
        return Outcome { written: Vec::new(), notice };
    }
    let (mut written, mut said): (Vec<WrittenFile>, Vec<String>) = (Vec::new(), Vec::new());
    for (index, file) in files.iter().enumerate() {
        // Checked again, since writing the previous files took time.
        let done = if file.is_saved() { Err(set_text::SAVED.to_owned()) } else { put(file) };
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
            // A new file without the file that names it would only be in the way.
            let is_new = |file: &WrittenFile| file.before.is_none();
            for file in written.iter().filter(|file| is_new(file)) {
                let _as_before = set_text::replace(&file.path, Some(&file.after), None);
            }
            written.retain(|file| !is_new(file));
            return Outcome { written, notice };
        }
        written.push(WrittenFile {
            path: Arc::clone(&file.path),
            shown: file.shown.clone(),
            before: file.text.clone(),
            after: file.edited.clone(),
        });
        said.push(format!("{} to {}", file.count, file.shown));
    }
    let notice = if said.is_empty() {
        "there are no changes to write".to_owned()
    } else {
        format!("wrote {}", said.join(" and "))
    };
    Outcome { written, notice }
}

/// What changes in a file, in words.
fn counted(steps: usize, values: usize) -> String {
    let count = |number: usize, what: &str| {
        let plural = if number == 1 { "" } else { "s" };
        (number > 0).then(|| format!("{number} {what}{plural}"))
    };
    let parts: Vec<String> = [count(steps, "edit"), count(values, "value")].into_iter().flatten().collect();
    if parts.is_empty() { "nodes".to_owned() } else { parts.join(" and ") }
}

/// The files with the draft applied to their current texts, or why a change cannot be applied. Files that do
/// not exist yet come first: the graph's own file names them.
fn prepared(draft: &Draft, reach: &Reach, apply: &mut Apply<'_>) -> Result<Vec<File>, String> {
    let mut counts: IndexMap<Arc<Path>, (usize, usize)> = IndexMap::new();
    for step in &draft.steps {
        counts.entry(Arc::clone(&step.file)).or_default().0 += 1;
    }
    for home in draft.changes.keys() {
        counts.entry(Arc::clone(&home.file)).or_default().1 += 1;
    }
    let mut draft = draft.clone();
    let mut made = Made::new();
    let (mut new, mut files) = (Vec::new(), Vec::new());
    // The files that have steps come first, since these make others.
    counts.sort_by_key(|_, (steps, _)| *steps == 0);
    for (path, (steps, values)) in counts {
        if made.contains_key(&*path) {
            continue;
        }
        let shown = reach.shown(&path);
        if !reach.may_write(&path) {
            return Err(format!(
                "nothing was written: {shown} is not part of the graph, or is outside its folder"
            ));
        }
        let text = terrane_io::read_regular(&path)
            .and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other))
            .map_err(|error| format!("cannot read {shown}: {error}; nothing was written"))?;
        // A byte order mark is not part of the graph and is kept.
        let (mark, graph) = text.split_at(text.len() - text.trim_start_matches('\u{feff}').len());
        let edited = format!("{mark}{}", apply(&mut draft, &path, Tree::parse(graph), &mut made).text());
        check(&draft, &path, &shown)?;
        files.push(File { path, shown, text: Some(text), edited, count: counted(steps, values) });
    }
    for (path, text) in made {
        let path: Arc<Path> = path.into();
        let shown = reach.shown(&path);
        // A write that was stopped may have left the same file.
        let same = terrane_io::read_regular(&path).ok().filter(|bytes| bytes == text.as_bytes());
        if same.is_none() && !reach.may_make(&path) {
            return Err(format!(
                "nothing was written: {shown} exists already, or is not in the graph's folder"
            ));
        }
        let values = draft.changes.keys().filter(|home| home.file == path).count();
        let edited = apply(&mut draft, &path, Tree::parse(&*text), &mut Made::new()).text().to_owned();
        check(&draft, &path, &shown)?;
        let old = same.map(|_| text.clone());
        new.push(File { path, shown, text: old, edited, count: counted(0, values) });
    }
    new.extend(files);
    Ok(new)
}

/// Checks that the changes of a file were applied.
fn check(draft: &Draft, path: &Arc<Path>, shown: &str) -> Result<(), String> {
    let steps = draft.steps.iter().filter(|step| step.file == *path).map(|step| &step.problem);
    let values =
        draft.changes.iter().filter(|(home, _)| home.file == *path).map(|(_, change)| &change.problem);
    match steps.chain(values).flatten().next() {
        Some(problem) if problem.contains(shown) => Err(format!("nothing was written: {problem}")),
        Some(problem) => Err(format!("nothing was written: {shown}: {problem}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::path::Path;

    use terrane_flow::syntax::Tree;

    use super::{Outcome, prepared, put_all};
    use crate::changes::Changes;
    use crate::draft::{Draft, Made, Memo};
    use crate::editable::EditableValues;
    use crate::testing::{changes, graph, reader, registry};

    fn write(changes: &Changes, editable: &EditableValues, folder: &tempfile::TempDir) -> Outcome {
        super::write(&of(changes), editable, &mut apply, Some(&mut *reader(&folder.path().join("g.ron"))))
    }

    fn of(changes: &Changes) -> Draft {
        Draft { changes: changes.clone(), ..Draft::default() }
    }

    fn apply(draft: &mut Draft, file: &Path, tree: Tree, made: &mut Made) -> Tree {
        draft.apply(file, tree, (&registry(), &Memo::default()), made)
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
        let s = Path::new("sub").join("s.ron");
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
        let outcome = put_all(&prepared(&of(&all), &editable, &mut apply).unwrap(), &mut |file| {
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
        assert!(outcome.written[0].path.ends_with("s.ron"));
    }

    #[test]
    fn a_file_saved_in_the_meantime_is_not_overwritten() {
        let (folder, loaded) = graph(&FILES, &[]);
        let editable = EditableValues::new(&loaded);
        let all = changes(&editable, &[("a", "amount", "1.5"), ("s/b", "times", "3")]);
        let files = prepared(&of(&all), &editable, &mut apply).unwrap();
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
        let files = prepared(&of(&all), &editable, &mut apply).unwrap();
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
