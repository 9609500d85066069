//! `cargo xtask mutate`: the kernels changed one place at a time, and whether their tests notice.
//!
//! Each mutant is one edit of a kernel's source, in a copy of the tree. `cargo test --test kernels` has to fail
//! on it. What passes is printed, unless tests/mutants-accepted.tsv says why nothing can differ.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::paths;

#[derive(clap::Args)]
pub struct Args {
    /// Only files whose path below gpu-kernels/src contains this
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
const TIMEOUT: Duration = Duration::from_secs(600);

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
    /// The file, below gpu-kernels/src.
    file: String,
    /// The line, from 1.
    line: usize,
    before: String,
    after: String,
}

impl Mutant {
    /// The mutation as a line of tests/mutants-accepted.tsv begins.
    fn key(&self) -> String {
        // A tab at the end: a reason follows, and a dropped line is the beginning of no other edit.
        format!("{}\t{}\t{}\t", self.file, self.before.trim(), self.after.trim())
    }
}

/// What became of a mutant.
enum Verdict {
    Caught,
    TimedOut,
    DoesNotCompile,
    Survived,
}

pub fn run(args: &Args) -> Result<()> {
    let sources = paths::root().join("gpu-kernels/src");
    let mut mutants = Vec::new();
    for file in files(&sources)? {
        let name = file.strip_prefix(&sources)?.display().to_string();
        if name.contains(&args.file) {
            mutants.extend(mutants_of(&name, &fs::read_to_string(&file)?));
        }
    }
    let mutants: Vec<Mutant> = mutants.into_iter().step_by(args.every.max(1)).collect();
    if args.list {
        for mutant in &mutants {
            println!(
                "{}:{}\t{}\t{}",
                mutant.file,
                mutant.line,
                mutant.before.trim(),
                mutant.after.trim()
            );
        }
        println!("{} mutants", mutants.len());
        return Ok(());
    }
    let accepted = paths::root().join("tests/mutants-accepted.tsv");
    let accepted = fs::read_to_string(&accepted).with_context(|| accepted.display().to_string())?;
    let tree = copy_of_the_tree()?;
    // A tree whose tests fail catches everything.
    if !matches!(try_tests(&tree)?, Verdict::Survived) {
        bail!("the tests of the kernels fail without a mutant");
    }
    let (mut caught, mut not_built, mut equal, mut survivors) = (0, 0, 0, Vec::new());
    for mutant in &mutants {
        let path = tree.join("gpu-kernels/src").join(&mutant.file);
        let original = fs::read_to_string(&path)?;
        fs::write(&path, apply(&original, mutant))?;
        let verdict = try_tests(&tree);
        fs::write(&path, original)?;
        let word = match verdict? {
            Verdict::DoesNotCompile => {
                not_built += 1;
                "does not compile"
            }
            Verdict::Caught => {
                caught += 1;
                "caught"
            }
            Verdict::TimedOut => {
                caught += 1;
                "caught: never ends"
            }
            Verdict::Survived if accepted.lines().any(|line| line.starts_with(&mutant.key())) => {
                equal += 1;
                "computes the same"
            }
            Verdict::Survived => {
                survivors.push(mutant);
                "SURVIVED"
            }
        };
        println!(
            "{}:{} `{}` -> `{}`: {word}",
            mutant.file,
            mutant.line,
            mutant.before.trim(),
            mutant.after.trim()
        );
    }
    println!(
        "{} mutants: {caught} caught, {equal} compute the same, {not_built} do not compile, {} survived",
        mutants.len(),
        survivors.len()
    );
    if !survivors.is_empty() {
        bail!(
            "tests are missing, or lines of tests/mutants-accepted.tsv that say why nothing differs"
        );
    }
    Ok(())
}

/// All Rust files below a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false if path.extension().is_some_and(|extension| extension == "rs") => {
                found.push(path)
            }
            false => {}
        }
    }
    found.sort();
    Ok(found)
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
        in_requires |= code.starts_with("requires {");
        if in_requires {
            in_requires = !code.ends_with('}');
            continue;
        }
        if ["//", "#[", "use ", "pub use ", "kernel! {", "where"]
            .iter()
            .any(|no| code.starts_with(no))
        {
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
    let archive = Command::new("git")
        .args(["archive", "HEAD"])
        .current_dir(paths::root())
        .stdout(Stdio::piped())
        .spawn()
        .context("git cannot be run")?;
    let unpacked = Command::new("tar")
        .args(["-x", "-C"])
        .arg(&tree)
        .stdin(archive.stdout.context("git's output")?)
        .status()
        .context("tar cannot be run")?;
    if !unpacked.success() {
        bail!("the tree cannot be copied to {}", tree.display());
    }
    Ok(tree)
}

fn try_tests(tree: &Path) -> Result<Verdict> {
    let build = cargo(tree, &["test", "--quiet", "--test", "kernels", "--no-run"]).output()?;
    if !build.status.success() {
        return Ok(Verdict::DoesNotCompile);
    }
    let mut tests = cargo(tree, &["test", "--quiet", "--test", "kernels"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut errors = tests.stderr.take().context("standard error")?;
    let reader = std::thread::spawn(move || errors.read_to_string(&mut String::new()));
    let start = Instant::now();
    let verdict = loop {
        match tests.try_wait()? {
            Some(status) if status.success() => break Verdict::Survived,
            Some(_) => break Verdict::Caught,
            None if start.elapsed() > TIMEOUT => {
                tests.kill()?;
                tests.wait()?;
                break Verdict::TimedOut;
            }
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    };
    if !matches!(verdict, Verdict::TimedOut) {
        // A test that was left behind holds standard error open.
        let _ = reader.join();
    }
    Ok(verdict)
}

fn cargo(tree: &Path, args: &[&str]) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(args)
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", paths::target().join("mutants/build"))
        .env("TRIBIN_TEST_EFFORT", "quick");
    cargo
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_changed_and_nothing_else() {
        let source = "\
//! a < b
use x::{a < b};
kernel! {
    pub fn f(n: u64)
    requires { a.len() < n,
        b.len() < n }
    {
        if i < n && j + 1 == n {
            out.set(i, 1);
        }
        thread::sync_threads();
    }
}
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
