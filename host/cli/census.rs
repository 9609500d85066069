//! `tribin census`.

use tribin::Error;
use tribin::analytics::{Census, Triad};
use tribin::plan::Task;
use tribin::report::human;
use tribin::report::table::{Column, Values};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::output::print;
use super::reports::print_as;
use super::tables::{FORMATS_WITH_TEXT, TableArgs, TableWork};

#[derive(Debug, clap::Args)]
#[command(after_help = FORMATS_WITH_TEXT)]
pub struct CensusArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["output", "to_format"])]
    json: bool,
}

pub fn run(args: &CensusArgs) -> Result<(), Failure> {
    args.table.graph.refuse_numpy()?;
    let work = args.table.begin_with(&ArcArgs::directed(), Task::ByDirection, args.json)?;
    if !args.table.graph.names_output() {
        let stats = work.graph.directed_stats()?;
        work.end();
        return print_as(args.json, &stats, human::census);
    }
    let report = write(&work, &work.graph.census()?)?;
    report.map_or(Ok(()), |report| print(&report))
}

/// Writes a row for each class.
fn write(work: &TableWork, census: &Census) -> Result<Option<String>, Failure> {
    let columns = [Column::Text("class"), Column::Whole("count")];
    let whole = |(triad, count): (Triad, u128)| {
        work.whole(count, &format!("triples are of the class {triad}"))
    };
    let counts = census.iter().map(whole).collect::<Result<Vec<u64>, Error>>()?;
    work.write_rows(&columns, Triad::COUNT, |_| {
        let names = Triad::all().map(Triad::name).collect();
        vec![Values::Text(names), Values::Whole(counts.clone())]
    })
}
