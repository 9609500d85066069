//! The files that the PTX is made of, and their hash.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use crate::Error;
use crate::compile::{FLAGS, MANIFESTS};
use crate::embed::committed;

/// Where the sources of a PTX module lie.
#[derive(Debug, Clone)]
pub struct Sources {
    /// The folder of the kernels: their crate is in `src`, the committed PTX in `ptx`.
    pub kernels: PathBuf,
    /// The folder of the toolkit, whose crates `device` and `launch` the kernels are compiled with.
    pub toolkit: PathBuf,
}

/// A Rust file that the PTX is made of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceFile {
    /// Its name, the same wherever the folders lie: `kernels/src/lib.rs`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

impl Sources {
    /// Files and folders of Rust code, with the names that they have in the hash. Of the crate
    /// `launch` a GPU sees only these two files: the rest is compiled for hosts.
    fn roots(&self) -> [(&'static str, PathBuf); 4] {
        [
            ("kernels/src", self.kernels.join("src")),
            ("toolkit/device/src", self.toolkit.join("device/src")),
            ("toolkit/launch/src/element.rs", self.toolkit.join("launch/src/element.rs")),
            ("toolkit/launch/src/lib.rs", self.toolkit.join("launch/src/lib.rs")),
        ]
    }

    /// What a build script watches: a change of any of these may change the PTX to embed.
    pub fn watched(&self) -> Vec<PathBuf> {
        let mut paths = vec![committed(&self.kernels)];
        if self.are_whole() {
            paths.extend(self.roots().into_iter().map(|(_, path)| path));
        }
        paths
    }

    /// Whether the toolkit's crates lie beside the kernels. In a published package they do not.
    pub fn are_whole(&self) -> bool {
        self.roots().into_iter().all(|(_, path)| path.exists())
    }

    /// The Rust files that the PTX is made of, sorted by name.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn files(&self) -> Result<Vec<SourceFile>, Error> {
        let mut files = Vec::new();
        for (name, root) in self.roots() {
            for entry in WalkDir::new(&root) {
                let entry = entry.map_err(|error| Error::Io {
                    path: error.path().unwrap_or(&root).to_owned(),
                    source: error.into(),
                })?;
                if !entry.file_type().is_file() || entry.path().extension() != Some("rs".as_ref()) {
                    continue;
                }
                let below = entry.path().strip_prefix(&root).expect("found below it");
                let parts = below.iter().map(|part| part.to_string_lossy().into_owned());
                let name = [name.to_owned()].into_iter().chain(parts).collect::<Vec<_>>().join("/");
                files.push(SourceFile { name, path: entry.into_path() });
            }
        }
        files.sort();
        Ok(files)
    }

    /// The hash of everything but the compiler that decides the PTX's bytes: the sources, the
    /// manifests that they are built with, and the flags. 64 hexadecimal digits of SHA-256.
    ///
    /// Names are relative, and `\r\n` counts as `\n`: the hash is that of the commit, not of the
    /// checkout.
    ///
    /// # Errors
    /// If a source cannot be read.
    pub fn hash(&self) -> Result<String, Error> {
        let mut parts = FLAGS.map(Vec::from).to_vec();
        parts.extend(MANIFESTS.map(|(_, manifest)| Vec::from(manifest)));
        for SourceFile { name, path } in self.files()? {
            let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
            parts.extend([name.into_bytes(), text.replace("\r\n", "\n").into_bytes()]);
        }
        Ok(digest(parts.iter().map(Vec::as_slice)))
    }
}

/// SHA-256 of a list of byte strings, as 64 hexadecimal digits.
pub(crate) fn digest<'a>(parts: impl Iterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length in front keeps two parts from passing for one.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().fold(String::with_capacity(64), |mut digits, byte| {
        write!(digits, "{byte:02x}").expect("a string takes everything");
        digits
    })
}
