//! The loop of the server: reads messages, answers requests, and runs tools on a thread of its own.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use terrane_flow::suggest;
use terrane_runs::Problem;

use crate::answer::result;
use crate::calls::Calls;
use crate::message::{self, Message, Out};
use crate::refusal::Refusal;
use crate::resources;
use crate::setup::{Setup, Shared};
use crate::stop::Stop;
use crate::tools;

/// The versions of the protocol, the newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// What clients tell their model about this server.
const INSTRUCTIONS: &str = "Terrane graphs are RON texts: nodes, wires and output files. Read the \
    resource terrane://llms.txt first. Find node types with find_nodes and node, write the text with \
    edit, check it until there are no mistakes (each mistake may have a fix: an edit of bytes), then run \
    it. Compare digests: equal digests mean equal bits. Paths are relative to the server's folder.";

/// A call of a tool.
struct Call {
    id: Json,
    tool: &'static tools::Tool,
    arguments: Map<String, Json>,
    stop: Arc<Stop>,
}

/// Serves one client until its input ends. Calls of tools run one after the other; all other messages are
/// answered at once.
///
/// # Errors
/// If the folder cannot be served. A client that closes its end is no error.
pub fn serve<R: BufRead, W: Write + Send>(setup: Setup, mut input: R, output: W) -> Result<(), Problem> {
    let shared = Shared::new(setup)?;
    let (out, calls) = (Out::new(output), Calls::default());
    let (sender, receiver) = crossbeam_channel::unbounded::<Call>();
    let ended = std::thread::scope(|scope| {
        let (out, calls, shared) = (&out, &calls, &shared);
        scope.spawn(move || {
            while let Ok(call) = receiver.recv() {
                let answer = run(shared, &call);
                calls.remove(&call.id);
                // A cancelled request is not answered.
                if !call.stop.is_cancelled() && out.result(&call.id, &answer).is_err() {
                    break;
                }
            }
        });
        let read = (|| {
            while let Some(message) = message::read(&mut input)? {
                handle(shared, message, out, calls, &sender)?;
            }
            Ok(())
        })();
        // Waiting calls are finished, then the thread ends.
        drop(sender);
        read
    });
    match ended {
        Err(error) if !is_closed(&error) => {
            Err(Problem::new(format!("the connection failed: {error}"), "start the server again"))
        }
        _ => Ok(()),
    }
}

fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

fn handle<W: Write>(
    shared: &Shared,
    message: Message,
    out: &Out<W>,
    calls: &Calls,
    sender: &crossbeam_channel::Sender<Call>,
) -> io::Result<()> {
    let (id, method, params) = match message {
        Message::Request { id, method, params } => (id, method, params),
        Message::Notification { method, params } => {
            if method == "notifications/cancelled" {
                calls.cancel(&params["requestId"]);
            }
            return Ok(());
        }
        Message::Answer => return Ok(()),
        Message::Wrong(id, code, why) => return out.error(&id, code, &why),
    };
    match method.as_str() {
        "initialize" => out.result(&id, &initialize(shared, &params)),
        "ping" => out.result(&id, &json!({})),
        "tools/list" => out.result(&id, &json!({ "tools": tools::listed() })),
        "resources/list" => out.result(&id, &json!({ "resources": resources::listed(shared) })),
        "resources/templates/list" => out.result(&id, &json!({ "resourceTemplates": [] })),
        "prompts/list" => out.result(&id, &json!({ "prompts": [] })),
        "resources/read" => match resources::read(shared, params["uri"].as_str().unwrap_or_default()) {
            Some(contents) => out.result(&id, &json!({ "contents": [contents] })),
            None => {
                let why = "there is no such resource: `resources/list` lists them";
                out.error(&id, message::NO_RESOURCE, why)
            }
        },
        "tools/call" => match asked(shared, &id, params) {
            Ok(call) if calls.add(&id, &call.stop) => {
                let _ended = sender.send(call);
                Ok(())
            }
            Ok(_) => {
                let why = "a call with this id is not answered yet: number requests in order";
                out.error(&id, message::INVALID, why)
            }
            Err(why) => out.error(&id, message::PARAMS, &why),
        },
        _ => {
            let why = format!("there is no method {}", suggest::shorten(&method));
            out.error(&id, message::NO_METHOD, &why)
        }
    }
}

fn initialize(shared: &Shared, params: &Json) -> Json {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.into_iter().find(|version| *version == asked).unwrap_or(VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {}, "resources": {} },
        "serverInfo": { "name": "terrane", "version": shared.setup.version },
        "instructions": INSTRUCTIONS,
    })
}

fn asked(shared: &Shared, id: &Json, mut params: Json) -> Result<Call, String> {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let Some(tool) = tools::TOOLS.iter().find(|tool| tool.name == name) else {
        let known: Vec<&str> = tools::TOOLS.iter().map(|tool| tool.name).collect();
        let help = suggest::help(&name, &known, "the tools are");
        return Err(format!("there is no tool {}: {help}", suggest::shorten(&name)));
    };
    let arguments = match params.get_mut("arguments").map(Json::take) {
        None | Some(Json::Null) => Map::new(),
        Some(Json::Object(arguments)) => arguments,
        Some(_) => return Err("expected an object of arguments".to_owned()),
    };
    Ok(Call { id: id.clone(), tool, arguments, stop: Arc::new(Stop::new(shared.setup.timeout)) })
}

/// Runs a tool. A panic is an error of this call alone.
fn run(shared: &Shared, call: &Call) -> Json {
    call.stop.begin();
    let work = || match call.stop.reason() {
        Some(refusal) => Err(refusal),
        None => call.tool.run(shared, &call.arguments, &call.stop),
    };
    let answer = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let remedy = "this is a defect of the program: please report it with the arguments of this call";
        Err(Refusal::new(format!("the tool `{}` failed within the program", call.tool.name), remedy))
    });
    result(&answer)
}
