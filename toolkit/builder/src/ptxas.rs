//! PTX as NVIDIA's assembler sees it: registers, shared memory, stack and spills.
//!
//! `ptxas` needs neither a GPU nor a CUDA toolkit: the PyPI package `nvidia-cuda-nvcc` has it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;

/// The resources of a chip that one kernel takes. Dynamic shared memory is a launch's, and not in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Usage {
    /// The kernel.
    pub kernel: String,
    /// Registers of a thread.
    pub registers: u64,
    /// Bytes of static shared memory.
    pub shared: u64,
    /// Bytes of a thread's stack frame.
    pub stack: u64,
    /// Bytes of spilled registers that a thread stores and loads.
    pub spill: u64,
}

/// The assembler that a variable of the environment names, or the first of `candidates` that is a file, or the
/// path's.
pub fn find(variable: &str, candidates: &[PathBuf]) -> Option<PathBuf> {
    if let Some(named) = env::var_os(variable).filter(|path| !path.is_empty()) {
        return Some(named.into());
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let name = format!("ptxas{}", env::consts::EXE_SUFFIX);
    let on_path: Vec<PathBuf> =
        env::split_paths(&folders).map(|folder| folder.join(&name)).collect();
    candidates.iter().chain(&on_path).find(|path| path.is_file()).cloned()
}

/// What an assembler says of its version.
///
/// # Errors
/// If it cannot be run, or does not say.
pub fn version(ptxas: &Path) -> Result<String, Error> {
    let output = Command::new(ptxas).arg("--version").output().map_err(Error::io(ptxas))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().find(|line| line.contains("release"));
    let none = || Error::Assembler(format!("{} --version printed:\n{said}", ptxas.display()));
    line.map(|line| line.trim().to_owned()).ok_or_else(none)
}

/// Assembles a PTX file for a chip such as `sm_90`, and writes the machine code to `cubin`. Returns a row for each
/// kernel, sorted by name.
///
/// # Errors
/// If the assembler cannot be run, does not take the file, or prints a report that cannot be read.
pub fn assemble(
    ptxas: &Path,
    module: &Path,
    chip: &str,
    cubin: &Path,
) -> Result<Vec<Usage>, Error> {
    let output = Command::new(ptxas)
        .arg(format!("-arch={chip}"))
        .arg("-v")
        .arg(module)
        .arg("-o")
        .arg(cubin)
        .output()
        .map_err(Error::io(ptxas))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let title = || format!("{} -v -arch={chip} {}", ptxas.display(), module.display());
    if !output.status.success() {
        let also = String::from_utf8_lossy(&output.stdout);
        return Err(Error::Assembler(format!("{}:\n{said}{also}", title())));
    }
    let mut rows = parse(&said)
        .map_err(|what| Error::Assembler(format!("{} printed: {what}\n{said}", title())))?;
    rows.sort();
    Ok(rows)
}

/// Reads `ptxas -v`'s report.
fn parse(report: &str) -> Result<Vec<Usage>, String> {
    let mut rows: Vec<Usage> = Vec::new();
    for line in report.lines() {
        if let Some((_, name)) = line.split_once("Compiling entry function '") {
            let kernel = name.split('\'').next().unwrap_or_default().to_owned();
            rows.push(Usage { kernel, ..Usage::default() });
        }
        let Some(row) = rows.last_mut() else { continue };
        if line.contains("bytes stack frame") {
            row.stack = before(line, "bytes stack frame")?;
            row.spill = before(line, "bytes spill stores")? + before(line, "bytes spill loads")?;
        } else if line.contains("Used ") && line.contains(" registers") {
            row.registers = before(line, "registers")?;
            row.shared = if line.contains("bytes smem") { before(line, "bytes smem")? } else { 0 };
        }
    }
    match rows.iter().find(|row| row.registers == 0) {
        Some(row) => Err(format!("no line of registers for kernel {}", row.kernel)),
        None => Ok(rows),
    }
}

/// The number before `words`.
fn before(line: &str, words: &str) -> Result<u64, String> {
    line.split_once(words)
        .and_then(|(front, _)| front.split_whitespace().last()?.parse().ok())
        .ok_or_else(|| format!("no number before {words:?} in {line:?}"))
}

#[cfg(test)]
mod tests {
    use super::{Usage, parse};

    const REPORT: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'reverse' for 'sm_80'
ptxas info    : Function properties for reverse
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem, 368 bytes cmem[0]
ptxas info    : Compile time = 1.622 ms
ptxas info    : Compiling entry function 'add' for 'sm_80'
ptxas info    : Function properties for add
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
";

    fn usage(kernel: &str, registers: u64, shared: u64, stack: u64, spill: u64) -> Usage {
        Usage { kernel: kernel.to_owned(), registers, shared, stack, spill }
    }

    #[test]
    fn a_report_gives_one_row_a_kernel() {
        let rows = parse(REPORT).unwrap();
        assert_eq!(rows, [usage("reverse", 10, 1024, 0, 0), usage("add", 255, 0, 16, 20)]);
    }

    #[test]
    fn a_kernel_without_registers_is_an_error() {
        let cut = REPORT.rsplit_once("ptxas info    : Used").unwrap().0;
        assert_eq!(parse(cut).unwrap_err().to_string(), "no line of registers for kernel add");
    }
}
