//! `tribin bench`.

use super::{KARATE, refused};
#[cfg(feature = "bench")]
use super::{only_line, run, text, tribin};

#[cfg(not(feature = "bench"))]
#[test]
fn what_is_not_built_in_names_its_feature() {
    use tribin::features::missing;

    let command = missing("bench", "`tribin bench` needs");
    for (args, error) in
        [(vec!["bench", KARATE, "--devices", "cpu"], &command), (vec!["bench"], &command)]
    {
        assert_eq!(refused(2, args.iter().copied()), format!("error: {error}"), "{args:?}");
    }
}

/// The file was not looked at.
#[cfg(feature = "bench")]
#[test]
fn a_kind_hides_no_file_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rmat5"), "1 2\n2 3\n3 1\n").unwrap();
    let bench = |graph: &str| {
        let mut command = tribin();
        command.current_dir(folder.path()).args(["bench", graph, "--scales", "5", "-q"]);
        command.args(["--devices", "cpu", "--runs", "1"]).output().unwrap()
    };
    let refused = bench("rmat5");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        only_line(&refused.stderr),
        "error: `rmat5` is a generated graph, and a file of this name is there, too: the file is `./rmat5`, and the generated \
         graph `rmat --scales 5`"
    );
    let generated = bench("rmat");
    assert!(text(&generated.stdout).contains("| rmat5 |"), "{}", text(&generated.stdout));
}

#[cfg(feature = "bench")]
#[test]
fn an_engine_that_the_device_does_not_have() {
    let line = refused(2, ["bench", KARATE, "--devices", "cpu", "--engines", "hybrid"]);
    assert!(line.starts_with("error: `--engines hybrid` counts on a GPU only"), "{line}");
}

#[cfg(feature = "bench")]
#[test]
fn wrong_usage_is_said_before_anything_is_measured() {
    for (args, code, message) in [
        (vec![KARATE, "--scales", "3"], 2, "error: `--scales` is for kinds"),
        (vec!["rmat99"], 2, "error: `rmat99`: the scale is at most 31"),
        (vec!["missing.mtx", "--quiet", "--devices", "cpu"], 1, "error: missing.mtx: no such file"),
        (
            vec!["--from", KARATE],
            1,
            "karate.mtx: these are no measurements of `tribin bench --json`",
        ),
    ] {
        let output = run(["bench"].into_iter().chain(args.iter().copied()));
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(only_line(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
    assert_eq!(run(["bench"]).status.code(), Some(2));
}

/// The table stood in the middle of the data.
#[cfg(feature = "bench")]
#[test]
fn measurements_on_standard_output_stand_alone() {
    let args = ["bench", KARATE, "--runs", "1", "--engines", "forward", "--devices", "cpu", "-q"];
    let output = run(args.into_iter().chain(["--json", "-"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["runs"], 1);
}
