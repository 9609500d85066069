//! How a command ends before its end.

use std::io;

use clap::CommandFactory;
use tribin::Error;
#[cfg(not(all(feature = "bench", feature = "cluster", feature = "manual")))]
use tribin::features;

use super::args::Args;
use super::stderr;

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// Something to say in one line.
    Error(Error),
    /// All was said already; the exit code, which is 0 of a dry run.
    Said(u8),
    /// The reader of the output has enough of it (`| head`): no failure of ours.
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
    pub fn report(self, command: &str) -> u8 {
        match self {
            Failure::Error(error) => {
                say(command, &error);
                code(&error)
            }
            Failure::Said(code) => code,
            Failure::NobodyListens => 0,
        }
    }
}

/// Wrong usage of a build that lacks a feature.
#[cfg(not(all(feature = "bench", feature = "cluster", feature = "manual")))]
pub fn left_out(feature: &str, what_needs: &str) -> Error {
    Error::Usage(features::missing(feature, what_needs).into())
}

/// The exit code of an error.
pub fn code(error: &Error) -> u8 {
    if matches!(error, Error::Usage(_)) { 2 } else { 1 }
}

/// One line on stderr, whatever is in a file's name.
pub fn say(command: &str, error: &Error) {
    stderr::error(format_args!("{}", text(command, error)));
}

/// The text of an error of a subcommand. What helps is said with the flags of that command, or in the library's words where it
/// lacks one of them.
pub fn text(command: &str, error: &Error) -> String {
    let args = Args::command();
    let flags = args.find_subcommand(command).map(clap::Command::get_arguments);
    let flags: Vec<&str> = flags.into_iter().flatten().filter_map(clap::Arg::get_long).collect();
    let typed = |flag: &str, value: &str| {
        let name = called(command, flag);
        flags.contains(&name).then(|| format!("--{name}{value}"))
    };
    error.in_words(typed)
}

/// What a subcommand calls the flag that others call `flag`.
fn called<'a>(command: &str, flag: &'a str) -> &'a str {
    match (command, flag) {
        ("convert", "format") => "from-format",
        ("convert", "ids") => "from-ids",
        ("generate", "to-format") => "format",
        ("bench", "device") => "devices",
        ("bench", "engine") => "engines",
        _ => flag,
    }
}

#[cfg(test)]
mod tests {
    use tribin::{Message, hint};

    use super::*;

    /// What a command says with a hint, behind the problem.
    fn said(command: &str, hint: &str) -> String {
        text(command, &Error::Usage(Message::from("").with_hint(hint)))
    }

    #[test]
    fn hints_name_flags_as_the_command_calls_them() {
        let for_list = |flag: &str| format!(" (for an edge list use `--{flag} edge-list`)");
        assert_eq!(said("count", hint::EDGE_LIST_FORMAT), for_list("format"));
        assert_eq!(said("convert", hint::EDGE_LIST_FORMAT), for_list("from-format"));
        let ids = " (say `--from-ids integers` or `--from-ids names`)";
        assert_eq!(said("convert", hint::INTEGERS_OR_NAMES), ids);
        let written = |flag: &str| format!(", or name the format with `--{flag}`");
        assert_eq!(said("generate", hint::NAME_OUTPUT_FORMAT), written("format"));
        assert_eq!(said("convert", hint::NAME_OUTPUT_FORMAT), written("to-format"));
        if cfg!(feature = "bench") {
            assert_eq!(said("bench", hint::CPU), ": count on the CPU with `--devices cpu`");
        }
    }

    #[test]
    fn hints_name_no_flag_that_the_command_lacks() {
        assert_eq!(said("list", hint::CPU), ": count on the CPU with `--device cpu`");
        assert_eq!(said("convert", hint::CPU), ": count on the CPU with `device cpu`");
        let more = ": allow more with `memory`, or use fewer `threads`";
        assert_eq!(said("convert", hint::MORE_MEMORY), more);
    }
}
