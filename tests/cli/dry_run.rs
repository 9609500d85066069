//! `tribin count --dry-run`, and dry runs of the commands that find something else.

use super::{KARATE, assert_documented, json, refused, run, stdout};

#[test]
fn a_plan_for_people() {
    let stdout = stdout(&["count", "--dry-run", "--device", "cpu", "--threads", "1", KARATE]);
    let lines: Vec<_> = stdout.lines().filter(|line| !line.starts_with("  device")).collect();
    assert_eq!(
        lines,
        [
            "tests/data/karate.mtx (dry run: nothing is counted)",
            "  format        matrix-market, told by its first bytes",
            "  compression   none",
            "  file          1,651 bytes (1.6 KiB)",
            "  graph         78 edge entries, 34 vertices at most",
            "  edges         624 bytes of host memory",
            "  memory        20,974,032 bytes (20.0 MiB) at most, at the peak",
            "                10,487,960 bytes (10.0 MiB) at least",
            "  engine        forward",
            "  because       asked for",
        ]
    );
    assert!(!stdout.contains("triangles"));
}

#[test]
fn a_plan_for_machines() {
    let plan = json(&["count", "--dry-run", "--json", "--device", "cpu", KARATE]);
    assert_eq!(plan["format"], "matrix-market");
    assert_eq!(plan["format_told_by"], "first bytes");
    assert_eq!(plan["compression"], "none");
    assert_eq!(plan["bytes"], 1651);
    assert_eq!(plan["entries"], 78);
    assert_eq!((&plan["sampled"], &plan["entries_error"]), (&false.into(), &0.0.into()));
    assert_documented(&plan, "tribin count --dry-run --json");
    assert_eq!(plan["device"], "cpu");
    assert_eq!(plan["reason"], "asked for");
    assert_eq!(plan.get("triangles"), None);
}

/// The page listed those alone that are written, too.
#[test]
fn every_compression_is_documented() {
    let page = std::fs::read_to_string(testkit::places::root().join("docs/json.md")).unwrap();
    let row = page.lines().find(|line| line.starts_with("| `compression` |")).unwrap();
    for (file, compression) in [(KARATE, "none"), (BZIP2, "bzip2"), (XZ, "xz")] {
        let plan = json(&["count", "--dry-run", "--json", "--device", "cpu", file]);
        assert_eq!(plan["compression"], compression);
        assert!(row.contains(&format!("`{compression}`")), "{row}");
    }
}

const BZIP2: &str = "tests/as-found/binary/compressed/edges.txt.bz2";
const XZ: &str = "tests/as-found/binary/compressed/edges.txt.xz";

/// A dry run of a large text read all of it, and took as long as the count.
#[test]
fn of_a_large_text_a_sample_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("uniform.txt");
    let path = path.to_str().unwrap();
    let generate = [
        "generate",
        "erdos-renyi",
        "--vertices",
        "1000000",
        "--edges",
        "6000000",
        "-q",
        "-o",
        path,
    ];
    assert!(run(generate).status.success());
    assert!(std::fs::metadata(path).unwrap().len() > 64 << 20);
    let count = ["count", "--dry-run", "--json", "--device", "cpu", "--threads", "2", path];
    let plan = json(&count);
    assert_documented(&plan, "tribin count --dry-run --json");
    assert_eq!(plan["sampled"], true);
    let number = |key: &str| plan[key].as_f64().unwrap();
    let (entries, error) = (number("entries"), number("entries_error"));
    assert!(error > 0.0 && error < 0.01, "{error}");
    assert!((entries / 6e6 - 1.0).abs() <= error, "{entries} {error}");
    let vertices = number("vertex_bound");
    assert!((999_000.0..=1e6).contains(&vertices), "{vertices}");
    let memory = &plan["host_memory"];
    let [least, most] = ["least", "most"].map(|key| memory[key].as_f64().unwrap());
    // 20 bytes an entry and 28 a vertex, and what does not depend on the graph.
    let expected = 20.0 * 6e6 + 28.0 * 1e6;
    assert!(least < expected && expected < most && most < 1.6 * expected, "{memory}");
}

#[test]
fn every_command_that_finds_something_has_a_dry_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv").display().to_string();
    for command in [
        &["local", "--core", "-o", &out][..],
        &["local", "--directed", "-o", &out],
        &["support", "--with", "jaccard", "-o", &out],
        &["truss", "--k", "3", "-o", &out],
        &["list", "-o", &out],
        &["census", "-o", &out],
        &["cliques", "--k", "4", "--at-vertices", "-o", &out],
        &["motifs", "--at-vertices", "-o", &out],
        &["similar", "--all", "-o", &out],
        &["estimate", "-o", &out],
        &["stats"],
    ] {
        let report = stdout(&[command, &["--dry-run", KARATE]].concat());
        for line in [
            "tests/data/karate.mtx (dry run: nothing is counted)\n",
            "  graph         78 edge entries, 34 vertices at most\n",
        ] {
            assert!(report.contains(line), "{command:?}: {report}");
        }
    }
    assert!(!std::path::Path::new(&out).exists());
    // Where the table would go is looked at as well.
    for (code, out, expected) in
        [(1, "/nowhere/x.csv", "there is no folder"), (2, KARATE, "would replace")]
    {
        let line = refused(code, ["local", "--dry-run", "-o", out, KARATE]);
        assert!(line.contains(expected), "{line}");
    }
}
