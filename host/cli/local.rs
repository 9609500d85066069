//! `tribin local`.

use std::cmp::Reverse;
use std::ops::Range;

use tribin::VertexIds;
use tribin::analytics::TriangleKind;
use tribin::plan::Task;
use tribin::report::table::{Column, Values};
use tribin::results::{self, AtVertices, VertexColumn, VertexResult};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::tables::{TableArgs, TableWork};
use super::with::{WithArgs, help_at_vertices, usual_at_vertices};

#[derive(Debug, clap::Args)]
#[command(after_help = help_at_vertices())]
pub struct LocalArgs {
    #[command(flatten)]
    table: TableArgs,

    /// A row for every vertex, also for those without an edge: row i is of index i
    #[arg(long, conflicts_with_all = ["top", "vertex"])]
    all: bool,

    #[command(flatten)]
    with: WithArgs,

    /// Add every vertex's core number, as the result `core` does
    #[arg(long)]
    core: bool,

    /// The N vertices on the most triangles only, those on the most first
    #[arg(long, value_name = "N", conflicts_with = "vertex")]
    top: Option<usize>,

    /// The row of one vertex only
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    vertex: Option<String>,

    #[command(flatten)]
    arcs: ArcArgs,
}

pub fn run(args: &LocalArgs) -> Result<(), Failure> {
    let kind = args.arcs.kind();
    let mut names = args.with.names(usual_at_vertices(kind));
    if args.core && !names.iter().any(|name| name == "core") {
        names.push("core".into());
    }
    // What is asked for is known before the work.
    let results = names.iter().map(|name| results::at_vertices(kind, name));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    let asks = |wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
    let task = if asks(&["four_cycles", "square_clustering"]) {
        Task::FourCycles
    } else if asks(&["core"]) {
        Task::Cores
    } else {
        Task::AtVertices
    };
    let work = args.table.begin(&args.arcs, task)?;
    let of = work.vertex(args.vertex.as_deref())?;
    let found = work.graph.at_vertices().with_zero(args.arcs.weight.zero);
    write(&work, &columns(&found, &results)?, &args.vertices(&found, of)?)
}

impl LocalArgs {
    /// The vertices that are wanted: one, or all of those with an edge.
    fn vertices(&self, found: &AtVertices<'_>, of: Option<u32>) -> Result<Vec<u32>, Failure> {
        if let Some(vertex) = of {
            return Ok(vec![vertex]);
        }
        let mut vertices: Vec<u32> = match self.all {
            true => (0..found.degrees()?.len() as u32).collect(),
            false => with_edges(found)?,
        };
        let Some(top) = self.top else { return Ok(vertices) };
        let triangles: Box<dyn Fn(u32) -> u64> = if self.arcs.directed {
            let directed = found.directed()?;
            Box::new(|vertex| directed.triangles(TriangleKind::All, vertex))
        } else {
            let local = found.local()?;
            Box::new(|vertex| local.triangles(vertex))
        };
        // Of equal numbers the vertex that comes first goes before.
        let key = |&vertex: &u32| (Reverse(triangles(vertex)), vertex);
        if top < vertices.len() {
            vertices.select_nth_unstable_by_key(top, key);
            vertices.truncate(top);
        }
        vertices.sort_unstable_by_key(key);
        Ok(vertices)
    }
}

/// The name and the numbers of a column of vertices.
type NamedNumbers<'a> = (&'static str, VertexColumn<'a>);

/// The columns of some results.
pub fn columns<'a>(
    found: &'a AtVertices<'_>,
    results: &[&'static VertexResult],
) -> Result<Vec<NamedNumbers<'a>>, Failure> {
    results.iter().map(|result| Ok((result.definition.name, (result.formula)(found)?))).collect()
}

/// Writes a table with a row for each of some vertices.
pub fn write(
    work: &TableWork,
    columns: &[NamedNumbers<'_>],
    vertices: &[u32],
) -> Result<(), Failure> {
    let ids = work.graph.ids();
    let make = |rows: Range<usize>| values(ids, columns, &vertices[rows]);
    let mut heads = vec![Column::of_ids("vertex", ids)];
    heads.extend(columns.iter().map(|(name, column)| match column {
        VertexColumn::Whole(_) => Column::Whole(name),
        VertexColumn::Double(_) => Column::Double(name),
    }));
    work.write_rows(&heads, vertices.len(), make)
}

/// The vertices with an edge.
pub fn with_edges(found: &AtVertices<'_>) -> Result<Vec<u32>, Failure> {
    let degrees = (0..).zip(found.degrees()?);
    Ok(degrees.filter(|(_, degree)| **degree > 0).map(|(vertex, _)| vertex).collect())
}

/// The columns of some vertices.
fn values<'v>(
    ids: &'v VertexIds,
    columns: &[NamedNumbers<'_>],
    vertices: &[u32],
) -> Vec<Values<'v>> {
    let mut values = vec![Values::of_ids(ids, vertices.iter().copied())];
    values.extend(columns.iter().map(|(_, column)| match column {
        VertexColumn::Whole(value) => Values::Whole(vertices.iter().map(|&v| value(v)).collect()),
        VertexColumn::Double(value) => Values::Double(vertices.iter().map(|&v| value(v)).collect()),
    }));
    values
}
