//! Why there is no PTX.

use std::path::{Path, PathBuf};

use crate::source::Sources;
use crate::toolchain::NoToolchain;

/// Why there is no PTX.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// No rustc here can compile kernels.
    #[error(transparent)]
    NoToolchain(#[from] NoToolchain),
    /// The committed PTX is not of these sources, and no rustc here can compile them.
    #[error(
        "the kernel sources differ from those of {}, and they cannot be compiled here.\n\
         {reason}\nOr take back the edits under {} and {}: no device toolchain is needed then.",
        committed.display(), sources.kernels.display(), sources.toolkit.display()
    )]
    EditedWithoutToolchain {
        /// The committed PTX.
        committed: PathBuf,
        /// The sources.
        sources: Sources,
        /// Where a toolchain was looked for.
        reason: NoToolchain,
    },
    /// The device compiler said no.
    #[error("{toolchain} cannot compile the kernels:\n{log}")]
    Compile {
        /// The toolchain, in words.
        toolchain: String,
        /// What cargo printed.
        log: String,
    },
    /// A PTX file is not what this crate writes.
    #[error("{}: {what}", path.display())]
    BadPtx {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        what: String,
    },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Error::Io { path: path.to_owned(), source }
    }
}
