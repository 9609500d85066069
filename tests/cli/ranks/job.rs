//! Processes of the command as ranks of a job on the loopback address.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use testkit::places;
#[cfg(unix)]
use testkit::signals;

/// What launchers set: a test may itself run under one.
const VARIABLES: [&str; 26] = [
    "RANK",
    "WORLD_SIZE",
    "LOCAL_RANK",
    "LOCAL_WORLD_SIZE",
    "MASTER_ADDR",
    "MASTER_PORT",
    "TORCHELASTIC_RUN_ID",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "OMPI_MCA_ess_base_jobid",
    "PMIX_NAMESPACE",
    "PMI_RANK",
    "PMI_SIZE",
    "SLURM_PROCID",
    "SLURM_NTASKS",
    "SLURM_LOCALID",
    "SLURM_JOB_ID",
    "SLURM_STEP_ID",
    "TRIBIN_PORT",
    "TRIBIN_TOKEN",
    "TRIBIN_WAIT",
    "TRIBIN_LOG",
    "RAYON_NUM_THREADS",
    "SLURM_JOB_NODELIST",
];

/// How long a process may take before a test gives up on it: many times what it takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(240);

/// `tribin count --ranks env` in a folder, without a launcher's variables.
pub fn count(folder: &Path) -> Command {
    let mut command = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")));
    VARIABLES.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    signals::reset(&mut command);
    command.args(["count", "--ranks", "env", "--threads", "1"]);
    command
}

/// The same as a rank of a job at a port.
pub fn rank(folder: &Path, rank: u32, ranks: u32, port: u16) -> Command {
    let mut command = count(folder);
    command.env("RANK", rank.to_string()).env("WORLD_SIZE", ranks.to_string());
    command.env("MASTER_ADDR", "127.0.0.1").env("MASTER_PORT", port.to_string());
    command
}

/// A port that was free a moment ago.
pub fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits for a process.
pub fn end(mut child: Child) -> Output {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > LIMIT {
            let _ = child.kill();
            let output = child.wait_with_output().unwrap();
            panic!("a rank does not end: {output:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// Whether a job did not come about because another program had its port.
pub fn had_no_port(outputs: &[Output]) -> bool {
    let said = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.contains("cannot listen at") || text.contains("another program listens at")
    };
    outputs.iter().any(said)
}

/// Calls something with one free port after the other, until it was free indeed.
pub fn at_a_port(run: impl Fn(u16) -> Vec<Output>) -> Vec<Output> {
    for _ in 0..20 {
        let outputs = run(port());
        if !had_no_port(&outputs) {
            return outputs;
        }
    }
    panic!("no port stays free");
}

/// Runs the command as all ranks of a job, which `change` changes.
pub fn run_with(
    ranks: u32,
    folder: &Path,
    args: &[&str],
    change: impl Fn(u32, &mut Command),
) -> Vec<Output> {
    at_a_port(|port| {
        let start = |number| {
            let mut command = rank(folder, number, ranks, port);
            command.args(args);
            change(number, &mut command);
            command.spawn().unwrap()
        };
        let children: Vec<Child> = (0..ranks).map(start).collect();
        children.into_iter().map(end).collect()
    })
}

/// Runs the command as all ranks of a job.
pub fn run(ranks: u32, folder: &Path, args: &[&str]) -> Vec<Output> {
    run_with(ranks, folder, args, |_, _| ())
}

/// What all ranks but the first print where all goes well: nothing. Returns what the first prints.
pub fn report(outputs: &[Output]) -> String {
    for (rank, output) in outputs.iter().enumerate() {
        assert!(output.status.success(), "rank {rank}: {output:?}");
        assert!(output.stderr.is_empty(), "rank {rank}: {output:?}");
        assert_eq!(output.stdout.is_empty(), rank > 0, "rank {rank}: {output:?}");
    }
    String::from_utf8(outputs[0].stdout.clone()).unwrap()
}

/// The one line that a rank says where it fails.
pub fn only_line(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(said.matches('\n').count(), 1, "{said}");
    said.trim_end()
        .strip_prefix("tribin: error: ")
        .or(said.trim_end().strip_prefix("error: "))
        .unwrap_or(said.trim_end())
        .to_owned()
}
