//! `tribin truss`.

use super::failure::Failure;
use super::tables::{TableArgs, Work, end_columns, ends};

#[derive(Debug, clap::Args)]
pub struct TrussArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Write the edges of the K-truss alone, instead of every edge with its trussness
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..))]
    k: Option<u32>,
}

pub fn run(args: &TrussArgs) -> Result<(), Failure> {
    let work = Work::begin(&args.table.graph, &args.table.device)?;
    match args.k {
        None => {
            let trussness = work.graph.trussness()?;
            work.write_edges("trussness", &trussness)
        }
        Some(k) => {
            let edges = work.graph.k_truss(k)?;
            let make = |rows| ends(&work.graph, &edges[rows]);
            work.write_rows(&end_columns(&work.graph), edges.len(), make)
        }
    }
}
