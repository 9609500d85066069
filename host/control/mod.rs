//! What a caller sees of work under way, and how it stops it.

mod cancel;
mod phase;

pub use cancel::Cancel;
pub use phase::Phase;

/// What work is given besides its input: whom to tell of phases, and when to stop.
#[derive(Clone)]
pub struct Context<'a> {
    on_phase: &'a (dyn Fn(Phase) + Sync),
    cancel: Cancel,
}

impl<'a> Context<'a> {
    /// Passes the start of each phase on, and stops when `cancel` is asked to.
    pub fn new(on_phase: &'a (dyn Fn(Phase) + Sync), cancel: Cancel) -> Self {
        Context { on_phase, cancel }
    }

    /// Says that a phase begins, for the progress display.
    pub fn phase(&self, phase: Phase) {
        (self.on_phase)(phase);
    }

    /// The token that stops this work.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

impl Context<'static> {
    /// Tells nobody, and runs to its end.
    pub fn silent() -> Self {
        Context { on_phase: &|_| (), cancel: Cancel::new() }
    }
}
