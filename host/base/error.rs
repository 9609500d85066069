//! Everything that can go wrong, each as one message that says what to do.

use std::error::Error as StdError;
use std::fmt;
use std::path::PathBuf;

use tribin_launch::{DeviceFault, OutOfMemory};

use crate::printable::printable;

/// The result of every fallible call in this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of everything that can fail here. The text is complete: it names the file, the line or byte, and what to do.
///
/// ```
/// use tribin::{Error, Hint, read};
///
/// let error = read::from_bytes("ids.txt", b"0 1\n1\n", &read::Options::default()).unwrap_err();
/// assert!(error.to_string().starts_with("ids.txt:2: `1` has 1 column between blanks"));
/// assert!(matches!(error, Error::Malformed { .. }));
/// assert_eq!(error.hint(), Some(Hint::NoTable));
/// ```
#[derive(Debug)]
pub enum Error {
    /// The operating system refused to read or write a file.
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },

    /// The file was read, and its content is not what its format requires.
    Malformed {
        /// The file as the user named it (`-` for standard input).
        file: String,
        /// `line 7`'s number, or `byte 128`.
        place: Place,
        /// The message: what stands there, what was expected, and what to do.
        message: Message,
    },

    /// The input as a whole cannot be processed (unknown format, too many vertices, …).
    Input {
        /// The file as the user named it.
        file: String,
        /// The message: what is wrong and what to do.
        message: Message,
    },

    /// A GPU was asked for and cannot be used.
    Device(Message),

    /// The graph does not fit the device.
    DeviceMemory {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// The device's name.
        device: String,
    },

    /// Two independent engines gave different figures.
    Disagreement(Box<Disagreement>),

    /// A process of a job of several cannot go on, and so none of them can (`Ranks`).
    Rank {
        /// Which one.
        rank: u32,
        /// The message: what happened to the rank and what to do.
        message: Message,
    },

    /// The caller asked for the work to stop (`Cancel`).
    Cancelled,

    /// An option's value makes no sense together with the others.
    Usage(Message),
}

impl Error {
    /// An error of the input of this name as a whole.
    pub fn of_input(name: &str, message: impl Into<Message>) -> Error {
        Error::Input { file: name.into(), message: message.into() }
    }

    /// The hint that helps, where it is an option of this library.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Error::Malformed { message, .. }
            | Error::Input { message, .. }
            | Error::Device(message)
            | Error::Rank { message, .. }
            | Error::Usage(message) => message.0.hint.clone(),
            Error::DeviceMemory { .. } => Some(Hint::CpuOrMoreMemory),
            Error::Io { .. } | Error::Disagreement(_) | Error::Cancelled => None,
        }
    }

    /// This error, with the name of the graph where it names none.
    pub fn of(self, name: &str) -> Error {
        match self {
            Error::Input { file, message } if file.is_empty() => {
                Error::Input { file: name.into(), message }
            }
            error => error,
        }
    }

    /// The error's text with words of the caller's own for its hint, as a command has that names its flags.
    ///
    /// ```
    /// use tribin::{Error, Hint};
    ///
    /// let error = Error::DeviceMemory { needed: 9, free: 8, device: "H200".into() };
    /// let text = "the graph needs 9 bytes of device memory and 8 are free on H200";
    /// assert_eq!(error.to_string(), format!("{text}{}", Hint::CpuOrMoreMemory));
    /// assert_eq!(error.in_words(|_| "; try --cpu".into()), format!("{text}; try --cpu"));
    /// ```
    pub fn in_words(&self, words: impl Fn(&Hint) -> String) -> String {
        let told = |message: &Message| match &message.0.hint {
            Some(hint) => format!("{}{}", message.problem(), words(hint)),
            None => message.problem().to_owned(),
        };
        let text = match self {
            Error::Io { path, source } => format!("{}: {source}", path.display()),
            Error::Malformed { file, place, message } => {
                format!("{file}:{place}: {}", told(message))
            }
            Error::Input { file, message } => format!("{file}: {}", told(message)),
            Error::Device(message) | Error::Usage(message) => told(message),
            Error::DeviceMemory { needed, free, device } => format!(
                "the graph needs {needed} bytes of device memory and {free} are free on {device}{}",
                words(&Hint::CpuOrMoreMemory)
            ),
            Error::Disagreement(disagreement) => disagreement.to_string(),
            Error::Rank { rank, message } => format!("rank {rank}: {}", told(message)),
            Error::Cancelled => "cancelled".into(),
        };
        // Names of files and columns may hold any characters.
        printable(&text).into_owned()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(Hint::to_string))
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            Error::Malformed { message, .. }
            | Error::Input { message, .. }
            | Error::Device(message)
            | Error::Rank { message, .. }
            | Error::Usage(message) => message.source(),
            Error::DeviceMemory { .. } | Error::Disagreement(_) | Error::Cancelled => None,
        }
    }
}

impl<F: DeviceFault> From<F> for Error {
    fn from(fault: F) -> Error {
        match fault.out_of_memory() {
            Some(OutOfMemory { needed, free, device }) => {
                Error::DeviceMemory { needed, free, device }
            }
            None => Error::Device(Message::from(fault.to_string()).with_source(fault)),
        }
    }
}

/// The text of an error: the problem, what helps, and the error that it comes from.
///
/// ```
/// use tribin::{Error, Hint, Message};
///
/// let error = Error::Device(Message::from("the fan is loud").with_hint(Hint::Cpu));
/// assert_eq!(error.to_string(), "the fan is loud: count on the CPU with `device cpu`");
/// ```
#[derive(Debug)]
pub struct Message(Box<MessageParts>);

#[derive(Debug)]
struct MessageParts {
    problem: String,
    hint: Option<Hint>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Message {
    /// Adds a hint, which says what helps, to the message.
    pub fn with_hint(mut self, hint: Hint) -> Message {
        self.0.hint = Some(hint);
        self
    }

    /// Adds the error that the message comes from.
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Message {
        self.0.source = Some(source.into());
        self
    }

    /// Replaces the problem of the message by what `problem` makes of it.
    pub fn map_problem(mut self, problem: impl FnOnce(&str) -> String) -> Message {
        self.0.problem = problem(&self.0.problem);
        self
    }

    /// A copy of the message, without the error that it comes from.
    pub fn again(&self) -> Message {
        let MessageParts { problem, hint, .. } = &*self.0;
        Message(Box::new(MessageParts {
            problem: problem.clone(),
            hint: hint.clone(),
            source: None,
        }))
    }

    /// The message without what helps.
    pub fn problem(&self) -> &str {
        &self.0.problem
    }

    /// The error that this one comes from.
    pub fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

impl From<String> for Message {
    fn from(problem: String) -> Message {
        Message(Box::new(MessageParts { problem, hint: None, source: None }))
    }
}

impl From<&str> for Message {
    fn from(problem: &str) -> Message {
        problem.to_owned().into()
    }
}

impl From<Hint> for Message {
    /// A message that is its hint.
    fn from(hint: Hint) -> Message {
        Message::from("").with_hint(hint)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.problem)?;
        self.0.hint.as_ref().map_or(Ok(()), |hint| hint.fmt(f))
    }
}

/// The option that helps against an error. Its text ends the error's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// Count on the CPU (`DeviceChoice::Cpu`).
    Cpu,
    /// Count on the CPU, or on a GPU with more memory.
    CpuOrMoreMemory,
    /// No GPU can be used: see what the machine lacks (`Diagnosis`), or count on
    /// the CPU.
    NoGpu,
    /// Leave the engine to the program (`EngineChoice::Auto`).
    AutoEngine,
    /// The engine counts on a GPU only.
    EngineNeedsGpu {
        /// The engine's name.
        engine: &'static str,
        /// Why no GPU can be used; `None` where the CPU was asked for.
        no_gpu: Option<String>,
    },
    /// Use fewer threads (`Options::threads`).
    FewerThreads {
        /// The number that was asked for.
        asked: usize,
        /// The largest number.
        most: usize,
    },
    /// Name the file's format (`read::Options::format`).
    NameFormat,
    /// Name the format of the file that is written (`write::Target`).
    NameOutputFormat,
    /// Name this format, if the file holds an edge list.
    EdgeListFormat,
    /// Allow more decompressed bytes
    /// (`read::Options::decompressed_limit`).
    DecompressedLimit,
    /// Name the two columns that are the ends of an edge
    /// (`read::Options::columns`).
    Columns {
        /// Two that could be.
        proposed: [String; 2],
    },
    /// Name two columns as the ends of an edge, where two others than those that the table begins with are likely.
    OtherColumns {
        /// The two that are likely.
        likely: [String; 2],
        /// The two that would be taken.
        taken: [String; 2],
    },
    /// Leave out rows of which an end is missing (`read::Options::missing`), or take every id as a name.
    Missing,
    /// Say that the two columns have ids of their own (`read::Options::bipartite`), or name the two columns.
    Bipartite {
        /// The two columns.
        columns: [String; 2],
    },
    /// Leave out an option of `read::Options` that says nothing of the file.
    LeaveOut {
        /// The option's field.
        option: &'static str,
    },
    /// Take every id as a name (`IdKind::Names`).
    NamesAsIds,
    /// Take ids as integers, or as names (`read::Options::ids`).
    IntegersOrNames,
    /// Say whether the first line names the columns
    /// (`read::Options::header`).
    Header,
    /// Say what stands between columns (`read::Options::delimiter`).
    Delimiter,
    /// Leave out lines at the beginning (`read::Options::skip`).
    SkipLines,
    /// Leave a first line out, name the two columns, or name another format: the lines are no table of edges.
    NoTable,
    /// Put scratch files into another folder (`Options::scratch`).
    Scratch,
    /// Allow more memory (`Options::memory`), or use fewer threads.
    MoreMemory,
    /// Leave verification out (`CountOptions::verify`).
    NoVerify,
    /// Count with the edges in scratch files: allow less memory than there is
    /// (`Options::memory`), or name a folder for them
    /// (`Options::scratch`).
    OutOfCore,
    /// Say which column the weights are in (`read::Options::weight`).
    Weight,
    /// Say what the weight of an edge is that has several (`Duplicates`).
    Duplicates,
}

impl Hint {
    /// The text of the hint, with the words that `option` has for an option of the library; `None` where it has none for one of them.
    ///
    /// ```
    /// use tribin::Hint;
    ///
    /// assert_eq!(Hint::Cpu.to_string(), ": count on the CPU with `device cpu`");
    /// let flag = |option: &str| Some(format!("--{option}"));
    /// assert_eq!(Hint::Cpu.in_words(flag).unwrap(), ": count on the CPU with `--device cpu`");
    /// ```
    pub fn in_words(&self, option: impl Fn(&str) -> Option<String>) -> Option<String> {
        let (template, values) = (self.template(), self.values());
        let mut parts = template.split('{');
        let mut text = parts.next()?.to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}')?;
            text += &match name.parse::<usize>() {
                Ok(place) => values.get(place)?.clone(),
                Err(_) => option(name)?,
            };
            text += rest;
        }
        Some(text)
    }

    /// The text of the hint, with options and the numbers of values between braces.
    fn template(&self) -> String {
        let text = match self {
            Hint::Cpu => ": count on the CPU with `{device} cpu`",
            Hint::CpuOrMoreMemory => {
                ": count on the CPU with `{device} cpu`, or on a GPU with more memory"
            }
            Hint::NoGpu => {
                "; `tribin doctor` says what is missing, `{device} cpu` counts on the CPU"
            }
            Hint::AutoEngine => ": use `{engine} auto`",
            Hint::NameFormat => " (name it with `{format}`)",
            Hint::NameOutputFormat => ", or name the format with `{output format}`",
            Hint::EdgeListFormat => " (for an edge list use `{format} edge-list`)",
            Hint::DecompressedLimit => {
                ": if the file can be trusted and the memory suffices, allow more with `{decompressed-limit}`"
            }
            Hint::NamesAsIds => " (`{ids} names` takes every id as a name)",
            Hint::IntegersOrNames => " (say `{ids} integers` or `{ids} names`)",
            Hint::Header => " (say `{header} yes` or `{header} no`)",
            Hint::Delimiter => " (say with `{delimiter}` what stands between columns)",
            Hint::SkipLines => " (`{skip} N` leaves out the first N lines)",
            Hint::NoTable => {
                ": leave a first line out with `{skip} 1`, name the two ends with `{columns} 1,2`, or say `{format} adjacency` or \
                 `{format} metis`"
            }
            Hint::Scratch => ": choose another folder with `{scratch}`",
            Hint::MoreMemory => ": allow more with `{memory}`, or use fewer `{threads}`",
            Hint::NoVerify => ": leave `{verify}` out",
            Hint::OutOfCore => {
                ": end other programs, or count with scratch files: `{memory}` with less than there is, and \
                 `{scratch}` with a folder that has room"
            }
            // Without it nobody asks for weights here: it was given, and nothing was found by it.
            Hint::Weight => {
                ", although `{weight}` asks for them: tables, Matrix Market, METIS, DIMACS and .npz files can have weights"
            }
            Hint::Duplicates => ": say `{duplicates} sum` or `{duplicates} last`",
            Hint::EngineNeedsGpu { no_gpu: None, .. } => {
                "`{engine} {0}` counts on a GPU only: leave out `{device} cpu`, or use `{engine} auto`"
            }
            Hint::EngineNeedsGpu { no_gpu: Some(_), .. } => {
                "`{engine} {0}` counts on a GPU only, and none can be used: {1}; use `{engine} auto`"
            }
            Hint::FewerThreads { .. } => "`{threads}` asks for {0} threads: use at most {1}",
            Hint::Columns { .. } => ": name two with `{columns}`, for example `{columns} {0}`",
            Hint::OtherColumns { .. } => {
                ": name two with `{columns} {0}`, or with `{columns} {1}` if these are the ends all the same"
            }
            Hint::Missing => {
                " (`{missing} skip` leaves such lines out, `{ids} names` takes every id as a name)"
            }
            Hint::Bipartite { .. } => {
                ": say `{bipartite}`, or `{columns} {0}` to take equal ids as one vertex"
            }
            Hint::LeaveOut { option } => return format!(": leave out `{{{option}}}`"),
        };
        text.to_owned()
    }

    /// The values that the text has.
    fn values(&self) -> Vec<String> {
        match self {
            Hint::EngineNeedsGpu { engine, no_gpu } => {
                [Some(engine.to_string()), no_gpu.clone()].into_iter().flatten().collect()
            }
            Hint::FewerThreads { asked, most } => vec![asked.to_string(), most.to_string()],
            Hint::Columns { proposed: columns } | Hint::Bipartite { columns } => {
                vec![typed(columns)]
            }
            Hint::OtherColumns { likely, taken } => vec![typed(likely), typed(taken)],
            _ => Vec::new(),
        }
    }
}

/// Two columns as they are typed in a shell. A name with a comma or a quote stands between quotes.
fn typed(columns: &[String; 2]) -> String {
    let named = columns.each_ref().map(|name| match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    });
    let text = named.join(",");
    let is_plain = |c: char| c.is_alphanumeric() || "_,.-+:/@%=".contains(c);
    match text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(|option| Some(option.replace('-', "_"))).unwrap_or_default())
    }
}

/// The figure that two engines disagree on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The graph's file.
    pub file: String,
    /// The figure that the two engines found different (`triangles`, `edges`, …).
    pub figure: &'static str,
    /// Name of the engine that was asked for.
    pub first_engine: String,
    /// The first engine's figure.
    pub first: u128,
    /// Name of the verifying engine.
    pub second_engine: String,
    /// The verifying engine's figure.
    pub second: u128,
    /// Whether one of the two engines is an engine of the caller's own
    /// (`Options::engine`). Otherwise there is a defect in tribin.
    pub own_engine: bool,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { file, figure, first_engine, first, second_engine, second, .. } = self;
        write!(
            f,
            "{file}: {first_engine} counted {first} {figure} and {second_engine} counted {second}: "
        )?;
        f.write_str(if self.own_engine {
            "one of the two is wrong, most likely the engine that is not tribin's"
        } else {
            "this is a defect in tribin, please report it with the graph"
        })
    }
}

impl StdError for Disagreement {}

/// A position in an input file, counted from 1 (lines) or 0 (bytes and rows).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text format, from 1.
    Line(u64),
    /// A byte offset of a binary format, from 0.
    Byte(u64),
    /// A row of a table that has no lines, from 0.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // `file:7:` is what editors and terminals turn into a link.
            Place::Line(line) => write!(f, "{line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
            Place::Row(row) => write!(f, "row {row}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors of the library named flags of the command.
    #[test]
    fn hints_name_no_flags() {
        let engine = "hybrid";
        for hint in [
            Hint::Cpu,
            Hint::CpuOrMoreMemory,
            Hint::NoGpu,
            Hint::AutoEngine,
            Hint::EngineNeedsGpu { engine, no_gpu: None },
            Hint::EngineNeedsGpu { engine, no_gpu: Some("it is out".into()) },
            Hint::FewerThreads { asked: 3, most: 2 },
            Hint::NameFormat,
            Hint::NameOutputFormat,
            Hint::EdgeListFormat,
            Hint::DecompressedLimit,
            Hint::Columns { proposed: ["a", "b"].map(String::from) },
            Hint::OtherColumns {
                likely: ["2", "3"].map(String::from),
                taken: ["1", "2"].map(String::from),
            },
            Hint::Missing,
            Hint::Bipartite { columns: ["1", "2"].map(String::from) },
            Hint::LeaveOut { option: "skip" },
            Hint::NamesAsIds,
            Hint::IntegersOrNames,
            Hint::Header,
            Hint::Delimiter,
            Hint::SkipLines,
            Hint::NoTable,
            Hint::Scratch,
            Hint::MoreMemory,
            Hint::NoVerify,
            Hint::OutOfCore,
            Hint::Weight,
            Hint::Duplicates,
        ] {
            let text = hint.to_string();
            assert!(!text.is_empty() && !text.contains("--"), "{text}");
            let error = Error::Usage(Message::from("a").with_hint(hint.clone()));
            assert_eq!(error.hint(), Some(hint));
            assert_eq!(error.to_string(), format!("a{text}"));
            assert_eq!(error.in_words(|_| " b".into()), "a b");
        }
    }

    /// Errors kept the text alone of what they came from.
    #[test]
    fn errors_keep_their_source() {
        let errors: [fn(Message) -> Error; 4] = [
            |message| Error::Malformed { file: "f".into(), place: Place::Line(1), message },
            |message| Error::Input { file: "f".into(), message },
            Error::Device,
            Error::Usage,
        ];
        for error in errors {
            let source = std::io::Error::other("no luck");
            let error = error(Message::from("it fails").with_source(source));
            assert_eq!(error.source().unwrap().to_string(), "no luck");
            assert!(!error.to_string().contains("no luck"), "{error}");
        }
    }
}
