//! `cargo xtask ptx`: the committed PTX of each package with kernels, made anew or checked.

use anyhow::{Result, bail};
use tribin_ptx_builder::embed::compiled;
use tribin_ptx_builder::source::Sources;
use tribin_ptx_builder::toolchain::{Search, Toolchain};
use tribin_ptx_builder::{KernelPackage, check, committed, cubins, split};

use crate::paths;

#[derive(clap::Args)]
pub struct Args {
    /// Write nothing; fail if the committed files are not what the sources make
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
    let folder = kernels.committed_folder();
    let sources = Sources::read(kernels)?;
    // One folder for all packages: `core` is compiled once.
    let fresh = compiled(kernels, &sources, toolchain, &paths::target())?;
    let joined = split::join(kernels, &fresh)?;
    if only_check {
        let old = committed::read(kernels)?;
        if let Some(why) = committed::difference(&old, &fresh) {
            bail!("{}: {why}; run `cargo xtask ptx`", folder.display());
        }
        let same = old.values().all(|ptx| ptx.rustc == joined.rustc);
        let same = if same { "the same bytes" } else { "the same kernels" };
        println!("{}: up to date; {} makes {same}", folder.display(), joined.rustc);
    } else {
        committed::write(kernels, &fresh)?;
        let (files, count) = (fresh.len(), joined.kernels().len());
        println!("{}: {count} kernels in {files} files, {}", folder.display(), joined.rustc);
    }
    if cubins::folder(kernels).is_dir() && cubins::of(kernels, &joined)?.is_empty() {
        let stale = "the machine code is of other PTX: `cargo xtask ptxas --write` makes it anew";
        if only_check {
            bail!("{stale}");
        }
        println!("{stale}");
    }
    let defects: Vec<String> = check::scan(&joined.code).iter().map(ToString::to_string).collect();
    if !defects.is_empty() {
        bail!("the PTX has what no kernel may contain:\n  {}", defects.join("\n  "));
    }
    Ok(())
}
