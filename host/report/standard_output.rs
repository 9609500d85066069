//! Standard output, which may not be there.

use std::io;

use crate::control;

/// Standard output, to write to.
///
/// # Errors
/// Where the process was started without one: Rust opens /dev/null in its place, and what is written there
/// would be lost in silence. Known on Linux only.
pub fn standard_output() -> io::Result<io::Stdout> {
    if control::is_output_closed() {
        return Err(io::Error::other("it is closed"));
    }
    Ok(io::stdout())
}
