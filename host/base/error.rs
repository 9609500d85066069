//! Everything that can go wrong, each as one message that says what to do.

use std::error::Error as StdError;
use std::fmt;
use std::path::PathBuf;

use warpwise_launch::{DeviceFault, OutOfMemory};

use crate::hint;
use crate::printable::printable;

/// The result of every fallible call in this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of everything that can fail here. The text is complete: it names the file, the line or byte, and what to do.
///
/// ```
/// use tribin::{Error, hint, read};
///
/// let error = read::from_bytes("ids.txt", b"0 1\n1\n", &read::Options::default()).unwrap_err();
/// assert!(error.to_string().starts_with("ids.txt:2: `1` has 1 column between blanks"));
/// assert!(matches!(error, Error::Malformed { .. }));
/// assert_eq!(error.hint(), Some(hint::NO_TABLE));
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

    /// What helps, with the flags of the command, where it is an option of this library. It ends the error's text.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Error::Malformed { message, .. }
            | Error::Input { message, .. }
            | Error::Device(message)
            | Error::Rank { message, .. }
            | Error::Usage(message) => message.0.hint.as_deref(),
            Error::DeviceMemory { .. } => Some(hint::CPU_OR_MORE_MEMORY),
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

    /// The error's text with words of the caller's own for [the flags](hint) of what helps. `words` gets the name of a flag, and
    /// its value with the blank before it; what helps is said in the library's words where it is `None` for one of them.
    ///
    /// ```
    /// use tribin::{Error, Message, hint};
    ///
    /// let error = Error::Device(Message::from("the fan is loud").with_hint(hint::CPU));
    /// let keyword = |flag: &str, value: &str| Some(format!("{flag}={}", value.trim()));
    /// assert_eq!(error.in_words(keyword), "the fan is loud: count on the CPU with `device=cpu`");
    /// assert_eq!(error.in_words(|_, _| None), error.to_string());
    /// ```
    pub fn in_words(&self, words: impl Fn(&str, &str) -> Option<String>) -> String {
        let told_hint = |hint: &str| {
            hint::in_words(hint, &words).unwrap_or_else(|| hint::in_library_words(hint))
        };
        let told = |message: &Message| match &message.0.hint {
            Some(hint) => format!("{}{}", message.problem(), told_hint(hint)),
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
                told_hint(hint::CPU_OR_MORE_MEMORY)
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
        f.write_str(&self.in_words(|_, _| None))
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
/// use tribin::{Error, Message, hint};
///
/// let error = Error::Device(Message::from("the fan is loud").with_hint(hint::CPU));
/// assert_eq!(error.to_string(), "the fan is loud: count on the CPU with `device cpu`");
/// ```
#[derive(Debug)]
pub struct Message(Box<MessageParts>);

#[derive(Debug)]
struct MessageParts {
    problem: String,
    hint: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Message {
    /// Adds what helps to the message, with [the flags of the command](hint).
    pub fn with_hint(mut self, hint: impl Into<String>) -> Message {
        self.0.hint = Some(hint.into());
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

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.problem)?;
        self.0.hint.as_ref().map_or(Ok(()), |hint| f.write_str(&hint::in_library_words(hint)))
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
