//! `cargo xtask ptxas`: the committed PTX as NVIDIA's assembler sees it, and the machine code that it makes.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use warpwise_ptx_builder::ptxas::{self, Usage};
use warpwise_ptx_builder::{committed, cubins};

use crate::{ci, paths};

const VARIABLE: &str = "TRIBIN_PTXAS";

/// The PyPI package that has a `ptxas`, and where it lies in it: that of CUDA 12, whose machine code all drivers from
/// CUDA 12 on take.
const WHEEL: &str = "nvidia-cuda-nvcc-cu12==12.9.86";
const IN_WHEEL: &str = "nvidia/cuda_nvcc/bin/ptxas";

/// The first chip of each generation from the oldest that is supported on: the others of a generation run its machine
/// code, too.
const CHIPS: [&str; 3] = ["sm_80", "sm_90", "sm_100"];

/// Machine code as a program embeds it. It is packed once, and each program and wheel is smaller by it.
fn gzip(code: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(code)?;
    encoder.finish()
}

#[derive(clap::Args)]
pub struct Args {
    /// Put the machine code in the place of what is committed
    #[arg(long)]
    pub write: bool,
}

/// The assembler: `$TRIBIN_PTXAS`, the unpacked wheel's, or the path's. Where there is none, the wheel is unpacked.
fn assembler() -> Result<PathBuf> {
    let folder = paths::target().join("ptxas");
    let find = || ptxas::find(VARIABLE, &[folder.join(IN_WHEEL)]);
    if let Some(found) = find() {
        return Ok(found);
    }
    let pip = Command::new("python3").args(["-m", "pip", "--version"]).output();
    if !pip.is_ok_and(|output| output.status.success()) {
        ci::apt(&["python3-pip"]).context("no python3 with pip, which fetches ptxas")?;
    }
    let mut install = Command::new("python3");
    install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target"]);
    ci::step(&format!("pip install {WHEEL}"), install.arg(&folder).arg(WHEEL))?;
    find().with_context(|| {
        format!("there is no ptxas in {WHEEL}; {VARIABLE}=/path/to/ptxas names one")
    })
}

pub fn run(args: &Args) -> Result<()> {
    let ptxas = assembler()?;
    let kernels = paths::kernels();
    let ptx = committed::read(&kernels)?;
    let folder = paths::target().join("ptx");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let module = kernels.committed_file();
    let (mut defects, mut made) = (Vec::new(), Vec::new());
    println!(
        "{:<32} {:>6} {:>9} {:>12} {:>11} {:>11}",
        "kernel", "chip", "registers", "shared bytes", "stack bytes", "spill bytes"
    );
    for chip in CHIPS {
        let cubin = folder.join(format!("{chip}.cubin"));
        let usage = ptxas::assemble(&ptxas, &module, chip, &cubin)?;
        if !usage.iter().map(|row| row.kernel.as_str()).eq(ptx.kernels()) {
            bail!("{chip}: {} reports other kernels than the module has", ptxas.display());
        }
        let packed = folder.join(format!("{chip}.cubin.gz"));
        fs::write(&packed, gzip(&fs::read(&cubin)?)?)?;
        made.push((chip.to_owned(), packed));
        for Usage { kernel, registers, shared, stack, spill } in usage {
            println!("{kernel:<32} {chip:>6} {registers:>9} {shared:>12} {stack:>11} {spill:>11}");
            if stack + spill > 0 {
                defects
                    .push(format!("{kernel} on {chip}: {stack} stack bytes, {spill} spill bytes"));
            }
        }
    }
    if !defects.is_empty() {
        bail!("kernels that use local memory:\n  {}", defects.join("\n  "));
    }
    let assembler = ptxas::version(&ptxas)?;
    let committed = cubins::folder(&kernels);
    if args.write {
        cubins::write(&kernels, &ptx, &assembler, &made)?;
        println!("{}: machine code for {}, {assembler}", committed.display(), CHIPS.join(", "));
    } else if let Some(why) = cubins::difference(&kernels, &ptx, &assembler, &made)? {
        bail!(
            "the machine code in {}: {why}; run `cargo xtask ptxas --write`",
            committed.display()
        );
    }
    Ok(())
}
