//! `tribin cliques`.

use tribin::plan::Task;
use tribin::report::human;
use tribin::report::table::{Column, Values};
use tribin::results::VertexColumn;
use tribin::{Error, VertexIds};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::local;
use super::tables::{TableArgs, TableWork, corners, end_columns, formats};

const ABOUT: &str = "\
Without --at-vertices, --on-edges or --list the number of cliques is printed. Each
row of --list is a clique, its vertices ascending; the order of the rows is the same
in every run, and memory does not grow with their number. A GPU counts cliques; the
CPU finds those at vertices and on edges, and lists them, wherever the graph is.

";

#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT.to_owned() + &formats(), group = clap::ArgGroup::new("table").multiple(false))]
pub struct CliquesArgs {
    #[command(flatten)]
    table: TableArgs,

    /// The number of vertices of a clique, from 3 to 12
    #[arg(short, long, value_name = "K", value_parser = clap::value_parser!(u32).range(3..=12))]
    k: u32,

    /// Every vertex with an edge, and how many cliques hold it
    #[arg(long, group = "table")]
    at_vertices: bool,

    /// Every edge, and how many cliques hold it
    #[arg(long, group = "table")]
    on_edges: bool,

    /// Every clique once
    #[arg(long, group = "table")]
    list: bool,

    /// Stop after N cliques of the list
    #[arg(long, value_name = "N", requires = "list")]
    limit: Option<u64>,

    /// Print the number as one JSON object
    #[arg(long, conflicts_with = "table")]
    json: bool,
}

/// The columns of a list: as many as a clique has vertices.
const CORNERS: [&str; 12] =
    ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12"];

/// The column of numbers.
const NUMBER: &str = "cliques";

impl CliquesArgs {
    /// Whether rows are written, and not one number.
    fn is_table(&self) -> bool {
        self.at_vertices || self.on_edges || self.list
    }
}

pub fn run(args: &CliquesArgs) -> Result<(), Failure> {
    if args.table.graph.names_output() && !args.is_table() {
        let message =
            "`--output` and `--to-format` are for tables: add --at-vertices, --on-edges or --list";
        return Err(Error::Usage(message.into()).into());
    }
    let task = if args.on_edges {
        Task::CliquesOnEdges
    } else if args.at_vertices || args.list {
        Task::CliquesAtVertices
    } else {
        Task::Cliques
    };
    let work = args.table.begin_at(&args.table.place, &ArcArgs::default(), task, args.json)?;
    if args.at_vertices {
        let found = work.graph.cliques_at_vertices(args.k)?;
        let number = VertexColumn::Whole(Box::new(|vertex| found[vertex as usize]));
        let vertices = local::with_edges(&work.graph.at_vertices())?;
        local::write(&work, &[(NUMBER, number)], &vertices)
    } else if args.on_edges {
        let found = work.graph.cliques_on_edges(args.k)?;
        let [u, v] = end_columns(&work.graph);
        work.write_rows(&[u, v, Column::Whole(NUMBER)], found.len(), |range| {
            let mut row = corners(work.graph.ids(), &found.edges()[range.clone()], 2);
            row.push(Values::Whole(found.values()[range].to_vec()));
            row
        })
    } else if args.list {
        list(&work, args.k, args.limit)
    } else {
        work.print(args.json, &work.graph.cliques(args.k)?, human::cliques)
    }
}

fn list(work: &TableWork, k: u32, limit: Option<u64>) -> Result<(), Failure> {
    let ids = work.graph.ids();
    let rows = limit.unwrap_or(u64::MAX);
    let corners = &CORNERS[..k as usize];
    let columns: Vec<Column> = corners.iter().map(|name| Column::of_ids(name, ids)).collect();
    let found = |cliques: Vec<u32>| values(ids, &cliques, k as usize);
    work.write_found((&columns, rows), |take| work.graph.each_clique(k, take), found)
}

/// Cliques as columns of ids.
fn values<'v>(ids: &'v VertexIds, cliques: &[u32], k: usize) -> Vec<Values<'v>> {
    let corner = |i| Values::of_ids(ids, cliques.iter().skip(i).step_by(k).copied());
    (0..k).map(corner).collect()
}
