//! `tribin support`.

use tribin::VertexIds;
use tribin::plan::Task;
use tribin::report::table::{Column, Values};
use tribin::results::{self, EdgeFacts, EdgeFormula, EdgeResult, OnEdges};

use super::arcs::WeightArgs;
use super::edges::{EdgeStream, Wanted};
use super::failure::Failure;
use super::tables::{TableArgs, corners, end_columns};
use super::with::{WithArgs, help_on_edges};

/// The column without `--with`, by which rows are chosen.
const NUMBER: &str = "support";

#[derive(Debug, clap::Args)]
#[command(after_help = help_on_edges())]
pub struct SupportArgs {
    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    with: WithArgs,

    #[command(flatten)]
    weight: WeightArgs,

    /// Edges on S triangles or more only
    #[arg(long, value_name = "S")]
    min_support: Option<u64>,

    /// The N edges on the most triangles only, those on the most first
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// The edges of one vertex only
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    vertex: Option<String>,
}

pub fn run(args: &SupportArgs) -> Result<(), Failure> {
    let results = args.with.names(&[NUMBER]);
    let arcs = args.weight.undirected();
    let results = results.iter().map(|name| results::on_edges(arcs.kind(), name));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    let work = args.table.begin(&arcs, Task::OnEdges)?;
    let vertex = work.vertex(args.vertex.as_deref())?;
    let wanted = Wanted { vertex, least: args.min_support, top: args.top };
    let found = OnEdges::find(&work.graph, &results, args.weight.zero)?;
    let (ids, degrees) = (work.graph.ids(), found.bytes_of_a_vertex());
    let stream = EdgeStream {
        work: &work,
        each: &|take| work.graph.each_edge_beside(degrees, take),
        wanted,
    };
    let mut heads = end_columns(&work.graph).to_vec();
    heads.extend(results.iter().map(|result| match result.formula {
        EdgeFormula::Whole(_) => Column::Whole(result.definition.name),
        EdgeFormula::Double(_) => Column::Double(result.definition.name),
    }));
    stream.write(&heads, |rows| values(ids, &results, &found, rows))
}

/// The values of some results on some edges.
fn values<'v>(
    ids: &'v VertexIds,
    results: &[&EdgeResult],
    found: &OnEdges,
    rows: &[[u32; 3]],
) -> Vec<Values<'v>> {
    let facts: Vec<EdgeFacts> = rows.iter().map(|&row| found.facts(row)).collect();
    let facts = || facts.iter().copied();
    let mut values = corners(ids, rows, 2);
    values.extend(results.iter().map(|result| match result.formula {
        EdgeFormula::Whole(formula) => Values::Signed(facts().map(formula).collect()),
        EdgeFormula::Double(formula) => Values::Double(facts().map(formula).collect()),
    }));
    values
}
