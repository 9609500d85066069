//! How a command ends before its end.

use std::io;

use clap::CommandFactory;
#[cfg(not(all(feature = "bench", feature = "manual")))]
use tribin::features;
use tribin::{Error, Hint};

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
#[cfg(not(all(feature = "bench", feature = "manual")))]
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

/// The text of an error of a subcommand, with the flags of that command that help.
pub fn text(command: &str, error: &Error) -> String {
    let flags = Flags::of(command);
    error.in_words(|hint| flags.words(hint))
}

/// The flags of a subcommand.
struct Flags(Vec<String>);

impl Flags {
    fn of(command: &str) -> Flags {
        let args = Args::command();
        let command = args.find_subcommand(command);
        let longs = |command: &clap::Command| {
            command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned)).collect()
        };
        Flags(command.map_or_else(Vec::new, longs))
    }

    /// The first of these flags that the command has, as it is typed.
    fn first(&self, names: &[&str]) -> Option<String> {
        let name = names.iter().find(|&&name| self.0.iter().any(|flag| flag == name))?;
        Some(format!("--{name}"))
    }

    /// What helps: as it is typed, or in the library's words where the command has no flag for it.
    fn words(&self, hint: &Hint) -> String {
        hint.in_words(|option| self.of_option(option)).unwrap_or_else(|| hint.to_string())
    }

    /// The flag that sets an option, which some commands call otherwise.
    fn of_option(&self, option: &str) -> Option<String> {
        // In a command that reads nothing, `--format` is what is written.
        let reads = self.first(&["columns"]).is_some();
        match option {
            "format" => self.first(&["from-format", "format"]).filter(|_| reads),
            "output format" if reads => self.first(&["to-format"]),
            "output format" => self.first(&["format"]),
            "ids" => self.first(&["from-ids", "ids"]),
            "device" => self.first(&["device", "devices"]),
            "engine" => self.first(&["engine", "engines"]),
            other => self.first(&[other]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every hint, and whether a command that reads graphs, and one that counts, has a flag for it.
    fn hints() -> Vec<(Hint, For)> {
        let gpu = |no_gpu| Hint::EngineNeedsGpu { engine: "hybrid", no_gpu };
        vec![
            (Hint::Cpu, For::Devices),
            (Hint::CpuOrMoreMemory, For::Devices),
            (Hint::NoGpu, For::Devices),
            (Hint::AutoEngine, For::Engines),
            (gpu(None), For::Engines),
            (gpu(Some("no driver".into())), For::Engines),
            (Hint::FewerThreads { asked: 9, most: 8 }, For::Threads),
            (Hint::NameFormat, For::Readers),
            (Hint::NameOutputFormat, For::Writers),
            (Hint::EdgeListFormat, For::Readers),
            (Hint::DecompressedLimit, For::Readers),
            (Hint::Columns { proposed: ["a".into(), "b".into()] }, For::Readers),
            (
                Hint::OtherColumns {
                    likely: ["2".into(), "3".into()],
                    taken: ["1".into(), "2".into()],
                },
                For::Readers,
            ),
            (Hint::Missing, For::Readers),
            (Hint::Bipartite { columns: ["1".into(), "2".into()] }, For::Readers),
            (Hint::LeaveOut { option: "ids" }, For::Readers),
            (Hint::LeaveOut { option: "delimiter" }, For::Readers),
            (Hint::NamesAsIds, For::Readers),
            (Hint::IntegersOrNames, For::Readers),
            (Hint::Header, For::Readers),
            (Hint::Delimiter, For::Readers),
            (Hint::SkipLines, For::Readers),
            (Hint::NoTable, For::Readers),
            (Hint::Scratch, For::Memory),
            (Hint::MoreMemory, For::Memory),
            (Hint::NoVerify, For::Count),
            (Hint::OutOfCore, For::Memory),
        ]
    }

    /// The commands that have a flag for a hint.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum For {
        Readers,
        Writers,
        Devices,
        Engines,
        Count,
        Memory,
        Threads,
    }

    impl For {
        fn commands(self) -> &'static [&'static str] {
            match self {
                For::Readers => &[
                    "count", "stats", "local", "support", "truss", "list", "convert", "bench",
                    "census", "cliques", "motifs", "estimate", "similar", "report",
                ],
                For::Writers => &[
                    "local", "support", "truss", "list", "convert", "generate", "census",
                    "cliques", "motifs", "estimate", "similar",
                ],
                For::Devices => &[
                    "count", "stats", "local", "support", "truss", "list", "bench", "census",
                    "cliques", "motifs", "estimate", "similar", "report",
                ],
                For::Engines => &["count", "bench"],
                For::Count => &["count"],
                For::Memory => &[
                    "count", "stats", "local", "support", "truss", "list", "census", "cliques",
                    "motifs", "estimate", "similar", "report",
                ],
                For::Threads => &[
                    "count", "stats", "local", "support", "truss", "list", "convert", "bench",
                    "generate", "census", "cliques", "motifs", "estimate", "similar", "report",
                ],
            }
        }
    }

    /// The flags that a text names.
    fn named(text: &str) -> Vec<&str> {
        let flags = text.split("`").flat_map(|part| part.split(' '));
        flags.filter_map(|word| word.strip_prefix("--")).collect()
    }

    #[test]
    fn every_hint_names_flags_of_the_command_that_says_it() {
        let args = Args::command();
        for command in args.get_subcommands().map(clap::Command::get_name) {
            // A build without the feature `bench` has the command's name alone.
            if command == "bench" && cfg!(not(feature = "bench")) {
                continue;
            }
            let flags = Flags::of(command);
            for (hint, wanted) in hints() {
                let text = flags.words(&hint);
                for flag in named(&text) {
                    assert!(flags.first(&[flag]).is_some(), "`tribin {command}`: {text}");
                }
                let has_one = wanted.commands().contains(&command);
                assert_eq!(!named(&text).is_empty(), has_one, "`tribin {command}`: {text}");
            }
        }
    }

    #[test]
    fn convert_and_bench_have_flags_of_their_own() {
        let said = |command: &str, hint: Hint| Flags::of(command).words(&hint);
        let for_list = |flag: &str| format!(" (for an edge list use `--{flag} edge-list`)");
        assert_eq!(said("count", Hint::EdgeListFormat), for_list("format"));
        assert_eq!(said("convert", Hint::EdgeListFormat), for_list("from-format"));
        assert_eq!(
            said("convert", Hint::IntegersOrNames),
            " (say `--from-ids integers` or `--from-ids names`)"
        );
        assert_eq!(
            said("generate", Hint::NameOutputFormat),
            ", or name the format with `--format`"
        );
        if cfg!(feature = "bench") {
            assert_eq!(said("bench", Hint::Cpu), ": count on the CPU with `--devices cpu`");
        }
        assert_eq!(said("list", Hint::Cpu), ": count on the CPU with `--device cpu`");
        assert_eq!(said("convert", Hint::Cpu), ": count on the CPU with `device cpu`");
    }
}
