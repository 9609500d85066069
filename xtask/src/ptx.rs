//! `cargo xtask ptx`: the committed PTX, made anew or checked.

use std::fs;

use anyhow::{Context, Result, bail};
use tribin_ptx_builder::compile::compile;
use tribin_ptx_builder::embed::committed;
use tribin_ptx_builder::ptx::Ptx;
use tribin_ptx_builder::toolchain::{Search, Toolchain};

use crate::paths;

#[derive(clap::Args)]
pub struct Args {
    /// Write nothing; fail if the committed file is not what the sources make
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let sources = paths::sources();
    let path = committed(&sources.kernels);
    let toolchain = Toolchain::find(&Search::from_env())?;
    println!("compiling with {toolchain}");
    let fresh = compile(&sources, &toolchain, &paths::target().join("ptx"))?;
    if args.check {
        let old = Ptx::read(&path)?;
        let stale =
            |why: &str| format!("{} is stale: {why}; run `cargo xtask ptx`", path.display());
        if let Some(why) = difference(&old, &fresh) {
            bail!(stale(why));
        }
        let same = if old.rustc == fresh.rustc { "the same bytes" } else { "the same kernels" };
        println!("{}: up to date; {} makes {same}", path.display(), fresh.rustc);
    } else {
        let folder = path.parent().expect("it lies in a folder");
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        fresh.write(&path)?;
        println!("{}: {} kernels, {}", path.display(), fresh.kernels().len(), fresh.rustc);
    }
    let defects = fresh.defects();
    if !defects.is_empty() {
        bail!("the PTX has what no kernel may contain:\n  {}", defects.join("\n  "));
    }
    Ok(())
}

/// Why the committed file is stale. Another compiler's bytes may differ: there the sources' hash
/// and the kernels' names decide.
fn difference(old: &Ptx, fresh: &Ptx) -> Option<&'static str> {
    if old.source_hash != fresh.source_hash {
        Some("it was made of other sources")
    } else if old.kernels() != fresh.kernels() {
        Some("it has other kernels")
    } else if old.rustc == fresh.rustc && (&old.code, &old.flags) != (&fresh.code, &fresh.flags) {
        Some("the same compiler makes other bytes")
    } else {
        None
    }
}
