//! What `cargo xtask ci --nightly` does besides: what is slow, and what fails only rarely.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::ci::{self, cargo, output, step};
use crate::{attack, bundle, clusters, miri, outside, paths, ptxas, python};

/// The crates that are not published.
const PRIVATE: [&str; 4] = ["interleavings", "testkit", "tribin-conformance", "xtask"];

/// What users of the library can name, without derived and automatic traits.
const PUBLIC_ITEMS: &str = "docs/api.txt";

pub fn run() -> Result<()> {
    ptxas::run(&ptxas::Args { write: false })?;
    dependencies()?;
    oldest_compiler()?;
    public_items(false)?;
    let private: String = PRIVATE.iter().map(|name| format!(" --exclude {name}")).collect();
    cargo(&format!("package --quiet --workspace --allow-dirty{private}"))?;
    outside::run()?;
    python::run(&python::Args { release: true, slow: true, free_threaded: None })?;
    clusters::run()?;
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

/// Lists what users of the library can name. With `write` the list is kept, and otherwise it is compared with the one that is.
pub fn public_items(write: bool) -> Result<()> {
    install("cargo-public-api")?;
    install_toolchain("nightly")?;
    // The tool reads rustdoc's JSON, which only a nightly compiler writes. The caller's cargo is another one.
    let mut list = Command::new("cargo");
    list.args(["+nightly", "public-api", "--package", "tribin", "--all-features", "-sss"]);
    list.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").current_dir(paths::root());
    // What this compiles is of no use to other builds.
    list.env("CARGO_TARGET_DIR", paths::target().join("api"));
    println!("==> cargo public-api");
    let (path, fresh) = (paths::root().join(PUBLIC_ITEMS), output(&mut list)?);
    if write {
        return fs::write(&path, fresh).with_context(|| path.display().to_string());
    }
    let listed = paths::target().join("api/api.txt");
    fs::write(&listed, fresh).with_context(|| listed.display().to_string())?;
    let mut compare = Command::new("diff");
    step(
        &format!("diff {PUBLIC_ITEMS}, which `cargo xtask api` writes"),
        compare.arg(path).arg(listed),
    )
}

/// Checks the code with the oldest compiler that the manifest states.
fn oldest_compiler() -> Result<()> {
    let oldest = concat!(env!("CARGO_PKG_RUST_VERSION"), ".0");
    install_toolchain(oldest)?;
    let mut check = Command::new("rustup");
    check.args(["run", oldest, "cargo", "check", "--workspace", "--all-features", "--tests"]);
    step(&format!("cargo check with rustc {oldest}"), &mut check)
}

fn install_toolchain(name: &str) -> Result<()> {
    let mut install = Command::new("rustup");
    install.args(["toolchain", "install", "--no-self-update", "--profile", "minimal", name]);
    step(&format!("rustup toolchain install {name}"), &mut install)
}

/// Installs a command of cargo's where there is none.
fn install(name: &str) -> Result<()> {
    let there = Command::new(name).arg("--version").output();
    if there.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    cargo(&format!("install --quiet --locked {name}"))
}
