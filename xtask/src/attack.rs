//! `cargo xtask attack`: damaged files, read by tribin and by other programs; and faults around the
//! command.
//!
//! The command that is attacked is a development build: it checks additions for overflow, and has its assertions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::ci::{command, step};
use crate::{paths, python};

#[derive(clap::Args)]
pub struct Args {
    /// Cases for each reader
    #[arg(long, default_value_t = 2_000)]
    pub cases: u64,

    /// What the cases are drawn from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Processes that attack side by side; by default one for each processor
    #[arg(long)]
    pub jobs: Option<usize>,

    /// The readers, for example `csv,npy`; by default all
    #[arg(long)]
    pub readers: Option<String>,
}

/// What reads the files for comparison. The versions are fixed: what a newer one accepts or refuses otherwise is
/// looked at when it is taken, and does not fail the check of an unchanged checkout.
const ORACLES: [&str; 5] =
    ["numpy==2.4.6", "scipy==1.17.1", "networkx==3.6.1", "igraph==1.0.0", "pyarrow==26.0.1"];

/// An environment of Python with the programs that are compared with; `None` where there is no Python.
fn oracles() -> Result<Option<PathBuf>> {
    let Some(environments) = python::environments()? else { return Ok(None) };
    let environment = environments.make(&paths::target().join("python/oracles"))?;
    let install: Vec<&str> = ["install"].into_iter().chain(ORACLES).collect();
    python::pip(&environment, "install the programs that are compared with", &install)?;
    Ok(Some(environment))
}

pub fn run(args: &Args) -> Result<()> {
    let Some(environment) = oracles()? else { return Ok(()) };
    let mut build = command("build --quiet --workspace --all-features --bin tribin");
    // It runs longer than it compiles.
    step("cargo build, optimised", build.env("CARGO_PROFILE_DEV_OPT_LEVEL", "2"))?;
    let mut attack = attacker(&environment, "attack.py", args.seed);
    attack.arg("--cases").arg(args.cases.to_string());
    attack.arg("--keep").arg(paths::target().join("attack"));
    if let Some(readers) = &args.readers {
        attack.arg("--readers").arg(readers);
    }
    if let Some(jobs) = args.jobs {
        attack.arg("--jobs").arg(jobs.to_string());
    }
    let title = format!("{} damaged files for each reader, seed {}", args.cases, args.seed);
    step(&title, &mut attack)?;
    faults(&environment, args.seed)
}

/// What writes the files of the cases, beside the programs that are compared with.
const WRITERS: [&str; 9] =
    ["pandas", "pyarrow", "scipy", "igraph", "h5py", "duckdb", "openpyxl", "polars", "zstandard"];

/// Reads files as people have them, with their right answers, where the folder of the project has them. UTF-16 is read today, where
/// the case F06 expects advice.
pub fn cases() -> Result<()> {
    let script = paths::root().join("../shared/cases/run_cases.py");
    if !script.exists() {
        println!("==> skipped: files as people have them: {} is not there", script.display());
        return Ok(());
    }
    let Some(environments) = python::environments()? else { return Ok(()) };
    let environment = environments.make(&paths::target().join("python/cases"))?;
    let install: Vec<&str> =
        ["install", "networkx", "fastavro"].into_iter().chain(WRITERS).collect();
    python::pip(&environment, "install what writes files as people have them", &install)?;
    let mut cases = Command::new(environment.join("bin/python"));
    cases.arg(script).arg(paths::target().join("debug/tribin")).args(["--only", "^(?!F06$)"]);
    step("files as people have them", &mut cases)
}

/// A script of tests/attack, with the command that it attacks.
fn attacker(environment: &Path, script: &str, seed: u64) -> Command {
    let mut python = Command::new(environment.join("bin/python"));
    python.arg(paths::root().join("tests/attack").join(script));
    python.arg("--tribin").arg(paths::target().join("debug/tribin"));
    python.arg("--seed").arg(seed.to_string());
    python
}

/// Lets everything around the command go wrong.
fn faults(environment: &Path, seed: u64) -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("==> skipped: faults around the command: they are made on Linux only");
        return Ok(());
    }
    let failing = paths::target().join("attack/libfailing.so");
    fs::create_dir_all(paths::target().join("attack"))?;
    let mut compile = Command::new("rustc");
    compile.args(["--edition", "2024", "--crate-type", "cdylib", "-O", "-C", "panic=abort"]);
    compile.arg("-o").arg(&failing).arg(paths::root().join("tests/attack/failing.rs"));
    step("rustc tests/attack/failing.rs", &mut compile)?;
    let mut faults = attacker(environment, "faults.py", seed);
    faults.arg("--failing").arg(&failing);
    step("full disks, closed streams, limits, kills, calls that fail", &mut faults)
}
