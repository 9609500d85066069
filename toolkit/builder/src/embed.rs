//! Which PTX a build embeds.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::compile::compile;
use crate::ptx::Ptx;
use crate::source::Sources;
use crate::toolchain::{Search, Toolchain};

/// The PTX that a build embeds.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// The file, header and module.
    pub path: PathBuf,
    /// What is in it.
    pub ptx: Ptx,
}

/// The PTX that the folder of the kernels carries.
pub fn committed(kernels_dir: &Path) -> PathBuf {
    kernels_dir.join("ptx").join("tribin.ptx")
}

/// The committed PTX where it was made of these sources: no device toolchain is needed then. Else
/// compiles the sources to `out_dir/tribin.ptx`. Where the sources are not whole, as in a published
/// package, the PTX beside them is taken as it is.
///
/// # Errors
/// If the sources were edited and no toolchain is found, or they do not compile; if they are not whole
/// and there is no PTX.
pub fn embed(sources: &Sources, out_dir: &Path, search: &Search) -> Result<Embedded, Error> {
    let path = committed(&sources.kernels);
    if !sources.are_whole() {
        let ptx = Ptx::read(&path)?;
        return Ok(Embedded { path, ptx });
    }
    let hash = sources.hash()?;
    // An unreadable file is a stale one: both are replaced by what the sources say.
    if let Ok(ptx) = Ptx::read(&path)
        && ptx.source_hash == hash
    {
        return Ok(Embedded { path, ptx });
    }
    let toolchain = Toolchain::find(search).map_err(|reason| Error::EditedWithoutToolchain {
        committed: path,
        sources: sources.clone(),
        reason,
    })?;
    fs::create_dir_all(out_dir).map_err(Error::io(out_dir))?;
    let ptx = compile(sources, &toolchain, &out_dir.join("ptx"))?;
    let path = out_dir.join("tribin.ptx");
    ptx.write(&path)?;
    Ok(Embedded { path, ptx })
}
