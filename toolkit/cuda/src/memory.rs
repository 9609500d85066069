//! Device memory, taken from and given back to its pool in the order of the stream.

use std::sync::Arc;

use crate::context::CudaContext;
use crate::pool::Range;

/// An allocation on a GPU.
pub struct GpuMemory {
    context: Arc<CudaContext>,
    range: Range,
}

impl GpuMemory {
    /// The owner of what the context's pool gave.
    pub(crate) fn new(context: Arc<CudaContext>, range: Range) -> Self {
        GpuMemory { context, range }
    }

    /// The first address of the memory.
    pub(crate) fn address(&self) -> u64 {
        self.range.address
    }
}

impl Drop for GpuMemory {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: the range came from the pool on this stream, and is given back once.
            unsafe { self.context.pool.give_back(self.range, self.context.stream().handle()) };
        }
    }
}
