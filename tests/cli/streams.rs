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
    for args in commands {
        let output = tribin().args(args).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(output.stdout.is_empty(), args[0] == "generate", "{args:?}");
        let output = tribin().args(args).stderr(full()).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some((args[0] != "generate").into()), "{args:?}");
    }
    assert_eq!(fs::read_to_string(graph).unwrap().lines().count(), 10);
    let missing = tribin().args(["count", "missing.txt"]).stderr(full()).output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
}
