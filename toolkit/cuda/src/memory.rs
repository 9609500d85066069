//! Device memory, taken from and given back to its pool in the order of the stream.

use std::sync::Arc;

use cudarc::driver::result;

use crate::context::Context;

/// An allocation on a GPU.
pub struct GpuMemory {
    context: Arc<Context>,
    pub(crate) address: u64,
}

impl GpuMemory {
    /// The owner of what the context's pool gave.
    pub(crate) fn new(context: Arc<Context>, address: u64) -> Self {
        GpuMemory { context, address }
    }
}

impl Drop for GpuMemory {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: the address came from the pool on this stream, and is freed once. A failure
            // here is that of an earlier launch, which the next call reports.
            let _ = unsafe { result::free_async(self.address, self.context.stream.handle()) };
        }
    }
}
