//! `cargo xtask ci`: every check, in order of cost; installs what it needs where it can.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use tribin_ptx_builder::toolchain::{DEBIAN_PACKAGES, Search, Toolchain, debian_install};

use crate::tally::Tally;
use crate::{advisories, attack, bundle, clusters, miri, outside, paths, ptxas, python};

#[derive(clap::Args)]
pub struct Args {
    /// Let the tests try everything that they could, instead of a share (TRIBIN_TEST_EFFORT=full), build
    /// each crate from its package, and run Miri and the bundle's tests
    #[arg(long)]
    nightly: bool,
}

pub fn run(args: &Args) -> Result<()> {
    device_toolchain()?;
    assembler()?;
    cargo("fmt --all --check")?;
    cargo("fmt --check --manifest-path python/Cargo.toml")?;
    advisories::run(&advisories::Args::default())?;
    oldest_compiler()?;
    cargo("clippy --workspace --all-features --all-targets -- -D warnings")?;
    // What is left out must not be missed.
    for features in [
        "",
        "gpu",
        "output",
        "gpu,output",
        "formats,parquet,arrow",
        "archives,models",
        "cli,formats",
    ] {
        cargo(&format!(
            "clippy --package tribin --no-default-features --features={features} -- -D warnings"
        ))?;
    }
    step(
        "cargo doc --workspace --all-features --no-deps, without warnings",
        command("doc --workspace --all-features --no-deps").env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    cargo("xtask api --check")?;
    cargo("xtask ptx --check")?;
    cargo("xtask ptxas")?;
    package(args.nightly)?;
    outside::run()?;
    step(
        "cargo clippy in python/",
        command("clippy --manifest-path python/Cargo.toml -- -D warnings")
            .env("CARGO_TARGET_DIR", paths::target().join("python/cargo")),
    )?;
    python::run(&python::Args { slow: args.nightly, free_threaded: None })?;
    clusters::run()?;
    tests(args.nightly)?;
    if args.nightly {
        miri::run()?;
        bundle::run(&bundle::Args { out: None, check: true })?;
    }
    let (cases, graphs) = if args.nightly { (50_000, 2_000) } else { (2_000, 20) };
    attack::run(&attack::Args { cases, graphs, seed: 1, jobs: None, json: None, readers: None })
}

/// Checks the code with the oldest compiler that the manifest states, where the active one is newer and
/// that one is installed.
fn oldest_compiler() -> Result<()> {
    let oldest = concat!(env!("CARGO_PKG_RUST_VERSION"), ".0");
    let version = |mut rustc: Command| {
        let output =
            rustc.arg("--version").output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok()
    };
    let active = version(Command::new("rustc")).context("rustc cannot be run")?;
    if active.starts_with(&format!("rustc {oldest} ")) {
        println!("==> rustc is {oldest}, the oldest that is supported");
        return Ok(());
    }
    let with_oldest = |program: &str| {
        let mut rustup = Command::new("rustup");
        rustup.args(["run", oldest, program]);
        rustup
    };
    if version(with_oldest("rustc")).is_none() {
        println!("==> skipped: rustc {oldest}, the oldest that is supported, is not installed");
        return Ok(());
    }
    let mut check = with_oldest("cargo");
    check.args(["check", "--workspace", "--all-features", "--tests"]);
    step(&format!("cargo check with rustc {oldest}"), &mut check)
}

/// Makes the packages that would be published. With `build`, also builds each from its package alone.
fn package(build: bool) -> Result<()> {
    let verify = if build { "" } else { " --no-verify" };
    let published = "--workspace --exclude interleavings --exclude testkit --exclude tribin-conformance --exclude xtask --allow-dirty";
    cargo(&format!("package --quiet {published}{verify}"))
}

/// Installs what makes hosts of network namespaces, for the tests of ranks. Without it they say that they are skipped.
fn network_tools() {
    let is_there = Command::new("ip").arg("-Version").output().is_ok();
    if cfg!(target_os = "linux")
        && !is_there
        && let Err(error) = apt(&["iproute2"])
    {
        println!("==> skipped: tests of several hosts: {error:#}");
    }
}

/// Runs unit, integration and doc tests.
fn tests(full: bool) -> Result<()> {
    network_tools();
    let mut command = command("test --workspace --all-features --no-fail-fast -- --show-output");
    command
        .current_dir(paths::root())
        .env("TRIBIN_TEST_EFFORT", if full { "full" } else { "quick" })
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

/// Unpacks the `ptxas` of a PyPI wheel where there is none.
fn assembler() -> Result<()> {
    if ptxas::find().is_some() {
        return Ok(());
    }
    let pip = Command::new("python3").args(["-m", "pip", "--version"]).output();
    if !pip.is_ok_and(|output| output.status.success()) {
        apt(&["python3-pip"]).context("no python3 with pip, which fetches ptxas")?;
    }
    let mut install = Command::new("python3");
    install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target"]);
    install.arg(ptxas::wheel_folder()).arg(ptxas::WHEEL);
    step(&format!("pip install {}", ptxas::WHEEL), &mut install)
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
