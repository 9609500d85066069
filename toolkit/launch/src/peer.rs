//! Copies between devices.

use crate::Device;

/// A device that takes copies of the memory of other devices of its kind, and of its own.
pub trait Peer: Device {
    /// Copies `bytes` bytes from an address of a device, which may be this one, to memory of this device, and waits until that
    /// is done. Work that writes the source is done before: [`Device::synchronize`] waits for it.
    ///
    /// # Safety
    /// `address..address + bytes` lies inside one live allocation of this device, and as many bytes from the other address on
    /// inside one of the other device; the two do not overlap.
    ///
    /// # Errors
    /// What either device reports.
    unsafe fn copy_from(
        &self,
        address: u64,
        from: (&Self, u64),
        bytes: u64,
    ) -> Result<(), Self::Error>;
}
