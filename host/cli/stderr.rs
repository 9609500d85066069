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

/// Writes the line of an error, coloured as the command line's parser colours its own.
pub fn error(text: fmt::Arguments) {
    // Made safe to show first: the colours are escape sequences too.
    let text = text.to_string();
    let text = printable(&text);
    let _ = Forgiving.write_all(
        match is_coloured() {
            true => format!("{BOLD_RED}error:{RESET} {text}\n"),
            false => format!("error: {text}\n"),
        }
        .as_bytes(),
    );
}

const BOLD_RED: &str = "\x1b[1m\x1b[31m";
const RESET: &str = "\x1b[0m";

/// Whether colours are shown: on a terminal that has them, unless a variable such as `NO_COLOR` says otherwise.
pub fn is_coloured() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
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
