//! `tribin estimate`.

use std::fs;

use super::{KARATE, assert_documented, assert_wrong_usage, json, refused, run, text};

fn stdout(args: &[&str]) -> String {
    super::stdout(&[&["estimate"], args].concat())
}

#[test]
fn the_karate_club_is_counted_exactly() {
    let report = stdout(&["--device", "cpu", KARATE]);
    for line in [
        "graph         34 vertices, 78 edges\n",
        "wedges        528\n",
        "triangles     45, exact\n",
        "transitivity  0.255682, exact\n",
        "clustering    0.570638, exact, on average\n",
        "because       all triangles are found as soon\n",
    ] {
        assert!(report.contains(line), "{report}");
    }
    let object = json(&["estimate", "--json", KARATE]);
    assert_documented(&object, "tribin estimate --json");
    let triangles = serde_json::json!({ "value": 45, "low": 45, "high": 45 });
    assert_eq!((&object["triangles"], &object["exact"]), (&triangles, &true.into()));
    assert_eq!((&object["error"], &object["confidence"]), (&0.01.into(), &0.95.into()));
    assert!(stdout(&["--dry-run", KARATE]).contains("(dry run: nothing is counted)\n"));

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("figures.csv");
    let report = stdout(&["-o", out.to_str().unwrap(), KARATE]);
    assert!(report.contains("figures.csv: 3 rows, "), "{report}");
    let table = fs::read_to_string(&out).unwrap();
    assert!(table.starts_with("figure,value,low,high\ntriangles,45.0,45.0,45.0\n"), "{table}");
}

/// A ring of 20,000 vertices, each joined to the next four: 6 triangles a vertex, and a coefficient of 9/14.
#[test]
fn a_ring_is_sampled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.txt");
    let edges = (0..20_000).flat_map(|v| (1..5).map(move |step| (v, (v + step) % 20_000)));
    let lines: String = edges.map(|(u, v)| format!("{u} {v}\n")).collect();
    fs::write(&path, lines).unwrap();
    let ring = path.to_str().unwrap();
    let asked = ["--sample", "--error", "5%", "--confidence", "0.999", "--seed", "9", ring];
    let json = stdout(&[&["--json"], &asked[..]].concat());
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    let number = |name: &str, part: &str| object[name][part].as_f64().unwrap();
    for (name, exact) in
        [("triangles", 120_000.0), ("transitivity", 9.0 / 14.0), ("average_clustering", 9.0 / 14.0)]
    {
        let [low, value, high] = ["low", "value", "high"].map(|part| number(name, part));
        assert!(low <= exact && exact <= high && low < value && value <= high, "{object}");
        assert!((high - low) / 2.0 <= 0.05 * value, "{object}");
    }
    assert_eq!(object["because"], "asked for");
    let report = stdout(&asked);
    assert!(report.contains("99.9000% for each interval, 5.0000% of error\n"), "{report}");
    assert!(report.contains(" of vertices, with seed 9\n"), "{report}");
}

#[test]
fn wrong_usage_exits_with_2() {
    assert_wrong_usage(&[
        &["estimate"],
        &["estimate", KARATE, "--json", "-o", "out.csv"],
        &["estimate", KARATE, "--error", "0"],
        &["estimate", KARATE, "--error", "5"],
        &["estimate", KARATE, "--confidence", "100%"],
        &["estimate", KARATE, "--error", "NaN"],
        &["estimate", KARATE, "--seed", "-1"],
        &["estimate", KARATE, "-o", "out.npy"],
    ]);
    let output = run(["estimate", KARATE, "--confidence", "95"]);
    assert!(text(&output.stderr).contains("such as 1% or 0.01"), "{}", text(&output.stderr));
    assert!(
        refused(1, ["estimate", "--device", "cpu", "--memory", "1K", KARATE])
            .contains("`--memory`")
    );
}
