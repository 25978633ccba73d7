//! The language server for the texts of the pages of `terrane view`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Builder;

use crossbeam_channel::{Sender, bounded};
use lsp_server::{Connection, Message};
use serde_json::Value as Json;
use terrane_flow::{Disk, Entry, Files, Opened};
use terrane_lsp::serve_from;
use terrane_view::{Answer, Language, LanguageSession};

use super::lsp::setup;

/// Maximum number of messages that wait for the server, and for the page.
const WAITING: usize = 256;

/// A language server per page, each on a thread of its own.
#[derive(Clone, Copy, Debug)]
pub struct PageLanguage;

impl Language for PageLanguage {
    fn open(&self, folder: &Path, mut answer: Answer) -> io::Result<Box<dyn LanguageSession>> {
        let (sender, received) = bounded(WAITING);
        let (answers, given) = bounded::<Message>(WAITING);
        let files: Arc<dyn Files> = Arc::new(Below { folder: folder.to_owned() });
        let serve = move || {
            let connection = Connection { sender: answers, receiver: received };
            // The page is told that the session has ended, whatever the reason.
            let _ended = serve_from(&connection, &setup(), files);
        };
        Builder::new().name("language".to_owned()).spawn(serve)?;
        let pass_on = move || {
            for message in given {
                let Ok(message) = serde_json::to_value(&message) else { continue };
                if !answer(message) {
                    return;
                }
            }
        };
        Builder::new().name("language answers".to_owned()).spawn(pass_on)?;
        Ok(Box::new(Session(sender)))
    }
}

/// A page's session. When it is dropped, the server's connection closes and its threads end.
struct Session(Sender<Message>);

impl LanguageSession for Session {
    fn take(&mut self, message: Json) -> bool {
        match serde_json::from_value(message) {
            Ok(message) => self.0.try_send(message).is_ok(),
            // What is no message of the protocol has no answer.
            Err(_) => true,
        }
    }
}

/// The files below a folder, also where links lead.
#[derive(Debug)]
struct Below {
    folder: PathBuf,
}

impl Below {
    fn check(&self, path: &Path) -> io::Result<()> {
        let is_below = Disk.real(path)?.starts_with(&self.folder);
        if is_below { Ok(()) } else { Err(io::Error::other("the file is not below the graph's folder")) }
    }
}

impl Files for Below {
    fn open(&self, path: &Path) -> io::Result<Opened> {
        self.check(path)?;
        Disk.open(path)
    }

    fn entry(&self, path: &Path) -> io::Result<Entry> {
        self.check(path)?;
        Disk.entry(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        Disk.real(path)
    }
}
