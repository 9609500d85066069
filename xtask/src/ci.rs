//! `cargo xtask ci`: every check before a commit, in order of cost; installs what it needs where it can.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use warpwise_ptx_builder::toolchain::{DEBIAN_PACKAGES, Search, Toolchain, debian_install};

use crate::tally::Tally;
use crate::{nightly, outside, paths, ptx, python};

#[derive(clap::Args)]
pub struct Args {
    /// Also do what is slow or rare: let the tests try everything that they could instead of a share
    /// (WARPWISE_TEST_EFFORT=full), attack the readers, test the packages, the wheels, the clusters and the bundle, and
    /// compare dependencies with known defects
    #[arg(long)]
    nightly: bool,
}

/// Each step says how often it compiles the library, which is most of what it costs; docs/compile-time.md has the sum.
pub fn run(args: &Args) -> Result<()> {
    device_toolchain()?;
    cargo("fmt --all --check")?;
    cargo("fmt --check --manifest-path python/Cargo.toml")?;
    // The kernels, and not the library.
    ptx::run(&ptx::Args { check: true })?;
    // Two checks: as it is used, and with its own tests.
    cargo("clippy --workspace --all-features --all-targets -- -D warnings")?;
    // Two checks: what is left out must not be missed.
    cargo("clippy --package tribin -- -D warnings")?;
    cargo("clippy --package tribin --no-default-features -- -D warnings")?;
    // One check.
    step(
        "cargo doc --workspace --all-features --no-deps, without warnings",
        command("doc --workspace --all-features --no-deps").env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    // Two builds: as it is used, and with its own tests.
    tests(args.nightly)?;
    // The toolkit, and not the library.
    outside::by_the_guide()?;
    // One check and one build, with the features of the wheel.
    step(
        "cargo clippy in python/",
        command("clippy --manifest-path python/Cargo.toml -- -D warnings")
            .env("CARGO_TARGET_DIR", paths::target()),
    )?;
    python::run(&python::Args::default())?;
    if args.nightly { nightly::run() } else { Ok(()) }
}

/// Runs unit, integration and doc tests.
fn tests(full: bool) -> Result<()> {
    let mut command = command("test --workspace --all-features --no-fail-fast -- --show-output");
    command
        .current_dir(paths::root())
        .env("WARPWISE_TEST_EFFORT", if full { "full" } else { "quick" })
        .env("TRIBIN_XTASK", env::current_exe()?);
    tallied("cargo test --workspace", &mut command)
}

/// Runs tests with `--show-output`, and adds up what the many binaries say of themselves.
pub fn tallied(title: &str, command: &mut Command) -> Result<()> {
    println!("==> {title}");
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().context("cargo cannot be run")?;
    let mut sum = Tally::default();
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        let line = line?;
        if sum.add(&line) {
            println!("{line}");
        }
    }
    let status = child.wait()?;
    print!("\n{sum}");
    took(start);
    if !status.success() {
        bail!("`{title}` failed: {status}");
    }
    if sum.passed() == 0 {
        bail!("`{title}` ran no test");
    }
    Ok(())
}

/// Runs one command, and returns what it printed.
pub fn output(command: &mut Command) -> Result<String> {
    let named = format!("{:?}", command.get_program());
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("{named} cannot be run"))?;
    if !output.status.success() {
        bail!("{named}: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("what {named} prints is not UTF-8"))
}

/// Runs cargo in the root.
pub fn cargo(args: &str) -> Result<()> {
    step(&format!("cargo {args}"), &mut command(args))
}

/// A call of the cargo that runs this.
pub fn command(args: &str) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args.split(' '));
    command
}

/// Runs one command in the root, announced by one line.
pub fn step(title: &str, command: &mut Command) -> Result<()> {
    println!("==> {title}");
    let start = Instant::now();
    let status = command
        .current_dir(paths::root())
        .status()
        .with_context(|| format!("{:?} cannot be run", command.get_program()))?;
    took(start);
    if !status.success() {
        bail!("`{title}` failed: {status}");
    }
    Ok(())
}

/// Says how long a step took that was long enough to wonder.
fn took(start: Instant) {
    let seconds = start.elapsed().as_secs();
    if seconds > 0 {
        println!("    took {} min {} s", seconds / 60, seconds % 60);
    }
}

/// Installs Debian's device toolchain where there is none.
fn device_toolchain() -> Result<()> {
    let Err(none) = Toolchain::find(&Search::from_env()) else { return Ok(()) };
    apt(&DEBIAN_PACKAGES).with_context(|| none.to_string())?;
    Toolchain::find(&Search::from_env())?;
    Ok(())
}

/// Installs Debian packages, as root or through sudo.
pub fn apt(packages: &[&str]) -> Result<()> {
    if !Path::new("/etc/debian_version").exists() {
        bail!("packages are installed on Debian only; the command there: {}", debian_install());
    }
    let root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let apt_get = || {
        let mut command = Command::new(if root { "apt-get" } else { "sudo" });
        if !root {
            command.args(["-n", "apt-get"]);
        }
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    step("apt-get update", apt_get().args(["update", "-qq"]))?;
    let title = format!("apt-get install {}", packages.join(" "));
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    step(&title, apt_get().args(install).args(packages))
}
