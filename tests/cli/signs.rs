//! Triangles by signs: `tribin stats --sign`, and the results of `tribin local` and `tribin support`.

use std::fs;

use super::{KARATE, assert_wrong_usage, places, refused, run, text, write};

fn stdout(args: &[&str]) -> String {
    super::stdout(&[&["stats"], args].concat())
}

fn signed(args: &[&str]) -> serde_json::Value {
    let object: serde_json::Value = serde_json::from_str(&stdout(args)).unwrap();
    object["signed"].clone()
}

/// Where an edge is positive if both its ends are even or both are odd, every triangle is balanced: those of three even or of three
/// odd vertices are +++, and the others +--. With all signs turned around none is.
#[test]
fn the_karate_club_by_parity() {
    let edges = super::karate();
    let folder = tempfile::tempdir().unwrap();
    let table = |name: &str, sign: i32| {
        let weight = |[u, v]: [u32; 2]| sign * if (u + v) % 2 == 0 { 1 } else { -2 };
        let line = |&edge: &[u32; 2]| format!("{},{},{}\n", edge[0], edge[1], weight(edge));
        let lines: String = edges.iter().map(line).collect();
        write(folder.path(), name, format!("source,target,trust\n{lines}"))
    };
    let balanced = table("balanced.csv", 1);
    let expected = serde_json::json!({ "+++": 9, "++-": 0, "+--": 36, "---": 0, "balanced": 1.0 });
    assert_eq!(signed(&["--json", "--sign", "trust", &balanced]), expected);
    let turned = table("turned.csv", -1);
    let expected = serde_json::json!({ "+++": 0, "++-": 36, "+--": 0, "---": 9, "balanced": 0.0 });
    assert_eq!(signed(&["--json", "--sign", "3", &turned]), expected);
    let documented = fs::read_to_string(places::root().join("docs/json.md")).unwrap();
    let (_, section) = documented.split_once("\n## The object `signed`\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let keys = expected.as_object().unwrap().keys();
    assert!(keys.clone().all(|key| section.contains(&format!("\n| `{key}` | "))), "{section}");

    let report = stdout(&["--device", "cpu", "--sign", "trust", &balanced]);
    for line in [
        "  triangles     45\n",
        "  signs         +++ 9, ++- 0, +-- 36, --- 0\n",
        "  balanced      1.000000 of these triangles\n",
    ] {
        assert!(report.contains(line), "{report}");
    }
    assert!(!stdout(&[&balanced]).contains("signs"));
}

const ZERO: &str = "from,to,w\nAnn,Bo,1\nBo,Cy,-0.0\nCy,Ann,-1\nCy,Di,1\nDi,Ann,-1\n";

#[test]
fn an_edge_of_weight_0_is_named_or_has_the_sign_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "zero.csv", ZERO);
    let line = refused(1, ["stats", "--sign", "w", &path]);
    assert!(line.contains("the edge Bo – Cy has the weight 0, which is no sign"), "{line}");
    // Ann, Bo and Cy, and Ann, Cy and Di, which are + - -.
    for (zero, numbers) in
        [("positive", [0, 1, 1, 0]), ("negative", [0, 0, 2, 0]), ("skip", [0, 0, 1, 0])]
    {
        let found = signed(&["--json", "--sign", "w", "--zero", zero, &path]);
        let found = ["+++", "++-", "+--", "---"].map(|signs| found[signs].as_u64().unwrap());
        assert_eq!(found, numbers, "{zero}");
    }
    // Of two edges that are one, the sum has a sign.
    let path = write(folder.path(), "twice.csv", "0,1,1\n1,0,-3\n1,2,1\n2,0,1\n");
    let found = signed(&["--json", "--sign", "3", "--duplicates", "sum", &path]);
    assert_eq!(found["++-"], 1);
    let path = write(folder.path(), "none.csv", "0,1,1\n1,2,1\n");
    assert!(signed(&["--json", "--sign", "3", &path])["balanced"].is_null());
    assert!(
        stdout(&["--sign", "3", &path]).contains("balanced      no triangle has three signs\n")
    );
}

/// Ann, Bo and Cy are friends of whom Ann and Cy fell out, and Di is an enemy of both.
#[test]
fn every_vertex_and_every_edge_has_its_triangles_by_signs() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "from,to,w\nAnn,Bo,1\nBo,Cy,2\nCy,Ann,-1\nCy,Di,-1\nDi,Ann,-3\nDi,Ed,0\n";
    let path = write(folder.path(), "signs.csv", lines);
    let table = |command: &str, more: &[&str]| {
        let fixed = [command, "--device", "cpu", "-q", "--weight", "w", "--zero", "skip", "--with"];
        super::stdout(&[&fixed[..], more, &[&path]].concat())
    };
    let names = "all_positive,one_negative,two_negative,all_negative,balanced";
    let expected = "vertex\tall_positive\tone_negative\ttwo_negative\tall_negative\tbalanced\n\
                    Ann\t0\t1\t0\t1\t0.0\nBo\t0\t1\t0\t0\t0.0\nCy\t0\t1\t0\t1\t0.0\nDi\t0\t0\t0\t1\t0.0\nEd\t0\t0\t0\t0\tNaN\n";
    assert_eq!(table("local", &[names]), expected);
    let expected = "u\tv\tsupport\tone_negative\tall_negative\tbalanced\n\
                    Ann\tBo\t1\t1\t0\t0.0\nAnn\tCy\t2\t1\t1\t0.0\nAnn\tDi\t1\t0\t1\t0.0\n\
                    Bo\tCy\t1\t1\t0\t0.0\nCy\tDi\t1\t0\t1\t0.0\nDi\tEd\t0\t0\t0\tNaN\n";
    assert_eq!(table("support", &["support,one_negative,all_negative,balanced"]), expected);
    let line = refused(1, ["support", "--weight", "w", "--with", "balanced", &path]);
    assert!(line.contains("the edge Di – Ed has the weight 0, which is no sign"), "{line}");
}

#[test]
fn wrong_usage() {
    assert_wrong_usage(&[
        &["stats", "--zero", "skip", KARATE],
        &["stats", "--duplicates", "sum", KARATE],
        &["stats", "--sign", "3", "--zero", "maybe", KARATE],
        &["local", "--zero", "skip", KARATE],
        &["support", "--with", "balanced", KARATE],
    ]);
    let output = run(["stats", "--sign", "nothing", KARATE]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}
