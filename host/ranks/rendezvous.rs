//! How ranks find each other: rank 0 listens where the launcher said, the others come, and learn where all listen.
//! Then each connects to those before it.

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

/// Connects a rank to all others. `listener` is where rank 0 listens, if it does so already.
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
        _ => come(connections, environment, until),
    }
}

/// Rank 0: waits for all, and tells them where the others are.
fn gather(
    connections: &Arc<Connections>,
    environment: &Environment,
    listener: TcpListener,
    until: Instant,
) -> Result<()> {
    let mut door = Door::new(connections, environment, listener)?;
    let mut places = vec![None; environment.ranks as usize];
    let mut streams: Vec<(u32, TcpStream)> = Vec::new();
    let mut missing: Vec<u32> = (1..environment.ranks).collect();
    while !missing.is_empty() {
        if let Err(error) = leave(&mut streams).and_then(|()| connections.check()) {
            refuse_all(&mut streams, &error);
            return Err(error);
        }
        let Some((hello, stream)) = door.next(&missing, until).inspect_err(|error| {
            refuse_all(&mut streams, error);
        })?
        else {
            continue;
        };
        let from = stream.peer_addr().map_err(|error| gone(hello.rank, &error))?;
        places[hello.rank as usize] = Some(SocketAddr::new(from.ip(), hello.port));
        missing.retain(|&rank| rank != hello.rank);
        streams.push((hello.rank, stream));
    }
    drop(door);
    for (rank, stream) in &mut streams {
        let own = stream.local_addr().map_err(|error| gone(*rank, &error))?.ip();
        let to = stream.peer_addr().map_err(|error| gone(*rank, &error))?.ip();
        // What is on this host is there for the others too, under the name that this host has for them.
        let seen = |place: &SocketAddr| match place.ip().is_loopback() && !to.is_loopback() {
            true => SocketAddr::new(own, place.port()),
            false => *place,
        };
        let text: Vec<String> =
            places.iter().flatten().map(|place| seen(place).to_string()).collect();
        let frame =
            Frame { kind: Kind::Addresses, number: 0, content: text.join("\n").into_bytes() };
        frame.write(stream).map_err(|error| gone(*rank, &error))?;
    }
    streams.into_iter().try_for_each(|(rank, stream)| connections.attach(rank, stream))
}

/// Tells the ranks that wait why the job does not begin.
fn refuse_all(streams: &mut [(u32, TcpStream)], error: &Error) {
    let Error::Rank { rank, message } = error else { return };
    for (_, stream) in streams {
        let _ = Frame::with_text(Kind::Failed, (*rank).into(), message.problem()).write(stream);
    }
}

/// Notices ranks that ended while they waited for others.
fn leave(streams: &mut [(u32, TcpStream)]) -> Result<()> {
    for (rank, stream) in streams {
        let look = |stream: &TcpStream| {
            stream.set_nonblocking(true)?;
            let looked = stream.peek(&mut [0]);
            stream.set_nonblocking(false)?;
            looked
        };
        match look(stream) {
            // Nobody has anything to say yet.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(_) => return Err(early(*rank)),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {
                return Err(early(*rank));
            }
            Err(error) => return Err(gone(*rank, &error)),
        }
    }
    Ok(())
}

/// Every other rank: goes to rank 0, learns where the others are, goes to those before it and waits for those
/// behind it.
fn come(connections: &Arc<Connections>, environment: &Environment, until: Instant) -> Result<()> {
    let (me, ranks) = (environment.rank, environment.ranks);
    let own = |why: String| Error::Rank { rank: me, message: why.into() };
    let hello = |port| Hello::new(&environment.token, me, ranks, port);
    let mut mine = None;
    let to_first = || -> io::Result<(TcpStream, u16)> {
        let stream = connect(&environment.host, environment.port, until)?;
        let ip = stream.local_addr()?.ip();
        let listener = match mine.take() {
            Some(listener) => listener,
            None => TcpListener::bind((near(ip, &environment.host), 0))?,
        };
        let port = listener.local_addr()?.port();
        mine = Some(listener);
        Ok((stream, port))
    };
    let mut first = call(connections, to_first, hello, (0, &environment.address()), until)?;
    first.set_read_timeout(Some(left(until))).map_err(|error| gone(0, &error))?;
    let answer = Frame::read(&mut first, &[Kind::Addresses, Kind::Failed]);
    let addresses = match answer {
        Ok(Some(frame)) if frame.kind == Kind::Failed => {
            let rank = u32::try_from(frame.number).unwrap_or(0);
            return Err(Error::Rank { rank, message: frame.text().into() });
        }
        Ok(Some(frame)) => frame.text(),
        Err(error) if is_timeout(&error) && left(until) <= PAUSE => {
            let waited = environment.wait.as_secs();
            return Err(own(format!(
                "not all {ranks} ranks have come within {waited} seconds (TRIBIN_WAIT): see which is missing in what \
                 rank 0 says"
            )));
        }
        Err(error) if is_timeout(&error) => return Err(gone(0, &error)),
        Ok(None) | Err(_) => return Err(early(0)),
    };
    let places: Option<Vec<SocketAddr>> = addresses.lines().map(|line| line.parse().ok()).collect();
    let Some(places) = places.filter(|places| places.len() + 1 == ranks as usize) else {
        return Err(Error::Rank { rank: 0, message: "it sent no list of addresses".into() });
    };
    connections.attach(0, first)?;
    for other in 1..me {
        let place = places[other as usize - 1];
        let to_other = || Ok((TcpStream::connect_timeout(&place, left(until))?, 0));
        let stream = call(connections, to_other, hello, (other, &place.to_string()), until)?;
        connections.attach(other, stream)?;
    }
    let Some(listener) = mine else { return Err(own("it has nowhere to listen".to_owned())) };
    let mut door = Door::new(connections, environment, listener)?;
    let mut missing: Vec<u32> = (me + 1..ranks).collect();
    while !missing.is_empty() {
        connections.check()?;
        if let Some((hello, stream)) = door.next(&missing, until)? {
            missing.retain(|&rank| rank != hello.rank);
            connections.attach(hello.rank, stream)?;
        }
    }
    Ok(())
}

/// Calls a rank until it answers, and returns the connection once it has accepted the greeting. `connect` makes a
/// connection, and the port where this rank listens.
fn call(
    connections: &Connections,
    mut connect: impl FnMut() -> io::Result<(TcpStream, u16)>,
    hello: impl Fn(u16) -> Hello,
    (to, address): (u32, &str),
    until: Instant,
) -> Result<TcpStream> {
    let mut greet = || -> io::Result<(TcpStream, Option<Frame>)> {
        let (mut stream, port) = connect()?;
        watch(&stream)?;
        let content = hello(port).to_bytes();
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
        // Another rank may have failed meanwhile, and this one with it.
        connections.check()?;
        let why = match greet() {
            Ok((stream, Some(Frame { kind: Kind::Accepted, .. }))) => return Ok(stream),
            Ok((_, Some(refused))) => {
                let message = format!("it refused rank {}: {}", hello(0).rank, refused.text());
                return Err(Error::Rank { rank: to, message: message.into() });
            }
            Ok((_, None)) => "it closed the connection".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let message = format!(
                    "another program listens at {address}: give the job a free port with MASTER_PORT or TRIBIN_PORT"
                );
                return Err(Error::Rank { rank: to, message: message.into() });
            }
            Err(error) => error.to_string(),
        };
        if left(until) <= PAUSE {
            let message = format!(
                "it does not answer at {address} ({why}): see whether it was started, and whether the host and the \
                 port are right"
            );
            return Err(Error::Rank { rank: to, message: message.into() });
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

/// Who comes to a rank.
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
    fn next(&mut self, missing: &[u32], until: Instant) -> Result<Option<(Hello, TcpStream)>> {
        let Environment { rank: me, ranks, wait, .. } = *self.environment;
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
            Some(format!("it is tribin {}, and rank {me} is tribin {own_version}", hello.version))
        } else if hello.ranks != ranks {
            Some(format!(
                "it was told that there are {} ranks, and rank {me} that there are {ranks}: WORLD_SIZE is the same \
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
            self.connections.tell_failure();
            return self.connections.check().map(|()| None);
        }
        let accepted = Frame { kind: Kind::Accepted, number: 0, content: Vec::new() };
        Ok(accepted.write(&mut stream).is_ok().then_some((hello, stream)))
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

/// A rank that went while others were waited for.
fn early(rank: u32) -> Error {
    let why = "it ended before all ranks had come: see what it said last";
    Error::Rank { rank, message: why.into() }
}

fn gone(rank: u32, error: &io::Error) -> Error {
    Error::Rank { rank, message: format!("its connection failed: {error}").into() }
}
