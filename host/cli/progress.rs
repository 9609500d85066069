//! Progress on stderr: a bar where that is a terminal, and else a line every ten seconds with `--verbose`.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use tribin::read::{Progress, Source};
use tribin::report::printable;
use tribin::{Phase, Work};

const TEMPLATE: &str = "{prefix}: {msg} {share} {spinner} {elapsed}";

/// Between two lines.
const LINES: Duration = Duration::from_secs(10);

/// Says how far the work is. Hidden, it does nothing.
#[derive(Clone)]
pub struct Display {
    bar: ProgressBar,
    work: Work,
    state: Arc<Mutex<DisplayState>>,
    says_lines: bool,
}

/// What the lines are about.
struct DisplayState {
    file: String,
    phase: &'static str,
    begun: Instant,
    /// Dropped, it stops the thread that says the lines.
    lines: Option<Sender<()>>,
}

impl Display {
    /// A display: a bar on a terminal, lines elsewhere where the log takes them, and nothing when `quiet`.
    pub fn new(quiet: bool) -> Display {
        let terminal = io::stderr().is_terminal();
        let bar = if terminal && !quiet { ProgressBar::no_length() } else { ProgressBar::hidden() };
        let state =
            DisplayState { file: String::new(), phase: "", begun: Instant::now(), lines: None };
        Display {
            bar,
            work: Work::new(),
            state: Arc::new(Mutex::new(state)),
            says_lines: !terminal && !quiet && tracing::enabled!(tracing::Level::INFO),
        }
    }

    /// The gauge that is shown.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Begins a file, which is read first.
    pub fn begin(&self, source: impl Into<Source>) {
        let name = source.into().name();
        let bytes = std::fs::metadata(&name).ok().filter(std::fs::Metadata::is_file);
        self.work.begin(bytes.map_or(0, |metadata| metadata.len()));
        self.begin_named(&name, Phase::Read.name());
    }

    /// Begins work that is called `name`.
    pub fn begin_named(&self, name: &str, phase: &'static str) {
        let name = printable(name).into_owned();
        let mut state = self.state();
        state.file.clone_from(&name);
        (state.phase, state.begun) = (phase, Instant::now());
        if self.says_lines && state.lines.is_none() {
            state.lines = Some(self.start_lines());
        }
        drop(state);
        // A hidden bar would still start a thread, in the middle of what is timed.
        if !self.bar.is_hidden() {
            self.bar.set_prefix(name);
            self.bar.set_message(phase);
            self.bar.set_style(style(&self.work));
            self.bar.reset();
            self.bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// Follows a session that has this gauge.
    pub fn on_phase(&self) -> impl Fn(Phase) + Send + Sync + 'static {
        let display = self.clone();
        move |phase| {
            // Where reading has begun, the file's size is known already.
            if phase != Phase::Read {
                display.say(phase);
            }
        }
    }

    /// Shows the name of a phase.
    pub fn say(&self, phase: Phase) {
        self.state().phase = phase.name();
        self.bar.set_message(phase.name());
    }

    /// Follows a reader.
    pub fn on_bytes(&self) -> Progress {
        let work = self.work.clone();
        Progress::new(move |bytes| work.add(bytes))
    }

    /// Clears the line, so that a report can stand there.
    pub fn end(&self) {
        self.state().lines = None;
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
    }

    fn state(&self) -> std::sync::MutexGuard<'_, DisplayState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_lines(&self) -> Sender<()> {
        let (sender, ended) = mpsc::channel::<()>();
        let (state, work) = (self.state.clone(), self.work.clone());
        let say = move || {
            while ended.recv_timeout(LINES) == Err(RecvTimeoutError::Timeout) {
                let state = state.lock().unwrap_or_else(PoisonError::into_inner);
                let line = line(&state.file, state.phase, work.done(), state.begun.elapsed());
                drop(state);
                tracing::info!("{line}");
            }
        };
        // Without a thread nothing is said, and the work goes on.
        let _ = std::thread::Builder::new().name("progress".into()).spawn(say);
        sender
    }
}

/// The line that says how far the work is.
fn line(file: &str, phase: &str, done: Option<f64>, since: Duration) -> String {
    let share = done.map_or(String::new(), |done| format!(" {}", percent(done)));
    format!("{file}: {phase}{share} after {} s", since.as_secs())
}

/// Rounded down: all of it is done only at the end.
fn percent(share: f64) -> String {
    format!("{}%", (100.0 * share).floor())
}

fn style(work: &Work) -> ProgressStyle {
    let work = work.clone();
    let style = ProgressStyle::with_template(TEMPLATE).expect("the template is well-formed");
    style.with_key("share", move |_: &ProgressState, to: &mut dyn Write| {
        let share = work.done().map_or(String::new(), percent);
        write!(to, "{share:>4}").expect("writing to memory");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_how_much_and_since_when() {
        let since = Duration::from_millis(20_900);
        assert_eq!(line("g.mtx", "count", Some(0.439), since), "g.mtx: count 43% after 20 s");
        assert_eq!(line("-", "read", None, since), "-: read after 20 s");
        assert_eq!(percent(0.999), "99%");
        assert_eq!(percent(1.0), "100%");
    }
}
