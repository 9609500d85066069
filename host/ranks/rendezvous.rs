//! How ranks find each other: rank 0 listens where the launcher said, and the others come.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::connections::{Connections, watch};
use super::environment::{Environment, is_loopback};
use super::said::{Hello, SHORT, Said};
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
    if environment.rank > 0 {
        return connections.attach(0, call(environment, until)?);
    }
    let listener = listener.map_or_else(|| listen(connections, environment), Ok)?;
    gather(connections, environment, &listener, until)
}

/// Rank 0: waits for all. A caller without the job's token is sent away.
fn gather(
    connections: &Arc<Connections>,
    environment: &Environment,
    listener: &TcpListener,
    until: Instant,
) -> Result<()> {
    listener.set_nonblocking(true).map_err(|error| gone(0, &error))?;
    let (sender, greetings) = channel();
    let mut callers = 0;
    let mut missing: Vec<u32> = (1..environment.ranks).collect();
    while !missing.is_empty() {
        // One that was there may have ended.
        connections.check()?;
        if left(until) <= Duration::from_millis(1) {
            return Err(none_came(environment, &missing));
        }
        while callers < CALLERS {
            let Ok((stream, _)) = listener.accept() else { break };
            let sender = sender.clone();
            let greet = move || drop(sender.send(greeting(stream)));
            // Where no thread can be started, the caller calls again.
            callers += usize::from(std::thread::Builder::new().spawn(greet).is_ok());
        }
        let Ok(greeting) = greetings.recv_timeout(PAUSE.min(left(until))) else { continue };
        callers -= 1;
        let Some((hello, mut stream)) = greeting else { continue };
        let answer = answer(environment, &hello, &missing);
        let is_told = answer.write(&mut stream).is_ok();
        match answer {
            Said::Accepted if is_told => {
                missing.retain(|&rank| rank != hello.rank);
                connections.attach(hello.rank, stream)?;
            }
            // It belongs to the job, which cannot go on like this.
            Said::Refused(why) if why != WRONG_TOKEN => connections.fail(hello.rank, &why),
            _ => {}
        }
    }
    Ok(())
}

/// What is said to a caller without the job's token.
const WRONG_TOKEN: &str =
    "its token is another one: set TRIBIN_TOKEN to the same text for all ranks";

/// Whether a caller is let in, and if not, why.
fn answer(environment: &Environment, hello: &Hello, missing: &[u32]) -> Said {
    let (version, ranks) = (env!("CARGO_PKG_VERSION"), environment.ranks);
    Said::Refused(if !environment.token.is(hello.token.as_bytes()) {
        tracing::warn!("a caller was refused: it has another token");
        WRONG_TOKEN.to_owned()
    } else if hello.version != version {
        format!("it is tribin {}, and rank 0 is tribin {version}", hello.version)
    } else if hello.ranks != ranks {
        format!(
            "it was told that there are {} ranks, and rank 0 that there are {ranks}: WORLD_SIZE is the same for all",
            hello.ranks
        )
    } else if !missing.contains(&hello.rank) {
        format!("two processes say that they are rank {}: RANK is another one for each", hello.rank)
    } else {
        return Said::Accepted;
    })
}

/// The error where ranks did not come.
fn none_came(environment: &Environment, missing: &[u32]) -> Error {
    let some: Vec<String> = missing.iter().take(8).map(u32::to_string).collect();
    let more = if missing.len() > 8 { ", …" } else { "" };
    let message = format!(
        "it did not come within {} seconds (TRIBIN_WAIT); missing of {} ranks: {}{more}",
        environment.wait.as_secs(),
        environment.ranks,
        some.join(", ")
    );
    Error::Rank { rank: missing[0], message: message.into() }
}

/// Reads what a caller says first; `None` where it is no greeting.
fn greeting(stream: TcpStream) -> Option<(Hello, TcpStream)> {
    stream.set_nonblocking(false).ok()?;
    stream.set_write_timeout(Some(GREETING)).ok()?;
    watch(&stream).ok()?;
    let until = Instant::now() + GREETING;
    match Said::read(&mut Until { stream: &stream, until }, SHORT).ok()?? {
        Said::Hello(hello) => Some((hello, stream)),
        _ => None,
    }
}

/// A stream that is read up to a time, however slowly its bytes come.
struct Until<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl io::Read for Until<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(left(self.until)))?;
        let mut stream = self.stream;
        stream.read(to)
    }
}

/// Calls rank 0 until it answers, and returns the connection once it has accepted the greeting.
fn call(environment: &Environment, until: Instant) -> Result<TcpStream> {
    let Environment { rank, ranks, host, port, token, .. } = environment;
    let of_first = |message: String| Err(Error::Rank { rank: 0, message: message.into() });
    let address = environment.address();
    let (version, token) = (env!("CARGO_PKG_VERSION").to_owned(), token.text().to_owned());
    let hello = Said::Hello(Hello { version, token, rank: *rank, ranks: *ranks });
    let greet = || -> io::Result<(TcpStream, Option<Said>)> {
        let mut stream = connect(host, *port, until)?;
        watch(&stream)?;
        hello.write(&mut stream)?;
        // Whoever is slow is waited for: a greeting is given once.
        stream.set_read_timeout(Some(left(until)))?;
        let answer = Said::read(&mut stream, SHORT)?;
        Ok((stream, answer))
    };
    loop {
        let why = match greet() {
            Ok((stream, Some(Said::Accepted))) => return Ok(stream),
            Ok((_, Some(Said::Refused(why)))) => {
                return of_first(format!("it refused rank {rank}: {why}"));
            }
            Ok((_, None)) => "it closed the connection".to_owned(),
            Err(error) if error.kind() != io::ErrorKind::InvalidData => error.to_string(),
            _ => {
                return of_first(format!(
                    "another program listens at {address}: give the job a free port with MASTER_PORT or TRIBIN_PORT"
                ));
            }
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

fn gone(rank: u32, error: &io::Error) -> Error {
    Error::Rank { rank, message: format!("its connection failed: {error}").into() }
}
