//! `tribin motifs`.

use std::fs;

use super::{KARATE, assert_documented, assert_wrong_usage, json, refused, write};

/// What the command prints, which succeeds and says nothing beside it.
fn stdout(args: &[&str]) -> String {
    super::stdout(&[&["motifs"], args].concat())
}

const TABLE: &str = "motif\tvertices\tinduced\tsubgraphs\nwedge\t3\t393\t528\ntriangle\t3\t45\t45\n\
                     star\t4\t1098\t1764\npath\t4\t681\t2371\ntailed_triangle\t4\t452\t924\n\
                     cycle\t4\t36\t154\ndiamond\t4\t85\t151\nclique\t4\t11\t11\n";

#[test]
fn the_karate_club_s_motifs_are_printed_and_written() {
    assert_eq!(stdout(&["-o", "-", KARATE]), TABLE);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("motifs.csv");
    let report = stdout(&["-o", out.to_str().unwrap(), KARATE]);
    assert!(report.contains("motifs.csv: 8 rows, "), "{report}");
    assert_eq!(fs::read_to_string(&out).unwrap(), TABLE.replace('\t', ","));

    let object = json(&["motifs", "--json", KARATE]);
    assert_documented(&object, "tribin motifs --json");
    assert_eq!(object["cycle"], serde_json::json!({ "induced": 36, "subgraphs": 154 }));
    let report = stdout(&["--device", "cpu", KARATE]);
    for line in ["graph         34 vertices, 78 edges\n", "tailed_triangle                 452"] {
        assert!(report.contains(line), "{report}");
    }
    assert!(stdout(&["--dry-run", KARATE]).contains("(dry run: nothing is counted)\n"));
}

#[test]
fn vertices_have_their_places_in_motifs() {
    let folder = tempfile::tempdir().unwrap();
    // A square and a triangle that share the edge c d.
    let graph = write(folder.path(), "graph.csv", "source,target\na,b\nb,c\nc,d\nd,a\nc,e\ne,d\n");
    assert_eq!(
        stdout(&["--at-vertices", &graph]),
        "vertex\twedges\twedge_ends\ttriangles\tfour_cycles\n\
         a\t1\t3\t0\t1\nb\t1\t3\t0\t1\nc\t3\t4\t1\t1\nd\t3\t4\t1\t1\ne\t1\t4\t1\t0\n"
    );
    // Each cycle is at four vertices.
    let karate = stdout(&["--at-vertices", KARATE]);
    let cycles = karate.lines().skip(1).map(|line| line.rsplit('\t').next().unwrap());
    assert_eq!(cycles.map(|cycles| cycles.parse::<u64>().unwrap()).sum::<u64>(), 4 * 154);
}

#[test]
fn wrong_usage_exits_with_2() {
    assert_wrong_usage(&[
        &["motifs"],
        &["motifs", KARATE, "--json", "-o", "out.csv"],
        &["motifs", KARATE, "--at-vertices", "--json"],
    ]);
    assert!(refused(2, ["motifs", KARATE, "-o", "out.npy"]).contains("NumPy"));
}
