//! `tribin count --labels`.

use std::collections::BTreeMap;
use std::fs;

use super::{KARATE, assert_documented, assert_wrong_usage, json, refused, run, write};

fn stdout(args: &[&str]) -> String {
    super::stdout(&[&["count"], args].concat())
}

/// The karate club's triangles by three labels, from all sets of three vertices.
fn brute_force(label: impl Fn(usize) -> String) -> BTreeMap<[String; 3], u64> {
    let mut joined = [[false; 35]; 35];
    for [u, v] in super::karate().into_iter().map(|ends| ends.map(|end| end as usize)) {
        (joined[u][v], joined[v][u]) = (true, true);
    }
    let mut found = BTreeMap::new();
    for u in 1..35 {
        for v in 1..u {
            for w in (1..v).filter(|&w| joined[u][v] && joined[u][w] && joined[v][w]) {
                let mut labels = [u, v, w].map(&label);
                labels.sort();
                *found.entry(labels).or_default() += 1;
            }
        }
    }
    found
}

#[test]
fn the_karate_club_by_labels() {
    let folder = tempfile::tempdir().unwrap();
    // Remainders, some of them with what tables quote.
    let label = |v: usize| ["even, or 0", "one", "2"][v % 3].to_owned();
    let quoted = |v: usize| format!("{v},\"{}\"\n", label(v));
    let lines: String = (1..35).map(quoted).collect();
    let labels = write(folder.path(), "labels.csv", format!("vertex,label\n{lines}99,nobody\n"));
    let expected = brute_force(label);
    assert_eq!(expected.values().sum::<u64>(), 45);

    let mut table = String::from("label_1\tlabel_2\tlabel_3\ttriangles\n");
    for (labels, triangles) in &expected {
        let cells = labels.iter().map(|label| match label.contains(',') {
            true => format!("\"{label}\"\t"),
            false => format!("{label}\t"),
        });
        table += &format!("{}{triangles}\n", cells.collect::<String>());
    }
    assert_eq!(stdout(&["--labels", &labels, KARATE]), table);
    assert_eq!(stdout(&["--labels", &labels, KARATE, "--threads", "1", "--device", "cpu"]), table);
    let out = folder.path().join("counts.csv");
    let report = stdout(&["--labels", &labels, KARATE, "-o", out.to_str().unwrap()]);
    assert!(report.contains(&format!("counts.csv: {} rows, ", expected.len())), "{report}");
    assert!(fs::read_to_string(&out).unwrap().contains("\"even, or 0\""));

    let object = json(&["count", "--labels", &labels, KARATE, "--json"]);
    assert_documented(&object, "tribin count --labels --json");
    assert_eq!(object["triangles"], 45);
    let rows = object["by_labels"].as_array().unwrap();
    let ([a, b, c], triangles) = expected.first_key_value().unwrap();
    assert_eq!(rows[0], serde_json::json!({ "labels": [a, b, c], "triangles": triangles }));
    assert_eq!(rows.len(), expected.len());
}

#[test]
fn labels_in_other_columns_and_without_a_header() {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = (1..35).map(|v| format!("{v}\tname {v}\t{}\n", v % 2)).collect();
    let labels = write(folder.path(), "labels.tsv", &lines);
    let table = stdout(&["--labels", &labels, "--label-columns", "1,3", KARATE]);
    let expected = brute_force(|v| (v % 2).to_string());
    for ([a, b, c], triangles) in &expected {
        assert!(table.contains(&format!("\n{a}\t{b}\t{c}\t{triangles}\n")), "{table}");
    }
    // Each vertex is a label of its own: as many rows as triangles.
    assert_eq!(stdout(&["--labels", &labels, KARATE]).lines().count(), 46);
}

#[test]
fn vertices_without_a_label_get_one_or_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = (1..34).map(|v| format!("{v},a\n")).collect();
    let labels = write(folder.path(), "labels.csv", &lines);
    let line = refused(1, ["count", "--labels", &labels, KARATE]);
    assert!(line.contains("the vertex `34` is in a triangle, and has no label"), "{line}");
    let table = stdout(&["--labels", &labels, "--unlabelled", "other", KARATE]);
    let at_34 = brute_force(|v| (v == 34).to_string());
    let expected: Vec<_> = at_34.values().collect();
    assert_eq!(
        table,
        format!(
            "label_1\tlabel_2\tlabel_3\ttriangles\na\ta\ta\t{}\na\ta\tother\t{}\n",
            expected[0], expected[1]
        )
    );
    // A vertex on no triangle needs none: 12 has one neighbour.
    let lines: String = (1..35).filter(|&v| v != 12).map(|v| format!("{v},a\n")).collect();
    let labels = write(folder.path(), "all-but-12.csv", &lines);
    assert!(stdout(&["--labels", &labels, KARATE]).ends_with("\na\ta\ta\t45\n"));
}

#[test]
fn bad_labels_and_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let two = write(folder.path(), "two.csv", "1,a\n2,b\n1,c\n");
    let line = refused(1, ["count", "--labels", &two, KARATE]);
    assert!(line.contains("two.csv: the vertex `1` has two labels, `a` and `c`"), "{line}");
    assert_eq!(run(["count", "--labels", "no such file", KARATE]).status.code(), Some(1));
    assert_wrong_usage(&[
        &["count", "--labels", &two, KARATE, KARATE],
        &["count", "--labels", &two, "--verify", KARATE],
        &["count", "--labels", &two, "--json", "-o", "counts.csv", KARATE],
        &["count", "--labels", &two, "-o", &two, KARATE],
        &["count", "--labels", "-", "-"],
        &["count", "--labels", &two, "-o", "counts.npy", KARATE],
        &["count", "--unlabelled", "a", KARATE],
        &["count", "--label-columns", "1,2", KARATE],
    ]);
}
