//! A GPU as one of several that NCCL links.

use std::ffi::{c_int, c_void};
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cudarc::driver::sys;
use tribin_launch::{Device, View, ViewMut};

use super::library::{
    BYTES, Code, Config, Functions, Handle, IN_PROGRESS, MAX, SUCCESS, SUM, WORDS,
};
use super::{Nccl, UniqueId};
use crate::{Error, Gpu, Result};

/// Says whether to go on waiting. It is asked every few milliseconds.
pub type GoOn<'g> = &'g dyn Fn() -> bool;

/// For how long a thread that waits looks again at once.
const SPIN: Duration = Duration::from_micros(200);

/// How long it sleeps afterwards before it looks again.
const SLEEP: Duration = Duration::from_micros(50);

/// How often it asks whether to go on.
const ASK: Duration = Duration::from_millis(2);

/// How long an abort may take. One that takes longer goes on by itself.
const ABORT: Duration = Duration::from_secs(4);

/// A GPU, of several that are linked, each called by its number among all of them.
///
/// All of them call the same functions in the same order. A function that fails gives the link up, and with it what
/// the other GPUs wait for: they are to be told by other means.
pub struct Link {
    nccl: &'static Nccl,
    communicator: Mutex<Communicator>,
}

/// The library's handle; null once it was given up.
struct Communicator(Handle);

// SAFETY: the library takes calls for a communicator from any thread, one at a time.
unsafe impl Send for Communicator {}

impl Link {
    /// Links a GPU, as number `number` of `of`. Waits for the others.
    ///
    /// # Errors
    /// What the library or the driver reports, and [`Error::Stopped`] where `go_on` said so.
    pub fn join(
        nccl: &'static Nccl,
        gpu: &Gpu,
        id: UniqueId,
        (number, of): (usize, usize),
        go_on: GoOn,
    ) -> Result<Link> {
        gpu.context.make_current().map_err(|error| gpu.failed(error))?;
        let mut handle: Handle = std::ptr::null_mut();
        let mut config = Config::without_waiting();
        // SAFETY: writes the handle, and reads the id and the configuration, which has the layout of its version. The
        // GPU's context is current.
        let code = unsafe {
            let init = nccl.functions.init_rank;
            init(&mut handle, of as c_int, id, number as c_int, &mut config)
        };
        let link = Link { nccl, communicator: Mutex::new(Communicator(handle)) };
        let ready = nccl.check(code).and_then(|()| link.settled(handle, &mut Waiting::new(go_on)));
        match ready {
            Ok(()) => Ok(link),
            Err(error) => {
                link.give_up(&mut link.lock());
                Err(error)
            }
        }
    }

    /// Puts in the place of this GPU's words their sums, modulo 2³², over all GPUs, or the largest of them. All GPUs
    /// have as many.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    ///
    /// # Panics
    /// If the words are another GPU's.
    pub fn all_reduce(
        &self,
        gpu: &Gpu,
        words: ViewMut<'_, u32, Gpu>,
        largest: bool,
        go_on: GoOn,
    ) -> Result<()> {
        assert!(words.device() == gpu.id(), "words of another GPU");
        let (at, len) = (words.address() as usize as *mut c_void, words.len() as usize);
        let by = if largest { MAX } else { SUM };
        self.run(gpu, go_on, |functions, handle, stream| {
            // SAFETY: the words are a live allocation's, of this GPU, which nothing else uses until the call that this
            // is part of has ended, after the work of the stream.
            unsafe { (functions.all_reduce)(at, at, len, WORDS, by, handle, stream) }
        })
    }

    /// Gives memory to other GPUs and takes theirs, all at the same time. What one gives to another, the other takes
    /// in its call at the same turn, in the same order and lengths.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    ///
    /// # Panics
    /// If the memory is another GPU's.
    pub fn swap(
        &self,
        gpu: &Gpu,
        given: &[(usize, View<'_, u8, Gpu>)],
        taken: &mut [(usize, ViewMut<'_, u8, Gpu>)],
        go_on: GoOn,
    ) -> Result<()> {
        let is_own = given.iter().all(|(_, view)| view.device() == gpu.id())
            && taken.iter().all(|(_, view)| view.device() == gpu.id());
        assert!(is_own, "memory of another GPU");
        self.run(gpu, go_on, |functions, handle, stream| {
            // SAFETY: begins a group of calls, which ends below on every way.
            let mut code = unsafe { (functions.group_start)() };
            for (to, view) in given {
                let (at, len) = (view.address() as usize as *const c_void, view.len() as usize);
                // SAFETY: the memory is a live allocation's, of this GPU, which nothing writes until the call that
                // this is part of has ended, after the work of the stream.
                code = first(code, || unsafe {
                    (functions.send)(at, len, BYTES, *to as c_int, handle, stream)
                });
            }
            for (from, view) in taken {
                let (at, len) = (view.address() as usize as *mut c_void, view.len() as usize);
                // SAFETY: as above, and nothing else uses it.
                code = first(code, || unsafe {
                    (functions.receive)(at, len, BYTES, *from as c_int, handle, stream)
                });
            }
            // SAFETY: ends the group that was begun.
            let ended = unsafe { (functions.group_end)() };
            if is_well(code) { ended } else { code }
        })
    }

    /// Asks for work on the GPU's stream, and waits until all work asked for there is done. Where that fails, the link
    /// is given up.
    fn run(
        &self,
        gpu: &Gpu,
        go_on: GoOn,
        ask: impl FnOnce(&Functions, Handle, *mut c_void) -> Code,
    ) -> Result<()> {
        gpu.context.make_current().map_err(|error| gpu.failed(error))?;
        let mut communicator = self.lock();
        let handle = communicator.0;
        if handle.is_null() {
            return Err(Error::Nccl { what: "the link between the GPUs was given up".into() });
        }
        let code = ask(&self.nccl.functions, handle, gpu.stream().handle().cast());
        let mut waiting = Waiting::new(go_on);
        let done = self
            .nccl
            .check(code)
            .and_then(|()| self.settled(handle, &mut waiting))
            .and_then(|()| self.finished(gpu, handle, &mut waiting));
        if done.is_err() {
            self.give_up(&mut communicator);
        }
        done
    }

    fn lock(&self) -> MutexGuard<'_, Communicator> {
        self.communicator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has become of the calls for a communicator.
    fn state(&self, handle: Handle) -> Result<Code> {
        let mut state = SUCCESS;
        // SAFETY: the communicator lives, and one integer is written.
        self.nccl.check(unsafe { (self.nccl.functions.async_error)(handle, &mut state) })?;
        self.nccl.check(state)?;
        Ok(state)
    }

    /// Waits until the library has done what it does on the host.
    fn settled(&self, handle: Handle, waiting: &mut Waiting) -> Result<()> {
        while self.state(handle)? == IN_PROGRESS {
            waiting.look_again()?;
        }
        Ok(())
    }

    /// Waits until the GPU has done what it was asked for.
    fn finished(&self, gpu: &Gpu, handle: Handle, waiting: &mut Waiting) -> Result<()> {
        loop {
            // SAFETY: the stream lives as long as the GPU.
            match unsafe { sys::cuStreamQuery(gpu.stream().handle()) } {
                sys::CUresult::CUDA_ERROR_NOT_READY => {}
                outcome => return outcome.result().map_err(|error| gpu.failed(error)),
            }
            if waiting.look_again()? {
                self.state(handle)?;
            }
        }
    }

    /// Ends what is under way, without the other GPUs.
    fn give_up(&self, communicator: &mut Communicator) {
        let Communicator(handle) =
            std::mem::replace(communicator, Communicator(std::ptr::null_mut()));
        if handle.is_null() {
            return;
        }
        let handle = Communicator(handle);
        let abort = self.nccl.functions.abort;
        let (done, ended) = mpsc::channel();
        let give_up = move || {
            let Communicator(handle) = { handle };
            // SAFETY: the communicator lives, nobody else has its handle any more, and this is its last use.
            let _ = unsafe { abort(handle) };
            let _ = done.send(());
        };
        if thread::Builder::new().name("nccl-abort".into()).spawn(give_up).is_ok() {
            let _ = ended.recv_timeout(ABORT);
        }
    }
}

impl Drop for Link {
    /// Nothing is under way: every call has waited for its end.
    fn drop(&mut self) {
        self.give_up(&mut self.lock());
    }
}

fn is_well(code: Code) -> bool {
    code == SUCCESS || code == IN_PROGRESS
}

/// The outcome so far, or that of the next call where all went well.
fn first(so_far: Code, next: impl FnOnce() -> Code) -> Code {
    if is_well(so_far) { next() } else { so_far }
}

/// A thread that waits, and asks now and then whether to go on.
struct Waiting<'g> {
    go_on: GoOn<'g>,
    begin: Instant,
    asked: Instant,
}

impl<'g> Waiting<'g> {
    fn new(go_on: GoOn<'g>) -> Waiting<'g> {
        let begin = Instant::now();
        Waiting { go_on, begin, asked: begin }
    }

    /// Waits a moment. Says whether it asked.
    fn look_again(&mut self) -> Result<bool> {
        let now = Instant::now();
        let asks = now - self.asked >= ASK;
        if asks {
            self.asked = now;
            if !(self.go_on)() {
                return Err(Error::Stopped);
            }
        }
        if now - self.begin < SPIN {
            std::hint::spin_loop();
        } else {
            thread::sleep(SLEEP);
        }
        Ok(asks)
    }
}
