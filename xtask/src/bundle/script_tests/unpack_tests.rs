//! How the scripts of a bundle unpack its executables.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{EXECUTABLES, Fake};
use crate::bundle::{ARCHIVE, pack};

/// The names in a folder of the bundle.
fn names(fake: &Fake, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(fake.path(folder)).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What a script says that cannot unpack: one line on standard error, and exit code 1.
fn refusal(fake: &Fake, script: &str) -> String {
    let output = fake.output(script, &[], &fake.path("sanitizer/compute-sanitizer"));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(output.stdout, b"", "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches('\n').count(), 1, "{said}");
    let message = said.trim_end().strip_prefix(&format!("{script}: ")).unwrap_or_else(|| {
        panic!("{said} does not start with the script's name");
    });
    message.replace(fake.folder.path().canonicalize().unwrap().to_str().unwrap(), "HERE")
}

const AT_FIRST: [&str; 7] = [
    "MANIFEST.tsv",
    "executables.tar.xz",
    "repository",
    "run-benches",
    "run-tests",
    "sanitizer",
    "unpack.sh",
];

fn at_first_and<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut names = [&AT_FIRST[..], more].concat();
    names.sort_unstable();
    names
}

#[test]
fn the_first_run_unpacks_and_the_second_does_not() {
    let fake = Fake::new();
    assert_eq!(names(&fake, "."), AT_FIRST);
    assert_eq!(fake.run("run-tests", &["--help"]).0, 0);
    assert_eq!(fake.run("run-benches", &["--help"]).0, 0);
    assert!(!fake.path("tests").exists());

    assert_eq!(fake.run("run-benches", &[]).0, 0);
    let expected = at_first_and(&["benches", "bin", "temporary", "tests", "work"]);
    assert_eq!(names(&fake, "."), expected);
    assert_eq!(names(&fake, "tests"), [".cksum", "one.kernels", "one.lib"]);
    assert_eq!(names(&fake, "temporary"), [""; 0]);

    fake.write("tests/kept", "");
    for script in ["run-tests", "run-benches"] {
        assert_eq!(fake.run(script, &[]).0, 0);
        assert!(fake.path("tests/kept").exists(), "{script} unpacked again");
    }
    assert_eq!(names(&fake, "."), expected);
}

#[test]
fn unpacking_that_was_interrupted_is_finished() {
    let fake = Fake::new();
    assert_eq!(fake.run("run-benches", &[]).0, 0);
    // The folders come in this order, and what was interrupted has the first of them.
    for missing in [["tests"].as_slice(), &["tests", "benches"]] {
        for folder in missing {
            fs::remove_dir_all(fake.path(folder)).unwrap();
        }
        let (code, said) = fake.run("run-tests", &[]);
        assert_eq!(code, 0, "{said}");
        assert_eq!(names(&fake, "bin"), [".cksum", "tribin"]);
        assert_eq!(names(&fake, "benches"), [".cksum", "gpu", "read"]);
    }
}

#[test]
fn a_bundle_copied_over_an_older_one_is_unpacked_again() {
    let fake = Fake::new();
    let (_, said) = fake.run("run-tests", &[]);
    assert!(said.starts_with("tribin 1.2.3 on "), "{said}");
    let unpacked = ["tests", "benches", "bin"].map(|folder| (folder, folder.to_owned() + ".old"));
    for (folder, old) in &unpacked {
        fs::rename(fake.path(folder), fake.path(old)).unwrap();
    }
    fake.pack("1.2.4");
    for (folder, old) in &unpacked {
        fs::rename(fake.path(old), fake.path(folder)).unwrap();
    }
    let (code, said) = fake.run("run-tests", &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.starts_with("tribin 1.2.4 on "), "{said}");
}

#[test]
fn a_folder_that_is_not_of_the_archive_is_left_and_refused() {
    for folder in ["tests", "benches", "bin"] {
        let fake = Fake::new();
        fake.write(&format!("{folder}/letter"), "keep me");
        assert_eq!(
            refusal(&fake, "run-tests"),
            format!("HERE/{folder} is not what HERE/executables.tar.xz has: remove it")
        );
        assert_eq!(names(&fake, folder), ["letter"]);
        fs::remove_dir_all(fake.path(folder)).unwrap();
        assert_eq!(fake.run("run-tests", &[]).0, 0, "{folder}");
    }
}

#[test]
fn a_read_only_bundle_is_unpacked_elsewhere_and_that_is_removed() {
    let mut fake = Fake::new();
    fake.read_only = true;
    let (code, said) = fake.run("run-tests", &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.ends_with("\n2 passed, 0 failed, 2 skipped\n"), "{said}");
    let at = fake.folder.path().canonicalize().unwrap();
    let command = format!(" {}/temporary/tribin.", at.display());
    assert!(fake.log("tests/one.lib.log").contains(&command), "{}", fake.log("tests/one.lib.log"));
    let (code, said) = fake.run("run-benches", &["gpu"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.starts_with("==> gpu\nmeasured --bench\n"), "{said}");

    fake.write("repository/fails", "");
    assert_eq!(fake.run("run-tests", &[]).0, 1);
    fake.write("repository/kills", "");
    assert_eq!(fake.run("run-tests", &[]).0, 143);

    assert_eq!(names(&fake, "temporary"), [""; 0]);
    assert_eq!(names(&fake, "."), at_first_and(&["temporary", "work"]));
}

#[test]
fn an_unpacked_bundle_may_become_read_only() {
    let mut fake = Fake::new();
    assert_eq!(fake.run("run-benches", &[]).0, 0);
    fs::remove_dir_all(fake.path("work")).unwrap();
    fake.read_only = true;
    assert_eq!(fake.run("run-tests", &[]).0, 0);
    let at = fake.folder.path().canonicalize().unwrap();
    let command = format!(" {}/bin/tribin ", at.display());
    assert!(fake.log("tests/one.lib.log").contains(&command));
}

#[test]
fn a_broken_archive_is_one_message() {
    let fake = Fake::new();
    let archive = fake.path(ARCHIVE);
    let whole = fs::read(&archive).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0x10;
    for (broken, what) in [
        (whole[..whole.len() / 2].to_vec(), "half of it"),
        (whole[..whole.len() - 1].to_vec(), "all but the last byte"),
        (flipped, "one bit is wrong"),
        (b"no archive".to_vec(), "text"),
        (Vec::new(), "nothing"),
    ] {
        fs::write(&archive, broken).unwrap();
        for script in ["run-tests", "run-benches"] {
            let message = refusal(&fake, script);
            let start = "HERE/executables.tar.xz cannot be unpacked (";
            let end = "): if it is damaged, copy it again";
            assert!(message.starts_with(start) && message.ends_with(end), "{what}: {message}");
            assert!(message.len() > start.len() + end.len(), "{what}: {message}");
        }
        assert_eq!(names(&fake, "."), at_first_and(&["temporary", "work"]));
    }
    fs::remove_file(&archive).unwrap();
    assert_eq!(
        refusal(&fake, "run-tests"),
        "there is no HERE/executables.tar.xz, or it cannot be read: copy the bundle again"
    );
    fs::write(&archive, whole).unwrap();
    assert_eq!(fake.run("run-tests", &[]).0, 0);
}

#[test]
fn no_folder_to_unpack_into_is_one_message() {
    let mut fake = Fake::new();
    fake.read_only = true;
    fake.temporary = "nowhere";
    assert_eq!(
        refusal(&fake, "run-tests"),
        "neither HERE nor HERE/nowhere can be written: TMPDIR names another folder"
    );
}

#[test]
fn programs_that_may_not_run_are_one_message() {
    let fake = Fake::new();
    for path in EXECUTABLES {
        fake.write(path, "#!/bin/sh\n");
        fs::set_permissions(fake.path(path), fs::Permissions::from_mode(0o644)).unwrap();
    }
    pack(fake.folder.path()).unwrap();
    assert_eq!(
        refusal(&fake, "run-benches"),
        "programs cannot be run in HERE: if it is mounted noexec, use another folder (for a \
         read-only bundle, TMPDIR names it)"
    );
    assert_eq!(names(&fake, "."), at_first_and(&["temporary", "work"]));
}
