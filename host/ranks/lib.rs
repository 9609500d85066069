//! Several processes that count one graph together: each is a *rank* of a job that a launcher has started.
//!
//! [`Environment`] is what torchrun, srun, mpirun or a shell said to a process. [`Ranks::join`] connects it to all
//! others over TCP, and then all ranks call the same functions in the same order:
//!
//! ```
//! use tribin::ranks::{Environment, Ranks};
//!
//! let alone = [("RANK", "0"), ("WORLD_SIZE", "1")];
//! let environment = Environment::from_variables(|name| {
//!     alone.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
//! })?;
//! let ranks = Ranks::join(&environment)?;
//! assert_eq!(ranks.all_gather(b"mine")?, [b"mine"]);
//! assert_eq!(ranks.all_reduce(&[1, 2], |a, b| a + b)?, [1, 2]);
//! ranks.finish();
//! # Ok::<(), tribin::Error>(())
//! ```
//!
//! **Failures.** A rank that ends without a word, or that [fails](Ranks::fail), ends the call of every other with an
//! [`Error::Rank`] that names it: at once, since every connection has a thread that reads it; within nine seconds where
//! its host is gone, of which the system's probes tell. [`Ranks::cancel`] is cancelled then, so that work that looks
//! at it ends too. A rank that is merely slow is waited for.
//!
//! **Who is let in.** A caller shows the job's token in its first frame. Until all are there, others are refused and
//! do not disturb the job; then nobody listens any more. Frames are bounded in length, and of known kinds. Nothing is
//! encrypted: use it on a network that you trust.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod connections;
mod environment;
mod frame;
mod hello;
mod rendezvous;
mod slurm;
#[cfg(test)]
mod tests;
mod token;

use tribin_base::control::memory;
use tribin_base::{Cancel, Error, Message, Result};

use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use connections::Connections;
pub use environment::{Environment, MOST_RANKS};

/// A process's connections to all other processes of its job.
///
/// All ranks call the same functions in the same order. A call ends when this rank has what it asked for; where one
/// rank fails, the calls of all do.
pub struct Ranks {
    connections: Arc<Connections>,
    environment: Environment,
    /// The number of the next exchange. Held during one.
    next: Mutex<u64>,
    nanoseconds: AtomicU64,
}

impl std::fmt::Debug for Ranks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ranks({} of {})", self.rank(), self.ranks())
    }
}

impl Ranks {
    /// Connects this process to all others of its job, for which it waits.
    ///
    /// # Errors
    /// [`Error::Rank`] where one does not come in time, is there twice, or has another token, version or number of
    /// ranks.
    pub fn join(environment: &Environment) -> Result<Ranks> {
        Ranks::join_at(environment, None)
    }

    /// Connects this process to all others of its job; rank 0 takes a listener that is there already,
    /// whatever the port that the environment names.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn join_at(environment: &Environment, listener: Option<TcpListener>) -> Result<Ranks> {
        let Environment { rank, ranks, .. } = *environment;
        let connections = Connections::new(rank, ranks, Cancel::new());
        let joined = Ranks {
            connections,
            environment: environment.clone(),
            next: Mutex::new(0),
            nanoseconds: AtomicU64::new(0),
        };
        let met = rendezvous::meet(&joined.connections, environment, listener);
        met.map_err(|error| joined.fail(error))?;
        Ok(joined)
    }

    /// Which rank this is, from 0.
    pub fn rank(&self) -> u32 {
        self.connections.rank
    }

    /// The number of ranks.
    pub fn ranks(&self) -> u32 {
        self.connections.ranks
    }

    /// The environment as the launcher set it.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The token that is cancelled where the job cannot go on.
    pub fn cancel(&self) -> &Cancel {
        self.connections.cancel()
    }

    /// Looks whether the job can go on, and does not wait.
    ///
    /// # Errors
    /// [`Error::Rank`] where a rank has failed.
    pub fn check(&self) -> Result<()> {
        self.connections.check()
    }

    /// Bytes that this rank has sent to others.
    pub fn bytes_sent(&self) -> u64 {
        self.connections.bytes_sent()
    }

    /// Time that this rank has spent in exchanges, the waiting for others included.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Relaxed))
    }

    /// What every rank gave, in the order of the ranks.
    ///
    /// # Errors
    /// [`Error::Rank`] where a rank has failed.
    pub fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>> {
        let mut all = vec![Vec::new(); self.ranks() as usize];
        self.all_gather_into(own, |from, bytes| {
            let to: &mut Vec<u8> = &mut all[from as usize];
            memory::reserve(to, bytes.len())?;
            to.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(all)
    }

    /// Hands what every rank gave to `take(rank, bytes)`, piece by piece. This rank's own bytes are among them. The pieces of a
    /// rank come in their order, and those of several ranks as they arrive. A piece of another rank has up to 1 MiB.
    ///
    /// # Errors
    /// [`Error::Rank`] where a rank has failed, and what `take` returns.
    pub fn all_gather_into(
        &self,
        own: &[u8],
        take: impl FnMut(u32, &[u8]) -> Result<()>,
    ) -> Result<()> {
        self.exchange(|_| vec![own], take)
    }

    /// Rank q gets `pieces[q]` of every rank: `take(rank, bytes)` is called with what each has for this one, as in
    /// [`all_gather_into`](Self::all_gather_into). A piece may be in several parts.
    ///
    /// # Errors
    /// [`Error::Rank`] where a rank has failed, and what `take` returns.
    ///
    /// # Panics
    /// If there is not a piece for each rank.
    pub fn all_to_all(
        &self,
        pieces: &[Vec<&[u8]>],
        take: impl FnMut(u32, &[u8]) -> Result<()>,
    ) -> Result<()> {
        assert_eq!(pieces.len(), self.ranks() as usize, "a piece for each rank");
        self.exchange(|to| pieces[to as usize].clone(), take)
    }

    /// What rank `root` gave; what the others gave is not looked at.
    ///
    /// # Errors
    /// [`Error::Rank`] where a rank has failed.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn broadcast(&self, root: u32, bytes: &[u8]) -> Result<Vec<u8>> {
        assert!(root < self.ranks(), "rank {root} of {}", self.ranks());
        let own = if self.rank() == root { bytes } else { &[] };
        Ok(self.all_gather(own)?.swap_remove(root as usize))
    }

    /// Word by word what `reduce` makes of the words of all ranks, in the order of the ranks. All give equally many.
    ///
    /// # Errors
    /// [`Error::Rank`] where a rank has failed, or gave another number of words.
    pub fn all_reduce(&self, words: &[u64], reduce: impl Fn(u64, u64) -> u64) -> Result<Vec<u64>> {
        let own: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut reduced: Option<Vec<u64>> = None;
        for (rank, bytes) in (0..).zip(self.all_gather(&own)?) {
            let (given, rest) = bytes.as_chunks::<8>();
            if given.len() != words.len() || !rest.is_empty() {
                let message =
                    format!("it gave {} words where {} were expected", given.len(), words.len());
                return Err(Error::Rank { rank, message: message.into() });
            }
            let given = given.iter().map(|word| u64::from_le_bytes(*word));
            match &mut reduced {
                None => reduced = Some(given.collect()),
                Some(reduced) => reduced
                    .iter_mut()
                    .zip(given)
                    .for_each(|(word, given)| *word = reduce(*word, given)),
            }
        }
        Ok(reduced.unwrap_or_default())
    }

    /// Waits until all ranks are here.
    ///
    /// # Errors
    /// [`Error::Rank`] where a rank has failed.
    pub fn barrier(&self) -> Result<()> {
        self.all_gather_into(&[], |_, _| Ok(()))
    }

    /// Sends every other rank its piece, and takes theirs.
    fn exchange<'a>(
        &self,
        piece: impl Fn(u32) -> Vec<&'a [u8]> + Sync,
        mut take: impl FnMut(u32, &[u8]) -> Result<()>,
    ) -> Result<()> {
        /// Bytes that are sent without a thread of their own.
        const SMALL: usize = 1 << 16;
        let mut next: MutexGuard<u64> = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let number = *next;
        *next += 1;
        let begin = Instant::now();
        let connections = &*self.connections;
        let me = self.rank();
        let (small, large): (Vec<u32>, Vec<u32>) = (1..self.ranks())
            .map(|step| (me + step) % self.ranks())
            .partition(|&to| piece(to).iter().map(|part| part.len()).sum::<usize>() <= SMALL);
        let exchanged = std::thread::scope(|scope| {
            let piece = &piece;
            let send = move |to: u32| connections.send(to, number, &piece(to));
            let mut senders = Vec::with_capacity(large.len());
            for to in large {
                let builder = std::thread::Builder::new().name(format!("to rank {to}"));
                match builder.spawn_scoped(scope, move || send(to)) {
                    Ok(sender) => senders.push(sender),
                    Err(_) => send(to)?,
                }
            }
            small.into_iter().try_for_each(send)?;
            piece(me).into_iter().try_for_each(|part| take(me, part))?;
            let others = (0..self.ranks()).filter(|&rank| rank != me).collect();
            connections.receive(others, number, &mut take)?;
            senders.into_iter().try_for_each(|sender| {
                sender.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        self.nanoseconds.fetch_add(begin.elapsed().as_nanos() as u64, Relaxed);
        exchanged
    }

    /// Tells all ranks that this one cannot go on, and why. Returns why: where the job failed elsewhere first, that.
    pub fn fail(&self, error: Error) -> Error {
        let (rank, why) = match &error {
            Error::Rank { rank, message } => (*rank, message.to_string()),
            // Cancelled by the failure that is noted already, or by the user.
            error => (self.rank(), error.to_string()),
        };
        let first = self.connections.check();
        self.connections.fail(rank, &why);
        self.connections.tell_failure();
        self.connections.close();
        match (error, first) {
            (Error::Cancelled | Error::Rank { .. }, Err(first)) => first,
            (own, _) => own,
        }
    }

    /// Ends the job for this rank, once all that it had to do is done.
    pub fn finish(self) {
        self.connections.finish();
    }
}

impl Drop for Ranks {
    fn drop(&mut self) {
        self.connections.close();
    }
}

/// Reads bytes as frames, until they are none, and returns the bytes of their contents: for fuzzing.
pub fn read_frames(bytes: &[u8]) -> usize {
    let _ = hello::Hello::from_bytes(bytes);
    frame::read_all(bytes)
}
