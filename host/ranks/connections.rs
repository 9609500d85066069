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

use super::frame::{self, AT_WORK, Frame, Kind};
use crate::{Cancel, Error, Message, Result, memory};

/// How long the reader of a connection has to say why a write to it failed.
const REASON: Duration = Duration::from_secs(5);

/// How long a rank that is done waits for the others to be.
const GOODBYE: Duration = Duration::from_secs(5);

/// All that the threads of a rank share.
pub(super) struct Connections {
    pub rank: u32,
    pub ranks: u32,
    state: Mutex<State>,
    changed: Condvar,
    writers: Vec<OnceLock<Mutex<TcpStream>>>,
    cancel: Cancel,
}

struct State {
    incoming: Vec<VecDeque<Frame>>,
    /// Whether the rank has said that it is done.
    done: Vec<bool>,
    /// Whether this rank is.
    finished: bool,
    failure: Option<(u32, String)>,
}

impl Connections {
    /// A rank without a connection yet; `cancel` is cancelled where the job fails.
    pub fn new(rank: u32, ranks: u32, cancel: Cancel) -> Arc<Connections> {
        let count = ranks as usize;
        Arc::new(Connections {
            rank,
            ranks,
            state: Mutex::new(State {
                incoming: std::iter::repeat_with(VecDeque::new).take(count).collect(),
                done: vec![false; count],
                finished: false,
                failure: None,
            }),
            changed: Condvar::new(),
            writers: std::iter::repeat_with(OnceLock::new).take(count).collect(),
            cancel,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The token that is cancelled where the job fails.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether there is a connection to a rank.
    pub fn is_attached(&self, rank: u32) -> bool {
        self.writers[rank as usize].get().is_some()
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
            match Frame::read(&mut stream, AT_WORK) {
                Ok(Some(frame)) => match frame.kind {
                    Kind::Done => {
                        self.state().done[from as usize] = true;
                        self.changed.notify_all();
                        return;
                    }
                    Kind::Failed => {
                        let culprit = u32::try_from(frame.number).unwrap_or(from);
                        return self.fail(culprit, &frame.text());
                    }
                    _ => {
                        self.state().incoming[from as usize].push_back(frame);
                        self.changed.notify_all();
                    }
                },
                Ok(None) => return self.fail(from, ENDED),
                Err(error) => {
                    let why = match error.kind() {
                        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
                            ENDED.to_owned()
                        }
                        io::ErrorKind::InvalidData => {
                            "it sent what is no frame of tribin's".to_owned()
                        }
                        _ => format!("its connection failed: {error}"),
                    };
                    return self.fail(from, &why);
                }
            }
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
        Error::Rank { rank, message: Message::from(why) }
    }

    /// Sends a message to a rank.
    pub fn send(&self, to: u32, number: u64, message: &[u8]) -> Result<()> {
        self.check()?;
        let Some(writer) = self.writers[to as usize].get() else {
            return Err(self.error(to, "there is no connection to it".to_owned()));
        };
        let mut stream = writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut contents = message.chunks(frame::PART).peekable();
        loop {
            let content = contents.next().unwrap_or_default();
            let kind = if contents.peek().is_some() { Kind::Part } else { Kind::Last };
            if frame::write(&mut *stream, kind, number, content).is_err() {
                drop(stream);
                return Err(self.reason(to));
            }
            if kind == Kind::Last {
                return Ok(());
            }
        }
    }

    /// Why a write failed: what the connection's reader finds out, which may lie behind a part that is still
    /// coming.
    fn reason(&self, to: u32) -> Error {
        let wait = |state: &mut State| state.failure.is_none();
        let waited = self.changed.wait_timeout_while(self.state(), REASON, wait);
        drop(waited);
        self.fail(to, ENDED);
        self.check().err().unwrap_or_else(|| self.error(to, ENDED.to_owned()))
    }

    /// Takes a message from a rank.
    pub fn receive(&self, from: u32, number: u64) -> Result<Vec<u8>> {
        let rank = from as usize;
        let mut message = Vec::new();
        loop {
            let waits = |state: &mut State| {
                state.failure.is_none() && state.incoming[rank].is_empty() && !state.done[rank]
            };
            let waited = self.changed.wait_while(self.state(), waits);
            let frame = waited.unwrap_or_else(PoisonError::into_inner).incoming[rank].pop_front();
            let why = match &frame {
                Some(frame) if frame.number == number => None,
                Some(_) => Some("it is at another step than this rank"),
                None => Some("it was done before this rank"),
            };
            if let Some(why) = why {
                self.check()?;
                self.fail(from, &format!("{why}: all ranks take the same command and files"));
                self.check()?;
            }
            let Some(frame) = frame else { continue };
            memory::reserve(&mut message, frame.content.len())?;
            message.extend_from_slice(&frame.content);
            if frame.kind == Kind::Last {
                return Ok(message);
            }
        }
    }

    /// Says to all that this rank is done, and waits until they are.
    pub fn finish(&self) {
        self.state().finished = true;
        let done = Frame { kind: Kind::Done, number: 0, content: Vec::new() };
        self.tell(&done);
        let others = || (0..self.ranks).filter(|&rank| self.is_attached(rank));
        let wait = |state: &mut State| others().any(|rank| !state.done[rank as usize]);
        drop(self.changed.wait_timeout_while(self.state(), GOODBYE, wait));
    }

    /// Says to all that the job cannot go on.
    pub fn tell_failure(&self) {
        let failure = self.state().failure.clone();
        if let Some((rank, why)) = failure {
            self.tell(&Frame::with_text(Kind::Failed, rank.into(), &why));
        }
    }

    /// Sends a frame to all that are there.
    fn tell(&self, frame: &Frame) {
        for writer in self.writers.iter().filter_map(OnceLock::get) {
            let mut stream = writer.lock().unwrap_or_else(PoisonError::into_inner);
            // Who is gone need not hear it.
            let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
            let _ = frame.write(&mut *stream);
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
