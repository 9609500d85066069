//! Several processes that count one graph together: each is a *rank* of a job that a launcher has started.
//!
//! [`Environment`] is what torchrun, srun, mpirun or a shell said to a process. [`Ranks::join`] connects it to rank 0
//! over TCP, and then all ranks call the same functions in the same order. They tell each other figures, not graphs:
//!
//! ```
//! use tribin::ranks::{Environment, Ranks};
//!
//! let alone = [("RANK", "0"), ("WORLD_SIZE", "1")];
//! let environment = Environment::from_variables(|name| {
//!     alone.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
//! })?;
//! let ranks = Ranks::join(&environment)?;
//! assert_eq!(ranks.all_gather(&[7])?, [[7]]);
//! ranks.finish();
//! # Ok::<(), tribin::Error>(())
//! ```
//!
//! **Failures.** A rank that ends without a word, or that [fails](Ranks::fail), ends the call of every other with an
//! [`Error::Rank`] that names it: at once, since every connection has a thread that reads it, and rank 0 tells all; within
//! nine seconds where its host is gone, of which the system's probes tell. [`Ranks::cancel`] is cancelled then, so that work that looks
//! at it ends too. A rank that is merely slow is waited for.
//!
//! **Who is let in.** A caller shows the job's token in its first frame. Until all are there, others are refused and
//! do not disturb the job; then nobody listens any more. What is said is bounded in length, and of known kinds. Nothing is
//! encrypted: use it on a network that you trust.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod connections;
mod environment;
mod rendezvous;
mod said;
mod slurm;
#[cfg(test)]
mod tests;
mod token;

use tribin_base::{Cancel, Error, Message, Result};

use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};

use connections::Connections;
pub use environment::{Environment, MOST_RANKS};

/// A process's connection to its job.
///
/// All ranks call the same functions in the same order. A call ends when this rank has what it asked for; where one
/// rank fails, the calls of all do.
#[derive(Debug)]
pub struct Ranks {
    connections: Arc<Connections>,
    /// Held during an exchange.
    exchange: Mutex<()>,
}

impl Ranks {
    /// Connects this process to its job, and waits until all of its processes are there.
    ///
    /// # Errors
    /// [`Error::Rank`] where one does not come in time, is there twice, or has another token, version or number of
    /// ranks.
    pub fn join(environment: &Environment) -> Result<Ranks> {
        Ranks::join_at(environment, None)
    }

    /// Connects this process to its job; rank 0 takes a listener that is there already, whatever the port that the
    /// environment names.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn join_at(environment: &Environment, listener: Option<TcpListener>) -> Result<Ranks> {
        let connections = Connections::new(environment.rank, environment.ranks);
        let joined = Ranks { connections, exchange: Mutex::new(()) };
        rendezvous::meet(&joined.connections, environment, listener)
            .and_then(|()| joined.all_gather(&[]))
            .map_err(|error| joined.fail(error))?;
        Ok(joined)
    }

    /// The number of this rank, from 0.
    pub fn rank(&self) -> u32 {
        self.connections.rank
    }

    /// The number of ranks.
    pub fn ranks(&self) -> u32 {
        self.connections.ranks
    }

    /// The token that is cancelled where the job cannot go on.
    pub fn cancel(&self) -> &Cancel {
        &self.connections.cancel
    }

    /// The words that every rank gave, in the order of the ranks. Ranks may give different numbers of words.
    ///
    /// # Errors
    /// [`Error::Rank`] where a rank has failed.
    pub fn all_gather(&self, words: &[u64]) -> Result<Vec<Vec<u64>>> {
        let _held = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        if self.rank() > 0 {
            self.connections.send(0, words)?;
            return (0..self.ranks()).map(|_| self.connections.receive(0)).collect();
        }
        let first = std::iter::once(Ok(words.to_vec()));
        let others = (1..self.ranks()).map(|rank| self.connections.receive(rank));
        let all: Vec<_> = first.chain(others).collect::<Result<_>>()?;
        for to in 1..self.ranks() {
            all.iter().try_for_each(|one| self.connections.send(to, one))?;
        }
        Ok(all)
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

/// Reads bytes as what ranks say to each other, until they are nothing of it, and returns how much was said: for fuzzing.
pub fn read_messages(mut bytes: &[u8]) -> usize {
    std::iter::from_fn(|| said::Said::read(&mut bytes, said::LONG).ok()).count()
}

/// What helps where ranks do different things.
const SAME: &str = "all ranks take the same command and files";

/// An error that names a rank.
fn of_rank(rank: u32, why: impl Into<Message>) -> Error {
    Error::Rank { rank, message: why.into() }
}
