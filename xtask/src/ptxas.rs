//! `cargo xtask ptxas`: the committed PTX as NVIDIA's assembler sees it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tribin_ptx_builder::embed::committed;
use tribin_ptx_builder::ptx::{COLD_KERNELS, Ptx};

use crate::paths;

const VARIABLE: &str = "TRIBIN_PTXAS";

/// The PyPI package that has a `ptxas`, and where it lies in it.
pub const WHEEL: &str = "nvidia-cuda-nvcc>=13,<14";
const IN_WHEEL: &str = "nvidia/cu13/bin/ptxas";

/// The oldest chip that is supported, and the generations after it.
const CHIPS: [&str; 3] = ["sm_80", "sm_90", "sm_100"];

/// Where the wheel is unpacked.
pub fn wheel_folder() -> PathBuf {
    paths::target().join("ptxas")
}

/// The assembler: `$TRIBIN_PTXAS`, the unpacked wheel's, or the path's.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return Some(named.into());
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    std::iter::once(wheel_folder().join(IN_WHEEL))
        .chain(env::split_paths(&folders).map(|folder| folder.join("ptxas")))
        .find(|path| path.is_file())
}

pub fn run() -> Result<()> {
    let Some(ptxas) = find() else {
        bail!(
            "there is no ptxas; `cargo xtask ci` installs one, or: python3 -m pip install --no-deps \
             --target {} '{WHEEL}', or name one: {VARIABLE}=/path/to/ptxas",
            wheel_folder().display()
        );
    };
    let module = committed(&paths::sources().kernels);
    let kernels = Ptx::read(&module)?;
    let mut defects = Vec::new();
    println!(
        "{:<32} {:>6} {:>9} {:>12} {:>11} {:>11}",
        "kernel", "chip", "registers", "shared bytes", "stack bytes", "spill bytes"
    );
    for chip in CHIPS {
        let mut usage = assemble(&ptxas, &module, chip)?;
        usage.sort_by(|a, b| a.kernel.cmp(&b.kernel));
        if !usage.iter().map(|row| row.kernel.as_str()).eq(kernels.kernels()) {
            bail!("{chip}: {} reports other kernels than the module has", ptxas.display());
        }
        for Usage { kernel, registers, shared, stack, spill } in usage {
            println!("{kernel:<32} {chip:>6} {registers:>9} {shared:>12} {stack:>11} {spill:>11}");
            if stack + spill > 0 && !COLD_KERNELS.contains(&kernel.as_str()) {
                defects
                    .push(format!("{kernel} on {chip}: {stack} stack bytes, {spill} spill bytes"));
            }
        }
    }
    if !defects.is_empty() {
        bail!("kernels that use local memory:\n  {}", defects.join("\n  "));
    }
    Ok(())
}

/// What one kernel takes of a chip. Dynamic shared memory is a launch's, and not in it.
#[derive(Debug, PartialEq, Eq, Default)]
struct Usage {
    kernel: String,
    registers: u64,
    shared: u64,
    stack: u64,
    spill: u64,
}

fn assemble(ptxas: &Path, module: &Path, chip: &str) -> Result<Vec<Usage>> {
    let folder = paths::target().join("ptx");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let output = Command::new(ptxas)
        .arg(format!("-arch={chip}"))
        .arg("-v")
        .arg(module)
        .arg("-o")
        .arg(folder.join(format!("{chip}.cubin")))
        .output()
        .with_context(|| format!("{} cannot be run", ptxas.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let also = String::from_utf8_lossy(&output.stdout);
        bail!("{} -arch={chip} {}:\n{said}{also}", ptxas.display(), module.display());
    }
    parse(&said).with_context(|| format!("{} -v printed:\n{said}", ptxas.display()))
}

/// Reads `ptxas -v`'s report.
fn parse(report: &str) -> Result<Vec<Usage>> {
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
    if let Some(row) = rows.iter().find(|row| row.registers == 0) {
        bail!("no line of registers for kernel {}", row.kernel);
    }
    Ok(rows)
}

/// The number before `words`.
fn before(line: &str, words: &str) -> Result<u64> {
    line.split_once(words)
        .and_then(|(front, _)| front.split_whitespace().last()?.parse().ok())
        .with_context(|| format!("no number before {words:?} in {line:?}"))
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
