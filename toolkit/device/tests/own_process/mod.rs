//! Tests that end their process, each of which another test runs as a process of its own.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

/// The variable that is set in such a process.
const RUNS: &str = "WARPWISE_TEST_OWN_PROCESS";

/// The signal by which a process ends itself.
const SIGABRT: i32 = 6;

/// Whether this is such a process. In any other such a test does nothing.
pub fn is_own() -> bool {
    std::env::var_os(RUNS).is_some()
}

/// The standard error of a test that ends its process. Fails where it ends otherwise.
pub fn told_by(test: &str) -> String {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", test, "--nocapture"]).env(RUNS, "1");
    let output = process.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.signal(), Some(SIGABRT), "{told}");
    told
}
