//! Progress on stderr, where that is a terminal.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tribin::Phase;
use tribin::read::Progress;
use tribin::report::printable;

use super::stderr;

const BYTES: &str = "{prefix}: read {wide_bar} {bytes}/{total_bytes} {eta}";
const SPINNER: &str = "{prefix}: {msg} {spinner} {elapsed}";

/// A bar while a file is read, a spinner after that. Hidden, it does nothing.
#[derive(Clone)]
pub struct Display {
    bar: ProgressBar,
    /// What is said once, when the first file was read: a file that cannot be read has one line for itself.
    note: Arc<Mutex<Option<String>>>,
}

impl Display {
    /// A display, shown only on a terminal and never when `quiet`.
    pub fn new(quiet: bool) -> Display {
        let shown = !quiet && io::stderr().is_terminal();
        let bar = if shown { ProgressBar::no_length() } else { ProgressBar::hidden() };
        Display { bar, note: Arc::default() }
    }

    /// Begins a file.
    pub fn begin(&self, file: &Path) {
        let bar = &self.bar;
        bar.set_prefix(printable(&file.display().to_string()).into_owned());
        match std::fs::metadata(file) {
            Ok(metadata) if metadata.is_file() => {
                bar.set_style(style(BYTES));
                bar.set_length(metadata.len());
            }
            _ => {
                bar.set_style(style(SPINNER));
                bar.set_message("read");
            }
        }
        bar.reset();
    }

    /// What to say once, when the first file was read.
    pub fn note(&self, note: Option<String>) {
        *self.note.lock().unwrap_or_else(PoisonError::into_inner) = note;
    }

    /// Follows a session.
    pub fn on_phase(&self) -> impl Fn(Phase) + Send + Sync + 'static {
        let Display { bar, note } = self.clone();
        move |phase| {
            if phase == Phase::Read {
                return;
            }
            if let Some(note) = note.lock().unwrap_or_else(PoisonError::into_inner).take() {
                bar.suspend(|| stderr::line(format_args!("note: {note}")));
            }
            // A hidden bar would still start a thread, in the middle of what is timed.
            if !bar.is_hidden() {
                bar.set_style(style(SPINNER));
                bar.set_message(phase.name());
                bar.enable_steady_tick(Duration::from_millis(100));
            }
        }
    }

    /// Follows a reader.
    pub fn on_bytes(&self) -> Progress {
        let bar = self.bar.clone();
        Progress::new(move |bytes| bar.inc(bytes))
    }

    /// Clears the line, so that a report can stand there.
    pub fn end(&self) {
        let bar = &self.bar;
        bar.disable_steady_tick();
        bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates above are well-formed")
}
