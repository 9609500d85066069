//! What a caller sees of work under way, and how it stops it.

mod cancel;
mod closed;
mod huge_pages;
pub mod memory;
mod phase;
pub mod prefetch;
mod unfinished;
mod work;

pub use cancel::Cancel;
pub use closed::is_input_closed;
pub use closed::is_output_closed;
pub use memory::allocation_may_fail;
pub use phase::{EngineSeconds, Phase};
pub use unfinished::{Unfinished, registered, remove_folder};
pub use unfinished::{remove_all, remove_all_if_free, remove_on_signals};
pub use work::Work;

/// The surroundings of work: whom to tell of phases, and when to stop.
#[derive(Clone)]
pub struct Context<'a> {
    on_phase: &'a (dyn Fn(Phase) + Sync),
    cancel: Cancel,
    work: Work,
}

impl<'a> Context<'a> {
    /// Passes the start of each phase on, and stops when `cancel` is asked to.
    pub fn new(on_phase: &'a (dyn Fn(Phase) + Sync), cancel: Cancel) -> Self {
        Context { on_phase, cancel, work: Work::new() }
    }

    /// Adds a gauge to the context, which says how much is done.
    pub fn with_work(self, work: Work) -> Self {
        Context { work, ..self }
    }

    /// Says that a phase begins, for the progress display. How much of it is done is not known until its work
    /// [begins](Work::begin).
    pub fn phase(&self, phase: Phase) {
        self.work.begin(0);
        (self.on_phase)(phase);
    }

    /// The gauge of this work.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The token that stops this work.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

impl Context<'static> {
    /// Tells nobody, and runs to its end.
    pub fn silent() -> Self {
        Context::new(&|_| (), Cancel::new())
    }
}
