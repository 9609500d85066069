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
    /// An Apache Parquet file.
    Parquet,
    /// Arrow's file and stream format; the file is Feather, version 2.
    Arrow,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Format; 11] = [
        Format::EdgeList,
        Format::MatrixMarket,
        Format::Metis,
        Format::Pairs,
        Format::Npy,
        Format::Npz,
        Format::Sg,
        Format::Dimacs,
        Format::Adjacency,
        Format::Parquet,
        Format::Arrow,
    ];

    /// The names that [`FromStr`](std::str::FromStr) takes and [`fmt::Display`] gives, in the order of [`Self::ALL`].
    pub const NAMES: [&str; 11] = [
        "edge-list",
        "matrix-market",
        "metis",
        "bin",
        "npy",
        "npz",
        "sg",
        "dimacs",
        "adjacency",
        "parquet",
        "arrow",
    ];

    /// The format's name, as in [`Self::NAMES`].
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The extensions, in lower case and without the dot, that the format is known by.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::EdgeList => &["txt", "el", "tsv", "csv", "edgelist", "edges"],
            Format::MatrixMarket => &["mtx"],
            Format::Metis => &["graph", "metis"],
            Format::Pairs => &["bin"],
            Format::Npy => &["npy"],
            Format::Npz => &["npz"],
            Format::Sg => &["sg"],
            Format::Dimacs => &["gr", "col", "clq", "dimacs"],
            Format::Adjacency => &["adjlist"],
            Format::Parquet => &["parquet", "pq"],
            Format::Arrow => &["arrow", "feather", "ipc", "arrows"],
        }
    }

    /// Whether graphs are written in this format, too.
    pub fn is_written(self) -> bool {
        !matches!(self, Format::Dimacs | Format::Adjacency | Format::Parquet | Format::Arrow)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    /// Takes [`Format::NAMES`] and every extension.
    fn from_str(name: &str) -> Result<Format, Error> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name || format.extensions().contains(&name))
            .ok_or_else(|| {
                Error::Usage(
                    format!("unknown format `{name}`: use {}", Self::NAMES.join(", ")).into(),
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for (format, name) in Format::ALL.into_iter().zip(Format::NAMES) {
            assert_eq!(format.to_string(), name);
            assert_eq!(name.parse::<Format>().unwrap(), format);
            for extension in format.extensions() {
                assert_eq!(extension.parse::<Format>().unwrap(), format);
            }
        }
        assert_eq!(
            "gml".parse::<Format>().unwrap_err().to_string(),
            "unknown format `gml`: use edge-list, matrix-market, metis, bin, npy, npz, sg, dimacs, adjacency, parquet, \
             arrow"
        );
    }
}
