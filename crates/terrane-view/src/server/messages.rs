//! The messages of pages, and what they request.

use serde::Deserialize;
use serde_json::Value as Json;

use super::app::App;
use super::language_link::LanguageLink;
use crate::changes::Change;
use crate::draft::{Asked, Draft, LONGEST_TEXT, Lines, TextEdit};
use crate::page_requests::{Request, Requests};
use crate::page_texts::{Seen, TextRequest};
use crate::parameters::to_ron;

/// Maximum size in bytes of a message with a text or of a language service: a text may take twice its length
/// as JSON, and an edit has two of them.
pub const LONGEST: usize = 4 * LONGEST_TEXT + LONGEST_OTHER;
/// Maximum size in bytes of any other message.
pub const LONGEST_OTHER: usize = 16 << 10;
/// Maximum number of outputs that a page can show.
const MAX_VIEWED: usize = 8;
/// Maximum number of unwritten changes.
const MAX_CHANGES: usize = 1000;
/// Maximum number of requests that wait for the main loop.
const MAX_QUEUED: usize = 1000;
/// Maximum number of edits of texts that wait.
const MAX_TEXTS: usize = 32;
/// Maximum length of the tag of a request.
const LONGEST_TAG: usize = 40;
/// Maximum length of the name of a file.
const LONGEST_FILE: usize = 1000;

/// An open page.
pub struct Page {
    /// Its number; no other page has the same.
    pub number: u64,
    /// Its session with the language service.
    pub language: LanguageLink,
}

impl Page {
    /// A page without a session.
    pub fn new(number: u64) -> Self {
        Self { number, language: LanguageLink::default() }
    }
}

/// A message from a page.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum PageMessage {
    /// Try a parameter, of a node or of the graph, or a field of the graph's header.
    Set {
        node: Option<String>,
        parameter: String,
        value: Json,
        #[serde(default)]
        header: bool,
        /// Whether to write the value even if it is the default.
        #[serde(default)]
        keep: bool,
        /// Whether it belongs to the change before, so that both are undone together.
        #[serde(default)]
        with: bool,
    },
    /// Discard the change at a position in a file.
    Reset { home: String },
    // For variants without braces, serde would ignore unknown fields.
    /// Discard all changes.
    Discard {},
    /// Write the changes into the file; `anyway` even if the graph does not load then.
    Write {
        #[serde(default)]
        anyway: bool,
    },
    /// Change the structure of the graph. The state names the tag with what the change made.
    Edit { what: Json, tag: String },
    /// Discard one change of the structure.
    Drop { number: u64 },
    /// Begin the graph's missing file with a template.
    Start { template: String },
    /// Take back the last step.
    Undo {},
    /// Repeat the last step that was undone.
    Redo {},
    /// Show these outputs, given by node and position.
    Look { ports: Vec<(String, usize)> },
    /// Edit the text of a file, which was `before` and is `after`. The text that is sent back names the tag.
    Text {
        file: String,
        before: String,
        after: String,
        tag: String,
        /// Whether it belongs to the edit before, so that both are undone together.
        #[serde(default)]
        with: bool,
    },
    /// Write a text to a file of the graph that was deleted.
    Restore { file: String, text: String },
    /// Show the text of a file, or none.
    Read { file: Option<String> },
    /// A message to the language service; null ends its session.
    Language { message: Json },
    /// Show a node in the editor that runs the preview.
    Source { node: String },
}

/// Handles a page's message; false if it is not valid.
pub fn handle_message(app: &App, page: &mut Page, text: &str) -> bool {
    let Ok(message) = serde_json::from_str(text) else { return false };
    let may_be_long = matches!(
        message,
        PageMessage::Text { .. } | PageMessage::Language { .. } | PageMessage::Restore { .. }
    );
    if text.len() > LONGEST_OTHER && !may_be_long {
        return false;
    }
    match message {
        PageMessage::Language { message } => page.language.take(&app.shown, message),
        message => apply_message(app, page.number, message),
    }
    true
}

fn apply_message(app: &App, page: u64, message: PageMessage) {
    let only_looks =
        matches!(message, PageMessage::Look { .. } | PageMessage::Read { .. } | PageMessage::Source { .. });
    if !only_looks {
        if app.shown.read_only {
            let notice = "this page only shows the graph: terrane view was started with --read-only";
            return app.shared.change(|state| state.notice(Some(notice.to_owned())));
        }
        app.shared.change(crate::page_state::PageState::spoken);
        if app.requests.lock().queue.len() >= MAX_QUEUED {
            return app.shared.change(|state| state.notice(Some("too many requests at once".to_owned())));
        }
    }
    match message {
        PageMessage::Look { mut ports } => {
            ports.truncate(MAX_VIEWED);
            app.requests.lock().viewed.insert(page, ports);
            return app.requests.notify();
        }
        PageMessage::Read { file } => {
            let mut pending = app.requests.lock();
            match file.filter(|file| file.len() <= LONGEST_FILE) {
                Some(file) => pending.reading.insert(page, file),
                None => pending.reading.remove(&page),
            };
            pending.turned_page = true;
            drop(pending);
            return app.requests.notify();
        }
        PageMessage::Source { node } => {
            if !app.shown.editor {
                let notice = "no editor runs this preview: terrane view was started without --editor";
                return app.shared.change(|state| state.notice(Some(notice.to_owned())));
            }
            let mut pending = app.requests.lock();
            if pending.queue.len() < MAX_QUEUED {
                pending.queue.push(Request::Source(node));
            }
            drop(pending);
            return app.requests.notify();
        }
        // It was passed on before.
        PageMessage::Language { .. } => return,
        PageMessage::Text { file, before, after, tag, with } => {
            let is_long = tag.len() > LONGEST_TAG || before.len().max(after.len()) > LONGEST_TEXT;
            let is_text = |request: &&Request| matches!(request, Request::Text(_));
            let waiting = app.requests.lock().queue.iter().filter(is_text).count();
            let refused = match (is_long, waiting >= MAX_TEXTS) {
                (true, _) => "the text is too long to be edited here: use an editor",
                (_, true) => "too many edits of texts at once",
                _ => {
                    let edit = TextEdit::Whole(before, after);
                    let request = TextRequest { page, file, edit, tag, with };
                    app.requests.lock().queue.push(Request::Text(request));
                    return again(app);
                }
            };
            // The page, which knows the edit by its tag, keeps what was typed.
            let tag = tag.chars().take(LONGEST_TAG).collect();
            let seen = Seen { tag, refused: Some(refused.to_owned()) };
            let mut pending = app.requests.lock();
            pending.see(page, file.chars().take(LONGEST_FILE).collect(), seen);
            pending.turned_page = true;
            drop(pending);
            app.requests.notify();
            return app.shared.change(|state| state.notice(Some(refused.to_owned())));
        }
        PageMessage::Set { node, parameter, value, header, keep, with } => {
            let done = set(app, (node, parameter, header), value, (keep, (page, with)));
            let refused = done.is_err();
            app.shared.change(|state| state.notice(done.err()));
            if refused {
                return;
            }
        }
        PageMessage::Reset { home } => {
            app.shared.change(|state| state.notice(None));
            let mut pending = app.requests.lock();
            pending.remember(&format!("reset {home}"));
            pending.draft.changes.retain(|_, change| change.name != home);
        }
        PageMessage::Drop { number } => {
            app.shared.change(|state| state.notice(None));
            let mut pending = app.requests.lock();
            pending.remember("discard an edit");
            pending.draft.steps.retain(|step| step.number != number);
        }
        PageMessage::Discard {} => {
            app.shared.change(|state| state.notice(None));
            let mut pending = app.requests.lock();
            pending.remember("discard");
            pending.draft = Draft::default();
        }
        PageMessage::Write { anyway } => app.requests.write(anyway),
        PageMessage::Edit { what, tag } if what.get("edit").is_some_and(|edit| edit == "text") => {
            match Lines::deserialize(&what) {
                Ok(lines) if tag.len() <= LONGEST_TAG => {
                    let (file, edit) = (lines.file.clone(), TextEdit::Lines(lines));
                    let request = TextRequest { page, file, edit, tag, with: false };
                    app.requests.lock().queue.push(Request::Text(request));
                }
                Ok(_) => {
                    return app.shared.change(|state| state.notice(Some("the tag is too long".to_owned())));
                }
                Err(why) => return app.shared.change(|state| state.notice(Some(why.to_string()))),
            }
        }
        PageMessage::Edit { what, tag } => {
            let asked = if tag.len() > LONGEST_TAG {
                Err("the tag is too long".to_owned())
            } else {
                Asked::deserialize(&what).map_err(|error| error.to_string())
            };
            match asked {
                Ok(asked) if app.requests.lock().queue.len() < MAX_QUEUED => {
                    app.requests.lock().queue.push(Request::Edit {
                        asked: Box::new(asked),
                        given: what,
                        tag,
                    });
                }
                Ok(_) => {
                    return app.shared.change(|state| state.notice(Some("too many requests".to_owned())));
                }
                Err(why) => return app.shared.change(|state| state.notice(Some(why))),
            }
        }
        PageMessage::Restore { file, text } if text.len() <= LONGEST_TEXT => {
            app.requests.lock().queue.push(Request::Restore(file, text));
        }
        PageMessage::Restore { .. } => {
            let notice = "the text is too long to be written here: use an editor".to_owned();
            return app.shared.change(|state| state.notice(Some(notice)));
        }
        PageMessage::Start { template } => app.requests.lock().queue.push(Request::Start(template)),
        PageMessage::Undo {} => app.requests.lock().queue.push(Request::Undo),
        PageMessage::Redo {} => app.requests.lock().queue.push(Request::Redo),
    }
    again(app);
}

/// Lets the main loop handle requests and read the graph again.
fn again(app: &App) {
    app.requests.lock().read = true;
    app.requests.notify();
}

/// Records a change after checking that the parameter permits the value.
fn set(
    app: &App,
    (node, parameter, header): (Option<String>, String, bool),
    value: Json,
    (keep, by): (bool, (u64, bool)),
) -> Result<(), String> {
    let editable = app.shared.editable().ok_or("no graph is loaded yet")?;
    let place = match &node {
        Some(node) => editable.field(node, &parameter),
        None if header => editable.header(&parameter).0,
        None => editable.param(&parameter),
    };
    let place = place.map_err(|why| format!("`{parameter}` cannot be changed: {why}"))?;
    let text = to_ron(&parameter, &place.shape, &value)?;
    let name = editable.name(&place.home);
    let mut pending = app.requests.lock();
    let changes = &pending.draft.changes;
    if changes.len() >= MAX_CHANGES && !changes.contains_key(&place.home) {
        return Err(format!("the limit of {MAX_CHANGES} changes is reached: write or discard them"));
    }
    let Requests { draft, history, .. } = &mut *pending;
    history.record_value(&place.home, draft, &format!("set {name}"), by);
    let change =
        Change { value: text, given: value, node, parameter, name, problem: None, keep, is_same: false };
    draft.changes.insert(place.home, change);
    Ok(())
}
