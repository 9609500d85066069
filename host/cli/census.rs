//! `tribin census`.

use tribin::analytics::{DirectedStats, Triad};
use tribin::plan::Task;
use tribin::report::human;
use tribin::report::table::{Column, Values};
use tribin::{PreparedGraph, Result};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::tables::{TableArgs, TableWork, formats_with_text};

#[derive(Debug, clap::Args)]
#[command(after_help = formats_with_text())]
pub struct CensusArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["output", "to_format"])]
    json: bool,
}

pub fn run(args: &CensusArgs) -> Result<(), Failure> {
    let of = (&ArcArgs::directed(), Task::ByDirection, args.json);
    args.table.report(of, PreparedGraph::directed_stats, human::census, columns)
}

/// A row for each class.
fn columns(work: &TableWork, stats: &DirectedStats) -> Result<Vec<(Column, Values<'static>)>> {
    let whole = |(triad, count): (Triad, u128)| {
        work.whole(count, &format!("triples are of the class {triad}"))
    };
    let counts = stats.census.iter().map(whole).collect::<Result<_>>()?;
    Ok(vec![
        (Column::Text("class"), Values::Text(Triad::all().map(Triad::name).collect())),
        (Column::Whole("count"), Values::Whole(counts)),
    ])
}
