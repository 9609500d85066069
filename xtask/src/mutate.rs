//! `cargo xtask mutate`: the kernels changed one place at a time, and whether their tests notice.
//!
//! cargo-mutants does this for functions. It does not see kernels, whose code stands in a macro. Each mutant is one edit of a
//! kernel's source, in a copy of the tree, on which `cargo test --test kernels` has to fail. What passes is printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};

use crate::ci::output;
use crate::paths;

#[derive(clap::Args)]
pub struct Args {
    /// Only files whose path contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    file: String,

    /// Only every Nth mutant
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,

    /// Print the mutants, and try none
    #[arg(long)]
    list: bool,
}

/// Seconds after which a mutant's tests count as failed: a loop that never ends is noticed.
const TIMEOUT: &str = "600";

/// What is replaced wherever it stands in code, and by what.
const REPLACED: [(&str, &str); 14] = [
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" + 1", ""),
    (" - 1", ""),
    (" && ", " || "),
    (" || ", " && "),
    (" << ", " >> "),
    (" >> ", " << "),
    (" | ", " & "),
    ("ALL,", "ALL >> 1,"),
];

/// Statements with these calls are dropped.
const DROPPED: [&str; 4] = ["sync_threads()", "sync_warp(", "device_fence()", ".set("];

/// One edit.
struct Mutant {
    /// The file, below the root.
    file: String,
    /// The line, from 1.
    line: usize,
    before: String,
    after: String,
}

pub fn run(args: &Args) -> Result<()> {
    let mut list = Command::new("git");
    list.args(["ls-files", "gpu-kernels/src/*.rs", "toolkit/primitives/src/*.rs"]);
    list.current_dir(paths::root());
    let mut mutants = Vec::new();
    for file in output(&mut list)?.lines().filter(|file| file.contains(&args.file)) {
        let source = fs::read_to_string(paths::root().join(file))?;
        mutants.extend(mutants_of(file, &source));
    }
    let mutants: Vec<Mutant> = mutants.into_iter().step_by(args.every.max(1)).collect();
    let tree = if args.list { None } else { Some(copy_of_the_tree()?) };
    let mut survivors = 0;
    for mutant in &mutants {
        let Mutant { file, line, before, after } = mutant;
        print!("{file}:{line} `{}` -> `{}`", before.trim(), after.trim());
        let Some(tree) = &tree else {
            println!();
            continue;
        };
        let path = tree.join(file);
        let original = fs::read_to_string(&path)?;
        fs::write(&path, apply(&original, mutant))?;
        let verdict = if !passes(tree, &["--no-run"]) {
            "does not compile"
        } else if !passes(tree, &[]) {
            "caught"
        } else {
            survivors += 1;
            "SURVIVED"
        };
        fs::write(&path, original)?;
        println!(": {verdict}");
    }
    println!("{} mutants, {survivors} survived", mutants.len());
    ensure!(survivors == 0, "tests are missing, or the mutants compute the same");
    Ok(())
}

/// The mutants of a file: those of its lines of code, without comments, attributes, imports and the conditions
/// of launches, which the tests of contracts look at.
fn mutants_of(name: &str, source: &str) -> Vec<Mutant> {
    let mut found = Vec::new();
    let mut in_requires = false;
    for (at, line) in source.lines().enumerate() {
        let code = line.trim_start();
        if code == "#[cfg(test)]" {
            break;
        }
        in_requires |= code.starts_with("#[requires(");
        if in_requires {
            in_requires = !code.ends_with(")]");
            continue;
        }
        if ["//", "#[", "use ", "pub use ", "where"].iter().any(|no| code.starts_with(no)) {
            continue;
        }
        let mut add = |after: String| {
            found.push(Mutant { file: name.into(), line: at + 1, before: line.into(), after });
        };
        for (from, to) in REPLACED {
            for (place, _) in line.match_indices(from) {
                add(format!("{}{to}{}", &line[..place], &line[place + from.len()..]));
            }
        }
        if code.ends_with(';') && DROPPED.iter().any(|call| code.contains(call)) {
            add(String::new());
        }
    }
    found
}

fn apply(source: &str, mutant: &Mutant) -> String {
    let mut lines: Vec<&str> = source.lines().collect();
    lines[mutant.line - 1] = &mutant.after;
    lines.join("\n") + "\n"
}

/// What is committed, in a folder of its own, whose builds are kept between runs.
fn copy_of_the_tree() -> Result<PathBuf> {
    let tree = paths::target().join("mutants/tree");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    fs::create_dir_all(&tree)?;
    let mut archive = Command::new("sh");
    archive.args(["-c", "git archive HEAD | tar -x -C \"$0\""]).arg(&tree);
    output(archive.current_dir(paths::root()))?;
    // A tree whose tests fail catches everything.
    if !passes(&tree, &[]) {
        bail!("the tests of the kernels fail without a mutant");
    }
    Ok(tree)
}

/// Whether the kernels' tests pass in time.
fn passes(tree: &Path, more: &[&str]) -> bool {
    let mut cargo = Command::new("timeout");
    cargo.args([TIMEOUT, "cargo", "test", "--quiet", "--package", "tribin", "--test", "kernels"]);
    cargo.args(["--package", "warpwise-primitives", "--test", "arrays"]).args(more);
    cargo.current_dir(tree).stdout(Stdio::null()).stderr(Stdio::null());
    cargo.env("CARGO_TARGET_DIR", paths::target().join("mutants/build"));
    cargo.env("WARPWISE_TEST_EFFORT", "quick");
    cargo.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_changed_and_nothing_else() {
        let source = "\
//! a < b
use x::{a < b};
kernel!(
    #[requires(
        a.len() < n,
    )]
    pub unsafe fn f(n: u64) {
        if i < n && j + 1 == n {
            out.set(i, 1);
        }
        thread::sync_threads();
    }
);
#[cfg(test)]
mod tests { a < b }
";
        let mutants = mutants_of("f.rs", source);
        let edits: Vec<_> =
            mutants.iter().map(|mutant| (mutant.line, mutant.after.trim())).collect();
        assert_eq!(
            edits,
            [
                (8, "if i <= n && j + 1 == n {"),
                (8, "if i < n && j + 1 != n {"),
                (8, "if i < n && j == n {"),
                (8, "if i < n || j + 1 == n {"),
                (9, ""),
                (11, ""),
            ]
        );
        let mutated = apply(source, &mutants[4]);
        assert_eq!(mutated.lines().count(), source.lines().count());
        assert!(!mutated.contains("out.set"));
    }
}
