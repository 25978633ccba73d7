//! Serves what pages need to build graphs: the node types, and the difference to the files.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};

use super::app::App;
use crate::draft::{Structure, difference};
use crate::parameters;
use crate::write;

/// Answers `catalogue`: the descriptions of all node types.
pub async fn catalogue(State(app): State<Arc<App>>) -> Response {
    let registry = &app.requests.registry;
    let types = registry.nodes().map(|node| {
        let spec = node.spec();
        let mut described = parameters::describe(spec, app.faces.is_height);
        described["name"] = json!(spec.name);
        described["docs"] = json!(spec.docs);
        described
    });
    answer(&json!(types.collect::<Vec<_>>()))
}

/// Answers `template/NAME`: the picture of a template.
pub async fn template(State(app): State<Arc<App>>, Path((_token, name)): Path<(String, String)>) -> Response {
    let picture =
        app.shown.templates.iter().find(|template| template.name == name).map(|template| template.picture);
    match picture.filter(|picture| !picture.is_empty()) {
        Some(picture) => ([(header::CONTENT_TYPE, "image/jpeg")], picture).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such picture\n").into_response(),
    }
}

/// Answers `difference`: per file, the lines that *Write* changes.
pub async fn differences(State(app): State<Arc<App>>) -> Response {
    let draft = app.requests.draft();
    let Some(editable) = app.shared.editable() else { return answer(&json!({ "files": [] })) };
    let Ok(turn) = Arc::clone(&app.turns).acquire_owned().await else {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down\n").into_response();
    };
    let work = move || {
        let _turn = turn;
        let with = (&*app.requests.registry, &*app.requests.memo);
        let found = write::differences(&draft, &editable, &mut |draft, file, tree, made| {
            draft.apply(file, tree, with, made)
        });
        match found {
            Ok(files) => json!({ "files": difference(&files) }),
            Err(why) => json!({ "files": [], "problem": why }),
        }
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(json) => answer(&json),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "the difference cannot be computed\n").into_response(),
    }
}

/// Answers `edited/NUMBER`: the text that an edit of a text began with, and the one that it made.
pub async fn edited_text(
    State(app): State<Arc<App>>,
    Path((_token, number)): Path<(String, u64)>,
) -> Response {
    let draft = app.requests.draft();
    let step = draft.steps.iter().find(|step| step.number == number);
    match step.map(|step| &step.structure) {
        Some(Structure::Text { shown, before, after }) => {
            answer(&json!({ "file": shown, "before": &**before, "after": &**after }))
        }
        _ => (StatusCode::NOT_FOUND, "there is no such edit\n").into_response(),
    }
}

fn answer(json: &Json) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json.to_string()).into_response()
}
