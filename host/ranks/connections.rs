//! The connections of a rank: those of rank 0 lead to all others, and each other rank has one to rank 0. They say who
//! sends, who waits, and what becomes of a failure.
//!
//! A thread for each connection takes what comes and puts it where its receiver looks. So nobody ever waits for
//! room at the other end, and a rank that ends is noticed at once, also while ranks are busy with something else. Rank 0
//! passes on to all what it hears of a failure.

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::said::{LONG, Said};
use crate::{Cancel, Error, Result};

/// How long a rank that is done waits for the others to be, and for the reader of a connection to say why a write failed.
const GOODBYE: Duration = Duration::from_secs(5);

/// All that the threads of a rank share.
pub(super) struct Connections {
    pub rank: u32,
    pub ranks: u32,
    state: Mutex<State>,
    changed: Condvar,
    writers: Vec<OnceLock<Mutex<TcpStream>>>,
    pub cancel: Cancel,
}

#[derive(Default)]
struct State {
    /// By rank: the numbers that have come and are not taken, with the number of their exchange.
    incoming: Vec<VecDeque<(u64, Vec<u64>)>>,
    /// Whether the rank has said that it is done.
    done: Vec<bool>,
    /// Whether this rank is.
    finished: bool,
    failure: Option<(u32, String)>,
}

impl Connections {
    /// A rank without a connection yet.
    pub fn new(rank: u32, ranks: u32) -> Arc<Connections> {
        let count = ranks as usize;
        let incoming = vec![VecDeque::new(); count];
        Arc::new(Connections {
            rank,
            ranks,
            state: Mutex::new(State { incoming, done: vec![false; count], ..State::default() }),
            changed: Condvar::new(),
            writers: (0..count).map(|_| OnceLock::new()).collect(),
            cancel: Cancel::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over the connection to a rank, of which the greetings are over.
    pub fn attach(self: &Arc<Self>, rank: u32, stream: TcpStream) -> Result<()> {
        let failed = |error: io::Error| self.error(rank, format!("its connection failed: {error}"));
        prepare(&stream).map_err(failed)?;
        let reader = stream.try_clone().map_err(failed)?;
        if self.writers[rank as usize].set(Mutex::new(stream)).is_err() {
            return Err(self.error(rank, "it connected twice".to_owned()));
        }
        let connections = Arc::clone(self);
        let spawned = std::thread::Builder::new()
            .name(format!("rank {rank}"))
            .spawn(move || connections.read(rank, reader));
        spawned.map(drop).map_err(failed)
    }

    /// Takes what a rank sends, until it ends.
    fn read(&self, from: u32, mut stream: TcpStream) {
        loop {
            let why = match Said::read(&mut stream, LONG) {
                Ok(Some(Said::Numbers(exchange, numbers))) => {
                    self.state().incoming[from as usize].push_back((exchange, numbers));
                    self.changed.notify_all();
                    continue;
                }
                Ok(Some(Said::Done)) => {
                    self.state().done[from as usize] = true;
                    return self.changed.notify_all();
                }
                Ok(Some(Said::Failed(rank, why))) => return self.fail(rank, &why),
                Ok(None) => ENDED.to_owned(),
                Ok(Some(_)) => NOT_OURS.to_owned(),
                Err(error) => match error.kind() {
                    io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
                        ENDED.to_owned()
                    }
                    io::ErrorKind::InvalidData => NOT_OURS.to_owned(),
                    _ => format!("its connection failed: {error}"),
                },
            };
            return self.fail(from, &why);
        }
    }

    /// Notes the first failure, and ends all waiting. Rank 0 tells the others.
    pub fn fail(&self, rank: u32, why: &str) {
        let mut state = self.state();
        let is_first = !state.finished && state.failure.is_none();
        if is_first {
            state.failure = Some((rank, why.to_owned()));
            self.cancel.cancel();
        }
        drop(state);
        self.changed.notify_all();
        if is_first && self.rank == 0 {
            self.tell_failure();
        }
    }

    /// The failure, where there is one.
    pub fn check(&self) -> Result<()> {
        match &self.state().failure {
            Some((rank, why)) => Err(self.error(*rank, why.clone())),
            None => Ok(()),
        }
    }

    /// An error that names a rank.
    pub fn error(&self, rank: u32, why: String) -> Error {
        Error::Rank { rank, message: why.into() }
    }

    /// Sends numbers to a rank.
    pub fn send(&self, to: u32, exchange: u64, numbers: &[u64]) -> Result<()> {
        self.check()?;
        let said = Said::Numbers(exchange, numbers.to_vec());
        let written = self.writers[to as usize]
            .get()
            .map(|writer| said.write(&mut *writer.lock().unwrap_or_else(PoisonError::into_inner)));
        if matches!(written, Some(Ok(()))) {
            return Ok(());
        }
        // Why a write failed is what the connection's reader finds out, behind what is still coming.
        let wait = |state: &mut State| state.failure.is_none();
        drop(self.changed.wait_timeout_while(self.state(), GOODBYE, wait));
        self.fail(to, ENDED);
        self.check()
    }

    /// Takes numbers from a rank.
    pub fn receive(&self, from: u32, exchange: u64) -> Result<Vec<u64>> {
        let rank = from as usize;
        let waits = |state: &mut State| {
            state.failure.is_none() && state.incoming[rank].is_empty() && !state.done[rank]
        };
        let waited = self.changed.wait_while(self.state(), waits);
        let come = waited.unwrap_or_else(PoisonError::into_inner).incoming[rank].pop_front();
        let why = match come {
            Some((number, numbers)) if number == exchange => return Ok(numbers),
            Some(_) => "it is at another step than this rank",
            None => "it was done before this rank",
        };
        self.check()?;
        let why = format!("{why}: all ranks take the same command and files");
        self.fail(from, &why);
        Err(self.error(from, why))
    }

    /// Says to all that this rank is done, and waits until they are.
    pub fn finish(&self) {
        self.state().finished = true;
        self.tell(&Said::Done);
        let attached = |rank: &usize| self.writers[*rank].get().is_some();
        let others: Vec<usize> = (0..self.writers.len()).filter(attached).collect();
        let wait = |state: &mut State| others.iter().any(|&rank| !state.done[rank]);
        drop(self.changed.wait_timeout_while(self.state(), GOODBYE, wait));
    }

    /// Says to all that the job cannot go on.
    pub fn tell_failure(&self) {
        let failure = self.state().failure.clone();
        if let Some((rank, why)) = failure {
            self.tell(&Said::Failed(rank, why));
        }
    }

    /// Says something to all that are there.
    fn tell(&self, said: &Said) {
        for writer in self.writers.iter().filter_map(OnceLock::get) {
            let mut stream = writer.lock().unwrap_or_else(PoisonError::into_inner);
            // Who is gone need not hear it.
            let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
            let _ = said.write(&mut *stream);
        }
    }

    /// Closes all connections; the threads that read them end.
    pub fn close(&self) {
        for writer in self.writers.iter().filter_map(OnceLock::get) {
            let stream = writer.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// What is said of a rank that went without a word.
const ENDED: &str =
    "it ended before the count was done (its connection is closed): see what it said last";

/// What is said of a rank that is none.
const NOT_OURS: &str = "it sent what is no message of tribin's";

/// Makes a stream ready for work: reads and writes of it wait as long as it takes.
fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    watch(stream)
}

/// Asks the system to tell of a host that is gone, within nine seconds. One that is merely slow answers: its system
/// does, whatever its programs are busy with.
pub(super) fn watch(stream: &TcpStream) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::net::sockopt;
        sockopt::set_socket_keepalive(stream, true)?;
        sockopt::set_tcp_keepidle(stream, Duration::from_secs(3))?;
        sockopt::set_tcp_keepintvl(stream, Duration::from_secs(2))?;
        sockopt::set_tcp_keepcnt(stream, 3)?;
        sockopt::set_tcp_user_timeout(stream, 9_000)?;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = stream;
    Ok(())
}
