//! Ranks that die or fail: each other ends with one line that names the culprit. (host/ranks/tests.rs has ranks that contradict each
//! other or do not belong.)

use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Output};

use tribin::ranks::{Environment, Ranks};

use super::job::{at_a_port, end, only_line, rank, report, run, run_with};

/// A triangle in a folder.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.txt"), "0 1\n1 2\n2 0\n").unwrap();
    folder
}

/// A rank of a job in this process, which does nothing after it has joined: the others wait for it, in the middle of
/// the count.
fn silent_rank(number: u32, ranks: u32, port: u16) -> tribin::Result<Ranks> {
    let set = [
        ("RANK", number.to_string()),
        ("WORLD_SIZE", ranks.to_string()),
        ("MASTER_ADDR", "127.0.0.1".to_owned()),
        ("MASTER_PORT", port.to_string()),
    ];
    let get = |name: &str| {
        set.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
    };
    Ranks::join(&Environment::from_variables(get)?)
}

#[test]
fn a_rank_that_is_killed_is_named_by_all_others() {
    let folder = folder();
    let outputs = at_a_port(|port| {
        let start = |number| rank(folder.path(), number, 4, port).arg("g.txt").spawn().unwrap();
        let mut children: Vec<Child> = (0..3).map(start).collect();
        let held = silent_rank(3, 4, port);
        // All have come, and wait for what rank 3 has read.
        if let Ok(held) = held {
            assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "somebody still listens");
            children[2].kill().unwrap();
            while !held.cancel().is_cancelled() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            let error = held.fail(tribin::Error::Cancelled).to_string();
            assert!(error.starts_with("rank 2: it ended before the count was done"), "{error}");
        }
        children.into_iter().map(end).collect()
    });
    for output in &outputs[..2] {
        let line = only_line(output);
        assert!(line.contains("rank 2: it ended before the count was done"), "{line}");
    }
    assert!(!outputs[2].status.success());
}

/// The others call the first rank until it listens.
#[test]
fn the_first_rank_may_come_last() {
    let folder = folder();
    let outputs = at_a_port(|port| {
        let start = |number| rank(folder.path(), number, 3, port).arg("g.txt").spawn().unwrap();
        let [last, second] = [2, 1].map(start);
        std::thread::sleep(std::time::Duration::from_millis(100));
        [start(0), second, last].map(end).into()
    });
    assert!(report(&outputs).contains("  triangles     1\n"));
}

#[test]
fn a_first_rank_that_does_not_come_is_named() {
    let folder = folder();
    let outputs = at_a_port(|port| {
        let mut command = rank(folder.path(), 1, 2, port);
        vec![end(command.env("TRIBIN_WAIT", "1").arg("g.txt").spawn().unwrap())]
    });
    let line = only_line(&outputs[0]);
    assert!(line.contains("rank 0: it does not answer at 127.0.0.1:"), "{line}");
}

#[test]
fn a_port_in_use_is_said() {
    let folder = folder();
    let held = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = held.local_addr().unwrap().port();
    let output = end(rank(folder.path(), 0, 2, port).arg("g.txt").spawn().unwrap());
    let line = only_line(&output);
    assert!(line.contains(&format!("rank 0: it cannot listen at 127.0.0.1:{port}")), "{line}");
    assert!(line.contains("MASTER_PORT or TRIBIN_PORT"), "{line}");
}

#[test]
fn another_program_at_the_port_is_told_apart() {
    let folder = folder();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let child = rank(folder.path(), 1, 2, port).arg("g.txt").spawn().unwrap();
    let (mut caller, _) = server.accept().unwrap();
    let _ = caller.write_all(b"220 mail.example.org ESMTP ready\r\n");
    let line = only_line(&end(child));
    assert!(line.contains(&format!("another program listens at 127.0.0.1:{port}")), "{line}");
}

/// The lines of all ranks.
fn lines(outputs: &[Output]) -> Vec<String> {
    outputs.iter().map(only_line).collect()
}

#[test]
fn a_faulty_line_is_named_by_all() {
    let folder = folder();
    let mut text = "0 1\n1 2\n2 0\n".repeat(500);
    text.push_str("7 x\n");
    fs::write(folder.path().join("bad.txt"), text).unwrap();
    // Every rank reads it, and whoever hears of another first says which.
    for line in lines(&run(3, folder.path(), &["bad.txt"])) {
        assert!(line.contains("bad.txt:1501: "), "{line}");
    }
}

#[test]
fn files_that_differ_between_hosts_are_refused() {
    let (one, other) = (folder(), folder());
    fs::write(other.path().join("g.txt"), "0 1\n1 2\n2 0\n0 3\n").unwrap();
    let outputs = run_with(2, one.path(), &["g.txt"], |number, command| {
        if number == 1 {
            command.current_dir(other.path());
        }
    });
    for line in lines(&outputs) {
        assert!(
            line.contains("rank 1: g.txt is another graph there: 4 entries, and 3 for rank 0"),
            "{line}"
        );
    }
}

#[test]
fn what_does_not_fit_the_memory_is_refused() {
    let folder = folder();
    // Every entry joins the same two vertices: no group of colours is smaller than all of them.
    fs::write(folder.path().join("many.txt"), "0 1\n".repeat(200_000)).unwrap();
    for line in lines(&run(2, folder.path(), &["--memory", "1M", "many.txt"])) {
        assert!(
            line.contains("bytes of memory for a group of edges, and 1048576 may be used"),
            "{line}"
        );
        assert!(line.contains("`--memory`"), "{line}");
    }
}
