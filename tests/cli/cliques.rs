//! `tribin cliques`.

use std::fs;

use super::{KARATE, assert_documented, assert_wrong_usage, json, only_line, refused, run, write};

/// What the command prints, which succeeds and says nothing beside it.
fn stdout(args: &[&str]) -> String {
    super::stdout(&[&["cliques"], args].concat())
}

#[test]
fn the_number_is_printed_for_people_and_machines() {
    for (k, cliques) in [("3", 45), ("4", 11), ("5", 2), ("12", 0)] {
        let object = json(&["cliques", "--k", k, "--json", KARATE]);
        assert_eq!(
            (&object["k"], &object["cliques"]),
            (&k.parse::<u64>().unwrap().into(), &cliques.into())
        );
        assert_documented(&object, "tribin cliques --json");
    }
    let report = stdout(&["-k", "4", "--device", "cpu", KARATE]);
    for line in ["  graph         34 vertices, 78 edges\n", "  4-cliques     11\n"] {
        assert!(report.contains(line), "{report}");
    }
    let explained = stdout(&["-k", "4", "--device", "cpu", "--explain", KARATE]);
    assert!(
        explained.contains("  device: cpu\n                because asked for\n"),
        "{explained}"
    );
    let object = json(&["cliques", "-k", "4", "--device", "cpu", "--explain", "--json", KARATE]);
    assert_eq!(object["explanation"]["decisions"][0]["choice"], "cpu");
    assert_eq!(object["explanation"]["steps"][1]["step"], "find");
}

#[test]
fn a_dry_run_counts_nothing() {
    let report = stdout(&["-k", "4", "--device", "cpu", "--dry-run", KARATE]);
    for line in ["(dry run: nothing is counted)\n", "  engine        bits of neighbourhoods\n"] {
        assert!(report.contains(line), "{report}");
    }
    let plan = json(&["cliques", "-k", "4", "--dry-run", "--json", KARATE]);
    assert_eq!((&plan["entries"], &plan["engine"]), (&78.into(), &"bits of neighbourhoods".into()));
}

/// Two cliques of four that share an edge, with names.
const NAMED: &str = "source,target\nann,bob\nann,cem\nann,dan\nbob,cem\nbob,dan\ncem,dan\n\
                     cem,eva\ndan,eva\ncem,fay\ndan,fay\neva,fay\nfay,gus\n";

#[test]
fn tables_call_vertices_as_the_file_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = &write(folder.path(), "named.csv", NAMED);
    let quiet = |flag| stdout(&["-q", "--k", "4", flag, path]);
    assert_eq!(
        quiet("--at-vertices"),
        "vertex\tcliques\nann\t1\nbob\t1\ncem\t2\ndan\t2\neva\t1\nfay\t1\ngus\t0\n"
    );
    assert_eq!(
        quiet("--on-edges"),
        "u\tv\tcliques\nann\tbob\t1\nann\tcem\t1\nann\tdan\t1\nbob\tcem\t1\nbob\tdan\t1\ncem\tdan\t2\n\
         cem\teva\t1\ncem\tfay\t1\ndan\teva\t1\ndan\tfay\t1\neva\tfay\t1\nfay\tgus\t0\n"
    );
    let mut rows: Vec<String> = quiet("--list").lines().map(str::to_owned).collect();
    assert_eq!(rows.remove(0), "v1\tv2\tv3\tv4");
    rows.sort_unstable();
    assert_eq!(rows, ["ann\tbob\tcem\tdan", "cem\tdan\teva\tfay"]);
    let limited = stdout(&["-q", "--k", "4", "--list", "--limit", "1", path]);
    assert_eq!(limited.lines().count(), 2);
}

#[test]
fn wrong_usage_exits_with_2() {
    assert_wrong_usage(&[
        &["cliques", KARATE],
        &["cliques", "-k", "2", KARATE],
        &["cliques", "-k", "13", KARATE],
        &["cliques", "-k", "four", KARATE],
        &["cliques", "-k", "4"],
        &["cliques", "-k", "4", "--list", "--at-vertices", KARATE],
        &["cliques", "-k", "4", "--on-edges", "--at-vertices", KARATE],
        &["cliques", "-k", "4", "--limit", "3", KARATE],
        &["cliques", "-k", "4", "--json", "--list", KARATE],
        &["cliques", "-k", "4", "-o", "out.csv", KARATE],
    ]);
    let output = run(["cliques", "-k", "4", "-o", "out.csv", KARATE]);
    let line = only_line(&output.stderr);
    assert!(line.ends_with("add --at-vertices, --on-edges or --list"), "{line}");
}

/// Numbers on edges alone are found in memory alone, and are refused before anything is read.
#[test]
fn what_memory_does_not_hold_is_found_out_of_core() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("uniform.bin").display().to_string();
    let model = ["generate", "erdos-renyi", "--vertices", "6000", "--edges", "600000"];
    assert!(run([&model[..], &["-q", "-o", &path]].concat()).status.success());
    let scratch = tempfile::tempdir().unwrap();
    let place = scratch.path().to_str().unwrap();
    let little = ["--memory", "13M", "--scratch", place];
    let args = ["-k", "4", "--device", "cpu", "--threads", "1", "-q", &path];
    let count =
        |more: &[&str]| json(&[&["cliques", "--json", "--explain"], &args[..], more].concat());
    let (whole, cut) = (count(&[]), count(&little));
    assert_eq!(whole["cliques"], cut["cliques"]);
    assert_eq!(cut["explanation"]["decisions"][0]["question"], "where the edges are");
    for what in ["--at-vertices", "--list"] {
        let rows = |more: &[&str]| {
            let text = stdout(&[&args[..], &[what], more].concat());
            // Their order depends on the parts.
            let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
            rows.sort_unstable();
            rows
        };
        let (whole, cut) = (rows(&[]), rows(&little));
        assert!(whole.len() > 1_000 && whole == cut, "{what}");
    }
    let plan = json(&[&["cliques", "--json", "--dry-run"], &args[..], &little].concat());
    assert_eq!(plan["engine"], "bits of neighbourhoods");
    assert_eq!(plan["out_of_core"]["scratch"], place);
    let line = refused(1, [&["cliques", "--on-edges"], &args[..], &little].concat());
    assert!(line.contains("cliques on edges are found in memory alone"), "{line}");
    assert_eq!(fs::read_dir(place).unwrap().count(), 0);
}
