//! `tribin list`.

use std::io;

use tribin::report::table::{Column, Table, Values};

use super::failure::Failure;
use super::output::print;
use super::tables::{TableArgs, Work};

const ABOUT: &str = "\
The extension of OUT says how the table is written: .csv, .tsv or .txt (also with
.gz or .zst), .npy, .parquet, .feather or .arrow.

Each row is a triangle, its vertices ascending and called as in FILE. The order
of the rows is the same in every run on one device. Triangles are written as they
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
    let work = Work::begin(&args.table.graph, &args.table.device)?;
    let report = work.graph.list(|triangles| {
        let mut rows = args.limit.unwrap_or(u64::MAX);
        if work.format().announces_rows() {
            let counted = || work.graph.count().map(|count| count.triangles);
            rows = rows.min(triangles.triangles().map_or_else(counted, Ok)?);
        }
        let block = |block: usize| {
            let found = triangles.block(block).map_err(io::Error::other)?;
            let corner = |i: usize| {
                Values::of_ids(work.graph.ids(), found.iter().map(|triangle| triangle[i]))
            };
            Ok(vec![corner(0), corner(1), corner(2)])
        };
        let columns = ["u", "v", "w"].map(|name| Column::of_ids(name, work.graph.ids()));
        let blocks = triangles.blocks();
        work.write(&Table { columns: &columns, rows, blocks, block: &block })
    })?;
    report.map_or(Ok(()), |report| print(&report))
}
