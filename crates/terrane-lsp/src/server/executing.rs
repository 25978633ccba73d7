//! Execution of an editor's commands.

use std::path::PathBuf;
use std::thread;

use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Notification, Request, RequestId, Response};
use serde_json::{Value as Json, json};
use terrane_flow::Disk;

use super::{Server, read, refused};
use crate::commands::{Told, brief, finish};
use crate::navigation::node_at;
use crate::workspace::{path_of, real, text_of, uri_of};

type Refused = (ErrorCode, String);

impl Server<'_> {
    /// Executes a command. The answer to one that takes long follows later.
    pub(super) fn execute(&mut self, id: RequestId, params: Json) -> Option<Response> {
        match self.executed(&id, params) {
            Ok(Some(result)) => Some(Response::new_ok(id, result)),
            Ok(None) => None,
            Err((code, message)) => Some(Response::new_err(id, code as i32, message)),
        }
    }

    fn executed(&mut self, id: &RequestId, params: Json) -> Result<Option<Json>, Refused> {
        let params: lsp::ExecuteCommandParams = read(params)?;
        let program = self.setup.program.clone().ok_or_else(|| refused("this server has no commands"))?;
        let mut arguments = params.arguments.unwrap_or_default().into_iter();
        let uri: lsp::Uri = read(arguments.next().unwrap_or_default())?;
        let file =
            path_of(&uri).map(|path| real(&path)).ok_or_else(|| refused(format!("{uri} is no file")))?;
        if !self.workspace.holds(&file) {
            return Err(refused(format!("{} is outside the folder that is open", file.display())));
        }
        let position: Option<lsp::Position> =
            arguments.next().filter(|given| !given.is_null()).map(read).transpose()?;
        match &*params.command {
            "terrane.preview" => {
                let address = self.previews.open(&program, &file, &self.told.0).map_err(refused)?;
                if self.able.shows {
                    self.ask("window/showDocument", json!({ "uri": address, "external": true }));
                }
                if let Some(node) = position.and_then(|position| self.node(&file, position)) {
                    // The page may not be open yet.
                    let _later = self.previews.show(&file, &node);
                }
                Ok(Some(json!({ "address": address })))
            }
            "terrane.show" => {
                let node = position.and_then(|position| self.node(&file, position));
                let node = node.ok_or_else(|| refused("there is no node here"))?;
                self.previews.show(&file, &node).map_err(refused)?;
                Ok(Some(json!({ "node": node })))
            }
            "terrane.run" | "terrane.accept" => {
                let accept = params.command == "terrane.accept";
                let (id, sender) = (id.clone(), self.connection.sender.clone());
                let unsaved = self.is_unsaved(&file);
                thread::spawn(move || {
                    let done = finish(&program, &file, accept);
                    let is_done = done.is_ok();
                    let said = done.unwrap_or_else(|said| said);
                    let unsaved = if unsaved {
                        "\nunsaved changes of the graph took no part: save it first"
                    } else {
                        ""
                    };
                    let shown =
                        json!({ "type": if is_done { 3 } else { 1 }, "message": brief(&said) + unsaved });
                    let notification = Notification::new("window/showMessage".to_owned(), shown);
                    // If the editor is gone, there is no one to tell.
                    let _gone = sender.send(notification.into());
                    let result = json!({ "ok": is_done, "message": said + unsaved });
                    let _gone = sender.send(Response::new_ok(id, result).into());
                });
                Ok(None)
            }
            other => Err((ErrorCode::InvalidParams, format!("terrane does not know the command `{other}`"))),
        }
    }

    /// The node at a position of an open document.
    fn node(&self, file: &PathBuf, position: lsp::Position) -> Option<String> {
        let document = self.documents.get(file)?;
        node_at(&document.tree, document.lines.offset(position))
    }

    /// Whether the editor has another text than the file.
    fn is_unsaved(&self, file: &PathBuf) -> bool {
        let Some(document) = self.documents.get(file) else { return false };
        text_of(&Disk, file).is_none_or(|text| *text != **document.text())
    }

    /// Shows the text of a node for which a page asked. Files outside the open folder are not shown.
    pub(super) fn show_source(&mut self, told: &Told) {
        let Told::Source { file, line, column } = told;
        let Some(uri) = uri_of(file).filter(|_| self.able.shows && self.workspace.holds(file)) else {
            return;
        };
        let position = json!({ "line": line.saturating_sub(1), "character": column.saturating_sub(1) });
        let range = json!({ "start": position, "end": position });
        self.ask("window/showDocument", json!({ "uri": uri, "takeFocus": true, "selection": range }));
    }

    /// Asks the editor for something; its answer does not matter.
    fn ask(&mut self, method: &str, params: Json) {
        self.asked += 1;
        let request = Request::new(RequestId::from(self.asked), method.to_owned(), params);
        // If the editor is gone, the loop ends.
        let _gone = self.connection.sender.send(request.into());
    }
}
