//! How far a world is.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::super::console;
use super::{Done, say};

/// A bar on a terminal, a line for each patch elsewhere, or JSON.
pub struct Progress {
    bar: Option<ProgressBar>,
    json: bool,
    patches: usize,
    ran: usize,
    cached: usize,
}

impl Progress {
    pub fn new(patches: usize, json: bool) -> Self {
        let terminal = !json && patches > 1 && std::io::stderr().is_terminal();
        let bar = terminal.then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} patches, {elapsed}, {eta} to go");
            ProgressBar::new(patches as u64)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Self { bar, json, patches, ran: 0, cached: 0 }
    }

    pub fn tell(&mut self, done: &Done) {
        self.ran += done.ran;
        self.cached += done.cached;
        let (i, j) = done.patch;
        if self.json {
            let event = serde_json::json!({
                "event": "patch", "patch": [i, j], "ran": done.ran, "cached": done.cached, "written": done.written,
                "unchanged": done.unchanged, "warnings": done.warnings, "seconds": done.took.as_secs_f64(),
                "succeeded": done.problems.is_empty(),
            });
            return console::print(&format!("{event}\n"));
        }
        let warn =
            || done.warnings.iter().for_each(|warning| say(&format!("warning: patch {i},{j}: {warning}")));
        match &self.bar {
            Some(bar) => {
                bar.suspend(warn);
                bar.inc(1);
            }
            None => {
                warn();
                let (ran, cached, files) = (done.ran, done.cached, done.written.len());
                let seconds = done.took.as_secs_f64();
                say(&format!(
                    "patch {i},{j}: {ran} nodes ran, {cached} cached, {files} files written, {seconds:.2} s"
                ));
            }
        }
    }

    pub fn end(&self, mosaics: &[PathBuf], problems: usize, took: Duration) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let Self { patches, ran, cached, .. } = self;
        if self.json {
            let event = serde_json::json!({
                "event": "done", "patches": patches, "ran": ran, "cached": cached, "written": mosaics,
                "seconds": took.as_secs_f64(), "succeeded": problems == 0,
            });
            return console::print(&format!("{event}\n"));
        }
        mosaics.iter().for_each(|path| say(&format!("wrote {}", path.display())));
        let noun = if *patches == 1 { "patch" } else { "patches" };
        say(&format!("{patches} {noun}, {ran} nodes ran, {cached} cached, {:.2} s", took.as_secs_f64()));
    }
}
