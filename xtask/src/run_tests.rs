//! `xtask run-tests`, in a bundle: runs its tests on a machine without Rust, and under compute-sanitizer.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::bundle::MANIFEST;
use crate::tally::Tally;

#[derive(clap::Args)]
pub struct Args {
    /// Only the tests whose names contain this
    filter: Option<String>,

    /// The kernel tests alone, on the GPU, under each tool of compute-sanitizer (that of the PATH, or what
    /// COMPUTE_SANITIZER names)
    #[arg(long)]
    sanitize: bool,

    /// Where what each binary prints is kept
    #[arg(long, value_name = "DIR", default_value = "results/tests")]
    logs: PathBuf,
}

/// The tools of compute-sanitizer.
const TOOLS: [&str; 4] = ["memcheck", "racecheck", "synccheck", "initcheck"];

/// The parts of the test binary `library` that launch kernels.
const PARTS: [&str; 2] = ["count::", "prepare::"];

pub fn run(args: &Args) -> Result<()> {
    let program = env::current_exe()?;
    let bundle = program.parent().context("a program lies in a folder")?;
    let manifest = fs::read_to_string(bundle.join(MANIFEST))
        .with_context(|| format!("{} lies in no bundle", program.display()))?;
    fs::create_dir_all(&args.logs).with_context(|| args.logs.display().to_string())?;
    let tools: Vec<Option<&str>> =
        if args.sanitize { TOOLS.map(Some).to_vec() } else { vec![None] };
    let (mut sum, mut failed) = (Tally::default(), Vec::new());
    for tool in tools {
        for line in manifest.lines() {
            let [kind, folder, path] = line.split('\t').collect::<Vec<_>>()[..] else {
                bail!("{MANIFEST} has the line {line:?}");
            };
            if kind == "kernel-test" || kind == "test" && tool.is_none() {
                let mut command = command(bundle, path, tool, args.filter.as_deref());
                command.current_dir(bundle.join("repository").join(folder));
                let name = path.replace("tests/", tool.unwrap_or_default());
                run_one(&name, &mut command, args, &mut sum, &mut failed)?;
            }
        }
    }
    print!("{sum}");
    if !failed.is_empty() {
        bail!("these failed: {}", failed.join(", "));
    }
    if sum.passed() == 0 {
        bail!("no test ran");
    }
    Ok(())
}

/// Runs a binary, keeps what it prints, and adds up what it says.
fn run_one(
    name: &str,
    command: &mut Command,
    args: &Args,
    sum: &mut Tally,
    failed: &mut Vec<String>,
) -> Result<()> {
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("{:?} cannot be run", command.get_program()))?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let log = args.logs.join(format!("{name}.log"));
    fs::write(&log, &said).with_context(|| log.display().to_string())?;
    let mut found = Tally::default();
    for line in said.lines() {
        sum.add(line);
        found.add(line);
    }
    // A sanitizer that looked at nothing finds nothing.
    let looked = !said.contains(": no GPU: ") && said.contains("SUMMARY: ");
    let is_good = output.status.success() && (looked || !args.sanitize);
    if !is_good {
        failed.push(format!("{name} ({}, {})", output.status, log.display()));
    }
    if !is_good || found != Tally::default() {
        println!("==> {name}, {} s\n{}", start.elapsed().as_secs(), found.to_string().trim_end());
    }
    Ok(())
}

/// The call of a test binary, by itself or under a tool.
fn command(bundle: &Path, path: &str, tool: Option<&str>, filter: Option<&str>) -> Command {
    let mut command = match tool {
        None => Command::new(bundle.join(path)),
        Some(tool) => {
            let sanitizer = env::var_os("COMPUTE_SANITIZER");
            let mut command = Command::new(sanitizer.unwrap_or("compute-sanitizer".into()));
            command.args(["--tool", tool, "--error-exitcode", "1"]).arg(bundle.join(path));
            command.args(["--test-threads", "1"]).env("WARPWISE_TEST_DEVICES", "gpu");
            if filter.is_none() && path.ends_with(".library") {
                command.args(PARTS);
            }
            command
        }
    };
    command.arg("--show-output").args(filter);
    for (variable, path) in [
        ("TRIBIN_ROOT", "repository"),
        ("TRIBIN_BIN", "bin/tribin"),
        ("TRIBIN_DATA", "shared/data"),
    ] {
        if variable != "TRIBIN_DATA" || env::var_os(variable).is_none() {
            command.env(variable, bundle.join(path));
        }
    }
    command
}
