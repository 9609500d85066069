//! A GPU's memory, as one user of it takes and gives back.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cudarc::driver::{DriverError, result, sys};
use sys::CUmemPool_attribute as Attribute;

use crate::arena::Arena;

/// What the driver says where there is not enough memory.
pub(crate) const OUT_OF_MEMORY: DriverError = DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY);

/// Bytes from which a buffer is part of a chunk for large buffers. Smaller ones are parts of chunks of one page of the driver's.
/// The driver takes microseconds to give a small buffer and to take it back, and a count has some twenty of them.
const LEAST_LARGE: u64 = 1 << 20;

/// Bytes of the chunks for small buffers, at most.
const MOST_IN_SMALL: u64 = 16 * PAGE;

/// Parts of chunks begin at multiples of this many bytes, as the driver's allocations do.
const ALIGNMENT: u64 = 512;

/// The unit of what is taken from the driver, in bytes: its pages.
const PAGE: u64 = 2 << 20;

/// Chunks take at most this part of the device's memory: of a chunk that is in use, the rest is for buffers that fit it. What a graph needs
/// beyond that, the driver puts together of what is free, wherever it lies.
const PART_OF_DEVICE: u64 = 4;

/// The first buffer of a graph may take at most this part of what chunks may take. A larger one is the driver's, and so are those that
/// follow until no chunk is in use: there may be no room for chunks beside them. The same holds where a graph is expected to need
/// what chunks leave.
const PART_OF_CHUNKS: u64 = 4;

/// A pool of device memory. It is no other user's: the driver's default pool, which all of the process
/// share, is left as it is.
///
/// Everything that uses a buffer is in the order of one stream, or waits for it. So what was given back can be taken again at once.
pub(crate) struct MemoryPool {
    driver: sys::CUmemoryPool,
    /// Bytes of all chunks at most.
    most_in_chunks: u64,
    state: Mutex<PoolState>,
}

/// A range of device memory in use.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub address: u64,
    bytes: u64,
    source: RangeSource,
}

/// The source of a range of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RangeSource {
    /// The range has no bytes.
    Nowhere,
    /// A chunk for small buffers.
    Small,
    /// A chunk for large ones.
    Large,
    /// The range is an allocation of the driver's.
    Driver,
}

#[derive(Default)]
struct PoolState {
    /// The arena of small buffers.
    small: Arena,
    /// The arena of chunks for large buffers.
    chunks: Arena,
    /// Bytes of the chunk that took the place of all before; 0 if there is none.
    whole: u64,
    /// Whether nothing is taken from chunks until no chunk is in use.
    beyond: bool,
    /// Bytes that what comes next takes at most, as somebody said.
    expected: u64,
    used: u64,
    /// The most that was in use at a time since somebody asked.
    peak: u64,
}

// SAFETY: the driver's handles may be used from any thread that made the context current.
unsafe impl Send for MemoryPool {}
// SAFETY: as above.
unsafe impl Sync for MemoryPool {}

impl MemoryPool {
    /// A pool of the memory of a device, which has `memory` bytes. Memory that is given back stays with the pool: taking it again
    /// costs nothing. With `separate` buffers, each is an allocation of the driver's.
    pub(crate) fn create(
        device: sys::CUdevice,
        memory: u64,
        separate: bool,
    ) -> Result<MemoryPool, DriverError> {
        let properties = sys::CUmemPoolProps {
            allocType: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
            location: sys::CUmemLocation {
                type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: device,
            },
            win32SecurityAttributes: std::ptr::null_mut(),
            maxSize: 0,
            usage: 0,
            reserved: [0; 54],
        };
        // SAFETY: the properties are filled in as the driver wants them.
        let driver = unsafe { result::mem_pool::create(&properties)? };
        let most_in_chunks = if separate { 0 } else { memory / PART_OF_DEVICE };
        let pool = MemoryPool { driver, most_in_chunks, state: Mutex::default() };
        pool.set(Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, u64::MAX)?;
        Ok(pool)
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes memory, in the order of the stream.
    ///
    /// # Safety
    /// The pool and the stream are of the current context, and outlive what is returned, which is given
    /// back once. All calls have one stream, and whatever uses the memory on another is waited for before it is given back.
    pub(crate) unsafe fn allocate(
        &self,
        bytes: u64,
        stream: sys::CUstream,
    ) -> Result<Range, DriverError> {
        let bytes = bytes.next_multiple_of(ALIGNMENT);
        let mut state = self.state();
        // SAFETY: the caller's promise.
        let range = unsafe { self.find(&mut state, bytes, stream)? };
        state.used += bytes;
        state.peak = state.peak.max(state.used);
        Ok(range)
    }

    /// # Safety
    /// As [`allocate`](Self::allocate).
    unsafe fn find(
        &self,
        state: &mut PoolState,
        bytes: u64,
        stream: sys::CUstream,
    ) -> Result<Range, DriverError> {
        if bytes == 0 {
            return Ok(Range { address: 0, bytes, source: RangeSource::Nowhere });
        }
        if bytes < LEAST_LARGE && self.most_in_chunks > 0 {
            let of = |address| Range { address, bytes, source: RangeSource::Small };
            if let Some(address) = state.small.take(bytes) {
                return Ok(of(address));
            }
            if state.small.bytes() < MOST_IN_SMALL {
                // SAFETY: the caller's promise.
                let address = unsafe { self.take_from_driver(state, PAGE, stream)? };
                state.small.add(address, PAGE);
                return Ok(of(state.small.take(bytes).expect("the chunk is long enough")));
            }
        }
        let part = |address| Range { address, bytes, source: RangeSource::Large };
        if bytes >= LEAST_LARGE && self.most_in_chunks > 0 {
            if state.chunks.used() == 0 {
                state.beyond = bytes > self.most_in_chunks / PART_OF_CHUNKS
                    || state.expected > self.most_in_chunks * (PART_OF_DEVICE - 1);
                // SAFETY: the caller's promise.
                unsafe { self.make_whole(state, bytes, stream)? };
            }
            if !state.beyond {
                if let Some(address) = state.chunks.take(bytes) {
                    return Ok(part(address));
                }
                let chunk = bytes.next_multiple_of(PAGE);
                if state.chunks.bytes() + chunk <= self.most_in_chunks {
                    // SAFETY: the caller's promise.
                    let address = unsafe { self.take_from_driver(state, chunk, stream)? };
                    state.chunks.add(address, chunk);
                    return Ok(part(state.chunks.take(bytes).expect("the chunk is long enough")));
                }
            }
        }
        // SAFETY: the caller's promise.
        let address = unsafe { self.take_from_driver(state, bytes, stream)? };
        Ok(Range { address, bytes, source: RangeSource::Driver })
    }

    /// Where no chunk is in use and there are several, or a buffer goes beyond them: gives them back, and takes one that is as large
    /// as was needed.
    ///
    /// # Safety
    /// As [`allocate`](Self::allocate).
    unsafe fn make_whole(
        &self,
        state: &mut PoolState,
        bytes: u64,
        stream: sys::CUstream,
    ) -> Result<(), DriverError> {
        if !state.beyond && state.chunks.chunks() < 2 {
            return Ok(());
        }
        let most_used = state.chunks.most_used();
        // Where a chunk for more than was ever used was not enough, there were holes in it.
        let had_holes = state.whole > most_used;
        let enough = if had_holes { state.chunks.bytes() } else { most_used + most_used / 8 };
        // SAFETY: the caller's promise.
        unsafe { give_back_idle(&mut state.chunks, stream) };
        state.whole = 0;
        if state.beyond {
            return Ok(());
        }
        let chunk = enough.max(bytes).next_multiple_of(PAGE).min(self.most_in_chunks);
        // SAFETY: the caller's promise.
        match unsafe { result::mem_pool::alloc_async(self.driver, chunk as usize, stream) } {
            Ok(address) => {
                state.chunks.add(address, chunk);
                state.whole = chunk;
                Ok(())
            }
            // There will be as many chunks as there is room for.
            Err(error) if error == OUT_OF_MEMORY => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Memory of the driver's, for which chunks that nobody uses make room.
    ///
    /// # Safety
    /// As [`allocate`](Self::allocate).
    unsafe fn take_from_driver(
        &self,
        state: &mut PoolState,
        bytes: u64,
        stream: sys::CUstream,
    ) -> Result<u64, DriverError> {
        // SAFETY: the caller's promise.
        let take = || unsafe { result::mem_pool::alloc_async(self.driver, bytes as usize, stream) };
        match take() {
            Err(error) if error == OUT_OF_MEMORY => {
                // SAFETY: the caller's promise.
                unsafe {
                    give_back_idle(&mut state.chunks, stream);
                    give_back_idle(&mut state.small, stream);
                }
                take()
            }
            taken => taken,
        }
    }

    /// Gives memory back, in the order of the stream.
    ///
    /// # Safety
    /// As [`allocate`](Self::allocate), which gave the range.
    pub(crate) unsafe fn give_back(&self, range: Range, stream: sys::CUstream) {
        let Range { address, bytes, source } = range;
        let mut state = self.state();
        state.used -= bytes;
        match source {
            RangeSource::Nowhere => {}
            RangeSource::Small => state.small.give_back(address, bytes),
            RangeSource::Large => state.chunks.give_back(address, bytes),
            RangeSource::Driver => {
                // SAFETY: the address came from the pool on this stream, and is freed once. A failure
                // here is that of an earlier launch, which the next call reports.
                let _ = unsafe { result::free_async(address, stream) };
            }
        }
    }

    /// Gives all chunks back to the driver: a pool with memory in use stays until the process ends.
    ///
    /// # Safety
    /// As [`allocate`](Self::allocate), and nothing that the pool gave is in use.
    pub(crate) unsafe fn give_back_chunks(&self, stream: sys::CUstream) {
        let mut state = self.state();
        // SAFETY: the caller's promise.
        unsafe {
            give_back_idle(&mut state.chunks, stream);
            give_back_idle(&mut state.small, stream);
        }
    }

    /// Says how many bytes what comes next takes at most. It counts where no chunk is in use.
    pub(crate) fn expect(&self, bytes: u64) {
        self.state().expected = bytes;
    }

    /// Lets kernels and copies of another device read what the pool gives.
    pub(crate) fn let_read(&self, reader: sys::CUdevice) -> Result<(), DriverError> {
        let access = sys::CUmemAccessDesc {
            location: sys::CUmemLocation {
                type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: reader,
            },
            flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        // SAFETY: the pool lives until drop, and one description is passed.
        unsafe { sys::cuMemPoolSetAccess(self.driver, &access, 1) }.result()
    }

    /// Bytes that the pool has and nobody uses.
    pub(crate) fn unused(&self) -> Result<u64, DriverError> {
        let reserved = self.get(Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        let used = self.get(Attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?;
        let state = self.state();
        let free = [&state.chunks, &state.small].map(|chunks| chunks.bytes() - chunks.used());
        Ok(reserved.saturating_sub(used) + free.iter().sum::<u64>())
    }

    /// The most bytes that were in use at a time since the last call.
    pub(crate) fn take_peak(&self) -> u64 {
        let mut state = self.state();
        let peak = state.peak;
        state.peak = state.used;
        peak
    }

    /// The attributes that are asked for are 64-bit numbers.
    fn get(&self, which: Attribute) -> Result<u64, DriverError> {
        let mut value = 0u64;
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the pool lives until drop, and the attribute is as long as the variable.
        unsafe { result::mem_pool::get_attribute(self.driver, which, to)? };
        Ok(value)
    }

    fn set(&self, which: Attribute, mut value: u64) -> Result<(), DriverError> {
        let from = std::ptr::from_mut(&mut value).cast();
        // SAFETY: as in `get`.
        unsafe { result::mem_pool::set_attribute(self.driver, which, from) }
    }
}

/// Gives the chunks back to the driver that nobody uses.
///
/// # Safety
/// As [`MemoryPool::allocate`].
unsafe fn give_back_idle(chunks: &mut Arena, stream: sys::CUstream) {
    for chunk in chunks.take_idle() {
        // SAFETY: the address came from the pool on this stream, and is freed once. A failure here is that of an earlier launch.
        let _ = unsafe { result::free_async(chunk, stream) };
    }
}

impl Drop for MemoryPool {
    fn drop(&mut self) {
        // SAFETY: created by `create`, destroyed once.
        let _ = unsafe { result::mem_pool::destroy(self.driver) };
    }
}
