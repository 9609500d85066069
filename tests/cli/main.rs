//! The command as its users meet it.

mod analytics;
mod bad_input;
mod bench;
mod convert;
mod count;
mod dry_run;
mod generate;
mod guide;
mod machine;
mod output;
#[path = "../support/places.rs"]
mod places;
mod usage;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command, without the variables that change what it does.
fn tribin() -> Command {
    let mut command = Command::new(places::tribin());
    command.env_remove("TRIBIN_LOG").env_remove("RAYON_NUM_THREADS");
    command.current_dir(places::root());
    command
}

/// Runs the command to its end.
fn run<'a>(args: impl IntoIterator<Item = &'a str>) -> Output {
    tribin().args(args).output().unwrap()
}

/// What was written, as text.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The one line that stands on stderr.
fn only_line(stderr: &[u8]) -> &str {
    let stderr = text(stderr);
    assert_eq!(stderr.matches('\n').count(), 1, "not one line: {stderr:?}");
    stderr.strip_suffix('\n').unwrap()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Zachary's karate club: 34 vertices, 78 edges, 45 triangles, 528 wedges.
const KARATE: &str = "tests/data/karate.mtx";
