//! How a command ends when it does not end well.

use std::io;

use tribin::read::Columns;
use tribin::{Error, Hint};

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
    pub fn report(self) -> u8 {
        match self {
            Failure::Error(error) => {
                say(&error);
                if matches!(error, Error::Usage(_)) { 2 } else { 1 }
            }
            Failure::Said => 1,
            Failure::NobodyListens => 0,
        }
    }
}

/// One line on stderr, whatever is in a file's name.
pub fn say(error: &Error) {
    stderr::error(format_args!("{}", text(error)));
}

/// The text of an error, with the flags that help.
pub fn text(error: &Error) -> String {
    error.in_words(flags)
}

/// What helps, as it is typed.
fn flags(hint: &Hint) -> String {
    match hint {
        Hint::Cpu => ": count on the CPU with `--device cpu`".into(),
        Hint::CpuOrMoreMemory => {
            ": count on the CPU with `--device cpu`, or on a GPU with more memory".into()
        }
        Hint::NoGpu => {
            "; `tribin doctor` says what is missing, `--device cpu` counts on the CPU".into()
        }
        Hint::AutoEngine => ": use `--engine auto`".into(),
        Hint::EngineNeedsGpu { engine, no_gpu: None } => format!(
            "`--engine {engine}` counts on a GPU only: leave out `--device cpu`, or use `--engine auto`"
        ),
        Hint::EngineNeedsGpu { engine, no_gpu: Some(why) } => format!(
            "`--engine {engine}` counts on a GPU only, and none can be used: {why}; use `--engine auto`"
        ),
        Hint::RadixOnly { option } => {
            format!("`--{option}` is of `--engine radix` only: add that, or leave out `--{option}`")
        }
        Hint::FewerThreads { asked, most } => {
            format!("`--threads` asks for {asked} threads: use at most {most}")
        }
        Hint::NameFormat => " (name it with `--format`)".into(),
        Hint::NameOutputFormat => ", or name the format with `--to-format`".into(),
        Hint::CommentOrFormat => {
            " (begin comment lines with `#`, or name another format with `--format`)".into()
        }
        Hint::EdgeListFormat => " (for an edge list use `--format edge-list`)".into(),
        Hint::RawPairs => {
            "; if it holds raw pairs that begin so by chance, say `--format bin`".into()
        }
        Hint::DecompressedLimit => {
            ": if the file can be trusted and the memory suffices, allow more with \
             `--decompressed-limit`"
                .into()
        }
        Hint::Columns { proposed: [first, second] } => {
            format!(
                ": name two with `--columns`, for example `--columns {}`",
                Columns::new(first, second)
            )
        }
        Hint::CommentOrNames => {
            " (begin comment lines with `#`, or say `--ids names` where any text is an id)".into()
        }
        Hint::NamesAsIds => " (`--ids names` takes every id as a name)".into(),
        Hint::IntegersOrNames => " (say `--ids integers` or `--ids names`)".into(),
        Hint::Header => " (say `--header yes` or `--header no`)".into(),
        Hint::Delimiter => " (say with `--delimiter` what stands between columns)".into(),
        Hint::SkipLines => " (`--skip N` leaves out the first N lines)".into(),
        Hint::FormatOrEdgeList(format) => format!(
            ": use `--format {format}`, or `--format edge-list` if each line is an edge all the same"
        ),
        Hint::SkipOrEdgeList => {
            ": leave it out with `--skip 1`, or say `--format edge-list` if it is an edge all the same".into()
        }
        Hint::Format(format) => format!(": use `--format {format}`"),
        Hint::Weight => " (name the column with `--weight`)".into(),
        Hint::Duplicates => ": say `--duplicates sum` or `--duplicates last`".into(),
        // The library's words, until this command has its own.
        other => other.to_string(),
    }
}
