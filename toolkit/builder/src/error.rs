//! Why there is no PTX.

use std::path::{Path, PathBuf};

use crate::toolchain::NoToolchain;

/// The reason why there is no PTX.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The package has no kernels where they are looked for.
    #[error("there are no kernels: neither {} nor {} is a file", first.display(), second.display())]
    NoKernels {
        /// The file that kernels are looked for in first.
        first: PathBuf,
        /// The other file that they are looked for in.
        second: PathBuf,
    },
    /// The device library is not among the dependencies.
    #[error(
        "the folder of warpwise-device is not known: put `warpwise-device` under [dependencies] in {}",
        manifest.display()
    )]
    NoToolkit {
        /// The manifest of the kernels' package.
        manifest: PathBuf,
    },
    /// No rustc here can compile kernels.
    #[error(transparent)]
    NoToolchain(#[from] NoToolchain),
    /// The committed PTX is not of these sources, and no rustc here can compile them.
    #[error("{stale}, and the kernels cannot be compiled here.\n{reason}\n{otherwise}")]
    StaleWithoutToolchain {
        /// Which PTX is stale or missing, and why.
        stale: String,
        /// Where a toolchain was looked for.
        reason: NoToolchain,
        /// The advice, where no toolchain can be had.
        otherwise: String,
    },
    /// The committed PTX was to be checked, and is stale.
    #[error("{stale}; {refresh}")]
    Stale {
        /// Which PTX is stale or missing, and why.
        stale: String,
        /// The command that refreshes it.
        refresh: String,
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
        /// What is wrong with the file.
        what: String,
    },
    /// A variable of the environment has a value that it cannot have.
    #[error("{variable}={value:?}: expected {expected}")]
    Variable {
        /// The variable.
        variable: &'static str,
        /// The variable's value.
        value: String,
        /// The values that the variable can have.
        expected: &'static str,
    },
    /// NVIDIA's assembler failed, or printed what cannot be read.
    #[error("{0}")]
    Assembler(String),
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Error::Io { path: path.to_owned(), source }
    }

    pub(crate) fn bad(path: &Path) -> impl FnOnce(String) -> Self + '_ {
        move |what| Error::BadPtx { path: path.to_owned(), what }
    }
}
