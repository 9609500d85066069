//! How ranks find each other: rank 0 listens where the launcher said, and the others come.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use super::connections::{Connections, watch};
use super::environment::{Environment, is_loopback};
use super::frame::{Frame, Kind};
use super::hello::Hello;
use crate::{Error, Result};

/// How long a caller has for its greeting: who is slower calls again.
const GREETING: Duration = Duration::from_secs(10);

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Callers that may be at their greetings at a time. Others wait in the system's queue.
const CALLERS: usize = 64;

/// Connects a rank to rank 0, and rank 0 to all others. `listener` is where rank 0 listens, if it does so already.
pub(super) fn meet(
    connections: &Arc<Connections>,
    environment: &Environment,
    listener: Option<TcpListener>,
) -> Result<()> {
    let until = Instant::now() + environment.wait;
    match environment.rank {
        0 => {
            let listener = match listener {
                Some(listener) => listener,
                None => listen(connections, environment)?,
            };
            gather(connections, environment, listener, until)
        }
        _ => connections.attach(0, call(connections, environment, until)?),
    }
}

/// Rank 0: waits for all.
fn gather(
    connections: &Arc<Connections>,
    environment: &Environment,
    listener: TcpListener,
    until: Instant,
) -> Result<()> {
    let mut door = Door::new(connections, environment, listener)?;
    let mut missing: Vec<u32> = (1..environment.ranks).collect();
    while !missing.is_empty() {
        // One that was there may have ended.
        connections.check()?;
        if let Some((rank, stream)) = door.next(&missing, until)? {
            missing.retain(|&other| other != rank);
            connections.attach(rank, stream)?;
        }
    }
    Ok(())
}

/// Calls rank 0 until it answers, and returns the connection once it has accepted the greeting.
fn call(connections: &Connections, environment: &Environment, until: Instant) -> Result<TcpStream> {
    let Environment { rank, ranks, host, port, token, .. } = environment;
    let of_first = |message: String| Err(Error::Rank { rank: 0, message: message.into() });
    let address = environment.address();
    let greet = || -> io::Result<(TcpStream, Option<Frame>)> {
        let mut stream = connect(host, *port, until)?;
        watch(&stream)?;
        let content = Hello::new(token, *rank, *ranks).to_bytes();
        Frame { kind: Kind::Hello, number: 0, content }.write(&mut stream)?;
        // Whoever is slow is waited for: a greeting is given once.
        while !has_answer(&stream)? {
            if connections.check().is_err() || left(until) <= PAUSE {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        stream.set_read_timeout(Some(GREETING))?;
        let answer = Frame::read(&mut stream, &[Kind::Accepted, Kind::Refused])?;
        Ok((stream, answer))
    };
    loop {
        let why = match greet() {
            Ok((stream, Some(Frame { kind: Kind::Accepted, .. }))) => return Ok(stream),
            Ok((_, Some(refused))) => {
                return of_first(format!("it refused rank {rank}: {}", refused.text()));
            }
            Ok((_, None)) => "it closed the connection".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return of_first(format!(
                    "another program listens at {address}: give the job a free port with MASTER_PORT or TRIBIN_PORT"
                ));
            }
            Err(error) => error.to_string(),
        };
        if left(until) <= PAUSE {
            return of_first(format!(
                "it does not answer at {address} ({why}): see whether it was started, and whether the host and the \
                 port are right"
            ));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Whether a connection has something to read, or is at its end, within a moment.
fn has_answer(stream: &TcpStream) -> io::Result<bool> {
    stream.set_read_timeout(Some(10 * PAUSE))?;
    match stream.peek(&mut [0]) {
        Ok(_) => Ok(true),
        Err(error) if is_timeout(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Who comes to rank 0.
struct Door<'a> {
    connections: &'a Connections,
    environment: &'a Environment,
    listener: TcpListener,
    callers: usize,
    greetings: (Sender<Greeting>, Receiver<Greeting>),
}

/// A caller and its greeting; `None` where it was none.
type Greeting = Option<(Hello, TcpStream)>;

impl<'a> Door<'a> {
    fn new(
        connections: &'a Connections,
        environment: &'a Environment,
        listener: TcpListener,
    ) -> Result<Door<'a>> {
        listener.set_nonblocking(true).map_err(|error| gone(environment.rank, &error))?;
        Ok(Door { connections, environment, listener, callers: 0, greetings: channel() })
    }

    /// The next rank that comes, of those that are missing; `None` where none came for a moment. Who has not the
    /// job's token is sent away.
    fn next(&mut self, missing: &[u32], until: Instant) -> Result<Option<(u32, TcpStream)>> {
        let Environment { ranks, wait, .. } = *self.environment;
        if left(until) <= Duration::from_millis(1) {
            let named = |rank: &u32| rank.to_string();
            let some: Vec<String> = missing.iter().take(8).map(named).collect();
            let more = if missing.len() > 8 { ", …" } else { "" };
            let message = format!(
                "it did not come within {} seconds (TRIBIN_WAIT); missing of {ranks} ranks: {}{more}",
                wait.as_secs(),
                some.join(", ")
            );
            return Err(Error::Rank { rank: missing[0], message: message.into() });
        }
        while self.callers < CALLERS {
            let Ok((stream, _)) = self.listener.accept() else { break };
            let greetings = self.greetings.0.clone();
            let greet = move || drop(greetings.send(greeting(stream)));
            // Where no thread can be started, the caller calls again.
            self.callers += usize::from(std::thread::Builder::new().spawn(greet).is_ok());
        }
        let Ok(greeting) = self.greetings.1.recv_timeout(PAUSE.min(left(until))) else {
            return Ok(None);
        };
        self.callers -= 1;
        let Some((hello, mut stream)) = greeting else { return Ok(None) };
        let from = stream.peer_addr().map_or_else(|_| "?".to_owned(), |from| from.to_string());
        if !self.environment.token.is(&hello.token) {
            tracing::warn!("a caller from {from} was refused: it has another token");
            let why = "its token is another one: set TRIBIN_TOKEN to the same text for all ranks";
            let _ = Frame::with_text(Kind::Refused, 0, why).write(&mut stream);
            return Ok(None);
        }
        let own_version = env!("CARGO_PKG_VERSION");
        let wrong = if hello.version != own_version {
            Some(format!("it is tribin {}, and rank 0 is tribin {own_version}", hello.version))
        } else if hello.ranks != ranks {
            Some(format!(
                "it was told that there are {} ranks, and rank 0 that there are {ranks}: WORLD_SIZE is the same \
                 for all",
                hello.ranks
            ))
        } else if !missing.contains(&hello.rank) {
            Some(format!(
                "two processes say that they are rank {}: RANK is another one for each",
                hello.rank
            ))
        } else {
            None
        };
        if let Some(why) = wrong {
            let _ = Frame::with_text(Kind::Refused, 0, &why).write(&mut stream);
            // It belongs to the job, which cannot go on like this.
            self.connections.fail(hello.rank, &why);
            return self.connections.check().map(|()| None);
        }
        let accepted = Frame { kind: Kind::Accepted, number: 0, content: Vec::new() };
        Ok(accepted.write(&mut stream).is_ok().then_some((hello.rank, stream)))
    }
}

/// Reads the first frame of a caller.
fn greeting(stream: TcpStream) -> Greeting {
    stream.set_nonblocking(false).ok()?;
    stream.set_read_timeout(Some(GREETING)).ok()?;
    stream.set_write_timeout(Some(GREETING)).ok()?;
    watch(&stream).ok()?;
    let frame = Frame::read(&mut Until::new(&stream, GREETING), &[Kind::Hello]).ok()??;
    let hello = Hello::from_bytes(&frame.content)?;
    stream.set_nodelay(true).ok()?;
    Some((hello, stream))
}

/// A stream that is read up to a time, however slowly its bytes come.
struct Until<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Until<'_> {
    fn new(stream: &TcpStream, time: Duration) -> Until<'_> {
        Until { stream, until: Instant::now() + time }
    }
}

impl io::Read for Until<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(left(self.until)))?;
        let mut stream = self.stream;
        stream.read(to)
    }
}

/// Where rank 0 listens.
fn listen(connections: &Connections, environment: &Environment) -> Result<TcpListener> {
    let Environment { host, port, .. } = environment;
    let failed = |error: io::Error| {
        let why = format!(
            "it cannot listen at {}: {error}: give the job a free port of this host with MASTER_PORT or TRIBIN_PORT",
            environment.address()
        );
        connections.error(0, why)
    };
    if environment.ranks == 1 {
        return TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed);
    }
    let found: Vec<SocketAddr> =
        (host.as_str(), *port).to_socket_addrs().map_err(failed)?.collect();
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in &found {
        match TcpListener::bind((near(address.ip(), host), *port)) {
            Ok(listener) => return Ok(listener),
            Err(error) => last = error,
        }
    }
    // A name of this host that stands for none of its addresses, as of a service that leads to it.
    match (last.kind(), found.first()) {
        (io::ErrorKind::AddrNotAvailable, Some(address)) => {
            TcpListener::bind((any(address.ip()), *port)).map_err(failed)
        }
        _ => Err(failed(last)),
    }
}

/// The address to listen at for those who find this host at `ip`. A host's own name may stand for its loopback
/// address on itself alone.
fn near(ip: IpAddr, host: &str) -> IpAddr {
    if ip.is_loopback() && !is_loopback(host) { any(ip) } else { ip }
}

/// All addresses of this host, of the same kind.
fn any(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    }
}

/// Connects to a host by its name.
fn connect(host: &str, port: u16, until: Instant) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, GREETING.min(left(until))) {
            // Nobody listens there, and the system has given this connection the port that it looks for.
            Ok(stream) if stream.local_addr()? == address => {}
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The time that is left, never nothing: that would mean without a limit.
fn left(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn gone(rank: u32, error: &io::Error) -> Error {
    Error::Rank { rank, message: format!("its connection failed: {error}").into() }
}
