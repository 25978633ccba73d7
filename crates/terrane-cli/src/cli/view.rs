//! `terrane view`: the live preview in the browser.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use terrane_runs::Failure;
use terrane_view::{Frame, Told, ViewError, ViewOptions};

use super::arguments::{Engine, Load, LoadWith, OfWorld};
use super::console;
use super::faces::FACES;
use super::page_language::PageLanguage;
use super::page_warnings::PageWarnings;
use super::templates::TEMPLATES;
use super::{editor, events, profile, session};

#[derive(Debug, Args)]
pub struct View {
    /// The graph file. If it does not exist, or is not named, the page offers templates for a new one.
    pub graph: Option<PathBuf>,
    #[command(flatten)]
    pub with: LoadWith,
    #[command(flatten)]
    pub of_world: OfWorld,
    #[command(flatten)]
    pub engine: Engine,
    /// The port to listen on. Default: 7411, or any free port if 7411 is taken.
    #[arg(long)]
    pub port: Option<u16>,
    /// Do not open the browser.
    #[arg(long)]
    pub no_open: bool,
    /// Only show the graph: pages cannot change values, nodes or files.
    #[arg(long)]
    pub read_only: bool,
    /// Offer "Show in editor" in the page, which prints an event "source" with the file, line and column of a
    /// node, and select the node of each line `{"show": "NODE"}` of standard input in all pages. A line that
    /// cannot be taken is answered by an event "refused". The end of standard input ends the program. For
    /// editors; needs --json.
    #[arg(long, requires = "json")]
    pub editor: bool,
    /// The address to listen on. Other machines can reach the preview only if this is not a loopback address.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: std::net::IpAddr,
    /// Another host name under which browsers may open the page. Can be repeated.
    #[arg(long, value_name = "HOST")]
    pub allow_host: Vec<String>,
    /// Let the windows of an editor show the page in a frame. Web pages cannot, with any of these.
    #[arg(long, value_name = "EDITOR", value_enum)]
    pub frame_in: Option<FrameIn>,
    /// The secret in the page's address, 16 to 128 letters and digits. Default: a new one each time. With a
    /// fixed token, open pages reconnect after a restart. Other users of the machine may see the command
    /// line, so set the environment variable instead.
    #[arg(long, env = "TERRANE_VIEW_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    pub token: Option<String>,
}

/// An editor of `--frame-in`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FrameIn {
    /// Visual Studio Code on the desktop.
    Vscode,
}

/// Maximum bytes of values and pictures kept between reloads. If --memory is smaller, that is the maximum.
const KEPT: u64 = 1 << 30;

pub fn view(args: View) -> Result<(), Failure> {
    let graph = args.graph.clone().unwrap_or_else(free_name);
    let load = Load { graph, with: args.with };
    let graph = &load.graph;
    let patch = session::patch(&load, &args.of_world)?;
    if !graph.exists() {
        console::line(&format!(
            "{} does not exist yet; the page will show it as soon as it does, and offers templates",
            graph.display()
        ));
    }
    let (options, files) = terrane_view::View::load_options(session::load_options(&load)?);
    let budget = session::budget(args.engine.memory.as_deref())?;
    let bytes = budget.min(KEPT);
    // The engine gets two thirds. The last third is for the values that pages show, and for their pictures.
    let engine = session::engine(&args.engine, bytes / 3 * 2)?;
    let level = args.of_world.level;
    let live = match patch {
        Some(patch) => session::live_patch(graph, options, (patch, level), engine.clone())?,
        None => session::live(graph, options)?,
    };
    let options = ViewOptions {
        graph: graph.clone(),
        part: patch.map(|(i, j)| match level {
            0 => format!("patch {i},{j}"),
            level => format!("patch {i},{j}, level {level}"),
        }),
        address: args.bind,
        port: args.port,
        hosts: args.allow_host.clone(),
        frame: args.frame_in.map(|FrameIn::Vscode| Frame::VsCode),
        token: args.token.clone(),
        read_only: args.read_only,
        templates: if patch.is_none() { TEMPLATES } else { &[] },
        language: Some(Arc::new(PageLanguage)),
        warnings: Some(Arc::new(PageWarnings::default())),
        editor: args.editor,
        memory: bytes / 3,
        machine: Some(budget),
        ..ViewOptions::default()
    };
    let view = terrane_view::View::open(engine, FACES, terrane_nodes::registry(), files, &options).map_err(
        |error| {
            let help = match error {
                ViewError::Listen { .. } => "choose another --port or --bind",
                ViewError::Token => "leave --token out, and TERRANE_VIEW_TOKEN unset, to get a new one",
                ViewError::Random(_) => "choose a secret yourself with --token",
                ViewError::Serve(_) => "close other programs and try again",
            };
            Failure::usage(error.to_string(), help)
        },
    )?;
    if !args.bind.is_loopback() {
        console::line(
            "anyone who can reach this machine and knows the address below can see and change the graph",
        );
        console::line(
            "on other machines, open it by this machine's IP address; for a host name, add --allow-host NAME",
        );
    }
    if args.engine.json {
        events::print(&serde_json::json!({"event": "listening", "address": view.address()}));
    } else {
        console::print(&format!("{}\n", view.address()));
    }
    if !args.no_open && std::io::stderr().is_terminal() {
        // Without a browser, the user can copy the address.
        let _no_browser = open::that_detached(view.address());
    }
    if args.editor {
        editor::listen(view.remote());
    }
    view.run(live, &mut |event| print_event(&args.engine, &event));
    Ok(())
}

/// A name that no file has.
fn free_name() -> PathBuf {
    let numbered = (2..).map(|number: u32| PathBuf::from(format!("terrain_{number}.ron")));
    let mut names = std::iter::once(PathBuf::from("terrain.ron")).chain(numbered);
    names.find(|name| name.symlink_metadata().is_err()).unwrap_or_default()
}

/// Prints an event if --json or --profile asks for it. Otherwise only the page shows the event.
fn print_event(engine: &Engine, event: &Told<'_>) {
    match event {
        Told::Event(event) if engine.json => events::event(event),
        Told::Broken(diagnostics) if engine.json => events::broken(diagnostics),
        Told::Event(_) | Told::Broken(_) => {}
        Told::Source { file, line, column } => editor::print_source(file, *line, *column),
        Told::Finished { finished, coarse, all } => {
            if engine.json {
                events::done(
                    finished,
                    &[("coarse", serde_json::json!(coarse)), ("all", serde_json::json!(all))],
                );
            }
            if engine.profile && !coarse {
                profile::show(&finished.evaluation, &[]);
            }
        }
    }
}
