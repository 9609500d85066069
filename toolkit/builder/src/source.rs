//! Which files the PTX is made of, and their hash.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::compile::flags;
use crate::kernels::{DependencySource, KernelPackage};
use crate::manifests::{Manifest, ManifestPaths, manifests};

/// A file that the PTX is made of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceFile {
    /// The file's name, the same wherever the folders lie: `kernels/src/lib.rs`.
    pub name: String,
    /// The path of the file here.
    pub path: PathBuf,
    /// The file's text, with `\n` at the ends of lines.
    pub text: String,
}

/// Everything but the compiler that decides the PTX's bytes.
#[derive(Debug)]
pub struct Sources {
    /// The flags, the manifests, and the files that the Rust files read in.
    settings: Vec<String>,
    /// The Rust files, and the manifests of dependencies in folders.
    files: Vec<SourceFile>,
}

impl Sources {
    /// Reads the sources.
    ///
    /// # Errors
    /// If the kernels or the device library are not there or cannot be read.
    pub fn read(kernels: &KernelPackage) -> Result<Sources, Error> {
        kernels.check()?;
        let mut settings = flags(&kernels.target).to_vec();
        let manifests = manifests(kernels, ManifestPaths::Stated)?.into_iter();
        settings.extend(manifests.map(|Manifest { text, .. }| text));
        let mut files = Vec::new();
        for (name, path) in of_toolkit(kernels)? {
            files.extend(read(name, &path, &["rs"])?);
        }
        for (name, folder) in crates_of_kernels(kernels) {
            files.extend(read(&format!("{name}/src"), &folder, &["rs"])?);
        }
        for (name, folder) in dependency_folders(kernels)? {
            files.extend(read(&format!("{name}/src"), &folder.join("src"), &["rs"])?);
            let manifest = folder.join("Cargo.toml");
            files.extend(read(&format!("{name}/Cargo.toml"), &manifest, &["toml"])?);
        }
        let own = own(kernels)?;
        for (name, path) in included(&own) {
            let bytes = fs::read(&path).map_err(Error::io(&path))?;
            settings.extend([name, digest([bytes.as_slice()].into_iter())]);
        }
        files.extend(own);
        Ok(Sources { settings, files })
    }

    /// What a build script watches: a change of any of these may change the PTX.
    ///
    /// # Errors
    /// If the device library is not there.
    pub fn watched(kernels: &KernelPackage) -> Result<Vec<PathBuf>, Error> {
        let mut paths = vec![kernels.committed_folder(), kernels.root_file()];
        if kernels.is_published() {
            return Ok(paths);
        }
        let folder = kernels.modules_folder();
        if folder.is_dir() {
            paths.push(folder);
        }
        paths.extend(of_toolkit(kernels)?.map(|(_, path)| path));
        paths.extend(included(&own(kernels)?).into_values());
        paths.extend(crates_of_kernels(kernels).map(|(_, folder)| folder));
        paths.extend(dependency_folders(kernels)?.into_iter().map(|(_, folder)| folder));
        Ok(paths)
    }

    /// The files, those of the device library first.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The hash of everything but the compiler that decides the PTX: 64 hexadecimal digits of SHA-256.
    ///
    /// Names are relative, and `\r\n` counts as `\n`: the hash is that of the commit, not of the
    /// checkout. Lines that are comments do not count.
    pub fn hash(&self) -> String {
        let code = |file: &SourceFile| [file.name.clone(), without_comments(&file.text)];
        let files: Vec<String> = self.files.iter().flat_map(code).collect();
        digest(self.settings.iter().chain(&files).map(String::as_bytes))
    }
}

/// The text without lines of comments.
fn without_comments(text: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.split_inclusive('\n').filter(is_code).collect()
}

/// What of the toolkit kernels are compiled with. Of the crate `launch` a GPU sees only its element types.
fn of_toolkit(kernels: &KernelPackage) -> Result<[(&'static str, PathBuf); 3], Error> {
    let toolkit = kernels.toolkit()?;
    Ok([
        ("toolkit/device/src", toolkit.device.join("src")),
        ("toolkit/launch/src/element.rs", toolkit.launch.join("src/element.rs")),
        ("toolkit/launch/src/lib.rs", toolkit.launch.join("src/lib.rs")),
    ])
}

/// The names and sources of the crates that kernels use and that use the device library alone.
fn crates_of_kernels(kernels: &KernelPackage) -> impl Iterator<Item = (&str, PathBuf)> {
    kernels.dependencies.iter().filter_map(|(name, dependency)| match &dependency.source {
        DependencySource::Kernels(folder) => {
            Some((name.as_str(), kernels.folder.join(folder).join("src")))
        }
        _ => None,
    })
}

/// The folders of the other crates that kernels use, and of those that their manifests name by a path, each with a name that is the same wherever
/// the folders lie.
fn dependency_folders(kernels: &KernelPackage) -> Result<Vec<(String, PathBuf)>, Error> {
    let stated =
        kernels.dependencies.iter().filter_map(|(name, dependency)| match &dependency.source {
            DependencySource::Path(folder) => Some((name.clone(), kernels.folder.join(folder))),
            _ => None,
        });
    let mut folders: Vec<(String, PathBuf)> = stated.collect();
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while let Some((name, folder)) = folders.get(next).cloned() {
        next += 1;
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(Error::io(&manifest))?;
        for path in text.split("path").skip(1).filter_map(value) {
            let below = folder.join(path);
            let Ok(real) = below.join("Cargo.toml").canonicalize() else { continue };
            if seen.insert(real) {
                folders.push((format!("{name}/{path}"), below));
            }
        }
    }
    Ok(folders)
}

/// The text between quotes behind an equals sign.
fn value(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?.split('"').next()
}

/// The Rust files of the kernels, the root first.
fn own(kernels: &KernelPackage) -> Result<Vec<SourceFile>, Error> {
    let mut own = read("kernels/root.rs", &kernels.root_file(), &["rs"])?;
    let folder = kernels.modules_folder();
    if folder.is_dir() {
        let below = read("kernels", &folder, &["rs"])?.into_iter();
        own.extend(below.filter(|file| file.path != kernels.root_file()));
    }
    Ok(own)
}

/// The files that `include!`, `include_str!` and `include_bytes!` read in, by who names them and how. Documentation is not compiled.
fn included(sources: &[SourceFile]) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    for SourceFile { name, path, text } in sources {
        for (at, word) in text.match_indices("include") {
            let (before, rest) = (&text[..at], &text[at + word.len()..]);
            let call = ["!(", "_str!(", "_bytes!("].iter().find_map(|call| rest.strip_prefix(call));
            let file = call.and_then(|call| call.trim_start().strip_prefix('"')?.split('"').next());
            let file = file.filter(|_| !before.trim_end().ends_with("doc ="));
            let file = file.map(|file| (format!("{name}: {file}"), path.with_file_name(file)));
            found.extend(file.filter(|(_, path)| path.is_file()));
        }
    }
    found
}

/// The files below a path, or the file that it is, with names that start with `name`; sorted.
fn read(name: &str, path: &Path, extensions: &[&str]) -> Result<Vec<SourceFile>, Error> {
    if path.is_dir() {
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(Error::io(path))? {
            let entry = entry.map_err(Error::io(path))?;
            let name = format!("{name}/{}", entry.file_name().to_string_lossy());
            found.extend(read(&name, &entry.path(), extensions)?);
        }
        found.sort();
        return Ok(found);
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    if !extension.is_some_and(|extension| extensions.contains(&extension)) {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path).map_err(Error::io(path))?.replace("\r\n", "\n");
    Ok(vec![SourceFile { name: name.to_owned(), path: path.to_owned(), text }])
}

/// SHA-256 of a list of byte strings, as 64 hexadecimal digits.
pub(crate) fn digest<'a>(parts: impl Iterator<Item = &'a [u8]>) -> String {
    let mut hash = hmac_sha256::Hash::new();
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
