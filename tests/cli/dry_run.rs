//! `tribin count --dry-run`.

use super::{KARATE, assert_documented, run, text};

#[test]
fn a_plan_for_people() {
    let output = run(["count", "--dry-run", "--device", "cpu", "--threads", "1", KARATE]);
    assert!(output.status.success());
    let stdout = text(&output.stdout);
    let lines: Vec<_> = stdout.lines().filter(|line| !line.starts_with("  device")).collect();
    assert_eq!(
        lines,
        [
            "tests/data/karate.mtx (dry run: nothing is counted)",
            "  format        matrix-market, told by its first bytes",
            "  compression   none",
            "  file          1,651 bytes (1.6 KiB)",
            "  graph         78 edge entries, 34 vertices at most",
            "  wedges        528 at most",
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
    let output = run(["count", "--dry-run", "--json", "--device", "cpu", KARATE]);
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(plan["format"], "matrix-market");
    assert_eq!(plan["format_told_by"], "first bytes");
    assert_eq!(plan["compression"], "none");
    assert_eq!(plan["bytes"], 1651);
    assert_eq!(plan["entries"], 78);
    assert_eq!(plan["wedges_at_most"], 528);
    assert_eq!((&plan["sampled"], &plan["entries_error"]), (&false.into(), &0.0.into()));
    assert_documented(&plan, "tribin count --dry-run --json");
    assert_eq!(plan["device"], "cpu");
    assert_eq!(plan["reason"], "asked for");
    assert_eq!(plan.get("triangles"), None);
}
