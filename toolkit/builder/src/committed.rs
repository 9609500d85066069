//! The PTX file that is committed beside the kernels, and whether it is of the sources.

use std::fs;

use crate::Error;
use crate::kernels::KernelPackage;
use crate::ptx::Ptx;
use crate::source::Sources;

/// Reads the committed file.
///
/// # Errors
/// If it cannot be read, or is not what this crate writes.
pub fn read(kernels: &KernelPackage) -> Result<Ptx, Error> {
    Ptx::read(&kernels.committed_file())
}

/// Writes the file, and removes other PTX that lies beside it.
///
/// # Errors
/// If a file cannot be written or removed.
pub fn write(kernels: &KernelPackage, ptx: &Ptx) -> Result<(), Error> {
    let (folder, file) = (kernels.committed_folder(), kernels.committed_file());
    fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    // A file that says this already keeps its time of modification.
    if !fs::read_to_string(&file).is_ok_and(|old| old == ptx.to_string()) {
        ptx.write(&file)?;
    }
    for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
        let path = entry.map_err(Error::io(&folder))?.path();
        if path != file && path.extension().is_some_and(|extension| extension == "ptx") {
            fs::remove_file(&path).map_err(Error::io(&path))?;
        }
    }
    Ok(())
}

/// The committed PTX, or why it is not of the sources.
///
/// A file that cannot be read is stale too: both are replaced by what the sources say.
pub fn fresh(kernels: &KernelPackage, sources: &Sources) -> Result<Ptx, String> {
    let ptx = readable(kernels)?;
    if ptx.source_hash != sources.hash() {
        return Err(format!("{} is of other sources", kernels.committed_file().display()));
    }
    Ok(ptx)
}

/// Why the committed file is not the one that a compilation made, or `None` if it is. Another
/// compiler's bytes may differ: there the sources' hash and the kernels' names decide.
pub fn difference(kernels: &KernelPackage, fresh: &Ptx) -> Option<String> {
    let old = match readable(kernels) {
        Ok(old) => old,
        Err(why) => return Some(why),
    };
    let why = if old.source_hash != fresh.source_hash {
        "it was made of other sources"
    } else if old.kernels() != fresh.kernels() {
        "it has other kernels"
    } else if old.rustc == fresh.rustc && (&old.code, &old.flags) != (&fresh.code, &fresh.flags) {
        "the same compiler makes other bytes"
    } else {
        return None;
    };
    Some(format!("{} is stale: {why}", kernels.committed_file().display()))
}

/// The committed PTX, or why there is none that can be read.
pub(crate) fn readable(kernels: &KernelPackage) -> Result<Ptx, String> {
    if !kernels.committed_file().is_file() {
        return Err(format!("there is no PTX in {}", kernels.committed_folder().display()));
    }
    read(kernels).map_err(|error| error.to_string())
}
