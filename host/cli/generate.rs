//! `tribin generate KIND`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Parser, Subcommand, ValueHint};
use tribin::generate::{
    BarabasiAlbert, Complete, ErdosRenyi, Grid, Paths, Probability, Rmat, Star, WattsStrogatz,
    Wheel,
};
use tribin::report::{OutputFile, counted};
use tribin::write::{self, EdgeBlocks, NamedFormat, Target};
use tribin::{Error, Phase, Result, VertexIds};

#[cfg(not(feature = "models"))]
use super::args::MissingCommand;
use super::args::output_format;
use super::failure::Failure;
#[cfg(not(feature = "models"))]
use super::failure::left_out;
#[cfg(feature = "models")]
use super::models::Rare;
use super::progress::Display;
use super::{stderr, threads};

const EXAMPLES: &str = "\
Examples:
  tribin generate rmat --scale 22 -o rmat22.bin
  tribin generate watts-strogatz --vertices 1000000 --half-degree 25 -o world.txt
  tribin generate grid --rows 100 --columns 100 -o - --format mtx
";

/// The part of the help that names the models that this build lacks.
#[cfg(feature = "models")]
const LEFT_OUT: &str = "";
#[cfg(not(feature = "models"))]
const LEFT_OUT: &str = "
This build lacks the feature `models`, which adds theory, geometric, hyperbolic,
gap-kron, gap-urand, clustered, web, road, affiliation, communities, hub and
mycielskian.
";

/// The models of the feature `models` but `theory`.
#[cfg(not(feature = "models"))]
const RARE: [&str; 11] = [
    "affiliation",
    "clustered",
    "communities",
    "gap-kron",
    "gap-urand",
    "geometric",
    "hub",
    "hyperbolic",
    "mycielskian",
    "road",
    "web",
];

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}{LEFT_OUT}"))]
pub struct GenerateArgs {
    #[command(subcommand)]
    kind: ModelKind,

    /// The file to write, its format and compression told by its extensions; whole, or not there. `-` is
    /// standard output
    #[arg(short, long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Another seed is another graph of the same kind
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// CPU threads; the graph does not depend on them. By default one for each core
    #[arg(long, global = true, value_name = "N", value_parser = threads::at_least_one)]
    threads: Option<NonZeroUsize>,

    /// The file's format, where it is not what its extension says
    #[arg(
        long,
        alias = "to-format",
        global = true,
        value_name = "FORMAT",
        value_parser = output_format()
    )]
    format: Option<NamedFormat>,

    /// No note of what was written
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum ModelKind {
    /// Graph500's recursive matrix: skewed degrees
    Rmat {
        /// The logarithm of the number of vertices
        #[arg(long)]
        scale: u32,
        /// Entries for each vertex
        #[arg(long, value_name = "N", default_value_t = 16)]
        edge_factor: u64,
        /// Probability of the matrix's upper left quadrant
        #[arg(short, value_name = "P", default_value = "0.57")]
        a: Probability,
        /// Probability of the matrix's upper right quadrant
        #[arg(short, value_name = "P", default_value = "0.19")]
        b: Probability,
        /// Probability of the matrix's lower left quadrant
        #[arg(short, value_name = "P", default_value = "0.19")]
        c: Probability,
        /// Probability of the matrix's lower right quadrant; by default what the others leave
        #[arg(short, value_name = "P")]
        d: Option<Probability>,
    },
    /// Uniform: no structure
    ErdosRenyi {
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// Entries, drawn with replacement
        #[arg(long, value_name = "N")]
        edges: u64,
    },
    /// Preferential attachment: a power law, little clustering
    BarabasiAlbert {
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// Earlier vertices that each vertex joins
        #[arg(long, value_name = "N")]
        links: u64,
    },
    /// A ring with rewired edges: clustering, equal degrees
    WattsStrogatz {
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// Vertices that each vertex joins ahead of it in the ring
        #[arg(long, value_name = "N")]
        half_degree: u64,
        /// Probability of an edge to lead elsewhere
        #[arg(long, value_name = "P", default_value = "0.1")]
        rewire: Probability,
    },
    /// Paths that share no vertex
    Paths {
        #[arg(long, value_name = "N")]
        paths: u64,
        /// Edges of each
        #[arg(long, value_name = "N")]
        length: u64,
    },
    /// Every pair of vertices
    Complete {
        #[arg(long, value_name = "N")]
        vertices: u64,
    },
    /// A centre and its leaves
    Star {
        #[arg(long, value_name = "N")]
        leaves: u64,
    },
    /// A hub and a ring around it
    Wheel {
        /// Vertices of the ring
        #[arg(long, value_name = "N")]
        rim: u64,
    },
    /// A rectangular grid
    Grid {
        #[arg(long, value_name = "N")]
        rows: u64,
        #[arg(long, value_name = "N")]
        columns: u64,
    },
    #[cfg(feature = "models")]
    #[command(flatten)]
    Rare(Rare),
    /// A model that this build lacks
    #[cfg(not(feature = "models"))]
    #[command(name = "theory", aliases = RARE, hide = true)]
    Rare(MissingCommand),
}

impl ModelKind {
    fn model(&self, seed: u64) -> Result<Box<dyn EdgeBlocks + Send>> {
        Ok(match *self {
            ModelKind::Rmat { scale, edge_factor, a, b, c, d } => {
                let rest = a.plus(b).and_then(|ab| ab.plus(c)).map(Probability::rest);
                if let (Some(d), Some(rest)) = (d, rest)
                    && d != rest
                {
                    return Err(Error::Usage(format!(
                        "the probabilities {a}, {b}, {c} and {d} of the quadrants must be 1 together: \
                         leave out `-d`, which is then {rest}"
                    ).into()));
                }
                Box::new(Rmat::new(scale, edge_factor, [a, b, c], seed)?)
            }
            ModelKind::ErdosRenyi { vertices, edges } => {
                Box::new(ErdosRenyi::new(vertices, edges, seed)?)
            }
            ModelKind::BarabasiAlbert { vertices, links } => {
                Box::new(BarabasiAlbert::new(vertices, links, seed)?)
            }
            ModelKind::WattsStrogatz { vertices, half_degree, rewire } => {
                Box::new(WattsStrogatz::new(vertices, half_degree, rewire, seed)?)
            }
            ModelKind::Paths { paths, length } => Box::new(Paths::new(paths, length)?),
            ModelKind::Complete { vertices } => Box::new(Complete::new(vertices)?),
            ModelKind::Star { leaves } => Box::new(Star::new(leaves)?),
            ModelKind::Wheel { rim } => Box::new(Wheel::new(rim)?),
            ModelKind::Grid { rows, columns } => Box::new(Grid::new(rows, columns)?),
            #[cfg(feature = "models")]
            ModelKind::Rare(ref rare) => rare.model(seed)?,
            #[cfg(not(feature = "models"))]
            ModelKind::Rare(_) => return Err(left_out("models", MODEL_NEEDS)),
        })
    }
}

/// A model as its arguments say.
#[derive(clap::Parser)]
#[command(no_binary_name = true)]
struct Model {
    #[command(subcommand)]
    kind: ModelKind,
}

/// What makes the graph that the command makes with these arguments.
///
/// # Errors
/// Of the model, for what it cannot have.
pub fn model(arguments: &str, seed: u64) -> Result<Box<dyn EdgeBlocks + Send>> {
    let model = Model::try_parse_from(arguments.split(' '));
    model.map_err(|error| Error::Usage(error.to_string().into()))?.kind.model(seed)
}

/// What needs the feature that is missing.
#[cfg(not(feature = "models"))]
const MODEL_NEEDS: &str = "this model needs";

pub fn run(args: &GenerateArgs) -> Result<(), Failure> {
    // What follows such a model is not looked at, `--output` among it.
    #[cfg(not(feature = "models"))]
    if let ModelKind::Rare(_) = args.kind {
        return Err(left_out("models", MODEL_NEEDS).into());
    }
    let Some(path) = &args.output else {
        let message = "name the file to write with `--output FILE`";
        return Err(Error::Usage(message.into()).into());
    };
    let output = OutputFile::new(path)?;
    let target = Target::of_output(&output, args.format)?;
    let start = Instant::now();
    let display = Display::new(args.quiet);
    display.begin_named(&output.name(), Phase::Write.name());
    let written = threads::on(args.threads, || -> Result<_> {
        let model = args.kind.model(args.seed)?;
        // Models have less than 2³² vertices.
        let ids = VertexIds::Identity { bound: model.vertices() as u32 };
        Ok((model.vertices(), write::write(&*model, &ids, target, &output, display.work())?))
    });
    display.end();
    let (vertices, entries) = written??;
    if !args.quiet {
        let seconds = start.elapsed().as_secs_f64();
        let entries_of = if target.is_simple() { ("edge", "edges") } else { ("entry", "entries") };
        stderr::line(format_args!(
            "note: {}: {} and {} in {seconds:.3} s, {:.1} million/s",
            output.name(),
            counted(vertices, "vertex", "vertices"),
            counted(entries, entries_of.0, entries_of.1),
            entries as f64 / seconds / 1e6
        ));
    }
    Ok(())
}
