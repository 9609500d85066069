//! `cargo xtask manual`: shell completions and manual pages of the command, for releases and packages.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result};

use crate::{ci, paths};

#[derive(clap::Args)]
pub struct Args {
    /// The folder to write to; by default `manual` in the folder that cargo builds in
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The shells that there are completions for, and the names that each looks for.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "tribin.bash"),
    ("elvish", "tribin.elv"),
    ("fish", "tribin.fish"),
    ("powershell", "_tribin.ps1"),
    ("zsh", "_tribin"),
];

pub fn run(args: &Args) -> Result<()> {
    let folder = args.out.clone().unwrap_or_else(|| paths::target().join("manual"));
    let folder = paths::root().join(folder);
    let (completions, pages) = (folder.join("completions"), folder.join("man1"));
    for made in [&completions, &pages] {
        fs::create_dir_all(made).with_context(|| made.display().to_string())?;
    }
    // The build of a release.
    let command = || ci::command("run --quiet --profile dist --all-features --bin tribin --");
    let mut man = command();
    man.args(["man", "--output"]).arg(&pages);
    ci::step("tribin man", &mut man)?;
    for (shell, name) in SHELLS {
        let path = completions.join(name);
        let file = fs::File::create(&path).with_context(|| path.display().to_string())?;
        let mut completions = command();
        completions.args(["completions", shell]).stdout(Stdio::from(file));
        ci::step(&format!("tribin completions {shell}"), &mut completions)?;
    }
    println!("{}: completions and manual pages", folder.display());
    Ok(())
}
