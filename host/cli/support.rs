//! `tribin support`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Mutex, PoisonError};

use tribin::VertexIds;
use tribin::plan::Task;
use tribin::report::table::{Column, Values};
use tribin::results::{self, EdgeFacts, EdgeFormula, EdgeResult, OnEdges};

use super::arcs::WeightArgs;
use super::failure::Failure;
use super::selection::Wanted;
use super::tables::{FORMATS, TableArgs, Work};
use super::with::{WithArgs, help_on_edges};

/// The column without `--with`, by which rows are chosen.
const NUMBER: &str = "support";

#[derive(Debug, clap::Args)]
#[command(after_help = help_on_edges(FORMATS))]
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
    #[arg(long, value_name = "ID")]
    vertex: Option<String>,
}

/// An edge's two vertices and its triangles.
type Row = [u32; 3];

pub fn run(args: &SupportArgs) -> Result<(), Failure> {
    let results = args.with.names(&[NUMBER]);
    let arcs = args.weight.undirected();
    let results = results.iter().map(|name| results::on_edges(arcs.kind(), name));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    let work = args.table.begin(&arcs, Task::OnEdges)?;
    let vertex = args.vertex.as_deref().map(|id| work.vertex(id)).transpose()?;
    let wanted = Wanted { vertex, least: args.min_support, top: args.top };
    // How many edges have each number is for the report.
    let counts = work.is_reported().then(SupportCounts::default);
    let found = OnEdges::find(&work.graph, &results, args.weight.zero)?;
    let (ids, degrees) = (work.graph.ids(), found.bytes_of_a_vertex());
    let heads = heads(ids, &results);
    let values = |rows: &[Row]| values(ids, &results, &found, rows);
    let report = if let Some(top) = wanted.top {
        let rows = largest(&work, wanted, top, counts.as_ref())?;
        work.write_rows(&heads, rows.len(), |range| values(&rows[range]))?
    } else {
        let rows = announced(&work, wanted)?;
        let counted = |mut rows: Vec<Row>| {
            if let Some(counts) = &counts {
                counts.add(&rows);
            }
            rows.retain(|row| is_wanted(wanted, row));
            values(&rows)
        };
        work.write_found(
            (&heads, rows),
            |take| work.graph.each_edge_beside(degrees, take),
            counted,
        )?
    };
    Work::finish(report, NUMBER, "edges", || {
        Ok(counts.map_or_else(Vec::new, SupportCounts::into_histogram))
    })
}

/// How many edges have each number.
#[derive(Default)]
struct SupportCounts(Mutex<BTreeMap<u32, u64>>);

impl SupportCounts {
    fn add(&self, rows: &[Row]) {
        let mut own = BTreeMap::new();
        rows.iter().for_each(|row| *own.entry(row[2]).or_insert(0) += 1);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        own.into_iter().for_each(|(number, rows)| *all.entry(number).or_insert(0) += rows);
    }

    /// Ascending by the numbers.
    fn into_histogram(self) -> Vec<(u32, u64)> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }
}

/// The columns of some results.
fn heads(ids: &VertexIds, results: &[&EdgeResult]) -> Vec<Column> {
    let mut heads = ["u", "v"].map(|name| Column::of_ids(name, ids)).to_vec();
    heads.extend(results.iter().map(|result| match result.formula {
        EdgeFormula::Whole(_) => Column::Whole(result.definition.name),
        EdgeFormula::Double(_) => Column::Double(result.definition.name),
    }));
    heads
}

/// The values of some results on some edges.
fn values<'v>(
    ids: &'v VertexIds,
    results: &[&EdgeResult],
    found: &OnEdges,
    rows: &[Row],
) -> Vec<Values<'v>> {
    let end = |i: usize| Values::of_ids(ids, rows.iter().map(|row| row[i]));
    let facts: Vec<EdgeFacts> = rows.iter().map(|&row| found.facts(row)).collect();
    let facts = || facts.iter().copied();
    let mut values = vec![end(0), end(1)];
    values.extend(results.iter().map(|result| match result.formula {
        EdgeFormula::Whole(formula) => Values::Signed(facts().map(formula).collect()),
        EdgeFormula::Double(formula) => Values::Double(facts().map(formula).collect()),
    }));
    values
}

/// The number of rows, where it stands before them, and else more than there are.
fn announced(work: &Work, wanted: Wanted) -> Result<u64, Failure> {
    if !work.format().announces_rows() {
        return Ok(u64::MAX);
    }
    if wanted.least.is_none() && wanted.vertex.is_none() {
        return Ok(work.graph.summary().edges);
    }
    let mut rows = 0;
    work.graph.each_edge(|blocks| {
        rows += blocks.iter().flatten().filter(|row| is_wanted(wanted, row)).count() as u64;
        Ok(true)
    })?;
    Ok(rows)
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
    counts: Option<&SupportCounts>,
) -> Result<Vec<Row>, Failure> {
    // The last of those that were kept is on top.
    let mut kept = BinaryHeap::new();
    work.graph.each_edge(|blocks| {
        if let Some(counts) = counts {
            blocks.iter().for_each(|rows| counts.add(rows));
        }
        for row @ [u, v, number] in blocks.into_iter().flatten() {
            let candidate = (Reverse(number), u, v);
            let is_larger = kept.len() < top || kept.peek().is_some_and(|last| candidate < *last);
            if is_larger && is_wanted(wanted, &row) {
                kept.push(candidate);
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
