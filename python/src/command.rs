//! The command `tribin`, from the sources of the binary.

use std::ffi::OsString;
use std::panic::catch_unwind;
use std::process;

use pyo3::prelude::*;

#[path = "../../host/cli/mod.rs"]
mod cli;

/// What the binary exits with at a panic.
const PANICKED: i32 = 101;

/// Runs the command with these arguments, of which the first is its name, and ends the process as it does.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) {
    py.detach(|| {
        let code = catch_unwind(|| cli::run(arguments)).map_or(PANICKED, i32::from);
        // Also writes what is left for standard output.
        process::exit(code)
    })
}
