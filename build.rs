//! Chooses the PTX and the machine code that the library embeds: those that are committed beside the kernels, if they are of the
//! kernels' sources; else what a compiler of this machine makes of them. It stops the build where there is neither, and says
//! what to install. docs/toolchain.md has the rules.

use std::env;
use std::process::ExitCode;

use warpwise_ptx_builder::{Builder, Dependency};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    // The packages of the kernels say where they are; without the feature `gpu` they are no dependencies.
    let Some(folder) = env::var_os("DEP_TRIBIN_KERNELS_FOLDER") else { return ExitCode::SUCCESS };
    let primitives = env::var_os("DEP_WARPWISE_PRIMITIVES_FOLDER").expect("a dependency says it");
    let primitives = Dependency::kernels(primitives).features(&["prefix_sums", "radix_sort"]);
    // Nothing of tribin runs the kernels in the emulator but its tests: a build without PTX is of no use.
    Builder::new("kernels")
        .package("tribin-kernels", folder)
        .root("src/lib.rs")
        .dependency("warpwise-primitives", primitives)
        .required()
        .build()
}
