//! A page's session with the language service.

use std::collections::VecDeque;
use std::future::pending;
use std::path::PathBuf;

use serde_json::{Value as Json, json};
use tokio::sync::mpsc;

use super::app::Shown;
use super::uris::{inward, outward};
use crate::language::LanguageSession;

/// Maximum number of messages of the service that wait for the page.
const WAITING: usize = 32;
/// Maximum number of refusals that wait for the page.
const REFUSALS: usize = 1000;

/// A page's session with the language service, if it has one, and what the page is told.
#[derive(Default)]
pub struct LanguageLink {
    session: Option<Box<dyn LanguageSession>>,
    answers: Option<mpsc::Receiver<Json>>,
    folder: PathBuf,
    refusals: VecDeque<Json>,
}

impl LanguageLink {
    /// Handles a message of the page to the service. The first one begins a session, and null ends it.
    pub fn take(&mut self, shown: &Shown, message: Json) {
        if message.is_null() {
            (self.session, self.answers) = (None, None);
            return;
        }
        let id = message.get("id").cloned();
        let passed = inward(message, &shown.folder, shown.read_only).and_then(|message| {
            if self.session.is_none() {
                self.open(shown)?;
            }
            match self.session.as_mut().is_some_and(|session| session.take(message)) {
                true => Ok(()),
                false => {
                    (self.session, self.answers) = (None, None);
                    self.tell(ended("the language service has ended"));
                    Ok(())
                }
            }
        });
        match (passed, id) {
            (Err(why), Some(id)) => {
                let error = json!({ "code": -32803, "message": why });
                self.tell(passed_on(&json!({ "jsonrpc": "2.0", "id": id, "error": error })));
            }
            (Err(why), None) => self.tell(ended(&why)),
            (Ok(()), _) => {}
        }
    }

    fn open(&mut self, shown: &Shown) -> Result<(), String> {
        let language = shown.language.as_ref().ok_or("this preview has no language service")?;
        let (sender, answers) = mpsc::channel(WAITING);
        let answer = Box::new(move |message| sender.blocking_send(message).is_ok());
        let session = language.open(&shown.folder, answer).map_err(|error| error.to_string())?;
        self.folder.clone_from(&shown.folder);
        (self.session, self.answers) = (Some(session), Some(answers));
        Ok(())
    }

    fn tell(&mut self, message: Json) {
        // A page that does not listen is told only what comes first.
        if self.refusals.len() < REFUSALS {
            self.refusals.push_back(message);
        }
    }

    /// Waits for the next message for the page.
    pub async fn next(&mut self) -> Json {
        loop {
            if let Some(refusal) = self.refusals.pop_front() {
                return refusal;
            }
            let Some(answers) = &mut self.answers else { return pending().await };
            match answers.recv().await {
                // What the service says of files elsewhere is not for pages.
                Some(answer) => {
                    let none =
                        answer.get("id").map(|id| json!({ "jsonrpc": "2.0", "id": id, "result": null }));
                    if let Some(answer) = outward(answer, &self.folder).or(none) {
                        return passed_on(&answer);
                    }
                }
                None => {
                    (self.session, self.answers) = (None, None);
                    return ended("the language service has ended");
                }
            }
        }
    }
}

/// The message with an answer of the service.
fn passed_on(answer: &Json) -> Json {
    json!({ "type": "language", "message": answer })
}

/// The message with which a session ends.
fn ended(why: &str) -> Json {
    json!({ "type": "language", "message": null, "ended": why })
}
