//! How a command ends when it does not end well.

use std::io;
use std::process::ExitCode;

use tribin::Error;

use super::stderr;

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// Something to say in one line.
    Error(Error),
    /// All was said already.
    Said,
    /// Whoever read the output has enough of it (`| head`): no failure of ours.
    NobodyListens,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe => {
                Failure::NobodyListens
            }
            error => Failure::Error(error),
        }
    }
}

impl Failure {
    /// Says what is to say, and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Error(error) => {
                say(&error);
                ExitCode::from(if matches!(error, Error::Usage(_)) { 2 } else { 1 })
            }
            Failure::Said => ExitCode::from(1),
            Failure::NobodyListens => ExitCode::SUCCESS,
        }
    }
}

/// One line on stderr, whatever is in a file's name.
pub fn say(error: &Error) {
    stderr::line(format_args!("error: {error}"));
}
