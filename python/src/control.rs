//! Work on a thread of its own: the calling thread gives the interpreter to others meanwhile, looks at signals, and
//! shows progress.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use tribin::{Cancel, Phase, Work};

use crate::errors;

/// How often signals are looked at and progress is shown.
const TICK: Duration = Duration::from_millis(50);

/// The time for which work is waited for that was asked to stop. What takes longer goes on by itself, and its result is
/// dropped.
const GRACE: Duration = Duration::from_millis(100);

/// The token and the gauge of a piece of work.
#[derive(Clone, Default)]
pub struct Control {
    pub cancel: Cancel,
    pub work: Work,
    phase: Arc<Mutex<Option<Phase>>>,
}

impl Control {
    /// A closure that the library calls when a phase begins.
    pub fn listener(&self) -> impl Fn(Phase) + Send + Sync + use<> {
        let phase = Arc::clone(&self.phase);
        move |begun| *phase.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun)
    }

    fn phase(&self) -> &'static str {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner).map_or("convert", Phase::name)
    }
}

/// Runs `work` on a thread of its own, and returns what it does. `progress` is called with the name of the phase and
/// the share that is done, if it is known.
///
/// A signal whose handler raises stops the work, and so does an exception of `progress`. A panic becomes an
/// exception.
pub fn run<T, F>(py: Python<'_>, progress: Option<&Py<PyAny>>, work: F) -> PyResult<T>
where
    T: Send + 'static,
    F: FnOnce(&Control) -> tribin::Result<T> + Send + 'static,
{
    let control = Control::default();
    let (sender, mut receiver) = sync_channel(1);
    let of_worker = control.clone();
    thread::Builder::new()
        .name("tribin".into())
        .spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&of_worker)));
            // Nobody listens where the caller was interrupted.
            let _ = sender.send(result);
        })
        .map_err(|error| errors::defect(py, &format!("no thread can be started: {error}")))?;
    loop {
        let result;
        (result, receiver) = py.detach(move || (receiver.recv_timeout(TICK), receiver));
        match result {
            Ok(Ok(result)) => return result.map_err(|error| errors::exception(py, &error)),
            Ok(Err(panic)) => return Err(errors::defect(py, &text(&*panic))),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(errors::defect(py, "the thread of the work ended"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(raised) = py.check_signals().and_then(|()| show(py, progress, &control)) {
            control.cancel.cancel();
            py.detach(move || receiver.recv_timeout(GRACE).is_ok());
            return Err(errors::cancelled(py, raised));
        }
    }
}

fn show(py: Python<'_>, progress: Option<&Py<PyAny>>, control: &Control) -> PyResult<()> {
    match progress {
        Some(progress) => progress.call1(py, (control.phase(), control.work.done())).map(drop),
        None => Ok(()),
    }
}

/// The message of a panic.
pub fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
}
