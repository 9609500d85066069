//! Embeds the kernels: sets `TRIBIN_PTX` (the file's path) and `TRIBIN_PTX_RUSTC` (what compiled it)
//! for the host's code.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use tribin_ptx_builder::embed::embed;
use tribin_ptx_builder::source::Sources;
use tribin_ptx_builder::toolchain::{Search, VARIABLE};

fn main() -> ExitCode {
    let manifest_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let sources = Sources {
        kernels: manifest_dir.join("gpu-kernels"),
        toolkit: manifest_dir.join("toolkit"),
    };
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for path in sources.watched() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    match embed(&sources, &out_dir, &Search::from_env()) {
        Ok(embedded) => {
            println!("cargo::rustc-env=TRIBIN_PTX={}", embedded.path.display());
            println!("cargo::rustc-env=TRIBIN_PTX_RUSTC={}", embedded.ptx.rustc);
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
