//! Copies between devices.

use crate::Device;

/// A device that takes copies of the memory of other devices of its kind, and of its own.
pub trait Peer: Device {
    /// Copies device memory of `from`, which may be this device, to memory of this device, and waits until that
    /// is done. Work that writes the source is done before: [`Device::synchronize`] waits for it.
    ///
    /// # Safety
    /// `address..address + bytes` lies inside one live allocation of this device, and
    /// `from_address..from_address + bytes` inside one of `from`; the two do not overlap.
    ///
    /// # Errors
    /// What either device reports.
    unsafe fn copy_from(
        &self,
        address: u64,
        from: &Self,
        from_address: u64,
        bytes: u64,
    ) -> Result<(), Self::Error>;

    /// The same, and calls `beside` once the copy was asked for: a device may do what that asks for at the same time.
    /// Without a way to do so it copies first.
    ///
    /// # Safety
    /// As [`copy_from`](Self::copy_from), and `beside` neither writes what is read nor touches what is written.
    ///
    /// # Errors
    /// What either device, or `beside`, reports.
    unsafe fn copy_from_beside(
        &self,
        address: u64,
        (from, from_address): (&Self, u64),
        bytes: u64,
        beside: &mut dyn FnMut() -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error> {
        // SAFETY: the caller's promise.
        unsafe { self.copy_from(address, from, from_address, bytes)? };
        beside()
    }
}

impl<D: Peer> Peer for &D {
    unsafe fn copy_from(
        &self,
        address: u64,
        from: &Self,
        from_address: u64,
        bytes: u64,
    ) -> Result<(), D::Error> {
        // SAFETY: the caller's promise.
        unsafe { (**self).copy_from(address, from, from_address, bytes) }
    }

    unsafe fn copy_from_beside(
        &self,
        address: u64,
        (from, from_address): (&Self, u64),
        bytes: u64,
        beside: &mut dyn FnMut() -> Result<(), D::Error>,
    ) -> Result<(), D::Error> {
        // SAFETY: the caller's promise.
        unsafe { (**self).copy_from_beside(address, (from, from_address), bytes, beside) }
    }
}
