//! A device whose launches and bytes are counted.

use std::borrow::Borrow;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::{Device, DeviceId, Dim3, Entry, Launch, LaunchStep, Peer, Pieces, Then, Write};

/// A device as it is, with the kernels launched, the memory taken and the bytes copied through this value counted.
///
/// It owns the device or borrows it. For tests of what happens when memory runs out, it can
/// refuse what goes over a [limit](Self::with_limit), or [one allocation](Self::failing_at).
///
/// ```
/// # fn run<D: warpwise_launch::Device>(device: &D) -> Result<(), D::Error> {
/// use warpwise_launch::{Buffer, Metered};
///
/// let metered = Metered::of(device);
/// let numbers = Buffer::<u32, _>::zeroed(&metered, 1000)?;
/// assert_eq!(metered.live_bytes(), 4000);
/// drop(numbers);
/// assert_eq!((metered.live_bytes(), metered.peak_bytes()), (0, 4000));
/// # Ok(())
/// # }
/// ```
pub struct Metered<D, B = D> {
    held: B,
    device: PhantomData<fn() -> D>,
    meter: Arc<Meter>,
    limit: u64,
    failing: Option<MeteredFailure>,
}

/// What fails, by its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MeteredFailure {
    Allocation(u64),
    Copy(u64),
    Call(u64),
}

#[derive(Default)]
struct Meter {
    calls: AtomicU64,
    launches: AtomicU64,
    allocations: AtomicU64,
    copies: AtomicU64,
    live: AtomicU64,
    peak: AtomicU64,
    uploaded: AtomicU64,
    downloaded: AtomicU64,
}

impl Meter {
    fn give_back(&self, bytes: u64) {
        self.live.fetch_sub(bytes, Relaxed);
    }
}

/// An allocation of a [`Metered`] device.
pub struct MeteredMemory<M> {
    memory: M,
    bytes: u64,
    meter: Arc<Meter>,
}

impl<M> Drop for MeteredMemory<M> {
    fn drop(&mut self) {
        self.meter.give_back(self.bytes);
    }
}

impl<D: Device> Metered<D> {
    /// Counts from zero.
    pub fn new(device: D) -> Self {
        Metered::holding(device)
    }
}

impl<'d, D: Device> Metered<D, &'d D> {
    /// Counts from zero, for a device that is borrowed.
    pub fn of(device: &'d D) -> Self {
        Metered::holding(device)
    }
}

impl<D: Device, B: Borrow<D>> Metered<D, B> {
    fn holding(held: B) -> Self {
        Metered { held, device: PhantomData, meter: Arc::default(), limit: u64::MAX, failing: None }
    }

    /// Lets an allocation fail with which more than `bytes` bytes would be live. The error is what the
    /// device says of more memory than it has.
    pub fn with_limit(self, bytes: u64) -> Self {
        Metered { limit: bytes, ..self }
    }

    /// Lets allocation `number` fail, counted from 0, and no other. The error is as for a
    /// [limit](Self::with_limit).
    pub fn failing_at(self, number: u64) -> Self {
        Metered { failing: Some(MeteredFailure::Allocation(number)), ..self }
    }

    /// Lets copy `number` from a [peer](Peer) fail, counted from 0, and no other. The error is as for a
    /// [limit](Self::with_limit).
    pub fn failing_at_copy(self, number: u64) -> Self {
        Metered { failing: Some(MeteredFailure::Copy(number)), ..self }
    }

    /// Lets call `number` fail, counted from 0, and no other: an allocation, a copy, a fill, a launch, a wait, or an
    /// event. The error is as for a [limit](Self::with_limit).
    pub fn failing_at_call(self, number: u64) -> Self {
        Metered { failing: Some(MeteredFailure::Call(number)), ..self }
    }

    /// Counts a call, and fails if it is the one that is to fail.
    fn call(&self) -> Result<(), D::Error> {
        self.count(&self.meter.calls, MeteredFailure::Call)
    }

    /// Counts something, and fails if it is what is to fail.
    fn count(
        &self,
        counter: &AtomicU64,
        as_failing: fn(u64) -> MeteredFailure,
    ) -> Result<(), D::Error> {
        match self.failing == Some(as_failing(counter.fetch_add(1, Relaxed))) {
            true => self.refuse().map(drop),
            false => Ok(()),
        }
    }

    /// Fails with the device's own error, whatever type that is: no device has as much memory.
    fn refuse(&self) -> Result<D::Memory, D::Error> {
        self.device().allocate(u64::MAX)
    }

    /// Calls so far, those that failed among them.
    pub fn calls(&self) -> u64 {
        self.meter.calls.load(Relaxed)
    }

    /// The device that is metered.
    pub fn device(&self) -> &D {
        self.held.borrow()
    }

    /// Kernels launched so far.
    pub fn launches(&self) -> u64 {
        self.meter.launches.load(Relaxed)
    }

    /// Allocations asked for so far, those that failed among them.
    pub fn allocations(&self) -> u64 {
        self.meter.allocations.load(Relaxed)
    }

    /// Copies from peers asked for so far, those that failed among them.
    pub fn copies(&self) -> u64 {
        self.meter.copies.load(Relaxed)
    }

    /// Bytes of the allocations that live, as they were asked for.
    pub fn live_bytes(&self) -> u64 {
        self.meter.live.load(Relaxed)
    }

    /// The most bytes that lived at a time since the start or the last
    /// [`reset_peak`](Self::reset_peak).
    pub fn peak_bytes(&self) -> u64 {
        self.meter.peak.load(Relaxed)
    }

    /// Bytes copied from the host so far.
    pub fn uploaded_bytes(&self) -> u64 {
        self.meter.uploaded.load(Relaxed)
    }

    /// Bytes copied to the host so far.
    pub fn downloaded_bytes(&self) -> u64 {
        self.meter.downloaded.load(Relaxed)
    }

    /// Measures the peak anew, from what lives now.
    pub fn reset_peak(&self) {
        self.meter.peak.store(self.live_bytes(), Relaxed);
    }
}

impl<D: Device, B: Borrow<D>> Device for Metered<D, B> {
    type Error = D::Error;
    type Memory = MeteredMemory<D::Memory>;
    type Event = D::Event;
    /// The device's own, and how many kernels it launches.
    type Graph = (D::Graph, u64);

    fn id(&self) -> DeviceId {
        self.device().id()
    }

    fn accepts(&self, owner: DeviceId) -> bool {
        self.device().accepts(owner)
    }

    fn using<R>(
        &self,
        owner: DeviceId,
        writes: bool,
        work: impl FnOnce() -> Result<R, D::Error>,
    ) -> Result<R, D::Error> {
        self.device().using(owner, writes, work)
    }

    fn allocate(&self, bytes: u64) -> Result<Self::Memory, D::Error> {
        self.call()?;
        self.count(&self.meter.allocations, MeteredFailure::Allocation)?;
        let add = |live: u64| live.checked_add(bytes).filter(|&sum| sum <= self.limit);
        let Ok(before) = self.meter.live.try_update(Relaxed, Relaxed, add) else {
            let (memory, meter) = (self.refuse()?, self.meter.clone());
            return Ok(MeteredMemory { memory, bytes: 0, meter });
        };
        let memory = self.device().allocate(bytes).inspect_err(|_| self.meter.give_back(bytes))?;
        self.meter.peak.fetch_max(before + bytes, Relaxed);
        Ok(MeteredMemory { memory, bytes, meter: self.meter.clone() })
    }

    fn address(memory: &Self::Memory) -> u64 {
        D::address(&memory.memory)
    }

    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), D::Error> {
        self.call()?;
        // SAFETY: the caller's promise, about the same device.
        unsafe { self.device().fill(address, byte, bytes) }
    }

    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<(), D::Error> {
        self.call()?;
        self.meter.uploaded.fetch_add(from.len() as u64, Relaxed);
        // SAFETY: as above.
        unsafe { self.device().upload(address, from) }
    }

    unsafe fn upload_pieces(
        &self,
        pieces: &Pieces,
        write: &Write<'_>,
        then: &mut Then<'_, D::Error>,
    ) -> Result<(), D::Error> {
        self.call()?;
        self.meter.uploaded.fetch_add(pieces.bytes, Relaxed);
        // SAFETY: as above.
        unsafe { self.device().upload_pieces(pieces, write, then) }
    }

    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<(), D::Error> {
        self.call()?;
        self.meter.downloaded.fetch_add(to.len() as u64, Relaxed);
        // SAFETY: as above.
        unsafe { self.device().download(address, to) }
    }

    unsafe fn launch(&self, launch: Launch<'_>) -> Result<(), D::Error> {
        self.call()?;
        self.meter.launches.fetch_add(1, Relaxed);
        // SAFETY: as above.
        unsafe { self.device().launch(launch) }
    }

    unsafe fn prepare(&self, steps: Vec<LaunchStep>) -> Result<Self::Graph, D::Error> {
        self.call()?;
        let launches = steps.iter().filter(|step| matches!(step, LaunchStep::Launch(..))).count();
        // SAFETY: as above.
        Ok((unsafe { self.device().prepare(steps)? }, launches as u64))
    }

    unsafe fn replay(&self, (graph, launches): &Self::Graph) -> Result<(), D::Error> {
        self.call()?;
        self.meter.launches.fetch_add(*launches, Relaxed);
        // SAFETY: as above.
        unsafe { self.device().replay(graph) }
    }

    fn synchronize(&self) -> Result<(), D::Error> {
        self.call()?;
        self.device().synchronize()
    }

    fn record(&self) -> Result<D::Event, D::Error> {
        self.call()?;
        self.device().record()
    }

    fn seconds_between(&self, start: &D::Event, end: &D::Event) -> Result<f64, D::Error> {
        self.call()?;
        self.device().seconds_between(start, end)
    }

    fn multiprocessors(&self) -> u32 {
        self.device().multiprocessors()
    }

    fn most_shared_bytes(&self) -> u32 {
        self.device().most_shared_bytes()
    }

    fn max_active_blocks_per_multiprocessor(
        &self,
        kernel: Entry,
        block: Dim3,
        shared_bytes: u32,
    ) -> Result<u32, D::Error> {
        self.device().max_active_blocks_per_multiprocessor(kernel, block, shared_bytes)
    }
}

impl<D: Peer, B: Borrow<D>> Peer for Metered<D, B> {
    unsafe fn copy_from(
        &self,
        address: u64,
        (from, from_address): (&Self, u64),
        bytes: u64,
    ) -> Result<(), D::Error> {
        self.call()?;
        self.count(&self.meter.copies, MeteredFailure::Copy)?;
        // SAFETY: the caller's promise, about the same devices.
        unsafe { self.device().copy_from(address, (from.device(), from_address), bytes) }
    }
}
