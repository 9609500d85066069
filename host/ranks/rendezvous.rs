//! How ranks find each other: rank 0 listens where the launcher said, and the others come.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::connections::{Connections, watch};
use super::environment::{Environment, is_loopback};
use super::said::{Hello, SHORT, Said};
use crate::{Error, Result, of_rank};

/// How long a caller has for its greeting: who is slower calls again.
const GREETING: Duration = Duration::from_secs(10);

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Callers that may be at their greetings at a time. Others wait in the system's queue.
const CALLERS: usize = 64;

/// Connects a rank to rank 0, and rank 0 to all others, sending away who lacks the job's token. `listener` is where rank 0
/// listens, if it does so already.
pub(super) fn meet(
    connections: &Arc<Connections>,
    environment: &Environment,
    listener: Option<TcpListener>,
) -> Result<()> {
    let until = Instant::now() + environment.wait;
    if environment.rank > 0 {
        return connections.attach(0, call(environment, until)?);
    }
    if environment.ranks == 1 {
        return Ok(());
    }
    let address = environment.address();
    let failed = |error| of_rank(0, format!("it cannot listen at {address}: {error}: {FREE_PORT}"));
    let listener = listener.map_or_else(|| listen(environment), Ok).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
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

/// What helps where the port is another program's.
const FREE_PORT: &str = "give the job a free port of its host with MASTER_PORT or TRIBIN_PORT";

/// The answer to a caller without the job's token.
const WRONG_TOKEN: &str =
    "its token is another one: set TRIBIN_TOKEN to the same text for all ranks";

/// Whether a caller is let in, and if not, why.
fn answer(environment: &Environment, hello: &Hello, missing: &[u32]) -> Said {
    let (version, ranks, told) = (env!("CARGO_PKG_VERSION"), environment.ranks, hello.ranks);
    Said::Refused(if !environment.token.is(hello.token.as_bytes()) {
        tracing::warn!("a caller was refused: it has another token");
        WRONG_TOKEN.to_owned()
    } else if hello.version != version {
        format!("it is tribin {}, and rank 0 is tribin {version}", hello.version)
    } else if told != ranks {
        format!(
            "it was told that there are {told} ranks, and rank 0 that there are {ranks}: WORLD_SIZE is the same for all"
        )
    } else if !missing.contains(&hello.rank) {
        format!("two processes say that they are rank {}: RANK is another one for each", hello.rank)
    } else {
        return Said::Accepted;
    })
}

/// The error where ranks did not come.
fn none_came(environment: &Environment, missing: &[u32]) -> Error {
    let (seconds, ranks) = (environment.wait.as_secs(), environment.ranks);
    let some: Vec<String> = missing.iter().take(8).map(u32::to_string).collect();
    let (some, more) = (some.join(", "), if missing.len() > 8 { ", …" } else { "" });
    let why = format!(
        "it did not come within {seconds} seconds (TRIBIN_WAIT); missing of {ranks} ranks: {some}{more}"
    );
    of_rank(missing[0], why)
}

/// Reads what a caller says first; `None` where it is no greeting.
fn greeting(stream: TcpStream) -> Option<(Hello, TcpStream)> {
    stream.set_nonblocking(false).ok()?;
    stream.set_write_timeout(Some(GREETING)).ok()?;
    let mut from = Until { stream: &stream, until: Instant::now() + GREETING };
    let Said::Hello(hello) = Said::read(&mut from, SHORT).ok()? else { return None };
    Some((hello, stream))
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
    let of_first = |why: String| Err(of_rank(0, why));
    let address = environment.address();
    let (version, token) = (env!("CARGO_PKG_VERSION").to_owned(), token.text().to_owned());
    let hello = Said::Hello(Hello { version, token, rank: *rank, ranks: *ranks });
    let greet = || -> io::Result<(TcpStream, Said)> {
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
            Ok((stream, Said::Accepted)) => return Ok(stream),
            Ok((_, Said::Refused(why))) => {
                return of_first(format!("it refused rank {rank}: {why}"));
            }
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                "it closed the connection".to_owned()
            }
            Err(error) if error.kind() != ErrorKind::InvalidData => error.to_string(),
            _ => return of_first(format!("another program listens at {address}: {FREE_PORT}")),
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
fn listen(environment: &Environment) -> io::Result<TcpListener> {
    let Environment { host, port, .. } = environment;
    let found: Vec<SocketAddr> = (host.as_str(), *port).to_socket_addrs()?.collect();
    // A host's own name may stand for its loopback address on itself alone.
    let near = |ip: IpAddr| if ip.is_loopback() && !is_loopback(host) { any(ip) } else { ip };
    let near: Vec<SocketAddr> = found.iter().map(|at| (near(at.ip()), *port).into()).collect();
    TcpListener::bind(&near[..]).or_else(|error| match (error.kind(), found.first()) {
        // A name of this host that stands for none of its addresses, as of a service that leads to it.
        (ErrorKind::AddrNotAvailable, Some(at)) => TcpListener::bind((any(at.ip()), *port)),
        _ => Err(error),
    })
}

/// All addresses of this host, of the same kind.
fn any(ip: IpAddr) -> IpAddr {
    if ip.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() }
}

/// Connects to a host by its name.
fn connect(host: &str, port: u16, until: Instant) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
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
