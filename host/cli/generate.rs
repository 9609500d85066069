//! `tribin generate KIND`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Subcommand, ValueEnum, ValueHint};
use tribin::generate::{
    Affiliation, BarabasiAlbert, Clustered, Communities, Complete, ErdosRenyi, GapKron, GapUrand,
    Geometric, Grid, Hub, Hyperbolic, Ids, Loops, Mycielskian, Paths, PowerLaw, Probability, Rmat,
    Road, Star, Theory, WattsStrogatz, Web, Wheel,
};
use tribin::report::{OutputFile, counted};
use tribin::write::{self, Asked, EdgeBlocks, Gauged, Target};
use tribin::{Error, Phase, Result, VertexIds};

use super::args::output_format;
use super::failure::Failure;
use super::progress::Display;
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
    format: Option<Asked>,

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
    /// Points on a torus, joined where they are near: a clustering coefficient of about 0.59
    Geometric {
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// The expected degree
        #[arg(long, value_name = "N")]
        degree: u64,
    },
    /// Points in the cells of a torus, joined where their cells touch: clustering, near degrees
    Clustered {
        /// Rows of cells, with four points each on average
        #[arg(long, value_name = "N")]
        rows: u64,
        #[arg(long, value_name = "N")]
        columns: u64,
        /// Ids in no order, or in the order of the cells with entries in no order
        #[arg(long, value_enum, default_value_t = IdsAs::Shuffled)]
        ids: IdsAs,
    },
    /// Links that are copied from earlier vertices, in the order of a crawl: hubs and near links
    Web {
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// Links that each vertex makes
        #[arg(long, value_name = "N")]
        links: u64,
        /// Probability of a link to be a copy
        #[arg(long, value_name = "P", default_value = "0.7")]
        copy: Probability,
    },
    /// A road-like grid: some squares have a diagonal
    Road {
        #[arg(long, value_name = "N")]
        rows: u64,
        #[arg(long, value_name = "N")]
        columns: u64,
        /// Probability of a square to have a diagonal
        #[arg(long, value_name = "P", default_value = "0.125")]
        diagonals: Probability,
        /// Ids in no order, or row by row with entries in no order
        #[arg(long, value_enum, default_value_t = IdsAs::Shuffled)]
        ids: IdsAs,
    },
    /// Points of the hyperbolic plane, joined where they are near: a power law and clustering
    Hyperbolic {
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// About the expected degree
        #[arg(long, value_name = "N")]
        degree: u64,
        /// Exponent of the degrees' power law, above 2
        #[arg(long, value_name = "X", default_value_t = 2.5)]
        exponent: f64,
    },
    /// The Kronecker graph of the GAP Benchmark Suite; the seed names its vertices
    GapKron {
        /// The logarithm of the number of vertices: GAP's -g, 27 in its benchmark
        #[arg(long)]
        scale: u32,
        /// Entries for each vertex: GAP's -k
        #[arg(long, value_name = "N", default_value_t = 16)]
        degree: u64,
    },
    /// The uniform graph of the GAP Benchmark Suite; the seed changes nothing
    GapUrand {
        /// The logarithm of the number of vertices: GAP's -u, 27 in its benchmark
        #[arg(long)]
        scale: u32,
        /// Entries for each vertex: GAP's -k
        #[arg(long, value_name = "N", default_value_t = 16)]
        degree: u64,
    },
    /// Groups with sizes by a power law, all pairs of each joined: a union of cliques
    Affiliation {
        #[arg(long, value_name = "N")]
        vertices: u64,
        #[arg(long, value_name = "N")]
        groups: u64,
        /// Members of the smallest groups
        #[arg(long, value_name = "N", default_value_t = 3)]
        smallest: u32,
        /// Members of the largest groups
        #[arg(long, value_name = "N", default_value_t = 100)]
        largest: u32,
        /// Exponent of the sizes' power law, above 1
        #[arg(long, value_name = "X", default_value_t = 2.5)]
        exponent: f64,
    },
    /// Communities with sizes by a power law, and entries between any vertices: a planted partition
    Communities {
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// Entries between any two vertices, drawn with replacement
        #[arg(long, value_name = "N")]
        between: u64,
        /// Probability of a pair of a community to be an edge
        #[arg(long, value_name = "P", default_value = "0.1")]
        inside: Probability,
        /// Vertices of the smallest communities
        #[arg(long, value_name = "N", default_value_t = 10)]
        smallest: u32,
        /// Vertices of the largest communities
        #[arg(long, value_name = "N", default_value_t = 1000)]
        largest: u32,
        /// Exponent of the sizes' power law, above 1
        #[arg(long, value_name = "X", default_value_t = 2.0)]
        exponent: f64,
    },
    /// A vertex joined to all others, which are a uniform graph
    Hub {
        /// Vertices, the hub included
        #[arg(long, value_name = "N")]
        vertices: u64,
        /// Entries between the others, drawn with replacement
        #[arg(long, value_name = "N")]
        edges: u64,
    },
    /// Paths that share no vertex
    Paths {
        #[arg(long, value_name = "N")]
        paths: u64,
        /// Edges of each
        #[arg(long, value_name = "N")]
        length: u64,
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

#[derive(Debug, Clone, Copy, ValueEnum)]
enum IdsAs {
    Shuffled,
    Places,
}

impl From<IdsAs> for Ids {
    fn from(ids: IdsAs) -> Ids {
        match ids {
            IdsAs::Shuffled => Ids::Shuffled,
            IdsAs::Places => Ids::Places,
        }
    }
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
                    ).into()));
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
            Kind::Clustered { rows, columns, ids } => {
                Box::new(Clustered::new(rows, columns, ids.into(), seed)?)
            }
            Kind::Web { vertices, links, copy } => Box::new(Web::new(vertices, links, copy, seed)?),
            Kind::Road { rows, columns, diagonals, ids } => {
                Box::new(Road::new(rows, columns, diagonals, ids.into(), seed)?)
            }
            Kind::Hyperbolic { vertices, degree, exponent } => {
                Box::new(Hyperbolic::new(vertices, degree, exponent, seed)?)
            }
            Kind::GapKron { scale, degree } => Box::new(GapKron::new(scale, degree, seed)?),
            Kind::GapUrand { scale, degree } => Box::new(GapUrand::new(scale, degree)?),
            Kind::Affiliation { vertices, groups, smallest, largest, exponent } => {
                let sizes = PowerLaw::new(smallest, largest, exponent)?;
                Box::new(Affiliation::new(vertices, groups, sizes, seed)?)
            }
            Kind::Communities { vertices, between, inside, smallest, largest, exponent } => {
                let sizes = PowerLaw::new(smallest, largest, exponent)?;
                Box::new(Communities::new(vertices, sizes, inside, between, seed)?)
            }
            Kind::Hub { vertices, edges } => Box::new(Hub::new(vertices, edges, seed)?),
            Kind::Paths { paths, length } => Box::new(Paths::new(paths, length)?),
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
    let target = Target::of_output(&output, args.format)?;
    let start = Instant::now();
    let display = Display::new(args.quiet);
    display.begin_named(&output.name(), Phase::Write.name());
    let written = threads::on(args.threads, || -> Result<_> {
        let model = args.kind.model(args.seed)?;
        // Models have less than 2³² vertices.
        let ids = VertexIds::Identity { bound: model.vertices() as u32 };
        let edges = Gauged::new(&*model, display.work());
        Ok((model.vertices(), write::write(&edges, &ids, target, &output)?))
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
