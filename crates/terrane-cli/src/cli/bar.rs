//! A progress bar for the patches or blocks of a world.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use super::console;

/// A progress bar on a terminal, or one line per item elsewhere. Hidden when events are printed.
pub struct Bar {
    bar: Option<ProgressBar>,
    quiet: bool,
    /// What the items are called.
    noun: &'static str,
}

impl Bar {
    pub const fn new(quiet: bool, noun: &'static str) -> Self {
        Self { bar: None, quiet, noun }
    }

    /// Starts a bar for this many items.
    pub fn begin(&mut self, count: usize) {
        let terminal = !self.quiet && count > 1 && std::io::stderr().is_terminal();
        self.bar = terminal.then(|| {
            let template = format!("{{bar:30}} {{pos}}/{{len}} {}, {{elapsed}}, {{eta}} to go", self.noun);
            let style = ProgressStyle::with_template(&template);
            ProgressBar::new(count as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
    }

    /// Marks one item as done. Warnings are always printed. `line` is printed only if there is no bar.
    pub fn step(&self, warnings: &[String], line: &str) {
        let warn = || warnings.iter().for_each(|warning| console::line(warning));
        match &self.bar {
            Some(bar) => {
                bar.suspend(warn);
                bar.inc(1);
            }
            None => {
                warn();
                console::line(line);
            }
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
