//! The texts of a graph's files: what pages see of them, and edits of them.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use terrane_flow::Files as _;
use terrane_flow::syntax::Tree;

use crate::draft::{
    Draft, LONGEST_TEXT, Moment, Step, Structure, TextEdit, WrittenFile, given, merge, plain, shared,
};
use crate::drafting::{MAX_STEPS, next_step};
use crate::page_requests::PageRequests;
use crate::page_texts::{Seen, TextRequest, Texts};
use crate::preview::Preview;
use crate::reach::Reach;
use crate::set_text::put;

impl PageRequests {
    /// The text of a file, without the draft and without a byte order mark.
    fn saved_text(&self, file: &Path) -> Result<String, String> {
        let mut opened = self.files.open(file).map_err(|error| error.to_string())?;
        if opened.length > LONGEST_TEXT as u64 {
            return Err(format!("its text has more than {} MiB: use an editor", LONGEST_TEXT >> 20));
        }
        let mut text = String::new();
        opened.content.read_to_string(&mut text).map_err(|error| error.to_string())?;
        Ok(text.trim_start_matches('\u{feff}').to_owned())
    }

    /// The text of a file with a draft, with line ends of Unix.
    fn drafted(&self, draft: &mut Draft, file: &Path, saved: &str) -> String {
        plain(self.apply(draft, file, Tree::parse(saved)).text())
    }
}

impl Preview {
    /// The files of the graph. Before it has loaded for the first time, only its own file is known.
    pub(crate) fn reach(&self) -> Option<Reach> {
        match self.shared.editable() {
            Some(editable) => Some((**editable).clone()),
            None if self.source.world.is_some() => None,
            None => Reach::of_file(&self.start.file),
        }
    }

    /// Publishes the texts that pages show.
    pub(crate) fn publish_texts(&self) {
        let (mut draft, mut names, seen) = {
            let pending = self.requests.lock();
            (
                pending.draft.clone(),
                pending.reading.values().cloned().collect::<Vec<_>>(),
                pending.seen.clone(),
            )
        };
        names.sort();
        names.dedup();
        let reach = self.reach();
        let files = names.into_iter().map(|name| {
            let text = self.described(&mut draft, reach.as_ref(), &name);
            (name, Arc::new(text))
        });
        let texts = Texts { files: files.collect(), seen };
        self.shared.texts(texts, reach);
    }

    fn described(&self, draft: &mut Draft, reach: Option<&Reach>, name: &str) -> Json {
        let text = reach.ok_or_else(|| "no graph is loaded yet".to_owned()).and_then(|reach| {
            let path = reach.text_named(name)?;
            let saved = self.requests.saved_text(&path)?;
            Ok(self.requests.drafted(draft, &path, &saved))
        });
        match text {
            Ok(text) => json!({ "file": name, "text": text }),
            Err(why) => json!({ "file": name, "problem": why }),
        }
    }

    /// Makes an edit of a text. Returns what the pages are told.
    pub(crate) fn edit_text(&self, request: TextRequest) -> Option<String> {
        let TextRequest { page, file, edit, tag, with } = request;
        let done = self.try_edit((page, with), &file, edit);
        let refused = done.as_ref().err().cloned();
        self.requests.lock().see(page, file, Seen { tag, refused });
        done.unwrap_or_else(Some)
    }

    fn try_edit(&self, by: (u64, bool), file: &str, edit: TextEdit) -> Result<Option<String>, String> {
        let requests = &self.requests;
        let reach = self.reach().ok_or("no graph is loaded yet")?;
        let path = reach.text_named(file)?;
        let saved = requests.saved_text(&path).map_err(|why| format!("{file} cannot be edited: {why}"))?;
        let mut full = requests.draft();
        let now = requests.drafted(&mut full, &path, &saved);
        let (before, after) = edit.ends(&now)?;
        let merged = merge(&before, &after, &now);
        if merged.text == now {
            return Ok(None);
        }
        if merged.text.len() > LONGEST_TEXT {
            return Err(format!("the text of {file} would have more than {} MiB", LONGEST_TEXT >> 20));
        }
        // Values apply after all steps, so those that the text contains already become part of the edit.
        let is_part = |change: &crate::changes::Change| change.problem.is_none();
        let mut steps = Draft { steps: full.steps.clone(), ..Draft::default() };
        let without = requests.drafted(&mut steps, &path, &saved);
        let said = format!("edit the text of `{file}`");
        let mut pending = requests.lock();
        let last = pending.draft.steps.last().filter(|step| step.file == path && step.problem.is_none());
        let last = last.and_then(|step| match &step.structure {
            Structure::Text { before, after, .. } if **after == *without => {
                Some((Arc::clone(before), Arc::clone(after)))
            }
            _ => None,
        });
        if last.is_none() && pending.draft.steps.len() >= MAX_STEPS {
            return Err(format!("the limit of {MAX_STEPS} edits is reached: write or discard them"));
        }
        let old = pending.draft.clone();
        pending.history.record_text(&path, &old, &said, by);
        pending.draft.changes.retain(|home, now| {
            let applied = full.changes.get(home).filter(|change| home.file == path && is_part(change));
            applied.is_none_or(|change| change.value != now.value)
        });
        // Edits of one text that follow each other are one step of the draft.
        let before = match last {
            Some((before, _)) => {
                pending.draft.steps.pop();
                before
            }
            None => shared(without, None),
        };
        if *before != *merged.text {
            let given = given(file, &before, &merged.text);
            let structure = Structure::Text { shown: file.to_owned(), before, after: merged.text.into() };
            let step = Step { number: next_step(), file: Arc::clone(&path), structure, given, problem: None };
            pending.draft.steps.push(Arc::new(step));
        }
        let newest = "also changed by another page or program: the newest lines are kept";
        Ok((merged.conflicts > 0)
            .then(|| format!("the same lines of {file} were {newest}, and Undo returns to the others")))
    }

    /// Writes a text to a file of the graph that was deleted; returns what the page is told.
    pub(crate) fn restore(&self, file: &str, text: String) -> String {
        let restored = || {
            let reach = self.reach().ok_or("no graph is loaded yet")?;
            let path = reach.text_named(file)?;
            if !reach.may_write(&path) {
                return Err(format!("{file} is not part of the graph, or is outside its folder"));
            }
            put(&path, None, &text)?;
            Ok(path)
        };
        let path = match restored() {
            Ok(path) => path,
            Err(why) => return format!("{file} was not written: {why}"),
        };
        let mut pending = self.requests.lock();
        let before = pending.draft.clone();
        // The text contains them.
        pending.draft.changes.retain(|home, _| home.file != path);
        pending.draft.steps.retain(|step| step.file != path);
        let written = WrittenFile { path, shown: file.to_owned(), before: None, after: text };
        let said = format!("write {file} again");
        pending.history.record(Moment { draft: before, said, written: vec![written] });
        format!("wrote {file}")
    }

    /// Where a node is in a text: the file, the line and the column, both counted from 1.
    pub(crate) fn place_of(&self, node: &str) -> Result<(std::path::PathBuf, usize, usize), String> {
        self.shared.place_of(node).ok_or_else(|| format!("`{node}` is in no file"))
    }
}
