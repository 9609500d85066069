//! `tribin count` on good input.

use std::io::Write;
use std::process::Stdio;

use super::{KARATE, assert_documented, json, only_line, places, run, stdout, text, tribin, write};

#[test]
fn the_object_for_machines_has_the_documented_keys() {
    let count = json(&["count", "--json", "--device", "cpu", KARATE]);
    assert_documented(&count, "tribin count --json");
}

#[test]
fn several_files_make_several_reports() {
    let output = run(["count", "--quiet", KARATE, KARATE]);
    assert_eq!(text(&output.stdout).matches("triangles     45\n").count(), 2);
    assert_eq!(text(&output.stdout).matches(&format!("\n\n{KARATE}\n")).count(), 1);
    let output = run(["count", "--quiet", "--json", KARATE, KARATE]);
    for line in text(&output.stdout).lines() {
        assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
    }
    assert_eq!(text(&output.stdout).lines().count(), 2);
}

#[test]
fn standard_input_is_a_file_called_dash() {
    let mut child = tribin()
        .args(["count", "--json", "--quiet", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"7 8\n8 9\n9 7\n7 7\n8 7\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let stdout = text(&output.stdout);
    assert!(
        stdout.starts_with("{\"file\":\"-\",\"reading\":{") && stdout.contains(
            "},\"vertices\":3,\"edges\":3,\"self_loops_dropped\":1,\
             \"duplicates_dropped\":1,\"reciprocal_dropped\":1,\"triangles\":1,\"wedges\":3,\"transitivity\":1.0,"
        ),
        "{stdout}"
    );
}

#[test]
fn a_graph_without_edges_or_triangles_is_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("comments.txt", "# nothing here\n", "0,\"edges\":0", 0),
        ("loops.txt", "3 3\n", "0,\"edges\":0", 1),
        ("path.txt", "1 2\n2 3\n", "3,\"edges\":2", 0),
    ];
    for (name, content, vertices, loops) in cases {
        let path = write(folder.path(), name, content);
        let stdout = stdout(&["count", "--json", "--quiet", "--verify", &path]);
        assert!(
            stdout.contains(&format!(
                "\"vertices\":{vertices},\"self_loops_dropped\":{loops},\"duplicates_dropped\":0,\
                 \"reciprocal_dropped\":0,\"triangles\":0,"
            )),
            "{name}: {stdout}"
        );
        assert!(stdout.contains("\"transitivity\":0.0,"), "{name}: {stdout}");
    }
}

#[test]
fn the_format_can_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("karate.txt");
    std::fs::copy(places::root().join(KARATE), &path).unwrap();
    let path = path.to_str().unwrap();
    // Told by its first bytes; then, as an edge list, with the size line as an edge.
    let output = run(["count", "--json", "--quiet", path]);
    assert!(text(&output.stdout).contains("\"edges\":78,"));
    let output = run(["count", "--json", "--quiet", "--format", "edge-list", path]);
    assert!(text(&output.stdout).contains("\"edges\":78,\"self_loops_dropped\":1,"));
}

#[test]
fn verification_names_the_second_engine() {
    let output = run(["count", "--verify", "--device", "cpu", KARATE]);
    assert!(text(&output.stdout).contains("\n  verified      edge-iterator on cpu found the same"));
    let output = run(["count", "--json", "--device", "cpu", KARATE]);
    assert!(text(&output.stdout).contains("\"verified_by\":null,"));
}

#[test]
fn verbose_says_where_the_time_goes() {
    let output = run(["count", "--device", "cpu", "--verbose", KARATE]);
    let line = only_line(&output.stderr);
    for key in ["read=", "clean=", "orient=", "count=", "total="] {
        assert!(line.contains(key), "{line}");
    }
    let output =
        tribin().args(["count", "--device", "cpu", KARATE]).env("TRIBIN_LOG", "info").output();
    assert!(only_line(&output.unwrap().stderr).contains("total="));
}

/// Who pipes the JSON into a program sees what was taken all the same.
#[test]
fn how_a_table_was_read_is_said_beside_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let path = path.to_str().unwrap();
    let counted = |content: &str, more: &[&str]| {
        std::fs::write(path, content).unwrap();
        let output = run(["count", "--json", "--device", "cpu", path].iter().chain(more).copied());
        let count: serde_json::Value = serde_json::from_str(text(&output.stdout)).unwrap();
        (count["reading"].clone(), text(&output.stderr).to_owned())
    };
    let note = |what: &str| format!("note: {path}: read as {what}\n");
    let (_, said) = counted("a->b\nb->c\n", &["--delimiter", "->"]);
    let expected =
        "columns separated by `->`, columns 1 and 2, ids are names, the first edge is a to b";
    assert_eq!(said, note(expected));
    let (reading, said) = counted("#user friend\n1 2\n2 3\n", &[]);
    let expected = "columns separated by blanks with a header, columns user and friend, ids are integers, the first edge is 1 to 2";
    assert_eq!((&reading["header"], said), (&true.into(), note(expected)));
    let labels = folder.path().join("labels.txt");
    std::fs::write(&labels, "1 x\n2 y\n3 z\n").unwrap();
    let by_labels = ["--labels", labels.to_str().unwrap()];
    assert_eq!(counted("#user friend\n1 2\n2 3\n", &by_labels).1, note(expected));
    assert_eq!(counted("#user friend\n1 2\n2 3\n", &["--quiet"]).1, "");
    assert_eq!(counted("1 2\n2 3\n", &[]).1, "");
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let mut child = tribin()
        .args(["count", "--quiet"])
        .args([KARATE; 200])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = tribin().args(["count", "--quiet", KARATE]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        only_line(&output.stderr),
        "error: standard output: No space left on device (os error 28)"
    );
}
