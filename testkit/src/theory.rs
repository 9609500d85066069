//! The GraphChallenge "Theory" graphs: Kronecker products of stars, with known figures.

use crate::reference::WITHOUT;
use crate::skip;

/// One row of `theory_graphs.tsv`.
#[derive(Debug, Clone)]
pub struct Theory {
    pub name: String,
    /// Leaves of each star, the most significant factor first.
    pub factors: Vec<u64>,
    pub variant: Variant,
    pub vertices: u64,
    /// Twice the number of edges.
    pub nnz: u64,
    /// Up to 76 bits.
    pub wedges: u128,
    pub triangles: u64,
    pub max_degree: u64,
    /// How the figures were found.
    pub checked: Checked,
}

/// Where the factors have self-loops; the product's own self-loop is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Nowhere (`Bk`).
    Bk,
    /// On the centre of every star (`B1k`).
    B1k,
    /// On the last leaf of every star (`B2k`).
    B2k,
}

/// How a row's figures were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// All of them counted from the graph.
    Direct,
    /// All but the triangles counted from the degrees.
    Degrees,
    /// All from the closed forms.
    ClosedForm,
}

/// The first rows of the table, for where the reference data are not there.
const SMALL: &str = "\
Theory-3-4-Bk\t3,4\tBk\t20\t48\t96\t0\t12\t0\tyes\t0\tdirect
Theory-3-4-B1k\t3,4\tB1k\t20\t62\t225\t12\t19\t36\tno\t12\tdirect
Theory-3-4-B2k\t3,4\tB2k\t20\t62\t138\t1\t12\t1\tyes\t1\tdirect
Theory-3-4-5-Bk\t3,4,5\tBk\t120\t480\t3360\t0\t60\t0\tyes\t0\tdirect
Theory-3-4-5-B1k\t3,4,5\tB1k\t120\t692\t10830\t287\t119\t287\tyes\t287\tdirect
Theory-3-4-5-B2k\t3,4,5\tB2k\t120\t692\t5339\t7\t60\t7\tyes\t7\tdirect
";

/// Every row, or the first few where the reference data are not there.
pub fn all() -> Vec<Theory> {
    let text = match crate::places::data_file("theory_graphs.tsv") {
        Some(path) => std::fs::read_to_string(path).unwrap(),
        None => {
            skip::part(WITHOUT);
            SMALL.into()
        }
    };
    text.lines().filter(|line| line.starts_with("Theory-")).map(row).collect()
}

/// The rows whose figures were counted from the graph itself.
pub fn direct() -> Vec<Theory> {
    all().into_iter().filter(|row| row.checked == Checked::Direct).collect()
}

fn row(line: &str) -> Theory {
    let fields: Vec<&str> = line.split('\t').collect();
    let number = |column: usize| fields[column].parse::<u64>().unwrap();
    Theory {
        name: fields[0].into(),
        factors: fields[1].split(',').map(|k| k.parse().unwrap()).collect(),
        variant: Variant::named(fields[2]),
        vertices: number(3),
        nnz: number(4),
        wedges: fields[5].parse().unwrap(),
        triangles: number(6),
        max_degree: number(7),
        checked: match fields[11] {
            "direct" => Checked::Direct,
            "degrees" => Checked::Degrees,
            "closed-form" => Checked::ClosedForm,
            other => panic!("checked {other}"),
        },
    }
}

impl Variant {
    fn named(name: &str) -> Variant {
        match name {
            "Bk" => Variant::Bk,
            "B1k" => Variant::B1k,
            "B2k" => Variant::B2k,
            other => panic!("variant {other}"),
        }
    }
}

/// The edges of the product of stars with `factors` leaves, such as `3-4-5`, in a variant such as `B1k`.
pub fn product(factors: &str, variant: &str) -> Vec<[u32; 2]> {
    let factors: Vec<u64> = factors.split('-').map(|k| k.parse().unwrap()).collect();
    edges_of(&factors, Variant::named(variant))
}

impl Theory {
    /// The graph's edges, each once with the smaller vertex first.
    ///
    /// # Panics
    /// If a vertex does not fit 32 bits, which only `ClosedForm` rows have.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        edges_of(&self.factors, self.variant)
    }
}

fn edges_of(factors: &[u64], variant: Variant) -> Vec<[u32; 2]> {
    // Entries of the product so far: row and column.
    let mut product = vec![(0u64, 0u64)];
    for &k in factors {
        let mut star: Vec<(u64, u64)> = (1..=k).flat_map(|leaf| [(0, leaf), (leaf, 0)]).collect();
        match variant {
            Variant::Bk => {}
            Variant::B1k => star.push((0, 0)),
            Variant::B2k => star.push((k, k)),
        }
        product = product
            .iter()
            .flat_map(|&(row, column)| {
                star.iter().map(move |&(r, c)| (row * (k + 1) + r, column * (k + 1) + c))
            })
            .collect();
    }
    let vertex = |id| u32::try_from(id).expect("a vertex of 32 bits");
    product
        .into_iter()
        .filter(|(row, column)| row < column)
        .map(|(row, column)| [vertex(row), vertex(column)])
        .collect()
}
