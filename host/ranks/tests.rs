//! Ranks as threads of one process.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use super::*;
use crate::said::{Hello, LONG, SHORT, Said};

/// The environment of a rank at a port.
fn environment(rank: u32, ranks: u32, port: u16, token: &str) -> Environment {
    let set = [
        ("RANK", rank.to_string()),
        ("WORLD_SIZE", ranks.to_string()),
        ("MASTER_ADDR", "127.0.0.1".to_owned()),
        ("MASTER_PORT", port.to_string()),
        ("TRIBIN_TOKEN", token.to_owned()),
    ];
    let get = |name: &str| {
        set.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
    };
    Environment::from_variables(get).unwrap()
}

fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// Runs something as every rank, each on a thread.
fn together<R: Send>(ranks: u32, run: impl Fn(Ranks) -> R + Sync) -> Vec<R> {
    let (listener, port) = listener();
    let mut listener = Some(listener);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..ranks)
            .map(|rank| {
                let listener = if rank == 0 { listener.take() } else { None };
                let run = &run;
                scope.spawn(move || {
                    let environment = environment(rank, ranks, port, "t");
                    run(Ranks::join_at(&environment, listener).unwrap())
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn every_exchange_brings_what_it_should() {
    for p in 1..=6u32 {
        together(p, |ranks| {
            let me = ranks.rank();
            assert_eq!(ranks.ranks(), p);
            for round in 0..5u32 {
                // Ranks that are slow in turns: their bytes arrive in another order.
                if (me + round).is_multiple_of(p) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                let len = |rank: u32| (rank * round) as usize * 40_000;
                let all = ranks.all_gather(&vec![me.into(); len(me)]).unwrap();
                let expected: Vec<Vec<u64>> =
                    (0..p).map(|rank| vec![rank.into(); len(rank)]).collect();
                assert_eq!(all, expected);
            }
            ranks.finish();
        });
    }
}

#[test]
fn a_rank_that_ends_is_named_by_all_others() {
    for silent in [true, false] {
        let errors = together(4, |ranks| {
            if ranks.rank() == 2 {
                // Until all others know that all have come.
                std::thread::sleep(Duration::from_millis(200));
                if !silent {
                    let error = Error::Input { file: "a.txt".into(), message: "it is bad".into() };
                    assert_eq!(ranks.fail(error).to_string(), "a.txt: it is bad");
                }
                return String::new();
            }
            let error = loop {
                if let Err(error) = ranks.all_gather(&[]) {
                    break ranks.fail(error);
                }
            };
            assert!(ranks.cancel().is_cancelled());
            error.to_string()
        });
        let expected = match silent {
            true => {
                "rank 2: it ended before the count was done (its connection is closed): see what it said last"
            }
            false => "rank 2: a.txt: it is bad",
        };
        for (rank, error) in errors.iter().enumerate().filter(|&(rank, _)| rank != 2) {
            assert_eq!(error, expected, "rank {rank}");
        }
    }
}

#[test]
fn a_rank_that_is_busy_hears_of_a_failure() {
    together(2, |ranks| match ranks.rank() {
        0 => {
            while !ranks.cancel().is_cancelled() {
                std::thread::yield_now();
            }
            assert!(matches!(ranks.fail(Error::Cancelled), Error::Rank { rank: 1, .. }));
        }
        _ => drop(ranks),
    });
}

/// What a rank says first.
fn hello(token: &str, rank: u32, ranks: u32) -> Said {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Said::Hello(Hello { version, token: token.to_owned(), rank, ranks })
}

/// Joins as rank 0 of two at a listener, with the others in threads of their own.
fn join_first(listener: TcpListener, port: u16) -> Result<Ranks> {
    Ranks::join_at(&environment(0, 2, port, "right"), Some(listener))
}

#[test]
fn callers_without_the_token_do_not_disturb_the_job() {
    let (listener, port) = listener();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| join_first(listener, port));
        // A caller that says nothing stays until the end.
        let silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
        for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0; 64], &[255; 4096], b"x"] {
            let mut caller = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let _ = caller.write_all(garbage);
        }
        let mut long = Vec::new();
        Said::Refused("x".repeat(SHORT as usize)).write(&mut long).unwrap();
        let mut caller = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let _ = caller.write_all(&long);
        let wrong = Ranks::join(&environment(1, 2, port, "wrong")).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "rank 0: it refused rank 1: its token is another one: set TRIBIN_TOKEN to the same text for all ranks"
        );
        let second = scope.spawn(move || {
            let second = Ranks::join(&environment(1, 2, port, "right")).unwrap();
            // Nobody listens any more.
            second.all_gather(&[]).unwrap();
            assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
            second.all_gather(&[]).unwrap();
            second.finish();
        });
        let first = first.join().unwrap().unwrap();
        first.all_gather(&[]).unwrap();
        first.all_gather(&[]).unwrap();
        first.finish();
        second.join().unwrap();
        drop(silent);
    });
}

#[test]
fn ranks_that_contradict_each_other_end_the_job() {
    let why = "it was told that there are 3 ranks, and rank 0 that there are 2: WORLD_SIZE is the same for all";
    let (listener, port) = listener();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| join_first(listener, port).unwrap_err().to_string());
        let other = Ranks::join(&environment(1, 3, port, "right")).unwrap_err();
        assert_eq!(first.join().unwrap(), format!("rank 1: {why}"));
        assert_eq!(other.to_string(), format!("rank 0: it refused rank 1: {why}"));
    });
}

#[test]
fn two_processes_with_one_number_end_the_job() {
    let (listener, port) = listener();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| Ranks::join_at(&environment(0, 3, port, "t"), Some(listener)));
        let twins = [(); 2].map(|()| scope.spawn(|| Ranks::join(&environment(1, 3, port, "t"))));
        let why = "two processes say that they are rank 1: RANK is another one for each";
        let error = first.join().unwrap().unwrap_err();
        assert_eq!(error.to_string(), format!("rank 1: {why}"));
        let mut told: Vec<String> =
            twins.map(|twin| twin.join().unwrap().unwrap_err().to_string()).into();
        told.sort();
        assert_eq!(told, [format!("rank 0: it refused rank 1: {why}"), format!("rank 1: {why}")]);
    });
}

#[test]
fn a_rank_that_does_not_come_is_named() {
    let (listener, port) = listener();
    let mut environment = environment(0, 3, port, "t");
    environment.wait = Duration::from_millis(200);
    let error = Ranks::join_at(&environment, Some(listener)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rank 1: it did not come within 0 seconds (TRIBIN_WAIT); missing of 3 ranks: 1, 2"
    );
}

#[test]
fn a_rank_that_ends_while_others_are_awaited_is_named() {
    let (listener, port) = listener();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| Ranks::join_at(&environment(0, 3, port, "t"), Some(listener)));
        let mut caller = TcpStream::connect(("127.0.0.1", port)).unwrap();
        hello("t", 1, 3).write(&mut caller).unwrap();
        assert_eq!(Said::read(&mut caller, LONG).unwrap(), Said::Accepted);
        drop(caller);
        let error = first.join().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "rank 1: it ended before the count was done (its connection is closed): see what it said last"
        );
    });
}

#[test]
fn what_is_no_frame_ends_the_job_and_names_its_sender() {
    let (listener, port) = listener();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| join_first(listener, port).unwrap_err());
        let mut caller = TcpStream::connect(("127.0.0.1", port)).unwrap();
        hello("right", 1, 2).write(&mut caller).unwrap();
        assert_eq!(Said::read(&mut caller, LONG).unwrap(), Said::Accepted);
        let _ = caller.write_all(&[9; 64]);
        let error = first.join().unwrap();
        assert_eq!(error.to_string(), "rank 1: it sent what is no message of tribin's");
    });
}

/// A rank that was still on its way to another one called it until its time was over.
#[test]
fn a_failure_while_ranks_still_meet_ends_all() {
    for _ in 0..10 {
        let (listener, port) = listener();
        let mut listener = Some(listener);
        let errors: Vec<String> = std::thread::scope(|scope| {
            let run = |rank: u32, listener: Option<TcpListener>| {
                let ranks = Ranks::join_at(&environment(rank, 5, port, "t"), listener)?;
                if rank == 0 {
                    return Err(ranks.fail(Error::Device("no GPU".into())));
                }
                ranks.all_gather(&[]).map_err(|error| ranks.fail(error))
            };
            let threads: Vec<_> = (0..5)
                .map(|rank| {
                    let listener = if rank == 0 { listener.take() } else { None };
                    scope.spawn(move || run(rank, listener).unwrap_err().to_string())
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(errors[0], "no GPU");
        assert!(errors[1..].iter().all(|error| error == "rank 0: no GPU"), "{errors:?}");
    }
}

/// Does to a connection what the loss of its host does: the system drops all that comes for this end, and answers nothing.
#[cfg(target_os = "linux")]
fn lose_host(stream: &TcpStream) {
    use std::os::fd::AsRawFd;
    // A packet filter of one instruction, which keeps no packet.
    let code = (libc::BPF_RET | libc::BPF_K) as u16;
    let mut filter = [libc::sock_filter { code, jt: 0, jf: 0, k: 0 }];
    let program = libc::sock_fprog { len: 1, filter: filter.as_mut_ptr() };
    let (option, size) = (libc::SO_ATTACH_FILTER, size_of_val(&program) as libc::socklen_t);
    let (fd, program) = (stream.as_raw_fd(), (&raw const program).cast());
    // SAFETY: the option takes a `sock_fprog`. It and its instructions outlive the call, which copies them.
    let set = unsafe { libc::setsockopt(fd, libc::SOL_SOCKET, option, program, size) };
    assert_eq!(set, 0, "{}", std::io::Error::last_os_error());
}

/// Rank 1 of a job, with a rank 0 that has let it in and has said nothing since.
#[cfg(target_os = "linux")]
fn beside_silent_first() -> (std::sync::mpsc::Receiver<Result<Ranks>>, TcpStream) {
    let (listener, port) = listener();
    let (sender, joined) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(Ranks::join(&environment(1, 2, port, "t"))));
    let (mut first, _) = listener.accept().unwrap();
    assert!(matches!(Said::read(&mut first, SHORT).unwrap(), Said::Hello(_)));
    Said::Accepted.write(&mut first).unwrap();
    (joined, first)
}

/// What the system reports of a host that is gone. How long it takes is a matter of its clock, and not of how busy it is;
/// the limit is for a system that never tells.
#[test]
#[cfg(target_os = "linux")]
fn a_rank_whose_host_is_gone_is_named_and_a_slow_one_is_waited_for() {
    const LIMIT: Duration = Duration::from_secs(120);
    let (slow, mut slow_first) = beside_silent_first();
    let (lost, lost_first) = beside_silent_first();
    lose_host(&lost_first);

    let (listener, port) = listener();
    let (sender, first) = std::sync::mpsc::channel();
    let environment = environment(0, 3, port, "t");
    std::thread::spawn(move || sender.send(Ranks::join_at(&environment, Some(listener))));
    let [gone, mut other] = [1, 2].map(|rank| {
        let mut caller = TcpStream::connect(("127.0.0.1", port)).unwrap();
        hello("t", rank, 3).write(&mut caller).unwrap();
        assert_eq!(Said::read(&mut caller, LONG).unwrap(), Said::Accepted);
        caller
    });
    lose_host(&gone);

    let why = "its connection failed: Connection timed out (os error 110)";
    let error = first.recv_timeout(LIMIT).unwrap().unwrap_err();
    assert_eq!(error.to_string(), format!("rank 1: {why}"));
    assert_eq!(Said::read(&mut other, LONG).unwrap(), Said::Failed(1, why.to_owned()));
    let error = lost.recv_timeout(LIMIT).unwrap().unwrap_err();
    assert_eq!(error.to_string(), format!("rank 0: {why}"));

    // This one was silent as long, and its system answered.
    for _ in 0..2 {
        Said::Numbers(Vec::new()).write(&mut slow_first).unwrap();
    }
    slow.recv_timeout(LIMIT).unwrap().unwrap();
}
