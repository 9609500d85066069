//! Standard output.

use std::io::Write;

use tribin::Error;
use tribin::report::standard_output;

use super::failure::Failure;

/// Writes text to standard output, all of it.
pub fn print(text: &str) -> Result<(), Failure> {
    standard_output()
        .and_then(|mut output| {
            output.write_all(text.as_bytes())?;
            output.flush()
        })
        .map_err(|source| Error::Io { path: "standard output".into(), source }.into())
}
