//! Chooses the PTX that is embedded, and tells the crates that depend on this one: `PTX` (the file's
//! path) and `PTX_RUSTC` (what compiled it). A published package holds the PTX without all of its
//! sources; there is nothing to compare it with then.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use tribin_ptx_builder::embed::embed;
use tribin_ptx_builder::source::Sources;
use tribin_ptx_builder::toolchain::{Search, VARIABLE};

fn main() -> ExitCode {
    let kernels = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let toolkit = kernels.join("../toolkit");
    // Without `..` the path reads better in messages.
    let toolkit = toolkit.canonicalize().unwrap_or(toolkit);
    let sources = Sources { kernels, toolkit };
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for path in sources.watched() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    match embed(&sources, &out_dir, &Search::from_env()) {
        Ok(embedded) => {
            println!("cargo::metadata=PTX={}", embedded.path.display());
            println!("cargo::metadata=PTX_RUSTC={}", embedded.ptx.rustc);
            for defect in embedded.ptx.defects() {
                println!("cargo::warning={defect}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            for line in error.to_string().lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}
