//! The command as its users meet it.

mod analytics;
mod arcs;
mod bad_input;
mod bench;
mod cliques;
mod convert;
mod count;
mod documents;
mod dry_run;
mod estimate;
#[cfg(feature = "remote")]
mod far;
mod folders;
mod generate;
mod guide;
mod kernels_guide;
mod known_analytics;
mod known_counts;
mod labels;
mod machine;
#[cfg(feature = "bench")]
mod measurements;
mod motifs;
mod out_of_core;
mod output;
mod own_tables;
mod ranks;
mod read_back;
mod report;
mod signs;
mod similar;
mod streams;
mod type_names;
mod usage;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

#[cfg(unix)]
use testkit::signals;
use testkit::{places, skip};

/// The command, without the variables and the inherited signals that change what it does.
fn tribin() -> Command {
    let mut command = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")));
    command.env_remove("TRIBIN_LOG").env_remove("RAYON_NUM_THREADS");
    command.current_dir(places::root());
    #[cfg(unix)]
    signals::reset(&mut command);
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

/// What a command prints that succeeds and has nothing to say beside it.
fn stdout(args: &[&str]) -> String {
    let output = run(args.iter().copied());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{args:?}");
    text(&output.stdout).to_owned()
}

/// The object for machines that such a command prints.
fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

/// The one line that a command says which fails with this exit code and prints nothing.
fn refused<'a>(code: i32, args: impl IntoIterator<Item = &'a str>) -> String {
    let args: Vec<&str> = args.into_iter().collect();
    let output = run(args.iter().copied());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "", "{args:?}");
    only_line(&output.stderr).to_owned()
}

/// Fails unless the command refuses each of these, with a message and the exit code of wrong usage.
fn assert_wrong_usage(cases: &[&[&str]]) {
    for args in cases {
        let output = run(args.iter().copied());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stdout), "", "{args:?}");
        assert_ne!(text(&output.stderr), "", "{args:?}");
    }
}

/// Writes a file into a folder, and gives its path.
fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Some bytes as a gzip member.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap()
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

/// The keys of an object for machines, and of its `seconds`, are those that docs/json.md has under
/// `heading`.
fn assert_documented(object: &serde_json::Value, heading: &str) {
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    let mut found = keys(object);
    // It is left out of the documentation of each, as of objects of files that are no tables.
    found.retain(|key| key != "reading");
    if let Some(seconds) = object.get("seconds") {
        found.extend(keys(seconds).iter().map(|key| format!("seconds.{key}")));
    }
    found.sort();
    let documentation = std::fs::read_to_string(places::root().join("docs/json.md")).unwrap();
    let (_, section) = documentation.split_once(&format!("\n## `{heading}`\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut documented: Vec<_> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    documented.sort();
    assert_eq!(found, documented);
}

/// A limit of `blocks` on the size of files stands for a full disk: the command's write to the file `name`
/// fails half-way, and leaves what was there. In `arguments`, `$1` is that file and `$2` the karate club's.
#[cfg(target_os = "linux")]
fn assert_a_full_disk_leaves_what_was_there(name: &str, blocks: u32, arguments: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, "before").unwrap();
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {arguments}"))
        .args([
            places::command(env!("CARGO_BIN_EXE_tribin")),
            path.clone(),
            places::root().join(KARATE),
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(only_line(&output.stderr).contains("File too large"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read(&path).unwrap(), b"before");
    assert_eq!(names(folder.path()).len(), 1);
}

/// What to run on, as `--device` takes it.
fn devices() -> Vec<&'static str> {
    static GPU: LazyLock<Result<(), String>> =
        LazyLock::new(|| testkit::devices::open_gpu().map(|_| ()));
    match &*GPU {
        Ok(()) => vec!["cpu", "gpu:0"],
        Err(reason) => {
            skip::part(testkit::devices::without_gpu(reason));
            vec!["cpu"]
        }
    }
}

/// The edges of the karate club.
fn karate() -> Vec<[u32; 2]> {
    let file = std::fs::read_to_string(places::root().join(KARATE)).unwrap();
    let lines = file.lines().filter(|line| !line.starts_with('%')).skip(1);
    let end = |end: &str| end.parse().unwrap();
    lines.map(|line| line.split_once(' ').unwrap()).map(|(u, v)| [end(u), end(v)]).collect()
}

/// Zachary's karate club: 34 vertices, 78 edges, 45 triangles, 528 wedges.
const KARATE: &str = "tests/data/karate.mtx";
