//! Points in a GPU's work.

use std::sync::Arc;

use cudarc::driver::{DriverError, result, sys};

use crate::context::{CudaContext, Primary};

/// A point in the GPU's work.
pub struct Event {
    context: Arc<Primary>,
    event: sys::CUevent,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    /// An event that can be timed.
    pub(crate) fn timed(context: &Arc<CudaContext>) -> Result<Event, DriverError> {
        Event::create(context, sys::CUevent_flags::CU_EVENT_DEFAULT)
    }

    /// An event that can be waited for only, which costs less.
    pub(crate) fn untimed(context: &Arc<CudaContext>) -> Result<Event, DriverError> {
        Event::create(context, sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)
    }

    fn create(context: &Arc<CudaContext>, flags: sys::CUevent_flags) -> Result<Event, DriverError> {
        context.make_current()?;
        Ok(Event { event: result::event::create(flags)?, context: context.primary().clone() })
    }

    /// The driver's handle, valid as long as this value.
    pub(crate) fn handle(&self) -> sys::CUevent {
        self.event
    }

    /// Whether the GPU is there.
    pub fn is_reached(&self) -> bool {
        // SAFETY: the event lives until drop.
        self.context.make_current().is_ok() && unsafe { result::event::query(self.event).is_ok() }
    }

    /// Waits until the GPU is there. An event that was never recorded counts as reached.
    pub(crate) fn synchronize(&self) -> Result<(), DriverError> {
        // SAFETY: the event lives until drop.
        unsafe { result::event::synchronize(self.event) }
    }

    /// Milliseconds from `start` to this event; both are timed and reached.
    pub(crate) fn milliseconds_since(&self, start: &Event) -> Result<f32, DriverError> {
        // SAFETY: both live, and were recorded.
        unsafe { result::event::elapsed(start.event, self.event) }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: created by `create`, destroyed once.
            let _ = unsafe { result::event::destroy(self.event) };
        }
    }
}
