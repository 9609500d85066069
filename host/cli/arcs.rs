//! Directions and weights, as they are asked for.

use tribin::analytics::{DirectedLocal, TriangleKind, Weighting};
use tribin::report::table::{Column, Values};
use tribin::{Duplicates, PreparedGraph, Result, read};

use super::args::duplicates;

/// What is asked of edges beside their ends.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ArcArgs {
    /// Keep the directions of the edges, and find directed triangles
    #[arg(long)]
    pub directed: bool,

    #[command(flatten)]
    pub weight: WeightArgs,
}

/// Where weights are.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct WeightArgs {
    /// The column of the weights, by name or number from 1; find weighted coefficients too
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,

    /// What the weight of an edge is that is there several times: it must be equal, the sum, or the last
    #[arg(long, value_name = "RULE", default_value = "equal", value_parser = duplicates(), requires = "weight")]
    duplicates: Duplicates,
}

impl ArcArgs {
    /// Directions alone.
    pub fn directed() -> ArcArgs {
        ArcArgs { directed: true, ..ArcArgs::default() }
    }

    /// Puts what is read of a file into the options.
    pub fn read(&self, reading: &mut read::Options) {
        reading.weight.clone_from(&self.weight.weight);
        reading.duplicates = self.weight.duplicates;
    }
}

/// The columns of vertices that directions and weights add.
#[derive(Default)]
pub struct Columns {
    local: Option<DirectedLocal>,
    doubles: Vec<(&'static str, Vec<f64>)>,
}

/// The names of the columns of a kind of triangles.
fn names(kind: TriangleKind) -> [&'static str; 2] {
    match kind {
        TriangleKind::Cycle => ["cycle_triangles", "cycle_clustering"],
        TriangleKind::Middleman => ["middleman_triangles", "middleman_clustering"],
        TriangleKind::In => ["in_triangles", "in_clustering"],
        TriangleKind::Out => ["out_triangles", "out_clustering"],
        _ => ["triangles", "clustering"],
    }
}

impl Columns {
    /// Finds them.
    pub fn of(graph: &PreparedGraph) -> Result<Columns> {
        let mut columns = Columns::default();
        if graph.is_directed() {
            columns.local = Some(graph.directed_local()?);
        }
        columns.doubles = match (graph.is_weighted(), graph.is_directed()) {
            (false, _) => Vec::new(),
            (true, true) => {
                vec![("weighted_clustering", graph.weighted_clustering(Weighting::Onnela)?)]
            }
            (true, false) => vec![
                ("strength", graph.strengths()?),
                ("onnela", graph.weighted_clustering(Weighting::Onnela)?),
                ("barrat", graph.weighted_clustering(Weighting::Barrat)?),
            ],
        };
        Ok(columns)
    }

    /// What is known of directions.
    pub fn directed(&self) -> Option<&DirectedLocal> {
        self.local.as_ref()
    }

    /// The names of the columns of degrees and triangles in place of those without directions.
    pub fn of_directions(&self) -> Vec<Column> {
        let degrees = ["in_degree", "out_degree", "mutual_degree"].map(Column::Whole);
        let triangles = TriangleKind::ALL.map(|kind| Column::Whole(names(kind)[0]));
        let clustering = TriangleKind::ALL.map(|kind| Column::Double(names(kind)[1]));
        [&degrees[..], &triangles, &clustering].concat()
    }

    /// The values of these columns.
    pub fn values_of_directions<'v>(&self, local: &DirectedLocal, rows: &[u32]) -> Vec<Values<'v>> {
        let whole = |value: &dyn Fn(u32) -> u64| {
            Values::Whole(rows.iter().map(|&vertex| value(vertex)).collect())
        };
        let mut values = vec![
            whole(&|vertex| local.in_degree(vertex).into()),
            whole(&|vertex| local.out_degree(vertex).into()),
            whole(&|vertex| local.mutual_degree(vertex).into()),
        ];
        values.extend(TriangleKind::ALL.map(|kind| whole(&|v| local.triangles(kind, v))));
        let double = |kind| rows.iter().map(|&v| local.clustering(kind, v)).collect();
        values.extend(TriangleKind::ALL.map(|kind| Values::Double(double(kind))));
        values
    }

    /// The columns that come last.
    pub fn of_weights(&self) -> impl Iterator<Item = Column> {
        self.doubles.iter().map(|&(name, _)| Column::Double(name))
    }

    /// The values of these columns.
    pub fn values_of_weights<'v>(&self, rows: &[u32]) -> impl Iterator<Item = Values<'v>> {
        self.doubles.iter().map(|(_, values)| {
            Values::Double(rows.iter().map(|&vertex| values[vertex as usize]).collect())
        })
    }
}
