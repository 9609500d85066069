//! What the errors of all devices have in common.

use std::error::Error;

/// An error of a device, for callers that do not know which device it is.
pub trait DeviceFault: Error + Send + Sync + Sized + 'static {
    /// The allocation that did not fit, where the device has too little memory for it.
    fn out_of_memory(&self) -> Option<OutOfMemory> {
        None
    }
}

/// An allocation that a device has too little memory for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfMemory {
    /// Bytes that were asked for.
    pub needed: u64,
    /// Bytes that are free.
    pub free: u64,
    /// The device's name.
    pub device: String,
}
