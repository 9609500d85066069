//! `tribin support`.

use super::failure::Failure;
use super::tables::{TableArgs, Work};

pub fn run(args: &TableArgs) -> Result<(), Failure> {
    let work = Work::begin(&args.graph, &args.device)?;
    let support = work.graph.support()?;
    work.write_edges("support", &support)
}
