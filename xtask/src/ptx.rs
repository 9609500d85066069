//! `cargo xtask ptx`: the committed PTX of each package with kernels, made anew or checked.

use anyhow::{Result, bail};
use warpwise_ptx_builder::compile::compile;
use warpwise_ptx_builder::source::Sources;
use warpwise_ptx_builder::toolchain::{Search, Toolchain};
use warpwise_ptx_builder::{KernelPackage, check, committed, cubins};

use crate::paths;

#[derive(clap::Args)]
pub struct Args {
    /// Write nothing; fail if a committed file is not what the sources make
    #[arg(long)]
    pub check: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let toolchain = Toolchain::find(&Search::from_env())?;
    println!("compiling with {toolchain}");
    for kernels in paths::packages_with_kernels() {
        refresh(&kernels, &toolchain, args.check)?;
    }
    Ok(())
}

fn refresh(kernels: &KernelPackage, toolchain: &Toolchain, only_check: bool) -> Result<()> {
    let file = kernels.committed_file();
    let file = file.display();
    let sources = Sources::read(kernels)?;
    // One folder for all packages: `core` is compiled once.
    let fresh = compile(kernels, &sources, toolchain, &paths::target())?;
    if only_check {
        if let Some(why) = committed::difference(kernels, &fresh) {
            bail!("{why}; run `cargo xtask ptx`");
        }
        let same = committed::read(kernels)?.rustc == fresh.rustc;
        let same = if same { "the same bytes" } else { "the same kernels" };
        println!("{file}: up to date; {} makes {same}", fresh.rustc);
    } else {
        committed::write(kernels, &fresh)?;
        println!("{file}: {} kernels, {}", fresh.kernels().len(), fresh.rustc);
    }
    if cubins::folder(kernels).is_dir() && cubins::of(kernels, &fresh)?.is_empty() {
        let stale = "the machine code is of other PTX: `cargo xtask ptxas --write` makes it anew";
        if only_check {
            bail!("{stale}");
        }
        println!("{stale}");
    }
    let defects: Vec<String> = check::scan(&fresh.code).iter().map(ToString::to_string).collect();
    if !defects.is_empty() {
        bail!("the PTX has what no kernel may contain:\n  {}", defects.join("\n  "));
    }
    Ok(())
}
