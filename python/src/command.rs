//! The command `tribin`, which the library has for its binary and for Python.

use std::ffi::OsString;
use std::panic::catch_unwind;
use std::process;

use pyo3::prelude::*;

/// What the binary exits with at a panic.
const PANICKED: i32 = 101;

/// Runs the command with these arguments, of which the first is its name, and ends the process as it does.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) {
    py.detach(|| {
        let code = catch_unwind(|| tribin::cli::run(arguments)).map_or(PANICKED, i32::from);
        // Also writes what is left for standard output.
        process::exit(code)
    })
}
