//! Wrong usage ends with exit code 2 before any rank is waited for.

use testkit::places;

use super::job::{count, rank};

#[test]
fn what_ranks_do_not_do_is_wrong_usage() {
    let root = places::root();
    let karate = "tests/data/karate.mtx";
    // One rank needs no other.
    for (args, message) in [
        (vec!["--scratch", "/tmp", karate], "--scratch"),
        (vec!["-"], "several ranks cannot share standard input"),
    ] {
        let output = rank(&root, 0, 1, 1).args(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(message), "{args:?}: {said}");
    }
}

#[test]
fn gaps_in_the_environment_name_the_variable() {
    let root = places::root();
    let unset = count(&root).arg("tests/data/karate.mtx").output().unwrap();
    let missing = rank(&root, 0, 2, 1).env_remove("MASTER_ADDR").arg("g.txt").output().unwrap();
    let past = rank(&root, 2, 2, 1).arg("g.txt").output().unwrap();
    for (output, message) in [
        (unset, "no launcher has said which rank this process is"),
        (missing, "MASTER_ADDR is not set"),
        (past, "RANK is 2, and WORLD_SIZE is 2"),
    ] {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(message) && said.matches('\n').count() == 1, "{said}");
    }
}
