//! Models of `tribin generate` that few need.

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tribin_base::Result;
use tribin_graph::EdgeBlocks;

use crate::{
    Affiliation, Clustered, Communities, GapKron, GapUrand, Geometric, Hub, Hyperbolic, Loops,
    Mycielskian, PlaceIds, PowerLaw, Probability, Road, Theory, Web,
};

/// The models of the feature `models`.
#[derive(Debug, Subcommand)]
pub enum Rare {
    /// Kronecker product of stars, with a known number of triangles (GraphChallenge's Theory graphs)
    Theory {
        /// The stars' leaves, the most significant first, for example 3,4,5
        #[arg(required = true, value_delimiter = ',')]
        leaves: Vec<u64>,
        /// Where each star has a self-loop: none (Bk), centre (B1k) or leaf (B2k)
        #[arg(long, value_parser = loops(), default_value = "none")]
        loops: Loops,
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
        #[arg(long, value_parser = place_ids(), default_value = "shuffled")]
        ids: PlaceIds,
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
        #[arg(long, value_parser = place_ids(), default_value = "shuffled")]
        ids: PlaceIds,
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
    /// Mycielski's graphs: chromatic number K, no triangle
    Mycielskian {
        /// 2 is a single edge, 3 a ring of five, 4 has 11 vertices
        k: u32,
    },
}

fn loops() -> impl TypedValueParser<Value = Loops> {
    PossibleValuesParser::new(["none", "centre", "leaf"]).map(|name| match &*name {
        "centre" => Loops::Centre,
        "leaf" => Loops::Leaf,
        _ => Loops::None,
    })
}

fn place_ids() -> impl TypedValueParser<Value = PlaceIds> {
    PossibleValuesParser::new(["shuffled", "places"]).map(|name| match &*name {
        "places" => PlaceIds::Places,
        _ => PlaceIds::Shuffled,
    })
}

impl Rare {
    /// The model, with what was asked of it.
    pub fn model(&self, seed: u64) -> Result<Box<dyn EdgeBlocks + Send>> {
        Ok(match *self {
            Rare::Theory { ref leaves, loops } => Box::new(Theory::new(leaves, loops)?),
            Rare::Geometric { vertices, degree } => {
                Box::new(Geometric::new(vertices, degree, seed)?)
            }
            Rare::Clustered { rows, columns, ids } => {
                Box::new(Clustered::new(rows, columns, ids, seed)?)
            }
            Rare::Web { vertices, links, copy } => Box::new(Web::new(vertices, links, copy, seed)?),
            Rare::Road { rows, columns, diagonals, ids } => {
                Box::new(Road::new(rows, columns, diagonals, ids, seed)?)
            }
            Rare::Hyperbolic { vertices, degree, exponent } => {
                Box::new(Hyperbolic::new(vertices, degree, exponent, seed)?)
            }
            Rare::GapKron { scale, degree } => Box::new(GapKron::new(scale, degree, seed)?),
            Rare::GapUrand { scale, degree } => Box::new(GapUrand::new(scale, degree)?),
            Rare::Affiliation { vertices, groups, smallest, largest, exponent } => {
                let sizes = PowerLaw::new(smallest, largest, exponent)?;
                Box::new(Affiliation::new(vertices, groups, sizes, seed)?)
            }
            Rare::Communities { vertices, between, inside, smallest, largest, exponent } => {
                let sizes = PowerLaw::new(smallest, largest, exponent)?;
                Box::new(Communities::new(vertices, sizes, inside, between, seed)?)
            }
            Rare::Hub { vertices, edges } => Box::new(Hub::new(vertices, edges, seed)?),
            Rare::Mycielskian { k } => Box::new(Mycielskian::new(k)?),
        })
    }
}
