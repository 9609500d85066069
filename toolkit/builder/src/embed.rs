//! Which PTX a build embeds.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::compile::compile;
use crate::cubins::{self, Cubin};
use crate::kernels::KernelPackage;
use crate::ptx::{Ptx, WITHOUT};
use crate::source::Sources;
use crate::toolchain::{Search, Toolchain};
use crate::{committed, toolchain};

const NOT_COMPILED: &str = "the kernels do not compile for a GPU";

const COMPILER_OUTPUT: &str = "Where rustc says nothing more below, `WARPWISE_PTX_COMMIT=check cargo build` prints all that it said of the GPU's side.";

/// The PTX that a build embeds.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// The file, header and module. Without PTX it says why there is none.
    pub path: PathBuf,
    /// The PTX of the file, or why there is none.
    pub ptx: Result<Ptx, String>,
    /// The file with an expression of Rust, a slice of compute capabilities and [machine code](crate::cubins). It is
    /// empty where the committed machine code is not of this PTX.
    pub cubins: PathBuf,
}

/// Chooses the PTX and writes it to `out_dir/NAME.ptx`.
///
/// | the package was published | committed PTX | a device toolchain is there | choice |
/// | --- | --- | --- | --- |
/// | yes | there | | as it is |
/// | yes | missing | yes | compiled |
/// | no | fresh | | as it is |
/// | no | stale or missing | yes | compiled |
/// | | stale or missing | no, or the kernels do not compile | none |
///
/// # Errors
/// If the sources cannot be read. If there is no PTX and it is `required`.
pub fn embed(
    kernels: &KernelPackage,
    out_dir: &Path,
    search: &Search,
    required: bool,
) -> Result<Embedded, Error> {
    let (sources, committed) = if kernels.is_published() {
        (None, committed::readable(kernels))
    } else {
        let sources = Sources::read(kernels)?;
        let committed = committed::fresh(kernels, &sources);
        (Some(sources), committed)
    };
    let ptx = match committed.map_err(|stale| (stale, Toolchain::find(search))) {
        Ok(ptx) => ptx,
        Err((_, Ok(toolchain))) => {
            let sources = sources.map_or_else(|| Sources::read(kernels), Ok)?;
            match compile(kernels, &sources, &toolchain, out_dir) {
                // What is wrong on a host too rustc says there, once and at the right place, also in an editor.
                Err(Error::Compile { log, .. }) if !required => {
                    let first = log.lines().find(|line| line.starts_with("error"));
                    let help = format!("{}\n{COMPILER_OUTPUT}", first.unwrap_or_default());
                    return without(kernels, NOT_COMPILED, &help, out_dir);
                }
                compiled => compiled?,
            }
        }
        Err((stale, Err(reason))) if required => {
            let otherwise = format!(
                "Or take back the edits of the kernels: with the PTX in {} fresh, no device toolchain is needed.",
                kernels.committed_folder().display()
            );
            return Err(Error::StaleWithoutToolchain { stale, reason, otherwise });
        }
        Err((stale, Err(reason))) => {
            let why = format!("{stale}, and no rustc here can compile kernels");
            return without(kernels, &why, &reason.to_string(), out_dir);
        }
    };
    let path = embedded_file(kernels, out_dir)?;
    ptx.write(&path)?;
    let cubins = included(kernels, out_dir, &cubins::of(kernels, &ptx)?)?;
    Ok(Embedded { path, ptx: Ok(ptx), cubins })
}

fn embedded_file(kernels: &KernelPackage, out_dir: &Path) -> Result<PathBuf, Error> {
    fs::create_dir_all(out_dir).map_err(Error::io(out_dir))?;
    Ok(out_dir.join(format!("{}.ptx", kernels.name)))
}

/// Writes what a crate includes of its machine code.
fn included(kernels: &KernelPackage, out_dir: &Path, cubins: &[Cubin]) -> Result<PathBuf, Error> {
    let path = out_dir.join(format!("{}.cubins.rs", kernels.name));
    fs::write(&path, cubins::expression(cubins)).map_err(Error::io(&path))?;
    Ok(path)
}

/// Writes the reason in the place of PTX.
fn without(
    kernels: &KernelPackage,
    why: &str,
    help: &str,
    out_dir: &Path,
) -> Result<Embedded, Error> {
    let path = embedded_file(kernels, out_dir)?;
    let text = format!("{why}\n{help}").replace('\n', "\n// ");
    fs::write(&path, format!("{WITHOUT}{text}\n")).map_err(Error::io(&path))?;
    let cubins = included(kernels, out_dir, &[])?;
    let ptx = Err(format!("{why}.\n{help}\n{}", toolchain::EMULATOR_ONLY));
    Ok(Embedded { path, ptx, cubins })
}
