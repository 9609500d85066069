//! The PTX files that are committed beside the kernels, and whether they are of the sources.

use std::fs;
use std::path::PathBuf;

use crate::Error;
use crate::kernels::KernelPackage;
use crate::ptx::Ptx;
use crate::source::Sources;
use crate::split::Files;

/// Reads the committed files.
///
/// # Errors
/// If a file cannot be read, or is not what this crate writes.
pub fn read(kernels: &KernelPackage) -> Result<Files, Error> {
    let mut files = Files::new();
    for (name, path) in names(kernels)? {
        files.insert(name, Ptx::read(&path)?);
    }
    Ok(files)
}

/// The names of the committed files and where they are. None where there is no such folder.
fn names(kernels: &KernelPackage) -> Result<Vec<(String, PathBuf)>, Error> {
    let folder = kernels.committed_folder();
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
        let path = entry.map_err(Error::io(&folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".ptx") {
            found.push((name, path));
        }
    }
    found.sort();
    Ok(found)
}

/// Writes the files, and removes those of modules that are no more.
///
/// # Errors
/// If a file cannot be written or removed.
pub fn write(kernels: &KernelPackage, files: &Files) -> Result<(), Error> {
    let folder = kernels.committed_folder();
    fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    for (name, ptx) in files {
        let path = folder.join(name);
        // A file that says this already keeps its time of modification.
        if !fs::read_to_string(&path).is_ok_and(|old| old == ptx.to_string()) {
            ptx.write(&path)?;
        }
    }
    for (name, path) in names(kernels)? {
        if !files.contains_key(&name) {
            fs::remove_file(&path).map_err(Error::io(&path))?;
        }
    }
    Ok(())
}

/// Why the committed files are not of the sources, or `None` if they are.
///
/// A file that cannot be read is stale too: both are replaced by what the sources say.
///
/// # Errors
/// If the folder cannot be read.
pub fn stale(kernels: &KernelPackage, sources: &Sources) -> Result<Option<String>, Error> {
    let folder = kernels.committed_folder();
    let named = |name: &str| folder.join(name).display().to_string();
    let names = names(kernels)?;
    if names.is_empty() {
        return Ok(Some(format!("there is no PTX in {}", folder.display())));
    }
    for (module, hash) in sources.hashes() {
        let name = kernels.file_name(module.as_deref());
        let Some((_, path)) = names.iter().find(|(found, _)| *found == name) else {
            return Ok(Some(format!("{} is missing", named(&name))));
        };
        match Ptx::read(path) {
            Err(error) => return Ok(Some(error.to_string())),
            Ok(ptx) if ptx.source_hash != hash => {
                return Ok(Some(format!("{} is of other sources", named(&name))));
            }
            Ok(_) => {}
        }
    }
    let modules = sources.declaring();
    for (name, path) in &names {
        let is_known = modules.iter().any(|module| kernels.file_name(module.as_deref()) == *name);
        // The kernels of another crate are in a file that no module here stands for.
        let is_root = kernels.file_name(None) == *name;
        if !is_known && !is_root {
            return Ok(Some(format!("{} is of no module of the kernels", path.display())));
        }
        if is_root && Ptx::read(path).ok().is_none_or(|ptx| ptx.source_hash != sources.hash(None)) {
            return Ok(Some(format!("{} is of other sources", named(name))));
        }
    }
    Ok(None)
}

/// Why the committed files are not those that a compilation made, or `None` if they are. Another
/// compiler's bytes may differ: there the sources' hashes and the kernels' names decide.
pub fn difference(committed: &Files, fresh: &Files) -> Option<String> {
    if let Some(name) = committed.keys().find(|name| !fresh.contains_key(*name)) {
        return Some(format!("{name} is of no module of the kernels"));
    }
    fresh.iter().find_map(|(name, fresh)| {
        let Some(old) = committed.get(name) else { return Some(format!("{name} is missing")) };
        let why = if old.source_hash != fresh.source_hash {
            "it was made of other sources"
        } else if old.kernels() != fresh.kernels() {
            "it has other kernels"
        } else if old.rustc == fresh.rustc && (&old.code, &old.flags) != (&fresh.code, &fresh.flags)
        {
            "the same compiler makes other bytes"
        } else {
            return None;
        };
        Some(format!("{name} is stale: {why}"))
    })
}
