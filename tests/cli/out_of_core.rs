//! Graphs that the memory which may be used does not hold.

use std::path::Path;

use serde_json::Value;
use testkit::places;

use super::{names, only_line, run, text, tribin};

fn json(line: &[u8]) -> Value {
    serde_json::from_slice(line).unwrap()
}

/// A graph of 2²⁰ entries between 2¹⁶ vertices: it takes 45 MB in memory.
fn rmat(folder: &Path) -> String {
    let path = folder.join("rmat.txt").display().to_string();
    let made = run(["generate", "rmat", "--scale", "16", "-o", &path, "--quiet"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    path
}

#[test]
fn a_count_within_little_memory_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let scratch = tempfile::tempdir().unwrap();
    let place = scratch.path().to_str().unwrap();
    let count = |more: &[&str]| {
        let args = ["count", "--json", "--device", "cpu", "--threads", "2", &path];
        let output = run(args.iter().chain(more).copied());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "");
        json(&output.stdout)
    };
    let (whole, cut) = (count(&[]), count(&["--memory", "20M", "--scratch", place]));
    for figure in [
        "triangles",
        "edges",
        "vertices",
        "wedges",
        "self_loops_dropped",
        "duplicates_dropped",
        "max_degree",
        "engine",
        "device",
    ] {
        assert_eq!(whole[figure], cut[figure], "{figure}");
    }
    assert!(whole.get("out_of_core").is_none());
    let took = &cut["out_of_core"];
    assert_eq!(took["scratch"], place);
    assert!(took["parts"].as_u64().unwrap() >= 1);
    assert!(took["memory_bytes"].as_u64().unwrap() <= 20 << 20);
    assert!(took["scratch_bytes"].as_u64().unwrap() >= 8 << 20);
    let page = std::fs::read_to_string(places::root().join("docs/json.md")).unwrap();
    for key in took.as_object().unwrap().keys() {
        assert!(page.contains(&format!("\n| `out_of_core.{key}` |")), "{key}");
    }
    assert!(names(scratch.path()).is_empty());

    let explained = count(&["--memory", "20M", "--scratch", place, "--explain"]);
    let decision = &explained["explanation"]["decisions"][1];
    assert_eq!(decision["question"], "where the edges are");
    assert_eq!(decision["choice"], format!("out of core: scratch files in {place}"));
    let why = decision["rejected"][0]["because"][0]["text"].as_str().unwrap();
    assert!(
        why.ends_with(" bytes of memory, of those that may be used, at most 20971520"),
        "{why}"
    );

    let planned = count(&["--memory", "20M", "--scratch", place, "--dry-run"]);
    assert_eq!(planned["out_of_core"]["scratch"], place);
    assert_eq!(planned["decisions"][0]["question"], "where the edges are");
    assert!(names(scratch.path()).is_empty());
}

/// Who did not name a folder is told which one was taken.
#[test]
fn the_folder_that_was_chosen_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let args = ["count", "--device", "cpu", "--threads", "1", "--memory", "20M", &path];
    let output = tribin().args(args).env("TMPDIR", folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let line = only_line(&output.stderr);
    assert!(line.contains("too large for 20971520 bytes of memory: about "), "{line}");
    assert!(line.contains(" bytes of scratch files go to "), "{line}");
    let report = text(&output.stdout);
    assert!(
        report.contains("\n  out of core   ") && report.contains("\n  scratch       "),
        "{report}"
    );
    assert_eq!(names(folder.path()).len(), 1);
}

#[test]
fn what_cannot_be_done_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let missing = folder.path().join("missing");
    let missing = missing.to_str().unwrap();
    let place = folder.path().to_str().unwrap();
    let refused = |more: &[&str]| {
        let args = ["count", "--device", "cpu", "--threads", "2", &path];
        let output = run(args.iter().chain(more).copied());
        assert_eq!(output.status.code(), Some(1), "{more:?}");
        assert_eq!(text(&output.stdout), "", "{more:?}");
        only_line(&output.stderr).to_owned()
    };
    let little = refused(&["--memory", "1M", "--scratch", place]);
    assert!(little.starts_with(&format!("error: {path}: ")), "{little}");
    assert!(
        little.ends_with(
            " bytes of memory are needed to count it out of core, and 1048576 may be used: allow more \
             with `--memory`, or use fewer `--threads`"
        ),
        "{little}"
    );
    assert_eq!(
        refused(&["--memory", "20M", "--scratch", missing]),
        format!(
            "error: {missing}: there is no such folder for scratch files: choose a folder with more room \
             with `--scratch`"
        )
    );
    assert_eq!(
        refused(&["--memory", "20M", "--scratch", place, "--verify"]),
        format!(
            "error: {path}: the graph does not fit the memory, and only a graph in memory can be verified: \
             leave `--verify` out"
        )
    );
}

/// A limit on the size of files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_line_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let scratch = tempfile::tempdir().unwrap();
    let place = scratch.path().to_str().unwrap();
    let count = "trap '' XFSZ; ulimit -f 2000; exec \"$0\" count --device cpu --threads 2 --memory 20M \
                 --scratch \"$2\" \"$1\"";
    let command = tribin();
    let program = command.get_program().to_str().unwrap();
    let output =
        std::process::Command::new("sh").args(["-c", count, program, &path, place]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    let line = only_line(&output.stderr);
    assert!(line.contains(": there is no room for more scratch files: they take "), "{line}");
    assert!(line.ends_with(": choose a folder with more room with `--scratch`"), "{line}");
    assert!(names(scratch.path()).is_empty());
}
