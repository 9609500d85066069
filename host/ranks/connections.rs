//! The connections of a rank: those of rank 0 lead to all others, and each other rank has one to rank 0. They say who
//! sends, who waits, and what becomes of a failure.
//!
//! A thread for each connection takes what comes and puts it where its receiver looks. So nobody ever waits for
//! room at the other end, and a rank that ends is noticed at once, also while ranks are busy with something else. Rank 0
//! passes on to all what it hears of a failure.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::said::{LONG, Said};
use crate::{Cancel, Result, SAME, of_rank};

/// How long a rank that is done waits for the others to be, and for the reader of a connection to say why a write failed.
const GOODBYE: Duration = Duration::from_secs(5);

/// All that the threads of a rank share.
#[derive(Debug)]
pub(super) struct Connections {
    pub rank: u32,
    pub ranks: u32,
    state: Mutex<ConnectionState>,
    changed: Condvar,
    /// The connection that this rank writes to, by the other rank.
    writers: Mutex<BTreeMap<u32, TcpStream>>,
    pub cancel: Cancel,
}

#[derive(Debug, Default)]
struct ConnectionState {
    /// The numbers that have come and are not taken, by the rank that sent them.
    incoming: BTreeMap<u32, VecDeque<Vec<u64>>>,
    /// The ranks that have said that they are done.
    done: BTreeSet<u32>,
    /// Whether this rank has said that it is done.
    finished: bool,
    failure: Option<(u32, String)>,
}

impl Connections {
    /// A rank without a connection yet.
    pub fn new(rank: u32, ranks: u32) -> Arc<Connections> {
        Arc::new(Connections {
            rank,
            ranks,
            state: Mutex::default(),
            changed: Condvar::new(),
            writers: Mutex::default(),
            cancel: Cancel::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, ConnectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writers(&self) -> MutexGuard<'_, BTreeMap<u32, TcpStream>> {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over the connection to a rank, of which the greetings are over.
    pub fn attach(self: &Arc<Self>, rank: u32, stream: TcpStream) -> Result<()> {
        let failed = |error| of_rank(rank, format!("its connection failed: {error}"));
        prepare(&stream).map_err(failed)?;
        let reader = stream.try_clone().map_err(failed)?;
        self.writers().insert(rank, stream);
        let connections = Arc::clone(self);
        let named = std::thread::Builder::new().name(format!("rank {rank}"));
        named.spawn(move || connections.read(rank, reader)).map(drop).map_err(failed)
    }

    /// Takes what a rank sends, until it ends.
    fn read(&self, from: u32, mut stream: TcpStream) {
        let why = loop {
            match Said::read(&mut stream, LONG) {
                Ok(Said::Numbers(numbers)) => {
                    self.state().incoming.entry(from).or_default().push_back(numbers);
                    self.changed.notify_all();
                }
                Ok(Said::Done) => {
                    self.state().done.insert(from);
                    return self.changed.notify_all();
                }
                Ok(Said::Failed(rank, why)) => return self.fail(rank, &why),
                Ok(_) => break NOT_OURS.to_owned(),
                Err(error) => match error.kind() {
                    ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset => {
                        break ENDED.to_owned();
                    }
                    ErrorKind::InvalidData => break NOT_OURS.to_owned(),
                    _ => break format!("its connection failed: {error}"),
                },
            }
        };
        self.fail(from, &why);
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
        let failure = self.state().failure.clone();
        failure.map_or(Ok(()), |(rank, why)| Err(of_rank(rank, why)))
    }

    /// Sends numbers to a rank.
    pub fn send(&self, to: u32, numbers: &[u64]) -> Result<()> {
        self.check()?;
        let said = Said::Numbers(numbers.to_vec());
        let written = self.writers().get_mut(&to).map(|stream| said.write(stream));
        if matches!(written, Some(Ok(()))) {
            return Ok(());
        }
        // Why a write failed is what the connection's reader finds out, behind what is still coming.
        let wait = |state: &mut ConnectionState| state.failure.is_none();
        drop(self.changed.wait_timeout_while(self.state(), GOODBYE, wait));
        self.fail(to, ENDED);
        self.check()
    }

    /// Takes numbers from a rank.
    pub fn receive(&self, from: u32) -> Result<Vec<u64>> {
        let waits = |state: &mut ConnectionState| {
            let has_come = state.incoming.get(&from).is_some_and(|queue| !queue.is_empty());
            state.failure.is_none() && !has_come && !state.done.contains(&from)
        };
        let waited = self.changed.wait_while(self.state(), waits);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if let Some(numbers) = state.incoming.get_mut(&from).and_then(VecDeque::pop_front) {
            return Ok(numbers);
        }
        drop(state);
        self.check()?;
        let why = format!("it was done before this rank: {SAME}");
        self.fail(from, &why);
        Err(of_rank(from, why))
    }

    /// Says to all that this rank is done, and waits until they are.
    pub fn finish(&self) {
        self.state().finished = true;
        self.tell(&Said::Done);
        let others = self.writers().len();
        let wait = |state: &mut ConnectionState| state.done.len() < others;
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
        for stream in self.writers().values_mut() {
            // Who is gone need not hear it.
            let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
            let _ = said.write(stream);
        }
    }

    /// Closes all connections; the threads that read them end.
    pub fn close(&self) {
        for stream in self.writers().values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// The message on a rank that went without a word.
const ENDED: &str =
    "it ended before the count was done (its connection is closed): see what it said last";

/// The message on a connection that is no rank's.
const NOT_OURS: &str = "it sent what is no message of tribin's";

/// Makes a stream ready for work: reads and writes of it wait as long as it takes.
fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    watch(stream)
}

/// Asks the system to tell of a host that is gone, within nine seconds. One that is merely slow answers: its system
/// does, whatever its programs are busy with.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "systems differ"))]
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
    Ok(())
}
