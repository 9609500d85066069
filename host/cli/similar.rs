//! `tribin similar`.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use tribin::analytics::{SimilarPair, WantedPairs};
use tribin::plan::Task;
use tribin::read::{self, IdKind};
use tribin::report::table::{Column, Values};
use tribin::results::{Similarity, similarity};
use tribin::{DeviceChoice, Error, VertexIds};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::tables::{TableArgs, TableWork, corners, end_columns};
use super::with::help_on_pairs;

/// Pairs of each vertex, where nothing else is asked for.
const TOP: usize = 10;

#[derive(Debug, clap::Args)]
#[command(after_help = help_on_pairs())]
pub struct SimilarArgs {
    #[command(flatten)]
    table: TableArgs,

    /// How alike two vertices are: jaccard, overlap, cosine, sorensen, common, adamic-adar or resource-allocation
    #[arg(long, value_name = "SIMILARITY", default_value = "jaccard", value_parser = similarity)]
    by: &'static Similarity,

    /// The N most similar vertices of each vertex, the most similar first; 10 where nothing else is asked for. A GPU finds up to
    /// 32 of each; the CPU finds all else
    #[arg(long, value_name = "N", conflicts_with_all = ["all", "among"])]
    top: Option<usize>,

    /// All pairs that share a neighbour, each once
    #[arg(long, conflicts_with = "among")]
    all: bool,

    /// Pairs of this similarity or more only
    #[arg(long, value_name = "S", value_parser = number)]
    min: Option<f64>,

    /// Pairs without an edge only, as for the prediction of links
    #[arg(long, conflicts_with = "among")]
    non_edges: bool,

    /// The pairs of one vertex only
    #[arg(long, value_name = "ID", allow_hyphen_values = true, conflicts_with_all = ["all", "among"])]
    vertex: Option<String>,

    /// The pairs of a file, one in each row, in its order, whether they share a neighbour or not
    #[arg(long, value_name = "PAIRS", value_hint = ValueHint::FilePath)]
    among: Option<PathBuf>,
}

fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if !number.is_nan() => Ok(number),
        _ => Err("it is no number".to_owned()),
    }
}

pub fn run(args: &SimilarArgs) -> Result<(), Failure> {
    // The CPU finds what else can be asked for, wherever the graph is.
    let is_best = !args.all && args.among.is_none() && args.vertex.is_none();
    let mut place = args.table.place.clone();
    if !is_best {
        place.device = DeviceChoice::Cpu;
    }
    let work = args.table.begin_at(&place, &ArcArgs::default(), Task::Similar, false)?;
    let [u, v] = end_columns(&work.graph);
    let name = args.by.definition.name;
    let score = if args.by.is_whole() { Column::Whole(name) } else { Column::Double(name) };
    let columns = [u, v, score];
    let values = |pairs: &[SimilarPair]| {
        let edges: Vec<_> = pairs.iter().map(|pair| pair.ends).collect();
        let scores = pairs.iter().map(|pair| pair.score);
        let mut values = corners(work.graph.ids(), &edges, 2);
        values.push(match args.by.is_whole() {
            true => Values::Whole(scores.map(|score| score as u64).collect()),
            false => Values::Double(scores.collect()),
        });
        values
    };
    let least = args.min.unwrap_or(f64::NEG_INFINITY);
    if let Some(among) = &args.among {
        let pairs = given_pairs(&work, among)?;
        let scores = work.graph.similarities(args.by, &pairs)?;
        let found = pairs.into_iter().zip(scores).map(|(ends, score)| SimilarPair { ends, score });
        let found: Vec<_> = found.filter(|pair| pair.score >= least).collect();
        work.write_rows(&columns, found.len(), |range| values(&found[range]))
    } else {
        let vertex = work.vertex(args.vertex.as_deref())?;
        let top = (!args.all).then(|| args.top.unwrap_or(TOP));
        let wanted = WantedPairs { top, least, without_edges: args.non_edges, vertex };
        let found = |pairs: Vec<SimilarPair>| values(&pairs);
        work.write_found(
            (&columns, u64::MAX),
            |take| work.graph.each_similar_pair(args.by, wanted, take),
            found,
        )
    }
}

/// The pairs of a file, whose vertices are called as in the graph.
fn given_pairs(work: &TableWork, path: &Path) -> Result<Vec<[u32; 2]>, Error> {
    let mut reading = read::Options::default();
    if work.graph.ids().names().is_some() {
        reading.ids = IdKind::Names;
    }
    let pairs = read::open(path, &reading)?;
    let (of_pairs, of_graph): (&VertexIds, &VertexIds) = (pairs.ids(), work.graph.ids());
    let vertex = |vertex: u32| {
        let id = of_pairs.id(vertex);
        of_graph.index(id).ok_or_else(|| Error::Input {
            file: path.display().to_string(),
            message: format!("there is no vertex `{id}` in {}", work.graph.name()).into(),
        })
    };
    let ends = |&[u, v]: &[u32; 2]| Ok([vertex(u)?, vertex(v)?]);
    pairs.edges().iter().map(ends).collect()
}
