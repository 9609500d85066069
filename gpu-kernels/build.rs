//! Chooses the PTX that the crate embeds.

use std::process::ExitCode;

use tribin_ptx_builder::Builder;

fn main() -> ExitCode {
    // Nothing of tribin runs the kernels in the emulator but its tests: a build without PTX is of no use.
    Builder::new("kernels").root("src/lib.rs").required().build()
}
