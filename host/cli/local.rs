//! `tribin local`.

use tribin::analytics::TriangleKind;
use tribin::report::table::{Column, Values};

use super::arcs::{ArcArgs, Columns};
use super::failure::Failure;
use super::histogram::{Histogram, PlotArgs};
use super::selection::Wanted;
use super::tables::{FORMATS, TableArgs, Work};

#[derive(Debug, clap::Args)]
#[command(after_help = FORMATS)]
pub struct LocalArgs {
    #[command(flatten)]
    table: TableArgs,

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

pub fn run(args: &LocalArgs) -> Result<(), Failure> {
    let plot = args.plot.target()?;
    Work::check_plot(&args.table.graph, plot.as_ref())?;
    let work = Work::begin_as(&args.table.graph, &args.table.device, &args.arcs)?;
    let ids = work.graph.ids();
    let vertex = args.vertex.as_deref().map(|id| work.vertex(id)).transpose()?;
    let local = work.graph.local()?;
    let arcs = Columns::of(&work.made, args.arcs.has_weights())?;
    let cores = args.core.then(|| work.graph.core_numbers()).transpose()?;
    let bound = local.vertex_bound() as u32;
    let mut vertices: Vec<u32> = match vertex {
        Some(vertex) => vec![vertex],
        None if args.all => (0..bound).collect(),
        None => (0..bound).filter(|&vertex| local.degree(vertex) > 0).collect(),
    };
    let wanted = Wanted { top: args.top, ..Wanted::default() };
    let triangles = |row: usize| match arcs.directed() {
        Some(directed) => directed.triangles(TriangleKind::All, vertices[row]),
        None => local.triangles(vertices[row]),
    };
    if let Some(rows) = wanted.rows(vertices.len(), triangles, |_, _| true) {
        vertices = rows.into_iter().map(|row| vertices[row]).collect();
    }
    let mut columns = vec![Column::of_ids("vertex", ids)];
    columns.extend(match arcs.directed() {
        Some(_) => arcs.of_directions(),
        None => {
            vec![Column::Whole("degree"), Column::Whole("triangles"), Column::Double("clustering")]
        }
    });
    columns.extend(arcs.of_weights());
    columns.extend(cores.as_ref().map(|_| Column::Whole("core")));
    let report = work.write_rows(&columns, vertices.len(), |rows| {
        let vertices = &vertices[rows];
        let whole = |value: &dyn Fn(u32) -> u64| {
            Values::Whole(vertices.iter().map(|&vertex| value(vertex)).collect())
        };
        let mut values = vec![Values::of_ids(ids, vertices.iter().copied())];
        values.extend(match arcs.directed() {
            Some(directed) => arcs.values_of_directions(directed, vertices),
            None => vec![
                whole(&|vertex| local.degree(vertex).into()),
                whole(&|vertex| local.triangles(vertex)),
                Values::Double(vertices.iter().map(|&vertex| local.clustering(vertex)).collect()),
            ],
        });
        values.extend(arcs.values_of_weights(vertices));
        values.extend(cores.as_ref().map(|cores| whole(&|vertex| cores[vertex as usize].into())));
        values
    })?;
    if plot.is_none() && report.is_none() {
        return Ok(());
    }
    let graph = work.graph.name().to_owned();
    let counts = local.degree_histogram();
    work.finish(report, plot, &Histogram { graph, of: "degree", rows: "vertices", counts })
}
