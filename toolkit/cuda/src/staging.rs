//! Copies from and to ordinary memory at the speed of page-locked memory.
//!
//! The driver copies pageable memory with one thread (7 GB/s measured on an H200's host, of 55 GB/s
//! that the link carries). Here all threads copy a piece into a page-locked buffer while the piece
//! before it is on its way; on the way back all threads copy a piece out of one while those behind it come.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use cudarc::driver::{DriverError, result};
use tribin_launch::Write;

use crate::context::Context;
use crate::copy_threads::{Begun, CopyThreads, GRAIN, WriteFrom};
use crate::event::Event;
use crate::stream::Stream;

/// Bytes of a page-locked buffer: large against the cost of a copy's start, small against the cost
/// of locking pages.
const PIECE: usize = 8 << 20;

/// Buffers: some being filled, the others on their way.
const PIECES: usize = 4;

/// Buffers that are filled at a time.
const FILLED_AT_ONCE: usize = 2;

/// Below this the driver's own copy is done before the pieces would be locked.
pub(crate) const LEAST: usize = 4 << 20;

/// The page-locked buffers, and the threads that fill and empty them. Several copies share them: who has one waits for
/// none.
pub(crate) struct Staging {
    /// Those that nobody uses, the one that was sent first in front.
    free: Mutex<VecDeque<Piece>>,
    given_back: Condvar,
    threads: CopyThreads,
}

/// A page-locked buffer.
struct Piece {
    memory: *mut u8,
    /// After the copy that reads or fills it.
    sent: Event,
    context: Arc<Context>,
}

// SAFETY: the memory belongs to this value alone and may be used from any thread.
unsafe impl Send for Piece {}

impl Piece {
    fn new(context: &Arc<Context>) -> Result<Piece, DriverError> {
        let sent = Event::untimed(context)?;
        // SAFETY: the memory is freed once, on drop.
        let memory = unsafe { result::malloc_host(PIECE, 0)? };
        Ok(Piece { memory: memory.cast(), sent, context: context.clone() })
    }

    /// The first `bytes` bytes of the buffer, when no copy reads or fills them any more.
    fn wait(&mut self, bytes: usize) -> Result<&mut [u8], DriverError> {
        self.sent.synchronize()?;
        // SAFETY: the buffer is as long, and belongs to this value.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.memory, bytes.min(PIECE)) })
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // Waiting first lets no copy read freed memory.
            let _ = self.sent.synchronize();
            // SAFETY: allocated by `new`, freed once.
            let _ = unsafe { result::free_host(self.memory.cast()) };
        }
    }
}

/// A piece that is being filled. Fields are dropped in this order.
struct Filling<'s, 'w> {
    begun: Begun,
    /// What fills it.
    _write: Box<WriteFrom<'w>>,
    taken: Taken<'s>,
    /// The place of its first byte among all.
    start: usize,
    len: usize,
}

impl Filling<'_, '_> {
    /// Copies the piece to its place behind `address` once it is filled.
    ///
    /// # Safety
    /// As for [`Staging::upload_written`].
    unsafe fn send(self, stream: &Stream, address: u64) -> Result<(), DriverError> {
        let Filling { begun, _write, mut taken, start, len } = self;
        begun.finish();
        let piece = taken.piece.as_mut().expect("it was taken");
        // SAFETY: the buffer is as long, and nobody writes it any more.
        let staged = unsafe { std::slice::from_raw_parts(piece.memory, len) };
        // SAFETY: the caller's promise; the buffer is not touched until `sent`, recorded next.
        unsafe { result::memcpy_htod_async(address + start as u64, staged, stream.handle())? };
        stream.record(&piece.sent)
    }
}

/// A piece in use; given back when dropped.
struct Taken<'s> {
    staging: &'s Staging,
    /// Until drop.
    piece: Option<Piece>,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut free = self.staging.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.extend(self.piece.take());
        self.staging.given_back.notify_one();
    }
}

impl Staging {
    /// Buffers of a context, which `threads` threads fill.
    pub(crate) fn new(context: &Arc<Context>, threads: NonZeroUsize) -> Result<Self, DriverError> {
        let free = (0..PIECES).map(|_| Piece::new(context)).collect::<Result<_, _>>()?;
        Ok(Staging {
            free: Mutex::new(free),
            given_back: Condvar::new(),
            threads: CopyThreads::new(threads),
        })
    }

    /// A piece that nobody uses, if there is one.
    fn take_free(&self) -> Option<Taken<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.pop_front().map(|piece| Taken { staging: self, piece: Some(piece) })
    }

    /// Waits for a piece that nobody uses.
    fn take(&self) -> Taken<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.given_back.wait_while(free, |free| free.is_empty());
        let piece = free.unwrap_or_else(PoisonError::into_inner).pop_front();
        Taken { staging: self, piece }
    }

    /// Copies `from` to `address`. When this returns `from` has been read; the stream has the rest.
    ///
    /// # Safety
    /// `address..address + from.len()` is device memory of the context of these buffers, which is current.
    pub(crate) unsafe fn upload(
        &self,
        stream: &Stream,
        address: u64,
        from: &[u8],
    ) -> Result<(), DriverError> {
        let copy = |start: usize, part: &mut [u8]| {
            part.copy_from_slice(&from[start..start + part.len()]);
        };
        // SAFETY: the caller's promise.
        unsafe { self.send(stream, (address, from.len()), GRAIN, &copy) }
    }

    /// Copies to `address` the `bytes` bytes that `write` writes, `grain` or fewer at a time. When this returns all is written;
    /// the stream has the rest.
    ///
    /// # Safety
    /// `address..address + bytes` is device memory of the context of these buffers, which is current.
    pub(crate) unsafe fn upload_written(
        &self,
        stream: &Stream,
        address: u64,
        bytes: usize,
        grain: usize,
        write: &Write<'_>,
    ) -> Result<(), DriverError> {
        assert!(grain <= PIECE, "a grain is at most 1 MiB");
        let write = |start: usize, part: &mut [u8]| {
            write(start as u64..(start + part.len()) as u64, part);
        };
        // SAFETY: the caller's promise.
        unsafe { self.send(stream, (address, bytes), grain, &write) }
    }

    /// Copies to `address` what `write` writes into page-locked buffers, `grain` bytes at a time: it is given the place of the
    /// first. Two buffers are filled at a time, so that threads that are done with the first do not wait for the others.
    ///
    /// # Safety
    /// As for [`upload_written`](Self::upload_written).
    unsafe fn send(
        &self,
        stream: &Stream,
        (address, bytes): (u64, usize),
        grain: usize,
        write: &WriteFrom<'_>,
    ) -> Result<(), DriverError> {
        let at_once = PIECE - PIECE % grain;
        let mut filling = VecDeque::<Filling<'_, '_>>::new();
        for start in (0..bytes).step_by(at_once) {
            // Who has a piece sends it before another is waited for, so that no two wait for each other.
            let mut taken = loop {
                match self.take_free() {
                    Some(taken) => break taken,
                    None => match filling.pop_front() {
                        // SAFETY: the caller's promise.
                        Some(first) => unsafe { first.send(stream, address)? },
                        None => break self.take(),
                    },
                }
            };
            let piece = taken.piece.as_mut().expect("it was taken");
            let staged = piece.wait(at_once.min(bytes - start))?;
            let len = staged.len();
            let write: Box<WriteFrom<'_>> = Box::new(move |from, part| write(start + from, part));
            // SAFETY: `Filling` drops what was begun before the others; the buffer is the piece's, and is not looked at
            // before.
            let begun = unsafe { self.threads.begin(staged, grain, &*write) };
            filling.push_back(Filling { begun, _write: write, taken, start, len });
            if filling.len() == FILLED_AT_ONCE
                && let Some(first) = filling.pop_front()
            {
                // SAFETY: the caller's promise.
                unsafe { first.send(stream, address)? };
            }
        }
        for filling in filling {
            // SAFETY: the caller's promise.
            unsafe { filling.send(stream, address)? };
        }
        Ok(())
    }

    /// Copies from `address` to `to` on a stream. When this returns all is there.
    ///
    /// # Safety
    /// `address..address + to.len()` is device memory of the context of these buffers, which is current.
    pub(crate) unsafe fn download(
        &self,
        stream: &Stream,
        address: u64,
        to: &mut [u8],
    ) -> Result<(), DriverError> {
        let mut under_way = VecDeque::new();
        for (number, bytes) in to.chunks_mut(PIECE).enumerate() {
            // Who has a piece empties it before another is waited for, so that no two wait for each other.
            let mut taken = loop {
                match self.take_free() {
                    Some(taken) => break taken,
                    None if under_way.is_empty() => break self.take(),
                    None => self.empty_first(&mut under_way)?,
                }
            };
            let piece = taken.piece.as_mut().expect("it was taken");
            let staged = piece.wait(bytes.len())?;
            let address = address + (number * PIECE) as u64;
            // SAFETY: the caller's promise; the buffer is not touched until `sent`, recorded next.
            unsafe { result::memcpy_dtoh_async(staged, address, stream.handle())? };
            stream.record(&piece.sent)?;
            under_way.push_back((taken, bytes));
        }
        while !under_way.is_empty() {
            self.empty_first(&mut under_way)?;
        }
        Ok(())
    }

    /// Waits for the piece that was asked for first, and copies it to where it goes.
    fn empty_first(
        &self,
        under_way: &mut VecDeque<(Taken<'_>, &mut [u8])>,
    ) -> Result<(), DriverError> {
        if let Some((mut taken, bytes)) = under_way.pop_front() {
            let piece = taken.piece.as_mut().expect("it was taken");
            self.threads.copy(bytes, piece.wait(bytes.len())?);
        }
        Ok(())
    }
}
