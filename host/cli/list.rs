//! `tribin list`.

use tribin::VertexIds;
use tribin::plan::Task;
use tribin::report::table::{Column, Values};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::output::print;
use super::tables::TableArgs;

const ABOUT: &str = "\
The extension of OUT says how the table is written: .csv, .tsv or .txt (also with
.gz or .zst), .npy, .parquet, .feather or .arrow.

Each row is a triangle, its vertices ascending and called as in FILE. The order
of the rows is the same in every run on one device with one limit of memory. Triangles are written as they
are found: memory does not grow with their number.
";

#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub struct ListArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Stop after N triangles
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
}

pub fn run(args: &ListArgs) -> Result<(), Failure> {
    let work = args.table.begin(&ArcArgs::default(), Task::List)?;
    let ids = work.graph.ids();
    let mut rows = args.limit.unwrap_or(u64::MAX);
    if work.format().announces_rows() {
        rows = rows.min(work.graph.count()?.triangles);
    }
    let columns = ["u", "v", "w"].map(|name| Column::of_ids(name, ids));
    let found = |triangles: Vec<[u32; 3]>| values(ids, &triangles);
    let report =
        work.write_found((&columns, rows), |take| work.graph.each_triangle(take), found)?;
    report.map_or(Ok(()), |report| print(&report))
}

/// Triangles as three columns of ids.
fn values<'v>(ids: &'v VertexIds, triangles: &[[u32; 3]]) -> Vec<Values<'v>> {
    let corner = |i: usize| Values::of_ids(ids, triangles.iter().map(|triangle| triangle[i]));
    vec![corner(0), corner(1), corner(2)]
}
