//! Host memory that the driver copies from and to directly.

use std::sync::Arc;

use cudarc::driver::{DriverError, result};

use crate::context::CudaContext;

/// Page-locked memory of the host. Nothing is under way from or to it when it is dropped.
pub(crate) struct PageLocked {
    memory: *mut u8,
    bytes: usize,
    context: Arc<CudaContext>,
}

// SAFETY: the memory belongs to this value alone and may be used from any thread.
unsafe impl Send for PageLocked {}
// SAFETY: as above.
unsafe impl Sync for PageLocked {}

impl PageLocked {
    /// Memory of `bytes` bytes. To lock a megabyte takes a tenth of a millisecond and more.
    pub(crate) fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<PageLocked, DriverError> {
        context.make_current()?;
        // SAFETY: the memory is freed once, on drop.
        let memory = unsafe { result::malloc_host(bytes.max(1), 0)? };
        Ok(PageLocked { memory: memory.cast(), bytes, context: context.clone() })
    }

    /// All bytes. No copy to them is under way.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is as long, and belongs to this value.
        unsafe { std::slice::from_raw_parts(self.memory, self.bytes) }
    }

    /// The first `bytes` bytes, or all if they are fewer. No copy from or to them is under way.
    pub(crate) fn first(&mut self, bytes: usize) -> &mut [u8] {
        // SAFETY: the memory is as long, and belongs to this value.
        unsafe { std::slice::from_raw_parts_mut(self.memory, bytes.min(self.bytes)) }
    }
}

impl Drop for PageLocked {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: allocated by `new`, freed once.
            let _ = unsafe { result::free_host(self.memory.cast()) };
        }
    }
}
