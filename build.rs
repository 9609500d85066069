//! Chooses the PTX and the machine code that the library embeds: those that are committed beside the kernels, if they are of the
//! kernels' sources; else what a compiler of this machine makes of them. It stops the build where there is neither, and says
//! what to install. docs/toolchain.md has the rules.

use std::env;
use std::process::ExitCode;

use tribin_ptx_builder::Builder;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    // The package of the kernels says where it is; without the feature `gpu` it is no dependency.
    let Some(folder) = env::var_os("DEP_TRIBIN_KERNELS_FOLDER") else { return ExitCode::SUCCESS };
    // Nothing of tribin runs the kernels in the emulator but its tests: a build without PTX is of no use.
    Builder::new("kernels").package("tribin-kernels", folder).root("src/lib.rs").required().build()
}
