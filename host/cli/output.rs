//! Standard output.

use std::io::{self, Write};

use tribin::Error;

use super::failure::Failure;

/// Writes text to standard output, all of it.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|source| Error::Io { path: "standard output".into(), source }.into())
}
