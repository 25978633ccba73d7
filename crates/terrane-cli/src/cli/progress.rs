//! Progress of a job: JSON if requested, bars on a terminal, otherwise only warnings.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use terrane_flow::{Engine, Event};

use super::console;

/// Shows events until the job ends.
pub fn show(events: &Receiver<Event>, json: bool) {
    if json {
        for event in events {
            console::json(&event.to_json());
        }
    } else if std::io::stderr().is_terminal() {
        Bars::new().show(events);
    } else {
        for event in events {
            warning(&event, console::line);
        }
    }
}

/// Prints a warning.
fn warning(event: &Event, line: impl Fn(&str)) {
    if let Event::Warning { node, message } = event {
        let of = node.as_ref().map_or_else(String::new, |node| format!("{node}: "));
        line(&format!("warning: {of}{message}"));
    }
}

/// Waits until an engine's results are on disk, and warns if some cannot be kept.
pub fn flushed(engine: &Engine, json: bool) {
    if let Some(message) = engine.flush() {
        warn(&Event::Warning { node: None, message }, json);
    }
}

/// Prints an event that is a warning.
pub fn warn(event: &Event, json: bool) {
    if json {
        console::json(&event.to_json());
    } else {
        warning(event, console::line);
    }
}

struct Bars {
    all: MultiProgress,
    total: ProgressBar,
    nodes: HashMap<Arc<str>, ProgressBar>,
}

impl Bars {
    fn new() -> Self {
        let all = MultiProgress::new();
        let total = all.add(ProgressBar::new(0).with_style(style("{bar:30} {pos}/{len} nodes, {elapsed}")));
        Self { all, total, nodes: HashMap::new() }
    }

    fn show(mut self, events: &Receiver<Event>) {
        for event in events {
            warning(&event, |text| self.all.suspend(|| console::line(text)));
            match event {
                Event::Planned { nodes, .. } => self.total.set_length(nodes as u64),
                Event::Progress { node, fraction } => {
                    let all = &self.all;
                    let bar = self.nodes.entry(node).or_insert_with_key(|node| {
                        let bar = all.add(ProgressBar::new(1000).with_style(style("{bar:30} {msg}")));
                        bar.set_message(node.to_string());
                        bar.enable_steady_tick(Duration::from_millis(200));
                        bar
                    });
                    bar.set_position((fraction * 1000.0) as u64);
                }
                Event::Finished { node, .. }
                | Event::Cached { node }
                | Event::Failed { node, .. }
                | Event::Cancelled { node }
                | Event::Skipped { node, .. } => {
                    self.total.inc(1);
                    if let Some(bar) = self.nodes.remove(&node) {
                        bar.finish_and_clear();
                    }
                }
                Event::Started { .. } | Event::Warning { .. } => {}
            }
        }
        self.total.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
