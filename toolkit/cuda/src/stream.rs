//! A queue of work on a GPU.

use cudarc::driver::{DriverError, result, sys};

use crate::event::Event;

/// A queue of work on a GPU, which does it in the order in which it was asked for.
pub(crate) struct Stream(sys::CUstream);

// SAFETY: the driver's handles may be used from any thread that made the context current.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    /// A stream of the current context, which waits for no other.
    pub(crate) fn create() -> Result<Stream, DriverError> {
        result::stream::create(result::stream::StreamKind::NonBlocking).map(Stream)
    }

    /// Waits until all work asked for is done.
    pub(crate) fn synchronize(&self) -> Result<(), DriverError> {
        // SAFETY: the stream lives until drop.
        unsafe { result::stream::synchronize(self.0) }
    }

    /// Lets an event of the same context stand for all work asked for so far.
    pub(crate) fn record(&self, event: &Event) -> Result<(), DriverError> {
        // SAFETY: both live, and are of one context.
        unsafe { result::event::record(event.handle(), self.0) }
    }

    /// Lets all work asked for from now on wait for an event of the same context.
    pub(crate) fn wait_for(&self, event: &Event) -> Result<(), DriverError> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: both live, and the driver keeps what it needs of the event.
        unsafe { result::stream::wait_event(self.0, event.handle(), flags) }
    }

    /// The driver's handle, valid as long as this value.
    pub(crate) fn handle(&self) -> sys::CUstream {
        self.0
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: created by `create`, destroyed once.
        let _ = unsafe { result::stream::destroy(self.0) };
    }
}
