//! `cargo xtask miri`: tests of code that Miri can run, where an access out of bounds or of freed memory is an error.
//!
//! Miri comes with the nightly toolchain (`rustup +nightly component add miri`). It runs no kernels, and a few thousand
//! times slower than the machine, so that these are the parts without large inputs.

use std::process::Command;

use anyhow::Result;

use crate::ci::step;
use crate::paths;

/// What is run: the arguments of `cargo miri test`.
const PARTS: [&str; 3] = [
    "-p warpwise-launch",
    "-p tribin --no-default-features --lib -- graph::names graph::edge_share read::number",
    "-p tribin --no-default-features --features formats --test read -- small_files",
];

pub fn run() -> Result<()> {
    let mut version = Command::new("cargo");
    version.args(["+nightly", "miri", "--version"]);
    if !version.output().is_ok_and(|output| output.status.success()) {
        println!("==> skipped: Miri, which comes with the nightly toolchain, is not installed");
        return Ok(());
    }
    for part in PARTS {
        let mut miri = Command::new("cargo");
        miri.args(["+nightly", "miri", "test"]).args(part.split(' '));
        // The caller's cargo is another one.
        miri.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
        miri.env("CARGO_TARGET_DIR", paths::target().join("miri"));
        // crossbeam, which rayon stands on, keeps the rules of tree borrows.
        miri.env("MIRIFLAGS", "-Zmiri-tree-borrows -Zmiri-disable-isolation -Zmiri-ignore-leaks");
        step(&format!("cargo miri test {part}"), &mut miri)?;
    }
    Ok(())
}
