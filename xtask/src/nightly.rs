//! What `cargo xtask ci --nightly` does besides: what is slow, and what fails only rarely.

use std::process::Command;

use anyhow::Result;

use crate::ci::{self, cargo, step};
use crate::{attack, bundle, clusters, miri, outside, paths, ptxas, python, wheels};

/// The crates that are not published.
const PRIVATE: [&str; 4] = ["interleavings", "testkit", "warpwise-conformance", "xtask"];

pub fn run() -> Result<()> {
    ptxas::run(&ptxas::Args { write: false })?;
    dependencies()?;
    oldest_compiler()?;
    let private: String = PRIVATE.iter().map(|name| format!(" --exclude {name}")).collect();
    cargo(&format!("package --quiet --workspace --allow-dirty{private}"))?;
    outside::run()?;
    python::run(&python::Args { release: true, slow: true, free_threaded: None })?;
    clusters::run()?;
    wheels::run(&wheels::Args::every_machine())?;
    miri::run()?;
    bundle::run(&bundle::Args { check: true })?;
    attack::run(&attack::Args { cases: 50_000, seed: 1, jobs: None, readers: None })?;
    attack::cases()
}

/// Compares the dependencies with known defects of security, and their licences with those that are allowed: `deny.toml`.
fn dependencies() -> Result<()> {
    install("cargo-deny")?;
    for manifest in ["Cargo.toml", "python/Cargo.toml"] {
        let mut deny = ci::command("deny --all-features --manifest-path");
        deny.arg(paths::root().join(manifest)).args(["check", "--config"]);
        step(&format!("cargo deny of {manifest}"), deny.arg(paths::root().join("deny.toml")))?;
    }
    Ok(())
}

/// Checks the code with the oldest compiler that the manifest states.
fn oldest_compiler() -> Result<()> {
    let oldest = concat!(env!("CARGO_PKG_RUST_VERSION"), ".0");
    let mut install = Command::new("rustup");
    install.args(["toolchain", "install", "--no-self-update", "--profile", "minimal", oldest]);
    step(&format!("rustup toolchain install {oldest}"), &mut install)?;
    let mut check = Command::new("rustup");
    check.args(["run", oldest, "cargo", "check", "--workspace", "--all-features", "--tests"]);
    step(&format!("cargo check with rustc {oldest}"), &mut check)
}

/// Installs a command of cargo's where there is none.
fn install(name: &str) -> Result<()> {
    let there = Command::new(name).arg("--version").output();
    if there.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    cargo(&format!("install --quiet --locked {name}"))
}
