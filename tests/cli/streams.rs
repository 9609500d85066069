//! Standard output and standard error that cannot be written to.

#[cfg(target_os = "linux")]
use super::{KARATE, tribin};

#[cfg(target_os = "linux")]
#[test]
fn a_standard_error_that_is_full_costs_no_result() {
    use std::fs::{self, OpenOptions};
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("g.txt");
    let graph = graph.to_str().unwrap();
    let commands: [&[&str]; 7] = [
        &["count", "--verbose", KARATE],
        &["stats", KARATE],
        &["local", KARATE],
        &["support", KARATE],
        &["truss", KARATE],
        &["bench", KARATE, "--runs", "1", "--engines", "forward"],
        &["generate", "wheel", "--rim", "5", "--output", graph],
    ];
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let is_there = |args: &&&[&str]| args[0] != "bench" || cfg!(feature = "bench");
    for &args in commands.iter().filter(is_there) {
        let output = tribin().args(args).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(output.stdout.is_empty(), args[0] == "generate", "{args:?}");
        let output = tribin().args(args).stderr(full()).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some((args[0] != "generate").into()), "{args:?}");
    }
    assert_eq!(fs::read_to_string(graph).unwrap().lines().count(), 10);
    for args in [&["--help"][..], &["--version"], &["count", "--help"], &["count", "-h"]] {
        let output = tribin().args(args).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(super::only_line(&output.stderr).starts_with("error: standard output: "));
        assert_eq!(tribin().args(args).output().unwrap().status.code(), Some(0), "{args:?}");
    }
    let missing = tribin().args(["count", "missing.txt"]).stderr(full()).output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
}

/// What was written to a closed standard output was lost, and the exit code said that all was well. A closed standard input was
/// called an empty file.
#[cfg(target_os = "linux")]
#[test]
fn closed_standard_streams_are_failures() {
    use super::{only_line, places, text};
    let sh = |command: &str| {
        let mut sh = std::process::Command::new("sh");
        sh.args(["-c", command])
            .args([places::command(env!("CARGO_BIN_EXE_tribin")), places::root().join(KARATE)]);
        sh.output().unwrap()
    };
    for command in ["count -q", "stats -q", "local -q", "list -q", "count -q -o /dev/stdout"] {
        let output = sh(&format!("\"$0\" {command} \"$1\" >&-"));
        assert_eq!(output.status.code(), Some(1), "{command}");
        let line = only_line(&output.stderr);
        assert!(line.ends_with(": it is closed"), "{command}: {line}");
    }
    let output = sh("\"$0\" count - <&-");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(only_line(&output.stderr), "error: -: standard input is closed");
    let output = sh("\"$0\" count - </dev/null");
    assert!(only_line(&output.stderr).starts_with("error: -: the file is empty (0 bytes)"));
    // Nobody who wants no output is refused, however it is opened.
    for null in [">/dev/null", "<>/dev/null 1<>/dev/null"] {
        let output = sh(&format!("\"$0\" count -q \"$1\" {null}"));
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}
