//! Standard error: what is said there never decides how a command ends.

use std::fmt;
use std::io::{self, Write};

use tribin::report::printable;

/// Writes one line, whatever is in a file's name, and goes on where nobody takes it: a full disk behind a log
/// must not cost the result.
pub fn line(text: fmt::Arguments) {
    let text = text.to_string();
    let _ = Forgiving.write_all(format!("{}\n", printable(&text)).as_bytes());
}

/// Standard error for those who would make a failure of an error.
pub struct Forgiving;

impl Write for Forgiving {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
