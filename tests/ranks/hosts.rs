//! Ranks on several hosts: network namespaces of this machine, each with an address of its own, joined by a bridge. Where
//! they cannot be made, which takes root and Linux, each test says that it was skipped.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use testkit::{signals, skip};
use tribin::generate::{self, GRAPH500, Rmat};

use crate::job::{end, only_line, rank, report};

/// Hosts, which go with this.
struct Hosts {
    name: String,
    hosts: u32,
}

fn ip(args: &[&str]) -> Result<(), String> {
    let output = Command::new("ip").args(args).output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

impl Hosts {
    /// So many hosts, or why there are none.
    fn new(test: &str, hosts: u32) -> Option<Hosts> {
        let made = Hosts { name: format!("tribin-{test}-{}", std::process::id()), hosts };
        match made.join() {
            Ok(()) => Some(made),
            Err(reason) => {
                skip::whole(format!("no network namespaces: {reason}"));
                None
            }
        }
    }

    fn bridge(&self) -> String {
        format!("{}-bridge", self.name)
    }

    fn host(&self, number: u32) -> String {
        format!("{}-{number}", self.name)
    }

    fn address(number: u32) -> String {
        format!("10.77.0.{}", number + 1)
    }

    fn join(&self) -> Result<(), String> {
        let bridge = self.bridge();
        ip(&["netns", "add", &bridge])?;
        ip(&["-n", &bridge, "link", "add", "bridge", "type", "bridge"])?;
        ip(&["-n", &bridge, "link", "set", "bridge", "up"])?;
        for number in 0..self.hosts {
            let (host, port) = (self.host(number), format!("port{number}"));
            ip(&["netns", "add", &host])?;
            let host = host.as_str();
            let pair = ["link", "add", "eth0", "type", "veth", "peer", "name", &port];
            ip(&[&["-n", host][..], &pair, &["netns", &bridge]].concat())?;
            ip(&["-n", &bridge, "link", "set", &port, "master", "bridge", "up"])?;
            let address = format!("{}/24", Hosts::address(number));
            ip(&["-n", host, "address", "add", &address, "dev", "eth0"])?;
            ip(&["-n", host, "link", "set", "eth0", "up"])?;
            ip(&["-n", host, "link", "set", "lo", "up"])?;
        }
        Ok(())
    }

    /// Takes a host off the network.
    fn cut(&self, number: u32) {
        ip(&["-n", &self.bridge(), "link", "set", &format!("port{number}"), "down"]).unwrap();
    }

    /// Brings it back.
    fn join_again(&self, number: u32) {
        ip(&["-n", &self.bridge(), "link", "set", &format!("port{number}"), "up"]).unwrap();
    }

    /// A rank of a job on a host. Nobody else is at a port of these hosts.
    fn rank(&self, folder: &Path, (number, ranks): (u32, u32), host: u32) -> Command {
        let inside = rank(folder, number, ranks, 29_500);
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.host(host)]);
        command.arg(inside.get_program()).args(inside.get_args());
        for (name, value) in inside.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.env("MASTER_ADDR", Hosts::address(0)).env("TRIBIN_TOKEN", "a secret");
        command.current_dir(folder).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        signals::reset(&mut command);
        command
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for number in 0..self.hosts {
            let _ = ip(&["netns", "delete", &self.host(number)]);
        }
        let _ = ip(&["netns", "delete", &self.bridge()]);
    }
}

/// A folder with a graph as raw pairs, and its triangles.
fn folder() -> (tempfile::TempDir, u64) {
    let folder = tempfile::tempdir().unwrap();
    let graph = generate::graph(&Rmat::new(13, 16, GRAPH500, 1).unwrap(), "rmat13");
    let bytes: Vec<u8> = graph.edges().iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    fs::write(folder.path().join("g.bin"), bytes).unwrap();
    let mut options = tribin::Options::default();
    options.device = tribin::DeviceChoice::Cpu;
    let triangles = tribin::Session::new(options).unwrap().count(&graph).unwrap().triangles;
    (folder, triangles)
}

/// One rank on each of four hosts, and two on each of two.
#[test]
fn ranks_on_several_hosts_count_together() {
    let Some(hosts) = Hosts::new("count", 4) else { return };
    let (folder, triangles) = folder();
    for host_of in [[0, 1, 2, 3], [0, 0, 1, 1]] {
        let start = |number: u32| {
            let host = host_of[number as usize];
            let mut command = hosts.rank(folder.path(), (number, 4), host);
            command.args(["--json", "g.bin"]).spawn().unwrap()
        };
        let children: Vec<Child> = (0..4).map(start).collect();
        let outputs: Vec<Output> = children.into_iter().map(end).collect();
        let report: serde_json::Value = serde_json::from_str(&report(&outputs)).unwrap();
        assert_eq!(report["triangles"], triangles);
        assert_eq!(report["over_ranks"]["ranks"], 4);
    }
}

/// How many connections a process has on its host: none before it has come there.
fn connections(process: u32) -> usize {
    let network = |process: &str| fs::read_link(format!("/proc/{process}/ns/net")).ok();
    if network(&process.to_string()) == network("self") {
        return 0;
    }
    let table = fs::read_to_string(format!("/proc/{process}/net/tcp")).unwrap_or_default();
    // The fourth column is the state, and 1 is an open connection.
    table.lines().filter(|line| line.split_whitespace().nth(3) == Some("01")).count()
}

/// Waits until a process has `count` connections, or is at its end.
fn until_connected(process: &mut Child, count: usize) {
    let begun = Instant::now();
    while connections(process.id()) < count && begun.elapsed() < Duration::from_secs(60) {
        if process.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::yield_now();
    }
}

/// A host goes off the network while its rank does nothing: the others end within the time that is promised, and name it.
#[test]
fn a_host_that_is_gone_is_named_by_all_others() {
    let Some(hosts) = Hosts::new("gone", 3) else { return };
    let (folder, _) = folder();
    // A job may be done before its last rank is stopped.
    for _ in 0..20 {
        let start = |number| {
            let mut command = hosts.rank(folder.path(), (number, 3), number);
            command.arg("g.bin").spawn().unwrap()
        };
        let mut last = start(2);
        let others: Vec<Child> = (0..2).map(start).collect();
        until_connected(&mut last, 2);
        let signal = |name: &str| {
            Command::new("kill").args([name, &last.id().to_string()]).status().unwrap();
        };
        signal("-STOP");
        hosts.cut(2);
        let outputs: Vec<Output> = others.into_iter().map(end).collect();
        signal("-KILL");
        last.wait().unwrap();
        if outputs.iter().any(|output| output.status.success()) {
            hosts.join_again(2);
            continue;
        }
        for output in &outputs {
            let line = only_line(output);
            assert!(line.contains("rank 2"), "{line}");
        }
        return;
    }
    panic!("each of 20 jobs was done before its last rank could be stopped");
}

/// The same while the ranks wait for one that never comes: the job ends before the time to wait for it does.
#[test]
fn a_host_that_goes_before_all_have_come_is_named() {
    let Some(hosts) = Hosts::new("early", 3) else { return };
    let (folder, _) = folder();
    // A host may be cut off before it has said which rank it has.
    for _ in 0..20 {
        let start = |number| {
            let mut command = hosts.rank(folder.path(), (number, 3), number);
            command.env("TRIBIN_WAIT", "40").arg("g.bin").spawn().unwrap()
        };
        let first = start(0);
        let mut last = start(2);
        until_connected(&mut last, 1);
        // Enough to say it, on most machines.
        std::thread::sleep(Duration::from_secs(1));
        hosts.cut(2);
        let line = only_line(&end(first));
        // It does not hear of the first either.
        let other = only_line(&end(last));
        hosts.join_again(2);
        if line.contains("did not come within") {
            continue;
        }
        assert!(line.contains("rank 2") && line.contains("connection failed"), "{line}");
        assert!(other.contains("rank 0"), "{other}");
        return;
    }
    panic!("each of 20 hosts was cut off before it had said its rank");
}
