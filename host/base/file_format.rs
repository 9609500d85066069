//! The formats of files, and what they are called.
//!
//! They stand beside the errors, which name them as well: neither needs the folder that reads.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Two vertex ids a line, separated by a blank, a tab or a comma.
    EdgeList,
    /// Matrix Market coordinate.
    MatrixMarket,
    /// METIS and DIMACS10 adjacency lists.
    Metis,
    /// Raw pairs of little-endian `u32`.
    Pairs,
    /// A NumPy array of shape (m, 2) or (2, m).
    Npy,
    /// A SciPy sparse matrix in compressed rows or columns.
    Npz,
    /// A serialized graph of the GAP benchmark suite.
    Sg,
    /// DIMACS: shortest paths (`a u v w`), colouring and cliques (`e u v`).
    Dimacs,
    /// A vertex and its neighbours a line, as `networkx.write_adjlist` writes them.
    Adjacency,
    /// GraphML.
    GraphMl,
    /// GML, the Graph Modelling Language.
    Gml,
    /// A network of Pajek.
    Pajek,
    /// JSON and JSON lines: nodes and links, lists of edges or of neighbours.
    Json,
    /// An Apache Parquet file.
    Parquet,
    /// Arrow's file and stream format; the file is Feather, version 2.
    Arrow,
}

/// Each format's name, and the extensions, in lower case and without the dot, that it is known by.
const KNOWN_BY: [(Format, &str, &[&str]); 15] = [
    (Format::EdgeList, "edge-list", &["txt", "el", "tsv", "csv", "edgelist", "edges"]),
    (Format::MatrixMarket, "matrix-market", &["mtx"]),
    (Format::Metis, "metis", &["graph", "metis"]),
    (Format::Pairs, "bin", &["bin"]),
    (Format::Npy, "npy", &["npy"]),
    (Format::Npz, "npz", &["npz"]),
    (Format::Sg, "sg", &["sg"]),
    (Format::Dimacs, "dimacs", &["gr", "col", "clq", "dimacs"]),
    (Format::Adjacency, "adjacency", &["adjlist"]),
    (Format::GraphMl, "graphml", &["graphml"]),
    (Format::Gml, "gml", &["gml"]),
    (Format::Pajek, "pajek", &["net", "paj"]),
    (Format::Json, "json", &["json", "jsonl", "ndjson", "cyjs"]),
    (Format::Parquet, "parquet", &["parquet", "pq"]),
    (Format::Arrow, "arrow", &["arrow", "feather", "ipc", "arrows"]),
];

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Format; KNOWN_BY.len()] = {
        let mut all = [Format::EdgeList; KNOWN_BY.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = KNOWN_BY[at].0;
            at += 1;
        }
        all
    };

    /// The format's name, which [`FromStr`] takes and [`fmt::Display`] gives.
    pub fn name(self) -> &'static str {
        KNOWN_BY[self as usize].1
    }

    /// The extensions, in lower case and without the dot, that the format is known by.
    pub fn extensions(self) -> &'static [&'static str] {
        KNOWN_BY[self as usize].2
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    /// Takes [`Format::name`] and every extension.
    fn from_str(name: &str) -> Result<Format, Error> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name || format.extensions().contains(&name))
            .ok_or_else(|| {
                let names = Self::ALL.map(Format::name).join(", ");
                Error::Usage(format!("unknown format `{name}`: use {names}").into())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for (place, (format, name, _)) in KNOWN_BY.into_iter().enumerate() {
            assert_eq!((format as usize, format.name()), (place, name));
            assert_eq!(format.to_string(), name);
            assert_eq!(name.parse::<Format>().unwrap(), format);
            for extension in format.extensions() {
                assert_eq!(extension.parse::<Format>().unwrap(), format);
            }
        }
        assert_eq!(
            "gexf".parse::<Format>().unwrap_err().to_string(),
            "unknown format `gexf`: use edge-list, matrix-market, metis, bin, npy, npz, sg, dimacs, adjacency, \
             graphml, gml, pajek, json, parquet, arrow"
        );
    }
}
