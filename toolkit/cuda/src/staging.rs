//! Copies from and to ordinary memory at the speed of page-locked memory.
//!
//! The driver copies pageable memory with one thread (7 GB/s measured on an H200's host, of 55 GB/s
//! that the link carries). Here all threads copy a piece into a page-locked buffer while the piece
//! before it is on its way; on the way back all threads copy a piece out of one while those behind it come.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use cudarc::driver::{DriverError, result};
use warpwise_launch::Pieces;

use crate::context::CudaContext;
use crate::copy_threads::{CopyThreads, GRAIN, PendingWrite, WriteFrom};
use crate::event::Event;
use crate::page_locked::PageLocked;
use crate::stream::Stream;

/// Bytes of a page-locked buffer: large against the cost of a copy's start, small against the cost
/// of locking pages.
const PIECE: usize = Pieces::MOST as usize;

/// Buffers at most: some being filled, the others on their way.
const PIECES: usize = 6;

/// Buffers that are filled at a time. (On an H200's host of 16 threads, 512 MiB: 12.7 ms with one of four buffers, 10.5 with two of
/// four and with three of six. The link takes 9.8.)
const FILLED_AT_ONCE: usize = 3;

/// Below this the driver's own copy is done before the pieces would be locked.
pub(crate) const LEAST: usize = 4 << 20;

/// The page-locked buffers, and the threads that fill and empty them. Several copies share them: who has one waits for
/// none. A buffer is made when all others are in use, since to lock one takes milliseconds.
pub(crate) struct Staging {
    buffers: Mutex<Buffers>,
    given_back: Condvar,
    threads: CopyThreads,
}

/// The sizes of what is sent, in bytes.
pub(crate) struct StagedSizes {
    /// The whole.
    pub(crate) bytes: usize,
    /// What is sent at a time: whole grains, which a buffer holds.
    pub(crate) piece: usize,
    /// What a thread writes at a time.
    pub(crate) grain: usize,
}

struct Buffers {
    /// The buffers that nobody uses, the one that was sent first in front.
    free: VecDeque<StagingBuffer>,
    /// How many there are, in use or not.
    made: usize,
}

/// A page-locked buffer.
struct StagingBuffer {
    memory: PageLocked,
    /// The event after the copy that reads or fills the buffer.
    sent: Event,
}

impl StagingBuffer {
    fn new(context: &Arc<CudaContext>) -> Result<StagingBuffer, DriverError> {
        let sent = Event::untimed(context)?;
        Ok(StagingBuffer { memory: PageLocked::new(context, PIECE)?, sent })
    }

    /// The first `bytes` bytes of the buffer, when no copy reads or fills them any more.
    fn wait(&mut self, bytes: usize) -> Result<&mut [u8], DriverError> {
        self.sent.synchronize()?;
        Ok(self.memory.first(bytes))
    }
}

impl Drop for StagingBuffer {
    fn drop(&mut self) {
        // Waiting first lets no copy read freed memory.
        let _ = self.sent.synchronize();
    }
}

/// Most buffers that a copy of `bytes` bytes makes: to lock one takes as long as to copy several of its size.
fn most_buffers(bytes: usize) -> usize {
    (bytes / PIECE + 2).min(PIECES)
}

/// A piece that is being filled. Fields are dropped in this order.
struct Filling<'s, 'w> {
    begun: PendingWrite,
    /// The closure that fills the piece.
    _write: Box<WriteFrom<'w>>,
    taken: StagingGuard<'s>,
    /// The place of the piece's first byte among all bytes.
    start: usize,
    len: usize,
}

impl Filling<'_, '_> {
    /// Has the piece copied once it is filled.
    fn send<E: From<DriverError>>(
        self,
        stream: &Stream,
        copy: &mut impl FnMut(usize, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Filling { begun, _write, mut taken, start, len } = self;
        begun.finish();
        let piece = taken.piece.as_mut().expect("it was taken");
        copy(start, piece.memory.first(len))?;
        // The buffer is not touched until the stream is there.
        Ok(stream.record(&piece.sent)?)
    }
}

/// A piece in use; given back when dropped.
struct StagingGuard<'s> {
    staging: &'s Staging,
    /// The buffer, until this is dropped.
    piece: Option<StagingBuffer>,
}

impl Drop for StagingGuard<'_> {
    fn drop(&mut self) {
        self.staging.buffers().free.extend(self.piece.take());
        self.staging.given_back.notify_one();
    }
}

impl Staging {
    /// Buffers of a context, which `threads` threads fill.
    pub(crate) fn new(
        context: &Arc<CudaContext>,
        threads: NonZeroUsize,
    ) -> Result<Self, DriverError> {
        // One at once, so that a copy has at least that.
        let free = VecDeque::from([StagingBuffer::new(context)?]);
        Ok(Staging {
            buffers: Mutex::new(Buffers { free, made: 1 }),
            given_back: Condvar::new(),
            threads: CopyThreads::new(threads),
        })
    }

    fn buffers(&self) -> MutexGuard<'_, Buffers> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A piece that nobody uses, if there is one, or one can be made with which there are at most `most`.
    fn take_free(&self, context: &Arc<CudaContext>, most: usize) -> Option<StagingGuard<'_>> {
        let mut buffers = self.buffers();
        let piece = match buffers.free.pop_front() {
            Some(piece) => piece,
            None if buffers.made >= most => return None,
            None => {
                buffers.made += 1;
                drop(buffers);
                match StagingBuffer::new(context) {
                    Ok(piece) => piece,
                    // The others do, where no more memory can be locked.
                    Err(_) => {
                        self.buffers().made -= 1;
                        return None;
                    }
                }
            }
        };
        Some(StagingGuard { staging: self, piece: Some(piece) })
    }

    /// Waits for a piece that nobody uses.
    fn take(&self) -> StagingGuard<'_> {
        let buffers = self.given_back.wait_while(self.buffers(), |buffers| buffers.free.is_empty());
        let piece = buffers.unwrap_or_else(PoisonError::into_inner).free.pop_front();
        StagingGuard { staging: self, piece }
    }

    /// Copies `from` to `address`. When this returns `from` has been read; the stream has the rest.
    ///
    /// # Safety
    /// `address..address + from.len()` is device memory of the context of these buffers, which is current.
    pub(crate) unsafe fn upload(
        &self,
        (context, stream): (&Arc<CudaContext>, &Stream),
        address: u64,
        from: &[u8],
    ) -> Result<(), DriverError> {
        let write = |start: usize, part: &mut [u8]| {
            part.copy_from_slice(&from[start..start + part.len()]);
        };
        let copy = |start: usize, staged: &[u8]| {
            // SAFETY: the caller's promise; `send` keeps the buffer as it is until the copy is done.
            unsafe { result::memcpy_htod_async(address + start as u64, staged, stream.handle()) }
        };
        let sizes = StagedSizes { bytes: from.len(), piece: PIECE, grain: GRAIN };
        self.send((context, stream), sizes, &write, copy)
    }

    /// Has `write` write bytes into page-locked buffers, a piece at a time. `copy` is called for each piece in turn, with the
    /// place of its first byte, and asks the stream to copy it. Some buffers are filled at a time, so that threads that are done
    /// with one do not wait for the others.
    pub(crate) fn send<E: From<DriverError>>(
        &self,
        (context, stream): (&Arc<CudaContext>, &Stream),
        StagedSizes { bytes, piece, grain }: StagedSizes,
        write: &WriteFrom<'_>,
        mut copy: impl FnMut(usize, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut filling = VecDeque::<Filling<'_, '_>>::new();
        let most = most_buffers(bytes);
        for start in (0..bytes).step_by(piece) {
            // Who has a piece sends it before another is waited for, so that no two wait for each other.
            let mut taken = loop {
                match self.take_free(context, most) {
                    Some(taken) => break taken,
                    None => match filling.pop_front() {
                        Some(first) => first.send(stream, &mut copy)?,
                        None => break self.take(),
                    },
                }
            };
            let locked = taken.piece.as_mut().expect("it was taken");
            let staged = locked.wait(piece.min(bytes - start))?;
            let len = staged.len();
            let write: Box<WriteFrom<'_>> = Box::new(move |from, part| write(start + from, part));
            // SAFETY: `Filling` drops what was begun before the others; the buffer is the piece's, and is not looked at
            // before.
            let begun = unsafe { self.threads.begin(staged, grain, &*write) };
            filling.push_back(Filling { begun, _write: write, taken, start, len });
            if filling.len() == FILLED_AT_ONCE
                && let Some(first) = filling.pop_front()
            {
                first.send(stream, &mut copy)?;
            }
        }
        filling.into_iter().try_for_each(|filling| filling.send(stream, &mut copy))
    }

    /// Copies from `address` to `to` on a stream. When this returns all is there.
    ///
    /// # Safety
    /// `address..address + to.len()` is device memory of the context of these buffers, which is current.
    pub(crate) unsafe fn download(
        &self,
        (context, stream): (&Arc<CudaContext>, &Stream),
        address: u64,
        to: &mut [u8],
    ) -> Result<(), DriverError> {
        let mut under_way = VecDeque::new();
        let most = most_buffers(to.len());
        for (number, bytes) in to.chunks_mut(PIECE).enumerate() {
            // Who has a piece empties it before another is waited for, so that no two wait for each other.
            let mut taken = loop {
                match self.take_free(context, most) {
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
        under_way: &mut VecDeque<(StagingGuard<'_>, &mut [u8])>,
    ) -> Result<(), DriverError> {
        if let Some((mut taken, bytes)) = under_way.pop_front() {
            let piece = taken.piece.as_mut().expect("it was taken");
            self.threads.copy(bytes, piece.wait(bytes.len())?);
        }
        Ok(())
    }
}
