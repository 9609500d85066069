//! `tribin motifs`.

use tribin::Error;
use tribin::analytics::Motifs;
use tribin::plan::Task;
use tribin::report::human;
use tribin::report::table::{Column, Values};
use tribin::results::{self, GraphKind};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::local;
use super::output::print;
use super::reports::print_as;
use super::tables::{FORMATS_WITH_TEXT, TableArgs, TableWork};

#[derive(Debug, clap::Args)]
#[command(after_help = FORMATS_WITH_TEXT)]
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
        let results = results.collect::<Result<Vec<_>, Error>>()?;
        let work = args.table.begin(&ArcArgs::default(), Task::Motifs)?;
        let report = local::write(&work, &work.graph.at_vertices(), &results, local::with_edges)?;
        return report.map_or(Ok(()), |report| print(&report));
    }
    args.table.graph.refuse_numpy()?;
    let work = args.table.begin_with(&ArcArgs::default(), Task::Motifs, args.json)?;
    let motifs = work.graph.motifs()?;
    if !args.table.graph.names_output() {
        work.end();
        return print_as(args.json, &motifs, human::motifs);
    }
    let report = write(&work, &motifs)?;
    report.map_or(Ok(()), |report| print(&report))
}

/// Writes a row for each motif.
fn write(work: &TableWork, motifs: &Motifs) -> Result<Option<String>, Failure> {
    let columns = [
        Column::Text("motif"),
        Column::Whole("vertices"),
        Column::Whole("induced"),
        Column::Whole("subgraphs"),
    ];
    let fits = |(name, number): (&str, u128)| work.whole(number, &format!("of the motif `{name}`"));
    let induced = motifs.iter().map(|(name, _, count)| fits((name, count.induced)));
    let induced = induced.collect::<Result<Vec<u64>, Error>>()?;
    let subgraphs = motifs.iter().map(|(name, _, count)| fits((name, count.subgraphs)));
    let subgraphs = subgraphs.collect::<Result<Vec<u64>, Error>>()?;
    work.write_rows(&columns, motifs.iter().count(), |_| {
        vec![
            Values::Text(motifs.iter().map(|(name, ..)| name).collect()),
            Values::Whole(motifs.iter().map(|(_, vertices, _)| vertices).collect()),
            Values::Whole(induced.clone()),
            Values::Whole(subgraphs.clone()),
        ]
    })
}
