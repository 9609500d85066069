//! Where tests find the project's files, the reference data and the command. On a machine that did
//! not build them, variables say so; `run-tests` of the bundle (docs/bundle.md) sets them.

#![allow(dead_code, reason = "each test crate uses a part of it")]

use std::path::PathBuf;

/// The project's root: `$TRIBIN_ROOT`, or where it was built.
pub fn root() -> PathBuf {
    variable("TRIBIN_ROOT").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())
}

/// The folder of the reference data: `$TRIBIN_DATA`, or `shared/data` beside the root.
pub fn data() -> PathBuf {
    variable("TRIBIN_DATA").unwrap_or_else(|| root().join("../shared/data"))
}

/// The command: `$TRIBIN_BIN`, or the one that was built with the tests.
pub fn tribin() -> PathBuf {
    variable("TRIBIN_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_tribin").into())
}

/// Whether the tests run where they were built, with cargo at hand.
pub fn built_here() -> bool {
    variable("TRIBIN_ROOT").is_none()
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
