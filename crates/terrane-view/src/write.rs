//! Changes go into the newest texts of their files: all are looked at first, then each is written whole.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::places::Places;
use crate::wishes::{self, Changes};

/// What became of a wish to write.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The files that were written.
    pub written: Vec<Arc<Path>>,
    /// What to tell people.
    pub notice: String,
}

/// A file with its changes.
struct File {
    path: Arc<Path>,
    shown: String,
    /// What is in it now.
    text: String,
    /// What will be.
    edited: String,
    count: usize,
}

/// Writes changes into their files.
pub fn write(changes: &Changes, places: &Places) -> Outcome {
    let files = match prepared(changes, places) {
        Ok(files) => files,
        Err(notice) => return Outcome { written: Vec::new(), notice },
    };
    put_all(&files, &mut |path, text| {
        let done = terrane_io::write_atomic(path, true, |out| out.write_all(text.as_bytes()));
        done.map(|_| ()).map_err(|error| error.problem.to_string())
    })
}

/// Writes files that nobody saved since they were read.
fn put_all(files: &[File], put: &mut dyn FnMut(&Path, &str) -> Result<(), String>) -> Outcome {
    // Whoever saved a file while it was edited here is not overwritten.
    let saved =
        files.iter().find(|file| std::fs::read_to_string(&file.path).ok().as_ref() != Some(&file.text));
    if let Some(File { shown, .. }) = saved {
        let notice = format!("{shown} was saved by somebody else just now; write again");
        return Outcome { written: Vec::new(), notice };
    }
    let (mut written, mut said) = (Vec::new(), Vec::new());
    for (index, file) in files.iter().enumerate() {
        if let Err(problem) = put(&file.path, &file.edited) {
            let wrote =
                if said.is_empty() { String::new() } else { format!("wrote {}; ", said.join(" and ")) };
            let rest: Vec<&str> = files[index + 1..].iter().map(|file| &*file.shown).collect();
            let rest = if rest.is_empty() {
                String::new()
            } else {
                format!("; {} was left as it is", rest.join(" and "))
            };
            let notice = format!("{wrote}cannot write {}: {problem}{rest}", file.shown);
            return Outcome { written, notice };
        }
        written.push(Arc::clone(&file.path));
        let values = if file.count == 1 { "value" } else { "values" };
        said.push(format!("{} {values} to {}", file.count, file.shown));
    }
    let notice = if said.is_empty() {
        "there is nothing to write".to_owned()
    } else {
        format!("wrote {}", said.join(" and "))
    };
    Outcome { written, notice }
}

/// The files with the changes made in their newest texts, or why one cannot be.
fn prepared(changes: &Changes, places: &Places) -> Result<Vec<File>, String> {
    let mut counts: IndexMap<Arc<Path>, usize> = IndexMap::new();
    for home in changes.keys() {
        *counts.entry(Arc::clone(&home.file)).or_default() += 1;
    }
    let mut changes = changes.clone();
    counts
        .into_iter()
        .map(|(path, count)| {
            let shown = places.shown(&path);
            if !places.may_write(&path) {
                return Err(format!(
                    "nothing was written: {shown} is no part of the graph, or outside its folder"
                ));
            }
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("cannot read {shown}: {error}; nothing was written"))?;
            // A byte order mark is no part of the graph, and stays.
            let (mark, graph) = text.split_at(text.len() - text.trim_start_matches('\u{feff}').len());
            let edited = format!("{mark}{}", wishes::apply(&mut changes, &path, graph.to_owned()));
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

    use super::{prepared, put_all, write};
    use crate::places::Places;
    use crate::testing::{changes, graph};

    const FILES: [(&str, &str); 3] = [
        (
            "g.ron",
            "Graph(nodes: {\n    \"a\": Take(amount: 1), // kept\n    \"s\": Subgraph(file: \"sub/s.ron\"),\n    \"t\": Subgraph(file: \"sub/t.ron\"),\n})",
        ),
        ("sub/s.ron", "\u{feff}Graph(nodes: { \"b\": Take(/* b */) })"),
        ("sub/t.ron", "Graph(nodes: { \"c\": Take(amount: 3.0) })"),
    ];

    #[test]
    fn each_change_goes_into_its_own_file() {
        let (folder, loaded) = graph(&FILES, &[]);
        let places = Places::new(&loaded);
        let all =
            changes(&places, &[("a", "amount", "1.5"), ("s/b", "times", "3"), ("s/b", "amount", "2.5")]);
        let outcome = write(&all, &places);
        let own = loaded.graph.files[0].display();
        let s = std::path::Path::new("sub").join("s.ron");
        assert_eq!(outcome.notice, format!("wrote 1 value to {own} and 2 values to {}", s.display()));
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text("g.ron"), FILES[0].1.replace("amount: 1)", "amount: 1.5)"));
        assert_eq!(text("sub/s.ron"), FILES[1].1.replace("Take(", "Take(times: 3, amount: 2.5"));
        assert_eq!(text("sub/t.ron"), FILES[2].1);
        assert_eq!(write(&crate::wishes::Changes::default(), &places).notice, "there is nothing to write");
    }

    #[test]
    fn nothing_is_written_where_one_file_cannot_take_its_changes() {
        let (folder, loaded) = graph(&FILES, &[]);
        let places = Places::new(&loaded);
        let all = changes(&places, &[("a", "amount", "1.5"), ("s/b", "times", "3")]);
        let inner = folder.path().join("sub/s.ron");
        for broken in ["Graph(nodes: {", "Graph(nodes: { \"other\": Take() })"] {
            fs::write(&inner, broken).unwrap();
            let outcome = write(&all, &places);
            assert!(
                outcome.written.is_empty() && outcome.notice.starts_with("nothing was written: sub"),
                "{outcome:?}"
            );
        }
        fs::remove_file(&inner).unwrap();
        assert!(write(&all, &places).notice.ends_with("nothing was written"));
        assert_eq!(fs::read_to_string(folder.path().join("g.ron")).unwrap(), FILES[0].1);
    }

    #[test]
    fn when_a_file_fails_it_is_said_which_were_written() {
        let (_folder, loaded) = graph(&FILES, &[]);
        let places = Places::new(&loaded);
        let all = changes(&places, &[("s/b", "times", "3"), ("a", "amount", "1.5"), ("t/c", "times", "4")]);
        let mut put = Vec::new();
        let outcome = put_all(&prepared(&all, &places).unwrap(), &mut |path, text| {
            if path.ends_with("g.ron") {
                return Err("the disk is full".to_owned());
            }
            put.push((path.to_owned(), text.to_owned()));
            Ok(())
        });
        let own = loaded.graph.files[0].display().to_string();
        let expected = format!(
            "wrote 1 value to sub/s.ron; cannot write {own}: the disk is full; sub/t.ron was left as it is"
        );
        assert_eq!(outcome.notice.replace('\\', "/"), expected.replace('\\', "/"));
        assert_eq!((outcome.written.len(), put.len()), (1, 1));
        assert!(outcome.written[0].ends_with("s.ron"));
    }

    #[test]
    fn who_saves_a_file_meanwhile_is_not_overwritten() {
        let (folder, loaded) = graph(&FILES, &[]);
        let places = Places::new(&loaded);
        let all = changes(&places, &[("a", "amount", "1.5"), ("s/b", "times", "3")]);
        let files = prepared(&all, &places).unwrap();
        let inner = folder.path().join("sub/s.ron");
        fs::write(&inner, "// Saved.").unwrap();
        let outcome = put_all(&files, &mut |path, _| panic!("{} was written", path.display()));
        assert!(outcome.written.is_empty());
        assert!(
            outcome.notice.ends_with("s.ron was saved by somebody else just now; write again"),
            "{outcome:?}"
        );
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
        let places = Places::new(&loaded);
        let why = places.field("s/x", "amount").unwrap_err();
        assert!(why.ends_with("is outside the graph's folder"), "{why}");
        let inner = Places::new(&crate::testing::load(&file, &options));
        let notice = write(&changes(&inner, &[("x", "amount", "2.0")]), &places).notice;
        assert!(
            notice.starts_with("nothing was written") && notice.ends_with("outside its folder"),
            "{notice}"
        );
        assert!(fs::read_to_string(&file).unwrap().contains("1.0"));
    }
}
