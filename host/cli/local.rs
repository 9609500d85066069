//! `tribin local`.

use std::ops::Range;

use tribin::VertexIds;
use tribin::analytics::{Local, TriangleKind};
use tribin::plan::Task;
use tribin::report::table::{Column, Values};

use super::arcs::{ArcArgs, Columns};
use super::failure::Failure;
use super::histogram::{Histogram, PlotArgs};
use super::selection::Wanted;
use super::tables::{AnySizeArgs, FORMATS, Work, vertex};

#[derive(Debug, clap::Args)]
#[command(after_help = FORMATS)]
pub struct LocalArgs {
    #[command(flatten)]
    table: AnySizeArgs,

    /// A row for every vertex, also for those without an edge: row i is of index i
    #[arg(long, conflicts_with_all = ["top", "vertex"])]
    all: bool,

    /// Add every vertex's core number
    #[arg(long)]
    core: bool,

    /// The N vertices on the most triangles only, those on the most first
    #[arg(long, value_name = "N", conflicts_with = "vertex")]
    top: Option<usize>,

    /// The row of one vertex only
    #[arg(long, value_name = "ID")]
    vertex: Option<String>,

    #[command(flatten)]
    arcs: ArcArgs,

    #[command(flatten)]
    plot: PlotArgs,
}

/// What the table is made of, wherever the edges are.
struct Found<'a> {
    ids: &'a VertexIds,
    file: &'a str,
    local: &'a Local,
    arcs: Columns,
    cores: Option<Vec<u32>>,
}

pub fn run(args: &LocalArgs) -> Result<(), Failure> {
    let plot = args.plot.target()?;
    Work::check_plot(&args.table.graph, plot.as_ref())?;
    let task = if args.core { Task::Cores } else { Task::AtVertices };
    let work = args.table.begin(&args.arcs, task)?;
    let (ids, file) = (work.graph.ids(), work.graph.name());
    args.check_vertex(ids, file)?;
    let local = work.graph.local()?;
    let arcs = Columns::of(&work.graph)?;
    let cores = args.core.then(|| work.graph.core_numbers()).transpose()?;
    let found = Found { ids, file, local: &local, arcs, cores };
    let vertices = found.vertices(args)?;
    let make = |rows: Range<usize>| found.values(&vertices[rows]);
    let report = work.write_rows(&found.columns(), vertices.len(), make)?;
    if plot.is_none() && report.is_none() {
        return Ok(());
    }
    let counts = local.degree_histogram();
    Work::finish(
        report,
        plot,
        &Histogram { graph: file.to_owned(), of: "degree", rows: "vertices", counts },
    )
}

impl LocalArgs {
    /// Refuses a vertex that there is none of, before the work.
    fn check_vertex(&self, ids: &VertexIds, file: &str) -> Result<(), Failure> {
        if let Some(id) = &self.vertex {
            vertex(ids, file, id)?;
        }
        Ok(())
    }
}

impl Found<'_> {
    /// The vertices that are wanted.
    fn vertices(&self, args: &LocalArgs) -> Result<Vec<u32>, Failure> {
        let local = self.local;
        let bound = local.vertex_bound() as u32;
        let mut vertices: Vec<u32> = match &args.vertex {
            Some(id) => vec![vertex(self.ids, self.file, id)?],
            None if args.all => (0..bound).collect(),
            None => (0..bound).filter(|&vertex| local.degree(vertex) > 0).collect(),
        };
        let wanted = Wanted { top: args.top, ..Wanted::default() };
        let triangles = |row: usize| match self.arcs.directed() {
            Some(directed) => directed.triangles(TriangleKind::All, vertices[row]),
            None => local.triangles(vertices[row]),
        };
        if let Some(rows) = wanted.rows(vertices.len(), triangles, |_, _| true) {
            vertices = rows.into_iter().map(|row| vertices[row]).collect();
        }
        Ok(vertices)
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::of_ids("vertex", self.ids)];
        columns.extend(match self.arcs.directed() {
            Some(_) => self.arcs.of_directions(),
            None => vec![
                Column::Whole("degree"),
                Column::Whole("triangles"),
                Column::Double("clustering"),
            ],
        });
        columns.extend(self.arcs.of_weights());
        columns.extend(self.cores.as_ref().map(|_| Column::Whole("core")));
        columns
    }

    fn values(&self, vertices: &[u32]) -> Vec<Values<'_>> {
        let local = self.local;
        let whole = |value: &dyn Fn(u32) -> u64| {
            Values::Whole(vertices.iter().map(|&vertex| value(vertex)).collect())
        };
        let mut values = vec![Values::of_ids(self.ids, vertices.iter().copied())];
        values.extend(match self.arcs.directed() {
            Some(directed) => self.arcs.values_of_directions(directed, vertices),
            None => vec![
                whole(&|vertex| local.degree(vertex).into()),
                whole(&|vertex| local.triangles(vertex)),
                Values::Double(vertices.iter().map(|&vertex| local.clustering(vertex)).collect()),
            ],
        });
        values.extend(self.arcs.values_of_weights(vertices));
        let cores = self.cores.as_ref();
        values.extend(cores.map(|cores| whole(&|vertex| cores[vertex as usize].into())));
        values
    }
}
