//! Real graphs with known figures, all of the undirected simple graph unless said otherwise.

use std::path::PathBuf;

use crate::skip;

/// One row of `reference.tsv`.
#[derive(Debug, Clone)]
pub struct Reference {
    pub path: PathBuf,
    pub file: String,
    /// `snap-edge-list`, `edge-list`, `graphchallenge-tsv`, `matrix-market` or `metis`.
    pub format: String,
    /// Vertices of degree > 0.
    pub vertices: u64,
    /// Edge lists: the largest id + 1. Others: the declared number of vertices.
    pub max_id_plus_1: u64,
    pub edges: u64,
    pub triangles: u64,
    pub wedges: u128,
    pub transitivity: f64,
    pub avg_local_clustering: f64,
    pub max_degree: u64,
    pub degeneracy: u64,
    pub max_truss: u64,
    /// Edge entries of the file; METIS files hold two for each edge.
    pub file_entries: u64,
    pub self_loop_entries: u64,
}

impl Reference {
    /// The number of pairs that reading the file gives: METIS lists each edge twice, and each edge
    /// is read once.
    pub fn pairs(&self) -> u64 {
        if self.format == "metis" { self.file_entries / 2 } else { self.file_entries }
    }
}

/// Every row. Where the reference data are not there, there is none and the test is skipped.
pub fn all() -> Vec<Reference> {
    rows().unwrap_or_else(|| {
        skip::whole(WITHOUT);
        Vec::new()
    })
}

/// Every row, for a test that also checks other graphs: it is skipped in part where the reference
/// data are not there.
pub fn beside_others() -> Vec<Reference> {
    rows().unwrap_or_else(|| {
        skip::part(WITHOUT);
        Vec::new()
    })
}

/// Why a test has no reference graphs.
pub const WITHOUT: &str = "the reference graphs are not there";

fn rows() -> Option<Vec<Reference>> {
    let table = crate::places::data_file("reference.tsv")?;
    let text = std::fs::read_to_string(&table).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        "file\tformat\tvertices_nonisolated\tmax_id_plus_1\tedges\ttriangles\twedges\ttransitivity\t\
         avg_local_clustering\tmax_degree\tdegeneracy\tmax_truss\tfile_entries\tself_loop_entries"
    );
    let rows: Vec<Reference> = lines.map(|line| row(line, table.parent().unwrap())).collect();
    assert!(!rows.is_empty());
    Some(rows)
}

fn row(line: &str, folder: &std::path::Path) -> Reference {
    let fields: Vec<&str> = line.split('\t').collect();
    let number = |column: usize| fields[column].parse::<u64>().unwrap();
    Reference {
        path: folder.join(fields[0]),
        file: fields[0].into(),
        format: fields[1].into(),
        vertices: number(2),
        max_id_plus_1: number(3),
        edges: number(4),
        triangles: number(5),
        wedges: fields[6].parse().unwrap(),
        transitivity: fields[7].parse().unwrap(),
        avg_local_clustering: fields[8].parse().unwrap(),
        max_degree: number(9),
        degeneracy: number(10),
        max_truss: number(11),
        file_entries: number(12),
        self_loop_entries: number(13),
    }
}
