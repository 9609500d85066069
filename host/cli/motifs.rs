//! `tribin motifs`.

use tribin::analytics::Motifs;
use tribin::plan::Task;
use tribin::report::human;
use tribin::report::table::{Column, Values};
use tribin::results::{self, GraphKind};
use tribin::{PreparedGraph, Result};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::local;
use super::tables::{TableArgs, TableWork, formats_with_text};

#[derive(Debug, clap::Args)]
#[command(after_help = formats_with_text())]
pub struct MotifsArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Write for every vertex the wedges with it in the middle, those that end at it, its triangles and its cycles of four edges,
    /// whatever other edges there are
    #[arg(long, conflicts_with = "json")]
    at_vertices: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["output", "to_format"])]
    json: bool,
}

/// The results that say how often a vertex is where in a motif.
const ORBITS: [&str; 4] = ["wedges", "wedge_ends", "triangles", "four_cycles"];

pub fn run(args: &MotifsArgs) -> Result<(), Failure> {
    if args.at_vertices {
        let results = ORBITS.iter().map(|name| results::at_vertices(GraphKind::Plain, name));
        let results = results.collect::<Result<Vec<_>>>()?;
        let work = args.table.begin(&ArcArgs::default(), Task::Motifs)?;
        let found = work.graph.at_vertices();
        let columns = local::columns(&found, &results)?;
        return local::write(&work, &columns, &local::with_edges(&found)?);
    }
    let of = (&ArcArgs::default(), Task::Motifs, args.json);
    args.table.report(of, PreparedGraph::motifs, human::motifs, columns)
}

/// A row for each motif.
fn columns(work: &TableWork, motifs: &Motifs) -> Result<Vec<(Column, Values<'static>)>> {
    let fits = |(name, number): (&str, u128)| work.whole(number, &format!("of the motif `{name}`"));
    let induced = motifs.iter().map(|(name, _, count)| fits((name, count.induced)));
    let subgraphs = motifs.iter().map(|(name, _, count)| fits((name, count.subgraphs)));
    let vertices = motifs.iter().map(|(_, vertices, _)| vertices).collect();
    Ok(vec![
        (Column::Text("motif"), Values::Text(motifs.iter().map(|(name, ..)| name).collect())),
        (Column::Whole("vertices"), Values::Whole(vertices)),
        (Column::Whole("induced"), Values::Whole(induced.collect::<Result<_>>()?)),
        (Column::Whole("subgraphs"), Values::Whole(subgraphs.collect::<Result<_>>()?)),
    ])
}
