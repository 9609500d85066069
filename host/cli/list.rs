//! `tribin list`.

use tribin::plan::Task;
use tribin::report::table::Column;

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::tables::{TableArgs, corners};

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
    let rows = args.limit.unwrap_or(u64::MAX);
    let columns = ["u", "v", "w"].map(|name| Column::of_ids(name, ids));
    let found = |triangles: Vec<[u32; 3]>| corners(ids, &triangles, 3);
    work.write_found((&columns, rows), |take| work.graph.each_triangle(take), found)
}
