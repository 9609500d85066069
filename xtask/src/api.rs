//! `cargo xtask api`: the list of what a user of the library can name, written or checked.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use public_api::Builder;

use crate::paths;

#[derive(clap::Args)]
pub struct Args {
    /// Write nothing; fail if the committed file is not what the sources say
    #[arg(long)]
    check: bool,
}

/// What stands at the top of the file.
const HEAD: &str = "\
# What a user of the library can name, with every feature but `lab`.
# `cargo xtask api` writes this file, and `cargo xtask ci` compares it. Derived and automatic traits are left out.
";

/// The version of rustdoc's JSON that `public_api` reads.
const FORMAT: u64 = 57;

/// Every feature that users have.
const FEATURES: &str = "archives,arrow,bench,cli,formats,gpu,manual,models,output,parquet,serde";

pub fn run(args: &Args) -> Result<()> {
    let path = paths::root().join("docs/api.txt");
    let json = document()?;
    let format = format_of(&json)?;
    if format != FORMAT && args.check {
        println!(
            "docs/api.txt is NOT compared: this compiler's rustdoc writes format {format}, and format \
             {FORMAT}, which rustc 1.95 writes, is what is read here"
        );
        return Ok(());
    }
    let fresh = render(&json)?;
    if !args.check {
        fs::write(&path, &fresh).with_context(|| path.display().to_string())?;
        println!("{}: {} lines", path.display(), fresh.lines().count());
        return Ok(());
    }
    let old = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let changes = changes(&old, &fresh);
    if !changes.is_empty() {
        bail!(
            "the public items are not those of {}; if that is meant, run `cargo xtask api`:\n{changes}",
            path.display()
        );
    }
    println!("{}: up to date", path.display());
    Ok(())
}

/// Makes rustdoc write what is public.
fn document() -> Result<PathBuf> {
    // What this compiles is of no use to other builds, and must not make them stale.
    let target = paths::target().join("api");
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["rustdoc", "--quiet", "--package", "tribin", "--lib", "--no-default-features"])
        .args(["--features", FEATURES, "--", "-Zunstable-options", "--output-format", "json"])
        .current_dir(paths::root())
        .env("CARGO_TARGET_DIR", &target)
        // A stable rustdoc writes JSON only so.
        .env("RUSTC_BOOTSTRAP", "1")
        .status()
        .context("cargo cannot be run")?;
    if !status.success() {
        bail!("`cargo rustdoc` failed: {status}");
    }
    Ok(target.join("doc/tribin.json"))
}

/// The version of rustdoc's JSON in a file.
fn format_of(json: &Path) -> Result<u64> {
    let text = fs::read(json).with_context(|| json.display().to_string())?;
    let value: serde_json::Value = serde_json::from_slice(&text)?;
    value["format_version"].as_u64().context("rustdoc's JSON has no format version")
}

/// The public items, a line each, in the order of their paths.
fn render(json: &Path) -> Result<String> {
    let api = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .with_context(|| json.display().to_string())?;
    let mut text = HEAD.to_owned();
    for item in api.items() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{item}");
    }
    Ok(text)
}

/// The lines that are in one text only, `-` before the old and `+` before the new.
fn changes(old: &str, new: &str) -> String {
    let only = |mark: char, of: &str, other: &str| -> String {
        let missing = of.lines().filter(|line| !other.lines().any(|also| also == *line));
        missing.map(|line| format!("{mark} {line}\n")).collect()
    };
    only('-', old, new) + &only('+', new, old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_came_and_went_are_shown() {
        assert_eq!(changes("a\nb\n", "a\nb\n"), "");
        assert_eq!(changes("a\nb\n", "b\nc\n"), "- a\n+ c\n");
    }
}
