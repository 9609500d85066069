//! `tribin support`.

use super::failure::Failure;
use super::histogram::{Histogram, PlotArgs};
use super::selection::Wanted;
use super::tables::{FORMATS, TableArgs, Work};

#[derive(Debug, clap::Args)]
#[command(after_help = FORMATS)]
pub struct SupportArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Edges on S triangles or more only
    #[arg(long, value_name = "S")]
    min_support: Option<u64>,

    /// The N edges on the most triangles only, those on the most first
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// The edges of one vertex only
    #[arg(long, value_name = "ID")]
    vertex: Option<String>,

    #[command(flatten)]
    plot: PlotArgs,
}

pub fn run(args: &SupportArgs) -> Result<(), Failure> {
    let plot = args.plot.target()?;
    Work::check_plot(&args.table.graph, plot.as_ref())?;
    let work = Work::begin(&args.table.graph, &args.table.device)?;
    let vertex = args.vertex.as_deref().map(|id| work.vertex(id)).transpose()?;
    let support = work.graph.support()?;
    let wanted = Wanted { vertex, least: args.min_support, top: args.top };
    let report = work.write_edges("support", &support, wanted)?;
    if plot.is_none() && report.is_none() {
        return Ok(());
    }
    let (graph, counts) = (work.graph.name().to_owned(), support.histogram());
    Work::finish(report, plot, &Histogram { graph, of: "support", rows: "edges", counts })
}
