//! `--output`: the whole report under its name, or nothing.

use std::fs;
#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::process::Stdio;

#[cfg(unix)]
use testkit::signals;

#[cfg(target_os = "linux")]
use super::assert_a_full_disk_leaves_what_was_there;
#[cfg(unix)]
use super::tribin;
use super::{KARATE, names, only_line, run, text};

#[test]
fn the_report_goes_to_the_file_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let path = path.to_str().unwrap();
    fs::write(path, "what was there before, longer than what replaces it".repeat(100)).unwrap();
    let output = run(["count", "--json", "--quiet", "--output", path, KARATE, KARATE]);
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "");
    let report = fs::read_to_string(path).unwrap();
    assert_eq!(report.lines().count(), 2);
    assert!(report.ends_with("}\n"));
    assert_eq!(names(folder.path()).len(), 1);
}

#[test]
fn nothing_is_written_where_a_file_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    let output =
        run(["count", "--quiet", "--output", path.to_str().unwrap(), KARATE, "missing.txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(only_line(&output.stderr).starts_with("error: missing.txt: "));
    assert!(names(folder.path()).is_empty());
}

#[test]
fn an_output_that_cannot_be_is_told_before_counting() {
    let folder = tempfile::tempdir().unwrap();
    let under_a_file = format!("{KARATE}/report");
    let missing_folder = folder.path().join("missing/report");
    for path in [folder.path().to_str().unwrap(), missing_folder.to_str().unwrap(), &under_a_file] {
        let output = run(["count", "--output", path, KARATE]);
        assert_eq!(output.status.code(), Some(1), "{path}");
        assert_eq!(text(&output.stdout), "", "{path}");
        assert!(only_line(&output.stderr).starts_with(&format!("error: {path}: ")));
    }
    assert!(names(folder.path()).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing() {
    assert_a_full_disk_leaves_what_was_there("report", 0, "count --quiet --output \"$1\" \"$2\"");
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_nothing() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGKILL] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let mut child = tribin()
            .args(["count", "--quiet", "--output", path.to_str().unwrap(), "-"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // More than a pipe holds: once it is written, the command is at work.
        let stdin = child.stdin.as_mut().unwrap();
        stdin.write_all("1 2\n".repeat(100_000).as_bytes()).unwrap();
        signals::send(&child, signal);
        assert!(!child.wait().unwrap().success(), "signal {signal}");
        assert!(names(folder.path()).is_empty(), "signal {signal}");
    }
}
