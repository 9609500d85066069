//! What runs kernels and holds their memory.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::{Dim3, Entry, Launch, LaunchStep};

/// Writes some of the bytes that go to a device: those at the places of the range, which the slice is as long as. It is called
/// from several threads at a time.
pub type Write<'w> = dyn Fn(Range<u64>, &mut [u8]) + Sync + 'w;

/// Is called for each piece, with the number of its place and the range of its bytes among all.
pub type Then<'t, E> = dyn FnMut(u64, Range<u64>) -> Result<(), E> + 't;

/// Pieces that go to a device one after the other, by way of a few places of its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pieces {
    /// Where the places begin in device memory. They stand side by side.
    pub address: u64,
    /// How many places there are; piece number i goes to place i modulo this.
    pub places: u64,
    /// Bytes of a piece, at most [`MOST`](Self::MOST); the last may have fewer.
    pub piece: u64,
    /// Bytes of all pieces.
    pub bytes: u64,
    /// Bytes that are written at a time. A piece has a multiple of it.
    pub grain: u64,
}

impl Pieces {
    /// Most bytes of a piece.
    pub const MOST: u64 = 8 << 20;
}

/// Something that runs kernels and holds their memory: a GPU, or the emulator.
///
/// Work is done in the order in which it was asked for, as on one CUDA stream.
pub trait Device: Sized {
    /// The error of what can go wrong.
    type Error;

    /// An allocation. Dropping it frees it, after all work asked for before.
    type Memory;

    /// A point in the device's work, for timing.
    type Event;

    /// A sequence of steps that is ready to be done, which a [`LaunchGraph`](crate::LaunchGraph) has.
    type Graph;

    /// The identity of the device: what it allocates carries it, and other devices refuse it.
    fn id(&self) -> DeviceId;

    /// Whether the device works on memory of `owner` as it does on its own.
    fn accepts(&self, owner: DeviceId) -> bool {
        owner == self.id()
    }

    /// Asks for work that uses memory of a device that it [accepts](Self::accepts), in order with what that device does.
    ///
    /// # Errors
    /// What the device and `work` report.
    fn using<R>(
        &self,
        owner: DeviceId,
        writes: bool,
        work: impl FnOnce() -> Result<R, Self::Error>,
    ) -> Result<R, Self::Error> {
        let _ = (owner, writes);
        work()
    }

    /// Allocates `bytes` bytes (at least one), aligned to 256, with unspecified content.
    ///
    /// # Errors
    /// When there is not enough memory, as there never is for `u64::MAX` bytes.
    fn allocate(&self, bytes: u64) -> Result<Self::Memory, Self::Error>;

    /// The address where an allocation starts, as kernels see it.
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

    /// Copies pieces to the device that `write` writes, and calls `then` for each once its copy was asked for: what `then` asks for
    /// comes after the copy, and goes on beside those of the pieces behind. A place is not written again before the work
    /// that `then` asked for is done. When this returns, all is written. The ranges that `write` is called for begin at multiples of
    /// the grain.
    ///
    /// # Safety
    /// The places lie in an allocation of this device, and no work uses them but what `then` asks for. The sizes are as
    /// [`Pieces`] says, and none is 0.
    ///
    /// # Errors
    /// What the device and `then` report.
    ///
    /// # Panics
    /// If `write` or `then` does.
    unsafe fn upload_pieces(
        &self,
        pieces: &Pieces,
        write: &Write<'_>,
        then: &mut Then<'_, Self::Error>,
    ) -> Result<(), Self::Error> {
        let Pieces { address, places, piece, bytes, .. } = *pieces;
        let mut written = vec![0; piece.min(bytes) as usize];
        for (number, start) in (0..bytes).step_by(piece as usize).enumerate() {
            let end = bytes.min(start + piece);
            let written = &mut written[..(end - start) as usize];
            write(start..end, written);
            let place = number as u64 % places;
            // SAFETY: the caller's promise. The copy comes after all work asked for before.
            unsafe { self.upload(address + place * piece, written)? };
            then(place, start..end)?;
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

    /// Makes a sequence of steps ready to be done, and does nothing of it.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch) and [`fill`](Self::fill), whenever [`replay`](Self::replay) is called with the result.
    ///
    /// # Errors
    /// What the device reports.
    unsafe fn prepare(&self, steps: Vec<LaunchStep>) -> Result<Self::Graph, Self::Error>;

    /// Does a sequence of steps, after all work asked for before.
    ///
    /// # Safety
    /// As [`prepare`](Self::prepare) says, on the device that did so.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    unsafe fn replay(&self, graph: &Self::Graph) -> Result<(), Self::Error>;

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

    /// The most bytes of shared memory that a block may have.
    fn most_shared_bytes(&self) -> u32;

    /// How many blocks of a kernel are on a multiprocessor at a time at most: 0 where none fits.
    ///
    /// # Errors
    /// What the device reports, where it has no such kernel too.
    fn max_active_blocks_per_multiprocessor(
        &self,
        kernel: Entry,
        block: Dim3,
        shared_bytes: u32,
    ) -> Result<u32, Self::Error>;

    /// The number of threads in a block, whole warps along x, with which most threads of a kernel are on a multiprocessor at a time:
    /// the largest where several do as well. `shared_bytes` says how much shared memory a block of so many threads has.
    ///
    /// # Errors
    /// As [`max_active_blocks_per_multiprocessor`](Self::max_active_blocks_per_multiprocessor).
    fn suggested_block(
        &self,
        kernel: Entry,
        shared_bytes: impl Fn(u32) -> u32,
    ) -> Result<u32, Self::Error> {
        let (mut best, mut most) = (32, 0);
        for block in (1..=32).rev().map(|warps| 32 * warps) {
            let bytes = shared_bytes(block);
            let fitting = self.max_active_blocks_per_multiprocessor(kernel, block.into(), bytes)?;
            if fitting * block > most {
                (best, most) = (block, fitting * block);
            }
        }
        Ok(best)
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
