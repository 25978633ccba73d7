//! What a preview does with the requests of pages: edits of the draft, undo and redo, and writing.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value as Json;
use terrane_flow::{Diagnostics, EditTree, Loaded};

use crate::draft::{Asked, Desired, Draft, Moment, Step, Structure};
use crate::editable::EditableValues;
use crate::load_check::Read;
use crate::page_requests::{Request, Requests};
use crate::preview::Preview;
use crate::set_text::turn;
use crate::write::{Apply, Outcome, write};

impl Preview {
    /// Handles what pages requested, in order. `read` loads the graph.
    pub(crate) fn handle(&self, read: &mut ReadGraph<'_>) {
        let queue = std::mem::take(&mut self.requests.lock().queue);
        for request in queue {
            let notice = match request {
                Request::Edit { asked, given, tag } => match self.edit(*asked, given, read) {
                    Ok((notice, made)) => {
                        self.shared.change(|state| state.made(tag, made));
                        notice
                    }
                    Err(why) => Some(why),
                },
                Request::Write { draft, anyway } => {
                    let draft = draft.unwrap_or_else(|| self.requests.draft());
                    Some(self.write(&draft, anyway, &mut |edit| read(edit).map(|_| ())))
                }
                Request::Restore(file, text) => Some(self.restore(&file, text)),
                Request::Start(name) => Some(self.begin(&name)),
                Request::Text(request) => self.edit_text(request),
                Request::Source(node) => match self.place_of(&node) {
                    Ok(place) => {
                        self.requests.lock().sources.push(place);
                        continue;
                    }
                    Err(why) => Some(why),
                },
                Request::Undo => Some(self.step(true)),
                Request::Redo => Some(self.step(false)),
            };
            self.requests.lock().read = true;
            self.shared.change(|state| state.notice(notice));
        }
    }

    /// Writes a template to the graph's file, which does not exist; returns what the page is told.
    fn begin(&self, template: &str) -> String {
        match self.start.write(template) {
            Ok(file) => {
                let notice = format!("wrote {}", file.shown);
                let mut pending = self.requests.lock();
                let draft = pending.draft.clone();
                let said = format!("start with the template `{template}`");
                pending.history.record(Moment { draft, said, written: vec![file] });
                notice
            }
            Err(why) => why,
        }
    }

    /// Adds a step to the draft. Returns what the page is told, and the node that it shows next.
    fn edit(
        &self,
        asked: Asked,
        given: Json,
        read: &mut ReadGraph<'_>,
    ) -> Result<(Option<String>, Option<String>), String> {
        let requests = &self.requests;
        let mut steps = Draft { steps: requests.draft().steps, ..Draft::default() };
        let loaded = read(&mut |file, tree| requests.apply(&mut steps, file, tree))
            .map_err(|mistakes| format!("correct the graph's text first: {}", first_of(mistakes)))?;
        let loaded = Arc::new(loaded);
        let editable = EditableValues::of(&loaded, self.source.world.as_deref());
        let file = editable.own_file()?;
        let desired = Desired { loaded: &loaded, registry: &requests.registry, faces: &self.faces };
        let structure = asked.resolve(&desired)?;
        if let Structure::Group(.., inner) = &structure
            && !editable.may_make(&file.with_file_name(inner))
        {
            return Err(match file.with_file_name(inner).symlink_metadata() {
                Ok(_) => format!("the file {inner} exists already"),
                Err(_) => {
                    "the graph's file is a link to another folder: open the file itself to group its nodes"
                        .to_owned()
                }
            });
        }
        let number = next_step();
        let mut step = Step { number, file, structure, given, problem: None };
        let mut is_step = self.try_step(&step, read);
        if is_step.is_err()
            && let Some(other) = step.structure.as_in_example(&requests.registry)
        {
            // The type has no defaults that suit: it is added as in the example of its page.
            step.structure = other;
            step.number = next_step();
            is_step = self.try_step(&step, read).or(is_step);
        }
        let (said, made) = (step.structure.said(), step.structure.makes().map(str::to_owned));
        let is_step = is_step?;
        // Pages may have changed values in the meantime.
        let mut pending = requests.lock();
        if pending.draft.steps.len() >= MAX_STEPS {
            return Err(format!("the limit of {MAX_STEPS} edits is reached: write or discard them"));
        }
        pending.remember(&said);
        pending.draft.follow(&step.file, &step.structure);
        if is_step {
            pending.draft.steps.push(Arc::new(step));
        }
        Ok((None, made))
    }

    /// Whether a step is one of the text, or only takes back a value of the draft.
    ///
    /// # Errors
    /// Why the step is not possible.
    fn try_step(&self, step: &Step, read: &mut ReadGraph<'_>) -> Result<bool, String> {
        let requests = &self.requests;
        let before = requests.draft();
        let mut tried = before.clone();
        tried.follow(&step.file, &step.structure);
        let takes_back = tried.changes.len() < before.changes.len();
        // A value that does not fit does not stand in the way of the structure.
        tried.changes.clear();
        tried.steps.push(Arc::new(step.clone()));
        let result = read(&mut |file, tree| requests.apply(&mut tried, file, tree));
        match tried.steps.last().and_then(|step| step.problem.clone()) {
            // A value that is only in the draft is taken back.
            Some(_) if takes_back && matches!(step.structure, Structure::Clear(..)) => Ok(false),
            Some(problem) => Err(problem),
            None => result.map(|_| true).map_err(first_of),
        }
    }

    /// Undoes or repeats a step; returns what the page is told.
    fn step(&self, back: bool) -> String {
        let mut pending = self.requests.lock();
        let Requests { draft, history, .. } = &mut *pending;
        let done = history.step(draft, back, &mut |files| {
            let which = if back { "earlier" } else { "later" };
            turn(files, back).map_err(|why| format!("{why}; {which} steps are forgotten"))
        });
        match done {
            Ok(Some(said)) => format!("{}: {said}", if back { "undone" } else { "redone" }),
            Ok(None) => format!("there is nothing to {}", if back { "undo" } else { "redo" }),
            Err(why) => why,
        }
    }

    /// Writes a draft into the current texts of the files; returns what the page is told.
    fn write(&self, draft: &Draft, anyway: bool, read: &mut Read<'_>) -> String {
        let Some(reach) = self.reach() else {
            return "there are no changes to write".to_owned();
        };
        let with = (&*self.requests.registry, &*self.requests.memo);
        let apply: &mut Apply<'_> = &mut |draft, file, tree, made| draft.apply(file, tree, with, made);
        let read = (!anyway).then_some(read);
        let Outcome { written, notice } = write(draft, &reach, apply, read);
        if written.is_empty() {
            return notice;
        }
        let mut pending = self.requests.lock();
        let before = pending.draft.clone();
        let is_written = |file: &Arc<Path>| written.iter().any(|other| other.path == *file);
        // Values that changed again in the meantime remain unwritten changes.
        pending.draft.changes.retain(|home, now| {
            !is_written(&home.file) || draft.changes.get(home).is_none_or(|old| old.value != now.value)
        });
        pending.draft.steps.retain(|step| {
            !is_written(&step.file) || draft.steps.iter().all(|other| other.number != step.number)
        });
        pending.history.record(Moment { draft: before, said: "write".to_owned(), written });
        notice
    }
}

/// The first mistake with its remedy.
fn first_of(mistakes: Diagnostics) -> String {
    mistakes.0.into_iter().next().map_or_else(String::new, |mistake| {
        if mistake.help.is_empty() {
            mistake.message
        } else {
            format!("{}: {}", mistake.message, mistake.help)
        }
    })
}

/// Maximum number of unwritten steps.
pub const MAX_STEPS: usize = 1000;

/// A number that no other step has.
pub fn next_step() -> u64 {
    static NEXT_STEP: AtomicU64 = AtomicU64::new(1);
    NEXT_STEP.fetch_add(1, Ordering::Relaxed)
}

/// Loads the graph with its files' texts edited by a function.
pub type ReadGraph<'a> = dyn FnMut(&mut EditTree<'_>) -> Result<Loaded, Diagnostics> + 'a;
