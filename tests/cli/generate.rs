//! `tribin generate`.

use std::fs;
#[cfg(target_os = "linux")]
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;

use testkit::effort;
#[cfg(target_os = "linux")]
use testkit::signals;

use super::{assert_a_full_disk_leaves_what_was_there, tribin};
use super::{json, names, only_line, refused, run, stdout, text};

/// Generates into a folder of its own and returns the content.
fn generate(kind: &str, name: &str, threads: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let args = ["--quiet", "--threads", threads, "--output", path.to_str().unwrap()];
    let kind: Vec<&str> = kind.split(' ').collect();
    assert_eq!(stdout(&[&["generate"], &kind[..], &args].concat()), "");
    assert_eq!(names(folder.path()), [path.as_path()]);
    fs::read(path).unwrap()
}

/// Every kind with the triangles and edges that counting its file gives.
const KINDS: [(&str, Option<[u64; 2]>); 23] = [
    ("theory 3,4,5 --loops leaf", Some([7, 346])),
    ("rmat --scale 12", None),
    ("erdos-renyi --vertices 5000 --edges 70000", None),
    ("barabasi-albert --vertices 6000 --links 13", None),
    ("watts-strogatz --vertices 9000 --half-degree 8 --rewire 0", Some([252_000, 72_000])),
    ("geometric --vertices 9000 --degree 20", None),
    ("clustered --rows 50 --columns 40", None),
    ("clustered --rows 50 --columns 40 --ids places", None),
    ("web --vertices 9000 --links 10", None),
    (
        "road --rows 300 --columns 200 --diagonals 1",
        Some([2 * 299 * 199, 300 * 199 + 299 * 200 + 299 * 199]),
    ),
    ("road --rows 300 --columns 200 --ids places", None),
    ("affiliation --vertices 5000 --groups 3000", None),
    ("communities --vertices 9000 --between 9000", None),
    ("hyperbolic --vertices 9000 --degree 16", None),
    ("gap-kron --scale 10", Some([74_720, 10_496])),
    ("gap-urand --scale 15", None),
    ("hub --vertices 70001 --edges 0", Some([0, 70_000])),
    ("paths --paths 300 --length 301", Some([0, 300 * 301])),
    ("mycielskian 11", Some([0, 67_355])),
    ("complete --vertices 370", Some([370 * 369 * 368 / 6, 370 * 369 / 2])),
    ("star --leaves 70000", Some([0, 70_000])),
    ("wheel --rim 70000", Some([70_000, 140_000])),
    ("grid --rows 300 --columns 300", Some([0, 2 * 300 * 299])),
];

/// Each file is the same whatever the threads, and has the same graph whatever its format. A quick run writes each kind in one format.
#[test]
fn what_is_generated_counts_as_it_should() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (kind, expected)) in KINDS.into_iter().enumerate() {
        let mut expected = expected;
        for name in effort::some(["g.bin", "g.txt.gz", "g.mtx.zst", "g.npz"], at, 4) {
            let path = folder.path().join(name);
            let one = generate(kind, name, "1");
            assert!(generate(kind, name, "3") == one, "{kind} to {name}");
            fs::write(&path, one).unwrap();
            let count = json(&["count", "--device", "cpu", "--json", path.to_str().unwrap()]);
            let found = ["triangles", "edges"].map(|key| count[key].as_u64().unwrap());
            assert_eq!(*expected.get_or_insert(found), found, "{kind} to {name}");
        }
    }
}

#[test]
fn a_note_says_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.txt");
    let path = path.to_str().unwrap();
    let output = run(["generate", "star", "--leaves", "3", "-o", path]);
    assert_eq!(text(&output.stdout), "");
    let line = only_line(&output.stderr);
    assert!(line.starts_with(&format!("note: {path}: 4 vertices and 3 entries in ")), "{line}");
    assert_eq!(fs::read_to_string(path).unwrap(), "3 0\n3 1\n3 2\n");
}

#[test]
fn a_graph_without_edges_is_still_a_graph() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["g.txt", "g.mtx", "g.npy", "g.graph", "g.npz", "g.sg"] {
        let path = folder.path().join(name);
        fs::write(&path, generate("star --leaves 0", name, "1")).unwrap();
        assert_eq!(json(&["count", "--json", path.to_str().unwrap()])["edges"], 0, "{name}");
    }
    let path = folder.path().join("g.bin");
    let path = path.to_str().unwrap();
    assert_eq!(
        refused(1, ["generate", "star", "--leaves", "0", "-o", path]),
        format!(
            "error: {path}: a .bin file without edges would be empty, which is read as a failed copy: \
             write another format"
        )
    );
}

#[test]
fn usage_errors_have_exit_code_2() {
    for (args, message) in [
        ("complete --vertices 3", "error: name the file to write with `--output FILE`"),
        (
            "rmat --scale 3 -a 0.5 -b 0.5 -c 0.5 -o /dev/null",
            "error: the probabilities 0.5, 0.5 and 0.5 of the quadrants a, b and c are more than 1 \
             together: lower them",
        ),
        (
            "rmat --scale 3 -d 0.1 -o /dev/null",
            "error: the probabilities 0.57, 0.19, 0.19 and 0.1 of the quadrants must be 1 together: \
             leave out `-d`, which is then 0.05",
        ),
        (
            "affiliation --vertices 3000 --groups 3 --exponent 1 -o /dev/null",
            "error: sizes cannot have the exponent 1: use a number above 1, 100 at most",
        ),
        ("wheel --rim 2 -o /dev/null", "error: a ring of 2 is none: use 3 or more"),
    ] {
        assert_eq!(refused(2, ["generate"].into_iter().chain(args.split(' '))), message);
    }
}

/// The process was ended by a signal.
#[cfg(target_os = "linux")]
#[test]
fn a_model_that_memory_does_not_hold_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("g.bin");
    for (args, bytes) in [
        ("rmat --scale 31", 4u64 << 31),
        ("gap-kron --scale 31", 4 << 31),
        ("road --rows 60000 --columns 60000", 4 * 60000 * 60000),
        ("clustered --rows 30000 --columns 30000", 12 * 30000 * 30000 * 4),
        ("geometric --vertices 4000000000 --degree 8", 12 * 4_000_000_000),
        ("hyperbolic --vertices 4000000000 --degree 8", 28 * 4_000_000_000),
        ("communities --vertices 4000000000 --between 8", 4 * 4_000_000_000),
    ] {
        let command =
            format!("ulimit -v 4000000; exec \"$0\" generate {args} --threads 2 -o \"$1\"");
        let output = Command::new("sh")
            .args(["-c", &command])
            .arg(tribin().get_program())
            .arg(&out)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{args}: {output:?}");
        let error = only_line(&output.stderr);
        let expected = format!(
            "error: (generated): the model keeps {bytes} bytes in memory for its vertices, and "
        );
        assert!(error.starts_with(&expected), "{args}: {error}");
        assert!(error.ends_with(
            " are free: ask for fewer vertices, or for a model that keeps none, such as `erdos-renyi`"
        ));
        assert!(!out.exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing() {
    assert_a_full_disk_leaves_what_was_there("g.bin", 100, "generate rmat --scale 14 -o \"$1\"");
}

/// Whether the process has written to a file in `folder`. The file may not have a name yet.
#[cfg(target_os = "linux")]
fn has_written_in(folder: &Path, process: u32) -> bool {
    let open = fs::read_dir(format!("/proc/{process}/fd")).unwrap();
    open.map(|entry| entry.unwrap().path()).any(|file| {
        // The process may close a file in the meantime.
        let (Ok(path), Ok(metadata)) = (fs::read_link(&file), fs::metadata(&file)) else {
            return false;
        };
        path.starts_with(folder) && metadata.len() > 0
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.txt");
    fs::write(&path, "before").unwrap();
    // So large that it does not end by itself.
    let mut child = tribin()
        .args(["generate", "complete", "--vertices", "1000000", "-o", path.to_str().unwrap()])
        .spawn()
        .unwrap();
    while !has_written_in(folder.path(), child.id()) {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it wrote");
        std::thread::yield_now();
    }
    signals::send(&child, libc::SIGTERM);
    assert!(!child.wait().unwrap().success());
    assert_eq!(fs::read(&path).unwrap(), b"before");
}
