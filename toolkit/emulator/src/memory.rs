//! Device memory on the host: allocations, and the words in them.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use warpwise_launch::{Element, bytemuck};

use crate::race::{self, ShadowCell};

/// What allocations start with, in every byte.
pub(crate) const POISON: u8 = 0xCD;

const ALIGNMENT: usize = 256;

/// The number of bytes from which on an allocation is compared with what the host has: a system that
/// promises more memory than it has would end the process when the memory is touched.
const LARGE: u64 = 64 << 20;

/// Bytes that the host can give, where the system tells.
fn available() -> u64 {
    let kilobytes = |text: String| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    let told = std::fs::read_to_string("/proc/meminfo").ok().and_then(kilobytes);
    told.map_or(u64::MAX, |kilobytes| kilobytes.saturating_mul(1 << 10))
}

/// Which bytes of an allocation were written, one bit each.
struct WrittenBytes(Box<[AtomicU64]>);

impl WrittenBytes {
    /// The record of `bytes` bytes of which nothing is written. None where the host has no memory for it.
    fn new(bytes: u64) -> Option<WrittenBytes> {
        let words = usize::try_from(bytes.div_ceil(64)).ok()?;
        let mut written = Vec::new();
        written.try_reserve_exact(words).ok()?;
        written.resize_with(words, || AtomicU64::new(0));
        Some(WrittenBytes(written.into()))
    }

    /// The word and the bits of an element, if it lies in one word.
    #[inline]
    fn bits(&self, start: u64, bytes: u64) -> Option<(&AtomicU64, u64)> {
        let fits = start % 64 + bytes <= 64;
        fits.then(|| (&self.0[(start / 64) as usize], (u64::MAX >> (64 - bytes)) << (start % 64)))
    }

    /// The words of a range with the first byte and the bits of each.
    fn words(&self, start: u64, bytes: u64) -> impl Iterator<Item = (&AtomicU64, u64, u64)> {
        let (mut next, end) = (start, start + bytes);
        std::iter::from_fn(move || {
            let first = next;
            let count = (64 - first % 64).min(end - first);
            next += count;
            (count > 0).then(|| {
                let bits = (u64::MAX >> (64 - count)) << (first % 64);
                (&self.0[(first / 64) as usize], first, bits)
            })
        })
    }

    fn mark_range(&self, start: u64, bytes: u64) {
        for (word, _, bits) in self.words(start, bytes) {
            word.fetch_or(bits, Relaxed);
        }
    }

    /// The first byte of a range that was not written.
    fn first_missing(&self, start: u64, bytes: u64) -> Option<u64> {
        self.words(start, bytes).find_map(|(word, first, bits)| {
            let missing = !word.load(Relaxed) & bits;
            (missing != 0).then(|| first / 64 * 64 + u64::from(missing.trailing_zeros()))
        })
    }
}

/// The shadow cells of an allocation, one for each `unit` bytes.
pub(crate) struct Cells {
    unit: u32,
    cells: Box<[ShadowCell]>,
}

impl Cells {
    /// The cells of the `bytes` bytes that start at byte `start`.
    #[inline]
    pub(crate) fn range(&self, start: u64, bytes: u64) -> &[ShadowCell] {
        let shift = self.unit.trailing_zeros();
        let first = (start >> shift) as usize;
        &self.cells[first..first + (bytes >> shift).max(1) as usize]
    }
}

/// One live allocation.
pub(crate) struct Allocation {
    data: NonNull<u8>,
    bytes: u64,
    written: WrittenBytes,
    cells: Mutex<Option<Arc<Cells>>>,
}

// SAFETY: kernels touch the data by atomics only; the host's copies and fills go through
// `launch::Buffer`, whose borrows keep them apart from launches.
unsafe impl Send for Allocation {}
// SAFETY: as above.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// None where the host has not enough memory.
    fn new(bytes: u64) -> Option<Allocation> {
        let layout = Allocation::layout(bytes)?;
        if bytes >= LARGE && bytes > available() {
            return None;
        }
        let written = WrittenBytes::new(bytes)?;
        // SAFETY: the layout is not empty.
        let data = NonNull::new(unsafe { alloc(layout) })?;
        // SAFETY: the allocation has this many bytes.
        unsafe { data.write_bytes(POISON, layout.size()) };
        Some(Allocation { data, bytes, written, cells: Mutex::new(None) })
    }

    fn layout(bytes: u64) -> Option<Layout> {
        Layout::from_size_align(usize::try_from(bytes.max(1)).ok()?, ALIGNMENT).ok()
    }

    fn address(&self) -> u64 {
        self.data.as_ptr().expose_provenance() as u64
    }

    /// The shadow cells for elements of `unit` bytes, or how many bytes the host has not for them.
    pub(crate) fn cells(&self, unit: u32) -> Result<Arc<Cells>, u64> {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        match &*cells {
            Some(cells) if cells.unit == unit => Ok(cells.clone()),
            _ => {
                let count = self.bytes.div_ceil(u64::from(unit)) as usize;
                let made = race::try_cells(count);
                let made = made.ok_or(count.saturating_mul(size_of::<ShadowCell>()) as u64)?;
                let new = Arc::new(Cells { unit, cells: made });
                *cells = Some(new.clone());
                Ok(new)
            }
        }
    }

    #[inline]
    pub(crate) fn is_written(&self, start: u64, bytes: u64) -> bool {
        match self.written.bits(start, bytes) {
            Some((word, bits)) => word.load(Relaxed) & bits == bits,
            None => self.written.first_missing(start, bytes).is_none(),
        }
    }

    #[inline]
    pub(crate) fn mark_written(&self, start: u64, bytes: u64) {
        match self.written.bits(start, bytes) {
            Some((word, bits)) if word.load(Relaxed) & bits == bits => {}
            Some((word, bits)) => {
                word.fetch_or(bits, Relaxed);
            }
            None => self.written.mark_range(start, bytes),
        }
    }

    #[inline]
    fn at(&self, start: u64, bytes: u64) -> *mut u8 {
        debug_assert!(start.is_multiple_of(bytes) && start + bytes <= self.bytes);
        // SAFETY: callers checked that the element lies in the allocation.
        unsafe { self.data.as_ptr().add(start as usize) }
    }

    /// The byte at a place inside the allocation.
    #[inline]
    pub(crate) fn word_8(&self, start: u64) -> &AtomicU8 {
        // SAFETY: inside the allocation; shared as atomics only.
        unsafe { AtomicU8::from_ptr(self.at(start, 1)) }
    }

    /// The 16-bit word at a byte inside the allocation, aligned.
    #[inline]
    pub(crate) fn word_16(&self, start: u64) -> &AtomicU16 {
        // SAFETY: inside the allocation and aligned; shared as atomics only.
        unsafe { AtomicU16::from_ptr(self.at(start, 2).cast()) }
    }

    /// The 32-bit word at a byte inside the allocation, aligned.
    #[inline]
    pub(crate) fn word_32(&self, start: u64) -> &AtomicU32 {
        // SAFETY: inside the allocation and aligned; shared as atomics only.
        unsafe { AtomicU32::from_ptr(self.at(start, 4).cast()) }
    }

    /// The 64-bit word at a byte inside the allocation, aligned.
    #[inline]
    pub(crate) fn word_64(&self, start: u64) -> &AtomicU64 {
        // SAFETY: inside the allocation and aligned; shared as atomics only.
        unsafe { AtomicU64::from_ptr(self.at(start, 8).cast()) }
    }

    /// The value at a place inside the allocation, aligned to its type; read in words of at most 8 bytes.
    #[inline]
    pub(crate) fn read<T: Element>(&self, start: u64) -> T {
        let mut value = T::zeroed();
        let bytes = bytemuck::bytes_of_mut(&mut value);
        macro_rules! words {
            ($word:ident, $bytes:literal) => {
                for (i, word) in bytes.chunks_exact_mut($bytes).enumerate() {
                    let at = start + $bytes * i as u64;
                    word.copy_from_slice(&self.$word(at).load(Relaxed).to_ne_bytes());
                }
            };
        }
        match align_of::<T>() {
            1 => words!(word_8, 1),
            2 => words!(word_16, 2),
            4 => words!(word_32, 4),
            _ => words!(word_64, 8),
        }
        value
    }

    /// Writes a value, as [`read`](Self::read) reads it, and says whether that changed anything.
    #[inline]
    pub(crate) fn write<T: Element>(&self, start: u64, value: T) -> bool {
        let bytes = bytemuck::bytes_of(&value);
        let mut changed = false;
        macro_rules! words {
            ($word:ident, $number:ty, $bytes:literal) => {
                for (i, word) in bytes.chunks_exact($bytes).enumerate() {
                    let new = <$number>::from_ne_bytes(word.try_into().expect("a whole word"));
                    let at = self.$word(start + $bytes * i as u64);
                    changed |= at.load(Relaxed) != new;
                    at.store(new, Relaxed);
                }
            };
        }
        match align_of::<T>() {
            1 => words!(word_8, u8, 1),
            2 => words!(word_16, u16, 2),
            4 => words!(word_32, u32, 4),
            _ => words!(word_64, u64, 8),
        }
        changed
    }

    pub(crate) fn fill(&self, start: u64, byte: u8, bytes: u64) {
        // SAFETY: the registry found the range inside this allocation; no launch runs on it.
        unsafe { self.data.as_ptr().add(start as usize).write_bytes(byte, bytes as usize) };
        self.written.mark_range(start, bytes);
    }

    pub(crate) fn upload(&self, start: u64, from: &[u8]) {
        // SAFETY: as in `fill`; host memory is another allocation.
        unsafe {
            self.data
                .as_ptr()
                .add(start as usize)
                .copy_from_nonoverlapping(from.as_ptr(), from.len());
        }
        self.written.mark_range(start, from.len() as u64);
    }

    /// The first byte of a range that neither the host nor a kernel wrote.
    pub(crate) fn first_unwritten(&self, start: u64, bytes: u64) -> Option<u64> {
        self.written.first_missing(start, bytes)
    }

    pub(crate) fn download(&self, start: u64, to: &mut [u8]) {
        // SAFETY: as in `upload`.
        unsafe {
            self.data
                .as_ptr()
                .add(start as usize)
                .copy_to_nonoverlapping(to.as_mut_ptr(), to.len());
        }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let layout = Allocation::layout(self.bytes).expect("it was allocated with this layout");
        // SAFETY: allocated in `new` with the same layout.
        unsafe { dealloc(self.data.as_ptr(), layout) }
    }
}

/// The live allocations of an emulator, by address.
#[derive(Default)]
pub(crate) struct Registry(Mutex<BTreeMap<u64, Arc<Allocation>>>);

impl Registry {
    pub(crate) fn allocate(self: &Arc<Self>, bytes: u64) -> Option<Memory> {
        let allocation = Arc::new(Allocation::new(bytes)?);
        let address = allocation.address();
        let mut live = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        live.insert(address, allocation);
        Some(Memory { address, registry: self.clone() })
    }

    /// The live allocation that holds `address..address + bytes`, and where in it that starts.
    pub(crate) fn find(&self, address: u64, bytes: u64) -> Option<(Arc<Allocation>, u64)> {
        let live = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, allocation) = live.range(..=address).next_back()?;
        let offset = address - start;
        let fits = offset <= allocation.bytes && bytes <= allocation.bytes - offset;
        fits.then(|| (allocation.clone(), offset))
    }
}

/// An allocation of an [`Emulator`](crate::Emulator): host memory, aligned to 256 bytes.
pub struct Memory {
    address: u64,
    registry: Arc<Registry>,
}

impl Memory {
    pub(crate) fn address(&self) -> u64 {
        self.address
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let mut live = self.registry.0.lock().unwrap_or_else(PoisonError::into_inner);
        live.remove(&self.address);
    }
}

#[cfg(test)]
mod tests {
    use super::{Relaxed, WrittenBytes};

    #[test]
    fn a_marked_range_is_written_and_nothing_else() {
        for (start, end) in [(0, 0), (0, 2), (0, 600), (2, 130), (126, 130), (128, 256), (598, 600)]
        {
            let written = WrittenBytes::new(600).unwrap();
            written.mark_range(start, end - start);
            for byte in 0..600 {
                let (word, bits) = written.bits(byte, 1).unwrap();
                let is_written = word.load(Relaxed) & bits == bits;
                assert_eq!(is_written, (start..end).contains(&byte), "{start}..{end}, {byte}");
            }
        }
    }
}
