//! `tribin generate KIND`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Subcommand, ValueEnum, ValueHint};
use tribin::generate::{
    BarabasiAlbert, Complete, ErdosRenyi, Geometric, Grid, Loops, Mycielskian, Probability, Rmat,
    Star, Theory, WattsStrogatz, Wheel,
};
use tribin::read::Format;
use tribin::report::OutputFile;
use tribin::write::{self, EdgeBlocks, Target};
use tribin::{Error, Result, VertexIds};

use super::args::format;
use super::failure::Failure;
use super::{stderr, threads};

const EXAMPLES: &str = "\
Examples:
  tribin generate rmat --scale 22 -o rmat22.bin
  tribin generate theory 3,4,5,9 --loops leaf -o theory.mtx.gz
  tribin generate geometric --vertices 1000000 --degree 50 -o clustered.txt
";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct GenerateArgs {
    #[command(subcommand)]
    kind: Kind,

    /// The file to write, its format and compression told by its extensions; whole, or not there
    #[arg(short, long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Another seed is another graph of the same kind
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// CPU threads; the graph does not depend on them. By default one for each core
    #[arg(long, global = true, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// The file's format, where it is not what its extension says
    #[arg(long, global = true, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,

    /// No note of what was written
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Kronecker product of stars, with a known number of triangles (GraphChallenge's Theory graphs)
    Theory {
        /// The stars' leaves, the most significant first, for example 3,4,5
        #[arg(required = true, value_delimiter = ',')]
        leaves: Vec<u64>,
        /// Where each star has a self-loop: none (Bk), centre (B1k) or leaf (B2k)
        #[arg(long, value_enum, default_value_t = LoopsAt::None)]
        loops: LoopsAt,
    },
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
        /// Of its upper right
        #[arg(short, value_name = "P", default_value = "0.19")]
        b: Probability,
        /// Of its lower left
        #[arg(short, value_name = "P", default_value = "0.19")]
        c: Probability,
        /// Of its lower right; what the others leave
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
    /// Points on a torus, joined where they are near: a clustering coefficient of about 0.59
    Geometric {
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// The expected degree
        #[arg(long, value_name = "N")]
        degree: u64,
    },
    /// Mycielski's graphs: chromatic number K, no triangle
    Mycielskian {
        /// 2 is a single edge, 3 a ring of five, 4 has 11 vertices
        k: u32,
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
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LoopsAt {
    None,
    Centre,
    Leaf,
}

impl Kind {
    fn model(&self, seed: u64) -> Result<Box<dyn EdgeBlocks + Send>> {
        Ok(match *self {
            Kind::Theory { ref leaves, loops } => {
                let loops = match loops {
                    LoopsAt::None => Loops::None,
                    LoopsAt::Centre => Loops::Centre,
                    LoopsAt::Leaf => Loops::Leaf,
                };
                Box::new(Theory::new(leaves, loops)?)
            }
            Kind::Rmat { scale, edge_factor, a, b, c, d } => {
                let rest = a.plus(b).and_then(|ab| ab.plus(c)).map(Probability::rest);
                if let (Some(d), Some(rest)) = (d, rest)
                    && d != rest
                {
                    return Err(Error::Usage(format!(
                        "the probabilities {a}, {b}, {c} and {d} of the quadrants must be 1 together: \
                         leave out `-d`, which is then {rest}"
                    )));
                }
                Box::new(Rmat::new(scale, edge_factor, [a, b, c], seed)?)
            }
            Kind::ErdosRenyi { vertices, edges } => {
                Box::new(ErdosRenyi::new(vertices, edges, seed)?)
            }
            Kind::BarabasiAlbert { vertices, links } => {
                Box::new(BarabasiAlbert::new(vertices, links, seed)?)
            }
            Kind::WattsStrogatz { vertices, half_degree, rewire } => {
                Box::new(WattsStrogatz::new(vertices, half_degree, rewire, seed)?)
            }
            Kind::Geometric { vertices, degree } => {
                Box::new(Geometric::new(vertices, degree, seed)?)
            }
            Kind::Mycielskian { k } => Box::new(Mycielskian::new(k)?),
            Kind::Complete { vertices } => Box::new(Complete::new(vertices)?),
            Kind::Star { leaves } => Box::new(Star::new(leaves)?),
            Kind::Wheel { rim } => Box::new(Wheel::new(rim)?),
            Kind::Grid { rows, columns } => Box::new(Grid::new(rows, columns)?),
        })
    }
}

pub fn run(args: &GenerateArgs) -> Result<(), Failure> {
    let Some(path) = &args.output else {
        let message = "name the file to write with `--output FILE`";
        return Err(Error::Usage(message.into()).into());
    };
    let output = OutputFile::new(path)?;
    let target = Target::of_name(&output.name(), args.format);
    let start = Instant::now();
    let (vertices, entries) = threads::on(args.threads, || -> Result<_> {
        let model = args.kind.model(args.seed)?;
        // Models have less than 2³² vertices.
        let ids = VertexIds::Identity { bound: model.vertices() as u32 };
        Ok((model.vertices(), write::write(&*model, &ids, target, &output)?))
    })??;
    if !args.quiet {
        let seconds = start.elapsed().as_secs_f64();
        stderr::line(format_args!(
            "note: {}: {vertices} vertices and {entries} entries in {seconds:.3} s, {:.1} million \
             entries/s",
            output.name(),
            entries as f64 / seconds / 1e6
        ));
    }
    Ok(())
}
