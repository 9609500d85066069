//! Where tests find the project's files, the reference data and the command. On a machine that did
//! not build them, variables say so; `xtask run-tests` in the bundle (docs/bundle.md) sets them.

use std::path::{Path, PathBuf};

/// The project's root: `$TRIBIN_ROOT`, or where it was built.
pub fn root() -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it lies in the root");
    variable("TRIBIN_ROOT").unwrap_or_else(|| built().into())
}

/// The folder of the reference data: `$TRIBIN_DATA`, or `shared/data` beside the root.
pub fn data() -> PathBuf {
    variable("TRIBIN_DATA").unwrap_or_else(|| root().join("../shared/data"))
}

/// A file of the reference data, or `None` where the data are not there.
pub fn data_file(name: &str) -> Option<PathBuf> {
    Some(data().join(name)).filter(|path| path.exists())
}

/// The command: `$TRIBIN_BIN`, or the one that was built with the tests, whose path only an
/// integration test knows: `places::command(env!("CARGO_BIN_EXE_tribin"))`.
pub fn command(built: &str) -> PathBuf {
    variable("TRIBIN_BIN").unwrap_or_else(|| built.into())
}

/// The program behind `cargo xtask`: `$TRIBIN_XTASK`, which it sets itself where it starts the tests.
pub fn xtask() -> Option<PathBuf> {
    variable("TRIBIN_XTASK")
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
