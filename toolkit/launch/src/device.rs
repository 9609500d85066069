//! What runs kernels and holds their memory.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Launch;

/// Writes some of the bytes that go to a device: those at the places of the range, which the slice is as long as. It is called
/// from several threads at a time.
pub type Write<'w> = dyn Fn(Range<u64>, &mut [u8]) + Sync + 'w;

/// Bytes that [`Device::upload_written_after`] has written at a time where a device has no way of its own.
const WRITTEN_AT_ONCE: u64 = 1 << 20;

/// Something that runs kernels and holds their memory: a GPU, or the emulator.
///
/// Work is done in the order in which it was asked for, as on one CUDA stream.
pub trait Device: Sized {
    /// What can go wrong.
    type Error;

    /// An allocation. Dropping it frees it, after all work asked for before.
    type Memory;

    /// A point in the device's work, for timing.
    type Event;

    /// Which device this is: what it allocates carries it, and other devices refuse it.
    fn id(&self) -> DeviceId;

    /// Allocates `bytes` bytes (at least one), aligned to 256, with unspecified content.
    ///
    /// # Errors
    /// When there is not enough memory, as there never is for `u64::MAX` bytes.
    fn allocate(&self, bytes: u64) -> Result<Self::Memory, Self::Error>;

    /// Where an allocation starts, as kernels see it.
    fn address(memory: &Self::Memory) -> u64;

    /// Fills device memory with a byte.
    ///
    /// # Safety
    /// `address..address + bytes` lies inside one live allocation of this device.
    ///
    /// # Errors
    /// What the device reports.
    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), Self::Error>;

    /// Copies host memory to the device. The host memory may be reused when this returns.
    ///
    /// # Safety
    /// `address..address + from.len()` lies inside one live allocation of this device.
    ///
    /// # Errors
    /// What the device reports.
    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<(), Self::Error>;

    /// Copies to the device the `bytes` bytes that `write` writes, after the work that `point` stands for. A device that can
    /// copies while it does the work asked for since; what is asked for from now on comes after the copy. When this returns, all
    /// is written. The ranges that `write` is called for begin at multiples of `grain`, which is at most 1 MiB.
    ///
    /// # Safety
    /// As for [`upload`](Self::upload); and no work asked for after `point` reads or writes the range.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If `grain` is 0 or larger, or `write` panics.
    unsafe fn upload_written_after(
        &self,
        point: &Self::Event,
        address: u64,
        bytes: u64,
        grain: u64,
        write: &Write<'_>,
    ) -> Result<(), Self::Error> {
        let _ = point;
        let at_once = WRITTEN_AT_ONCE.next_multiple_of(grain);
        let mut written = vec![0; at_once.min(bytes) as usize];
        let mut start = 0;
        while start < bytes {
            let end = bytes.min(start + at_once);
            let written = &mut written[..(end - start) as usize];
            write(start..end, written);
            // SAFETY: the caller's promise. All work asked for before has what `point` stands for in it.
            unsafe { self.upload(address + start, written)? };
            start = end;
        }
        Ok(())
    }

    /// Copies device memory to the host, after all work asked for before.
    ///
    /// # Safety
    /// `address..address + to.len()` lies inside one live allocation of this device.
    ///
    /// # Errors
    /// What the device reports, also of the work asked for before.
    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<(), Self::Error>;

    /// Copies device memory to the host, after the work that `point` stands for. A device that can copies while it does
    /// the work asked for since, and it returns when the copy is there.
    ///
    /// # Safety
    /// As for [`download`](Self::download); and no work asked for after `point` writes to the range.
    ///
    /// # Errors
    /// What the device reports, also of the work that `point` stands for.
    unsafe fn download_after(
        &self,
        point: &Self::Event,
        address: u64,
        to: &mut [u8],
    ) -> Result<(), Self::Error> {
        let _ = point;
        // SAFETY: the caller's promise. All work asked for before has what `point` stands for in it.
        unsafe { self.download(address, to) }
    }

    /// Runs a kernel. The functions that `kernel!` declares call this, and check what it requires.
    ///
    /// # Safety
    /// The arguments are, in number, order and type, the parameters of the kernel of that name. Each
    /// range of memory among them lies inside one live allocation of this device, to which nothing
    /// else writes until the kernel is done, and which nothing else reads if the kernel may write
    /// it. The conditions that the kernel states hold.
    ///
    /// # Errors
    /// What the device reports: on a GPU, faults of a kernel may come with a later call.
    unsafe fn launch(&self, launch: Launch<'_>) -> Result<(), Self::Error>;

    /// Waits until all work asked for is done.
    ///
    /// # Errors
    /// What the device reports of that work.
    fn synchronize(&self) -> Result<(), Self::Error>;

    /// The point that all work asked for so far leads to.
    ///
    /// # Errors
    /// What the device reports.
    fn record(&self) -> Result<Self::Event, Self::Error>;

    /// Seconds that the device took from one point to another; waits for the later one.
    ///
    /// # Errors
    /// What the device reports, also of the work before `end`.
    fn seconds_between(&self, start: &Self::Event, end: &Self::Event) -> Result<f64, Self::Error>;

    /// Multiprocessors: how many blocks run side by side is a small multiple of it.
    fn multiprocessors(&self) -> u32;
}

/// What borrows a device works as the device: a wrapper can hold either.
impl<D: Device> Device for &D {
    type Error = D::Error;
    type Memory = D::Memory;
    type Event = D::Event;

    fn id(&self) -> DeviceId {
        (**self).id()
    }

    fn allocate(&self, bytes: u64) -> Result<D::Memory, D::Error> {
        (**self).allocate(bytes)
    }

    fn address(memory: &D::Memory) -> u64 {
        D::address(memory)
    }

    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), D::Error> {
        // SAFETY: the caller's promise, about the same device.
        unsafe { (**self).fill(address, byte, bytes) }
    }

    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<(), D::Error> {
        // SAFETY: as above.
        unsafe { (**self).upload(address, from) }
    }

    unsafe fn upload_written_after(
        &self,
        point: &D::Event,
        address: u64,
        bytes: u64,
        grain: u64,
        write: &Write<'_>,
    ) -> Result<(), D::Error> {
        // SAFETY: as above.
        unsafe { (**self).upload_written_after(point, address, bytes, grain, write) }
    }

    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<(), D::Error> {
        // SAFETY: as above.
        unsafe { (**self).download(address, to) }
    }

    unsafe fn download_after(
        &self,
        point: &D::Event,
        address: u64,
        to: &mut [u8],
    ) -> Result<(), D::Error> {
        // SAFETY: as above.
        unsafe { (**self).download_after(point, address, to) }
    }

    unsafe fn launch(&self, launch: Launch<'_>) -> Result<(), D::Error> {
        // SAFETY: as above.
        unsafe { (**self).launch(launch) }
    }

    fn synchronize(&self) -> Result<(), D::Error> {
        (**self).synchronize()
    }

    fn record(&self) -> Result<D::Event, D::Error> {
        (**self).record()
    }

    fn seconds_between(&self, start: &D::Event, end: &D::Event) -> Result<f64, D::Error> {
        (**self).seconds_between(start, end)
    }

    fn multiprocessors(&self) -> u32 {
        (**self).multiprocessors()
    }
}

/// The identity of a [`Device`]: no two that are opened in a process have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeviceId(u64);

impl DeviceId {
    /// An identity that no other device has.
    pub fn unique() -> DeviceId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        DeviceId(NEXT.fetch_add(1, Relaxed))
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {}", self.0)
    }
}
