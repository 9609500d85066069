//! `tribin support`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use tribin::VertexIds;
use tribin::plan::Task;
use tribin::report::table::{Column, Values};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::histogram::{Histogram, PlotArgs};
use super::selection::Wanted;
use super::tables::{AnySizeArgs, FORMATS, Work};

/// What the column of numbers is called.
const NUMBER: &str = "support";

#[derive(Debug, clap::Args)]
#[command(after_help = FORMATS)]
pub struct SupportArgs {
    #[command(flatten)]
    table: AnySizeArgs,

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
    let work = args.table.begin(&ArcArgs::default(), Task::OnEdges)?;
    let of = args.vertex.as_deref().map(|id| work.vertex(id)).transpose()?;
    // How many edges have each number is for the report and the picture.
    let is_drawn = plot.is_some() || work.is_reported();
    let (report, counts) = if work.graph.out_of_core_decision().is_some() {
        out_of_core(&work, work.graph.ids(), args.wanted(of), is_drawn)?
    } else {
        let support = work.graph.support()?;
        let report = work.write_edges(NUMBER, &support, args.wanted(of))?;
        (report, if is_drawn { support.histogram() } else { Vec::new() })
    };
    if plot.is_none() && report.is_none() {
        return Ok(());
    }
    Work::finish(
        report,
        plot,
        &Histogram { graph: work.graph.name().to_owned(), of: NUMBER, rows: "edges", counts },
    )
}

impl SupportArgs {
    fn wanted(&self, vertex: Option<u32>) -> Wanted {
        Wanted { vertex, least: self.min_support, top: self.top }
    }
}

/// An edge's two vertices and its triangles.
type Row = [u32; 3];

/// How many edges have each number, ascending by the numbers.
type Counts = Vec<(u32, u64)>;

/// Writes the rows that are wanted of a graph that memory does not hold; the report, and how many edges have each number if
/// that is drawn.
fn out_of_core(
    work: &Work,
    ids: &VertexIds,
    wanted: Wanted,
    is_drawn: bool,
) -> Result<(Option<String>, Counts), Failure> {
    let columns = [Column::of_ids("u", ids), Column::of_ids("v", ids), Column::Whole(NUMBER)];
    let mut counts = BTreeMap::new();
    let mut count = |row: &Row| {
        if is_drawn {
            *counts.entry(row[2]).or_insert(0) += 1;
        }
    };
    let report = if let Some(top) = wanted.top {
        let rows = largest(work, wanted, top, &mut count)?;
        work.write_rows(&columns, rows.len(), |range| values(ids, &rows[range]))?
    } else {
        let mut rows = u64::MAX;
        if work.format().announces_rows() {
            rows = work.graph.summary().edges;
            if wanted.least.is_some() || wanted.vertex.is_some() {
                rows = 0;
                work.graph.each_edge(|blocks| {
                    rows +=
                        blocks.iter().flatten().filter(|row| is_wanted(wanted, row)).count() as u64;
                    Ok(true)
                })?;
            }
        }
        let found = |mut rows: Vec<Row>| {
            rows.iter().for_each(&mut count);
            rows.retain(|row| is_wanted(wanted, row));
            values(ids, &rows)
        };
        work.write_found((&columns, rows), |take| work.graph.each_edge(take), found)?
    };
    Ok((report, counts.into_iter().collect()))
}

fn is_wanted(wanted: Wanted, &[u, v, number]: &Row) -> bool {
    wanted.takes(number.into(), |vertex| vertex == u || vertex == v)
}

/// The rows with the largest numbers of those that are wanted, in that order; of equal numbers the edge that comes first
/// goes before.
fn largest(
    work: &Work,
    wanted: Wanted,
    top: usize,
    count: &mut (impl FnMut(&Row) + Send),
) -> Result<Vec<Row>, Failure> {
    // The last of those that were kept is on top.
    let mut kept = BinaryHeap::new();
    work.graph.each_edge(|blocks| {
        for row @ [u, v, number] in blocks.into_iter().flatten() {
            count(&row);
            if is_wanted(wanted, &row) {
                kept.push((Reverse(number), u, v));
                if kept.len() > top {
                    kept.pop();
                }
            }
        }
        Ok(true)
    })?;
    let rows = kept.into_sorted_vec();
    Ok(rows.into_iter().map(|(Reverse(number), u, v)| [u, v, number]).collect())
}

/// Rows as columns.
fn values<'v>(ids: &'v VertexIds, rows: &[Row]) -> Vec<Values<'v>> {
    let end = |i: usize| Values::of_ids(ids, rows.iter().map(|row| row[i]));
    vec![end(0), end(1), Values::Whole(rows.iter().map(|row| row[2].into()).collect())]
}
