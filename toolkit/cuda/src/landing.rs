//! Small copies to the host.
//!
//! To memory that is not page-locked, the driver copies in two steps of its own, and takes some microseconds more. A
//! count asks for a few words some six times, and waits for each.

use std::sync::{Arc, Mutex, TryLockError};

use cudarc::driver::{DriverError, result};

use crate::context::CudaContext;
use crate::page_locked::PageLocked;
use crate::stream::Stream;

/// Bytes of the largest copies that land here: those that the host copies on in a microsecond or so.
const MOST: usize = 32 << 10;

/// A piece of page-locked memory that small copies land in, one at a time.
pub(crate) struct Landing(Mutex<Option<PageLocked>>);

impl Landing {
    /// A place to land in, or none where no memory can be locked.
    pub(crate) fn new(context: &Arc<CudaContext>) -> Landing {
        Landing(Mutex::new(PageLocked::new(context, MOST).ok()))
    }

    /// Copies from `address` to `to` on a stream, and waits until all is there. `None` where the copy is too large, or
    /// where another lands: then nothing was done.
    ///
    /// # Safety
    /// `address..address + to.len()` is device memory of this context, which is current.
    pub(crate) unsafe fn download(
        &self,
        stream: &Stream,
        address: u64,
        to: &mut [u8],
    ) -> Option<Result<(), DriverError>> {
        if to.len() > MOST {
            return None;
        }
        let mut memory = match self.0.try_lock() {
            Ok(memory) => memory,
            // What is in it is only read after a copy of this call.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let landed = memory.as_mut()?.first(to.len());
        // SAFETY: the caller's promise; the memory is this call's until the stream is done.
        let copied = unsafe { result::memcpy_dtoh_async(&mut *landed, address, stream.handle()) };
        Some(copied.and_then(|()| stream.synchronize()).map(|()| to.copy_from_slice(landed)))
    }
}
