//! `tribin support`.

use tribin::report::table::Column;

use super::failure::Failure;
use super::tables::{TableArgs, Work};

const COLUMNS: [Column; 3] = [Column::Whole("u"), Column::Whole("v"), Column::Whole("support")];

pub fn run(args: &TableArgs) -> Result<(), Failure> {
    let work = Work::begin(&args.graph, &args.device)?;
    let support = work.graph.support()?;
    work.write_edges(&COLUMNS, &support)
}
