//! The files that the PTX is made of, and their hash.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use crate::Error;
use crate::compile::{DEVICE_MANIFEST, FLAGS, KERNELS_MANIFEST};

/// Source folders, relative to the folder of the kernels.
const FOLDERS: [&str; 2] = ["device/src", "src"];

/// What of them is compiled for the host only.
const HOST_ONLY: [&str; 2] = ["device/src/emulated", "device/src/launch.rs"];

/// What a build script watches: a change of any of these may change the PTX to embed.
pub fn watched(kernels_dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = FOLDERS.iter().map(|folder| kernels_dir.join(folder)).collect();
    paths.push(crate::embed::committed(kernels_dir));
    paths
}

/// The Rust files that the PTX is made of, relative to `kernels_dir`, with `/` between the parts,
/// sorted.
///
/// # Errors
/// If a folder cannot be read.
pub fn source_files(kernels_dir: &Path) -> Result<Vec<String>, Error> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        let root = kernels_dir.join(folder);
        for entry in WalkDir::new(&root) {
            let entry = entry.map_err(|error| Error::Io {
                path: error.path().unwrap_or(&root).to_owned(),
                source: error.into(),
            })?;
            if !entry.file_type().is_file() || entry.path().extension() != Some("rs".as_ref()) {
                continue;
            }
            let below = entry.path().strip_prefix(kernels_dir).expect("found below it");
            if HOST_ONLY.iter().any(|host| below.starts_with(host)) {
                continue;
            }
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            files.push(parts.join("/"));
        }
    }
    files.sort();
    Ok(files)
}

/// The hash of everything but the compiler that decides the PTX's bytes: the sources, the manifests
/// that they are built with, and the flags. 64 hexadecimal digits of SHA-256.
///
/// Paths are relative, and `\r\n` counts as `\n`: the hash is that of the commit, not of the
/// checkout.
///
/// # Errors
/// If a source cannot be read.
pub fn source_hash(kernels_dir: &Path) -> Result<String, Error> {
    let mut parts = FLAGS.map(Vec::from).to_vec();
    parts.extend([KERNELS_MANIFEST, DEVICE_MANIFEST].map(Vec::from));
    for file in source_files(kernels_dir)? {
        let path = kernels_dir.join(&file);
        let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
        parts.extend([file.into_bytes(), text.replace("\r\n", "\n").into_bytes()]);
    }
    Ok(digest(parts.iter().map(Vec::as_slice)))
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
