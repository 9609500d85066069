//! The scripts of a bundle, run on one whose binaries are scripts too.

mod unpack_tests;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::{MANIFEST, RUN_BENCHES, RUN_TESTS, UNPACK, executable, pack};

/// A test harness with the tests `alpha` and `beta`. A file `fails` in the repository makes the
/// second fail, `crashes` the whole end early, and `kills` ends the script that runs it; what a file
/// `skips` says is printed.
const HARNESS: &str = r#"#!/bin/sh
case $* in
    *--list*) case $* in *gamma*) ;; *) echo "alpha: test"; echo "beta: test" ;; esac; exit ;;
esac
echo "in $(basename "$PWD") with $TRIBIN_ROOT $TRIBIN_BIN $TRIBIN_DATA"
echo "arguments: $* devices: ${TRIBIN_TEST_DEVICES:-}"
[ ! -e "$TRIBIN_ROOT/kills" ] || kill -TERM "$PPID"
echo "test alpha ... ok"
printf '\nsuccesses:\n\n---- alpha stdout ----\n'
cat "$TRIBIN_ROOT/skips" 2>/dev/null
printf '\n\nsuccesses:\n    alpha\n\n'
[ ! -e "$TRIBIN_ROOT/crashes" ] || exit 134
if [ -e "$TRIBIN_ROOT/fails" ]; then
    echo "test beta ... FAILED"
    printf 'failures:\n\n---- beta stdout ----\nskipped: not counted\n'
    echo "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"
    exit 101
fi
echo "test beta ... ignored"
echo "test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"
"#;

/// A compute-sanitizer that finds nothing, or an error where the tool's name is in `finds` beside.
const SANITIZER: &str = r#"#!/bin/sh
case $1 in --version) echo "Version 1.0 (fake)"; exit ;; esac
finds=$(cat "$(dirname "$0")/finds" 2>/dev/null)
tool=$2
shift 4
"$@"
if [ "$finds" = "$tool" ]; then
    echo "========= ERROR SUMMARY: 1 error"
    exit 1
elif [ "$finds" != silence ]; then
    echo "========= ERROR SUMMARY: 0 errors"
fi
"#;

/// One test at a time: while one starts a process, that process briefly holds the files that
/// another test writes, and a file that is held for writing cannot be run.
static ALONE: Mutex<()> = Mutex::new(());

/// The user `nobody`: root may write to every folder.
const NOBODY: u32 = 65534;

const EXECUTABLES: [&str; 5] =
    ["bin/tribin", "tests/one.lib", "tests/one.kernels", "benches/gpu", "benches/read"];

struct Fake {
    folder: TempDir,
    /// Whether scripts may not write to the bundle's folder.
    read_only: bool,
    /// The folder below the bundle's that `TMPDIR` names.
    temporary: &'static str,
    _alone: MutexGuard<'static, ()>,
}

impl Fake {
    fn new() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let fake = Self { folder, read_only: false, temporary: "temporary", _alone: alone };
        for (path, text) in [
            ("run-tests", RUN_TESTS),
            ("run-benches", RUN_BENCHES),
            ("sanitizer/compute-sanitizer", SANITIZER),
        ] {
            fake.script(path, text);
        }
        fake.write("unpack.sh", UNPACK);
        fake.pack("1.2.3");
        fs::create_dir_all(fake.path("repository/inner")).unwrap();
        let manifest = "bench\t-\tbenches/gpu\nbench\t-\tbenches/read\ncommand\t-\tbin/tribin\n\
                        kernel-test\t.\ttests/one.kernels\ntest\tinner\ttests/one.lib\n";
        fake.write(MANIFEST, manifest);
        fake
    }

    /// Packs the executables, with a command of this version.
    fn pack(&self, version: &str) {
        let command = format!("#!/bin/sh\necho tribin {version}\n");
        let bench = "#!/bin/sh\necho \"measured $*\"\n\
                     [ ! -e \"$TRIBIN_DATA/${0##*/}.fails\" ] || exit 3\n";
        for (path, text) in EXECUTABLES.into_iter().zip([&command, HARNESS, HARNESS, bench, bench])
        {
            self.script(path, text);
        }
        pack(self.folder.path()).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn script(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        executable(&path, text).unwrap();
    }

    /// Runs a script; returns its exit code and what it printed, seconds and widths left out.
    fn run(&self, script: &str, args: &[&str]) -> (i32, String) {
        let output = self.output(script, args, &self.path("sanitizer/compute-sanitizer"));
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        let line = |line: &str| {
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            match line.rsplit_once(" skipped ") {
                Some((start, time)) if time.ends_with(" s") => format!("{start} skipped"),
                _ => line,
            }
        };
        let text = text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n";
        (output.status.code().unwrap(), text)
    }

    fn output(&self, script: &str, args: &[&str], sanitizer: &Path) -> Output {
        let [work, temporary] = ["work", "temporary"].map(|name| self.path(name));
        let mode = |folder: &Path, mode| {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        };
        let mut command = Command::new(self.path(script));
        testkit::signals::reset(&mut command);
        for folder in [&work, &temporary] {
            fs::create_dir_all(folder).unwrap();
            mode(folder, 0o777);
        }
        if self.read_only {
            mode(self.folder.path(), 0o555);
            if fs::metadata(&work).unwrap().uid() == 0 {
                command.uid(NOBODY).gid(NOBODY);
            }
        }
        for variable in ["TRIBIN_DATA", "TRIBIN_TEST_DEVICES", "TRIBIN_SANITIZERS"] {
            command.env_remove(variable);
        }
        command.env("COMPUTE_SANITIZER", sanitizer).env("TMPDIR", self.path(self.temporary));
        let output = command.args(args).current_dir(work).output();
        mode(self.folder.path(), 0o755);
        output.unwrap()
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path("work/results").join(name)).unwrap()
    }
}

#[test]
fn every_binary_runs_in_its_folder_with_its_variables() {
    let fake = Fake::new();
    let (code, said) = fake.run("run-tests", &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.starts_with("tribin 1.2.3 on Linux"), "{said}");
    assert!(said.contains("\none.lib 1 passed 0 failed 1 skipped\n"), "{said}");
    assert!(said.contains("\none.kernels 1 passed 0 failed 1 skipped\n"), "{said}");
    assert!(said.ends_with("\n2 passed, 0 failed, 2 skipped\n"), "{said}");
    let at = fake.folder.path().canonicalize().unwrap();
    let at = at.display();
    let places = format!("{at}/repository {at}/bin/tribin {at}/shared/data");
    assert_eq!(
        fake.log("tests/one.lib.log").lines().take(2).collect::<Vec<_>>(),
        [format!("in inner with {places}"), "arguments: --show-output devices: ".to_owned()]
    );
    assert!(fake.log("tests/one.kernels.log").starts_with("in repository with "));
}

#[test]
fn a_failure_is_named_and_counted() {
    let fake = Fake::new();
    fake.write("repository/fails", "");
    let (code, said) = fake.run("run-tests", &[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("\none.lib 1 passed 1 failed 0 skipped\nFAILED: beta\n"), "{said}");
    assert!(said.ends_with("\n2 passed, 2 failed, 0 skipped\n"), "{said}");
}

#[test]
fn a_binary_that_ends_early_is_a_failure() {
    let fake = Fake::new();
    fake.write("repository/crashes", "");
    let (code, said) = fake.run("run-tests", &[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("\nFAILED: exit code 134\n"), "{said}");
    assert!(said.ends_with("\n0 passed, 2 failed, 0 skipped\n"), "{said}");
}

#[test]
fn what_was_skipped_is_said() {
    let fake = Fake::new();
    fake.write(
        "repository/skips",
        "scan: emulator: 3 cases, seeds 1 2\n\
         skipped in part: no GPU: none\n\
         skipped in part: no GPU: none\n",
    );
    let (code, said) = fake.run("run-tests", &[]);
    assert_eq!(code, 0, "{said}");
    let line = "1 passed 0 failed 1 skipped\n2 x skipped in part: no GPU: none\n";
    assert_eq!(said.matches(line).count(), 2, "{said}");
    assert!(said.ends_with("\n2 passed, 0 failed, 2 skipped\n"), "{said}");

    // A test that checked nothing did not pass, whatever the harness says.
    fake.write("repository/skips", "skipped: no GPU: none\n");
    let (code, said) = fake.run("run-tests", &[]);
    assert_eq!(code, 1, "{said}");
    let line = "0 passed 0 failed 2 skipped\n1 x skipped: no GPU: none\n";
    assert_eq!(said.matches(line).count(), 2, "{said}");
    assert!(said.ends_with("\nno test ran: 4 skipped\n"), "{said}");
}

#[test]
fn a_filter_goes_to_the_binaries_and_must_match() {
    let fake = Fake::new();
    let (code, said) = fake.run("run-tests", &["alpha"]);
    assert_eq!(code, 0, "{said}");
    assert!(fake.log("tests/one.lib.log").contains("arguments: --show-output alpha "));
    let (code, said) = fake.run("run-tests", &["gamma"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.ends_with("\nno test ran: no name contains gamma\n"), "{said}");
}

#[test]
fn the_sanitizer_runs_each_tool_over_the_kernel_tests_alone() {
    let fake = Fake::new();
    let (code, said) = fake.run("run-tests", &["--sanitize"]);
    assert_eq!(code, 0, "{said}");
    for tool in ["memcheck", "racecheck", "synccheck", "initcheck"] {
        let line = format!("\n{tool} one.kernels 1 passed 0 failed 1 skipped\n");
        assert!(said.contains(&(line + "ERROR SUMMARY: 0 errors\n")), "{said}");
        assert!(
            fake.log(&format!("tests/{tool}.one.kernels.log"))
                .contains("arguments: --test-threads 1 --show-output devices: gpu\n")
        );
    }
    assert!(!said.contains("one.lib"), "{said}");
    assert!(said.ends_with("\n4 passed, 0 failed, 4 skipped\n"), "{said}");
}

#[test]
fn what_the_sanitizer_finds_is_a_failure() {
    let fake = Fake::new();
    fake.write("sanitizer/finds", "racecheck");
    let (code, said) = fake.run("run-tests", &["--sanitize"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("\nracecheck one.kernels 1 passed 1 failed 1 skipped\n"), "{said}");
    assert!(said.contains("\nERROR SUMMARY: 1 error\nFAILED: exit code 1\n"), "{said}");
    assert!(said.ends_with("\n4 passed, 1 failed, 4 skipped\n"), "{said}");
}

#[test]
fn a_sanitizer_run_without_a_summary_or_the_gpu_is_a_failure() {
    let fake = Fake::new();
    fake.write("sanitizer/finds", "silence");
    let (code, said) = fake.run("run-tests", &["--sanitize"]);
    assert_eq!(code, 1, "{said}");
    assert_eq!(said.matches("\nFAILED: the tool printed no summary\n").count(), 4, "{said}");

    drop(fake);

    let fake = Fake::new();
    for (skips, failures) in [
        ("skipped in part: no GPU: none\n", 4),
        ("skipped in part: TRIBIN_TEST_DEVICES=gpu leaves out the emulator\n", 0),
    ] {
        fake.write("repository/skips", skips);
        let (code, said) = fake.run("run-tests", &["--sanitize"]);
        assert_eq!(code, i32::from(failures > 0), "{said}");
        let found = said.matches("\nFAILED: the GPU was not used\n").count();
        assert_eq!(found, failures, "{said}");
    }
}

#[test]
fn wrong_use_and_a_missing_sanitizer_exit_with_2() {
    let fake = Fake::new();
    let missing = fake.output("run-tests", &["--sanitize"], Path::new("/nowhere/sanitizer"));
    assert_eq!(missing.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(missing.stderr).unwrap(),
        "run-tests: there is no compute-sanitizer (/nowhere/sanitizer cannot be run); it comes \
         with the CUDA toolkit; COMPUTE_SANITIZER names one\n"
    );
    for args in [["--sanitise"].as_slice(), &["a", "b"]] {
        assert_eq!(fake.run("run-tests", args).0, 2, "{args:?}");
    }
}

#[test]
fn benches_print_and_keep_their_tables() {
    let fake = Fake::new();
    let (code, said) = fake.run("run-benches", &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.starts_with("==> gpu\nmeasured --bench\n==> read\nmeasured --bench\n"), "{said}");
    assert_eq!(fake.log("benches/gpu.txt"), "measured --bench\n");

    fake.write("shared/data/read.fails", "");
    let (code, said) = fake.run("run-benches", &["read", "--", "--runs", "9"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.starts_with("==> read\nmeasured --bench --runs 9\n"), "{said}");
    assert!(said.ends_with("\nfailed: read (exit code 3)\n"), "{said}");
    assert_eq!(fake.run("run-benches", &["write"]).0, 2);
}
