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
use super::{KARATE, names, only_line, refused, run, text};

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
    assert!(
        refused(1, ["count", "--quiet", "--output", path.to_str().unwrap(), KARATE, "missing.txt"])
            .starts_with("error: missing.txt: ")
    );
    assert!(names(folder.path()).is_empty());
}

#[test]
fn an_output_that_cannot_be_is_told_before_counting() {
    let folder = tempfile::tempdir().unwrap();
    let under_a_file = format!("{KARATE}/report");
    let missing_folder = folder.path().join("missing/report");
    for path in [folder.path().to_str().unwrap(), missing_folder.to_str().unwrap(), &under_a_file] {
        assert!(
            refused(1, ["count", "--output", path, KARATE])
                .starts_with(&format!("error: {path}: "))
        );
    }
    let output = run(["count", "--output", missing_folder.to_str().unwrap(), KARATE]);
    let folder_line = format!(
        ": there is no folder `{}`: make it, or write to another",
        folder.path().join("missing").display()
    );
    assert!(only_line(&output.stderr).ends_with(&folder_line));
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

/// Files of mode 600 became readable by everybody.
#[cfg(unix)]
#[test]
fn the_permissions_of_what_is_replaced_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    for mode in [0o600, 0o640] {
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert!(run(["count", "-q", "-o", path.to_str().unwrap(), KARATE]).status.success());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
        assert!(fs::read_to_string(&path).unwrap().contains("triangles     45"));
    }
}

/// The other name kept the old content.
#[cfg(unix)]
#[test]
fn a_file_of_two_names_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    fs::write(&one, "before").unwrap();
    fs::hard_link(&one, &two).unwrap();
    assert_eq!(
        refused(1, ["count", "-q", "-o", two.to_str().unwrap(), "missing.txt"]),
        format!(
            "error: {}: the file has 2 names (hard links), and only this one would be replaced: remove \
             it first, or write to another file",
            two.display()
        )
    );
    assert_eq!(fs::read(&one).unwrap(), b"before");
}

/// The link itself was replaced.
#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, file] = ["first", "second", "file"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("second", &first).unwrap();
    std::os::unix::fs::symlink(&file, &second).unwrap();
    assert!(run(["count", "-q", "-o", first.to_str().unwrap(), KARATE]).status.success());
    assert!(fs::symlink_metadata(&first).unwrap().is_symlink());
    assert!(fs::symlink_metadata(&second).unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("triangles     45"));
}

/// The file behind standard output was replaced, with what the shell had appended to before.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_by_its_name_is_written_to() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let path = folder.path().join("log");
        fs::write(&path, "before\n").unwrap();
        let log = fs::OpenOptions::new().append(true).open(&path).unwrap();
        let output =
            tribin().args(["count", "-q", "-o", name, KARATE]).stdout(log).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let log = fs::read_to_string(&path).unwrap();
        assert!(log.starts_with("before\n") && log.contains("triangles     45"), "{log}");
        assert_eq!(names(folder.path()).len(), 1);
    }
}

/// What was read was destroyed, and of two outputs of one name one was lost.
#[test]
fn a_file_that_is_needed_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (graph, other) = (path("g.txt"), path("new.txt"));
    let around = format!("{}/./g.txt", folder.path().display());
    fs::write(&graph, "1 2\n").unwrap();
    let around_other = format!("{}/../{}/new.txt", folder.path().display(), {
        folder.path().file_name().unwrap().to_str().unwrap()
    });
    let cases: [&[&str]; 8] = [
        &["count", &graph, "-o", &around],
        &["local", &graph, "-o", &graph],
        &["convert", &graph, &around],
        &["convert", &graph, &other, "--ids", &around],
        &["convert", &graph, &other, "--ids", &other],
        &["convert", &graph, &other, "--ids", &around_other],
        &["bench", "--from", &graph, "--json", &around],
        &["bench", &graph, "--json", &around],
    ];
    let is_there = |args: &&&[&str]| args[0] != "bench" || cfg!(feature = "bench");
    for args in cases.iter().filter(is_there) {
        let line = refused(2, args.iter().copied());
        assert!(line.ends_with(", which this command needs: write to another file"), "{line}");
        assert_eq!(names(folder.path()).len(), 1);
        assert_eq!(fs::read(&graph).unwrap(), b"1 2\n");
    }
}
