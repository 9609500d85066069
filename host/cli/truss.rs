//! `tribin truss`.

use std::str::FromStr;

use tribin::analytics::EdgeValues;
use tribin::plan::Task;
use tribin::report::human;

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::output::print;
use super::selection::Wanted;
use super::tables::{FORMATS, TableArgs, Work, end_columns, ends};

#[derive(Debug, clap::Args)]
#[command(after_help = FORMATS)]
pub struct TrussArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Write the edges of the K-truss alone: a number from 2, or `max` for the largest K that has any
    #[arg(short, long, value_name = "K", value_parser = str::parse::<K>)]
    k: Option<K>,

    /// Write the N edges of the largest trussness only, those of the largest first
    #[arg(long, value_name = "N", conflicts_with = "k")]
    top: Option<usize>,

    /// Write the edges of one vertex only
    #[arg(long, value_name = "ID", conflicts_with = "k")]
    vertex: Option<String>,
}

/// Which truss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum K {
    At(u32),
    Max,
}

impl FromStr for K {
    type Err = String;

    fn from_str(text: &str) -> Result<K, String> {
        match text.parse() {
            Ok(k) if k >= 2 => Ok(K::At(k)),
            _ if text == "max" => Ok(K::Max),
            _ => Err(format!("`{text}` is no truss: use a number from 2, or `max`")),
        }
    }
}

/// What is printed or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Output {
    /// How many edges each truss has, on standard output.
    Summary,
    /// Edges with their trussness.
    Table,
    /// Edges of one truss.
    Truss(K),
}

impl TrussArgs {
    fn output(&self) -> Output {
        let rows = self.table.graph.names_output() || self.top.is_some() || self.vertex.is_some();
        match self.k {
            Some(k) => Output::Truss(k),
            None if rows => Output::Table,
            None => Output::Summary,
        }
    }
}

pub fn run(args: &TrussArgs) -> Result<(), Failure> {
    let work = args.table.begin(&ArcArgs::default(), Task::Trusses)?;
    let vertex = args.vertex.as_deref().map(|id| work.vertex(id)).transpose()?;
    // One level of peeling is enough for one truss, and tells no other.
    if let Output::Truss(K::At(k)) = args.output() {
        let edges = work.graph.k_truss(k)?;
        let report = write_truss(&work, &edges)?;
        return report.map_or(Ok(()), |report| print(&report));
    }
    let trussness = work.graph.trussness()?;
    let report = match args.output() {
        Output::Table => {
            let wanted = Wanted { vertex, top: args.top, ..Wanted::default() };
            work.write_edges("trussness", &trussness, wanted)?
        }
        Output::Truss(k) => {
            let report = write_truss(&work, &edges_of(&trussness, k))?;
            if k == K::Max {
                work.note(&match trussness.values().iter().max() {
                    Some(k) => format!("the largest k is {k}"),
                    None => "no truss has any edges".to_owned(),
                });
            }
            report
        }
        Output::Summary => {
            let seconds = work.end();
            let counts = trussness.histogram();
            return print(&human::trusses(&work.graph, &counts, seconds));
        }
    };
    Work::finish(report, "trussness", "edges", || Ok(trussness.histogram()))
}

fn write_truss(work: &Work, edges: &[[u32; 2]]) -> Result<Option<String>, Failure> {
    let columns = end_columns(&work.graph);
    work.write_rows(&columns, edges.len(), |rows| ends(&work.graph, &edges[rows]))
}

/// The edges of a truss, in their order.
fn edges_of(trussness: &EdgeValues, k: K) -> Vec<[u32; 2]> {
    let k = match k {
        K::At(k) => k,
        K::Max => trussness.values().iter().copied().max().unwrap_or(2),
    };
    let edges = trussness.edges().iter().zip(trussness.values());
    edges.filter(|(_, found)| **found >= k).map(|(edge, _)| *edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_from_2_or_the_largest() {
        assert_eq!("2".parse(), Ok(K::At(2)));
        assert_eq!("max".parse(), Ok(K::Max));
        for text in ["1", "0", "-3", "MAX", "", "2.5", "4294967296"] {
            let message = text.parse::<K>().unwrap_err();
            assert_eq!(message, format!("`{text}` is no truss: use a number from 2, or `max`"));
        }
    }
}
