//! Compiles the kernels, and tells the crates that depend on this one where its sources are: kernels are compiled with them.

use std::env;
use std::process::ExitCode;

use warpwise_ptx_builder::{Builder, Dependency};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::metadata=FOLDER={folder}");
    let all = Dependency::kernels(".").features(&include!("features.rs"));
    Builder::new("kernels").dependency("warpwise-primitives", all).build()
}
