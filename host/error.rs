//! Everything that can go wrong, each as one message that says what to do.

use std::path::PathBuf;

/// The result of every fallible call in this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. The text is complete: it names the file, the line or byte, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write a file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },

    /// The file was read, and its content is not what its format requires.
    #[error("{file}:{place}: {message}")]
    Malformed {
        /// The file as the user named it (`-` for standard input).
        file: String,
        /// `line 7`'s number, or `byte 128`.
        place: Place,
        /// What stands there, what was expected, and what to do.
        message: String,
    },

    /// The input as a whole cannot be processed (unknown format, too many vertices, …).
    #[error("{file}: {message}")]
    Input {
        /// The file as the user named it.
        file: String,
        /// What is wrong and what to do.
        message: String,
    },

    /// A GPU was asked for and cannot be used.
    #[error("{0}")]
    Device(String),

    /// The graph does not fit the device.
    #[error(
        "the graph needs {needed} bytes of device memory and {free} are free on {device}: \
         count on the CPU with `--device cpu`, or on a GPU with more memory"
    )]
    DeviceMemory {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// The device's name.
        device: String,
    },

    /// Two independent engines gave different figures: a defect in tribin, never the user's.
    #[error(transparent)]
    Disagreement(Box<Disagreement>),

    /// The caller asked for it to stop ([`Cancel`](crate::Cancel)).
    #[error("cancelled")]
    Cancelled,

    /// An option's value makes no sense together with the others.
    #[error("{0}")]
    Usage(String),
}

/// What two engines disagree on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{file}: {first_engine} counted {first} {figure} and {second_engine} counted {second}: this is \
     a defect in tribin, please report it with the graph"
)]
pub struct Disagreement {
    /// The graph's file.
    pub file: String,
    /// What was counted (`triangles`, `edges`, …).
    pub figure: &'static str,
    /// Name of the engine that was asked for.
    pub first_engine: String,
    /// Its figure.
    pub first: u128,
    /// Name of the verifying engine.
    pub second_engine: String,
    /// Its figure.
    pub second: u128,
}

/// A position in an input file, counted from 1 (lines) or 0 (bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text format, from 1.
    Line(u64),
    /// A byte offset of a binary format, from 0.
    Byte(u64),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            // `file:7:` is what editors and terminals turn into a link.
            Place::Line(line) => write!(f, "{line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}
