//! The language service that pages use for texts. The program that uses this crate provides it.

use std::fmt::Debug;
use std::io;
use std::path::Path;

use serde_json::Value as Json;

/// A language service for texts of graphs, in the messages of the language server protocol.
pub trait Language: Debug + Send + Sync {
    /// Begins a session for a page. The service reads only files below `folder`, and writes none. It calls
    /// `answer` for each of its messages, from its own thread, and drops it when the session has ended.
    ///
    /// # Errors
    /// If no thread can be started.
    fn open(&self, folder: &Path, answer: Answer) -> io::Result<Box<dyn LanguageSession>>;
}

/// Receives a message of a language service. Returns false if the page is gone.
pub type Answer = Box<dyn FnMut(Json) -> bool + Send>;

/// A page's session with a language service, which ends when this is dropped.
pub trait LanguageSession: Send {
    /// Passes on a message of the page. Returns false if the session has ended, or has too many messages to
    /// handle.
    fn take(&mut self, message: Json) -> bool;
}
