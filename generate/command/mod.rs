//! The models as arguments of a command: `tribin generate KIND`, and kinds with a scale, `rmat20`.

mod kinds;
#[cfg(feature = "models")]
mod rare;

use clap::{Parser, Subcommand};
use tribin_base::{Error, Result};
use tribin_graph::EdgeBlocks;

use super::{
    BarabasiAlbert, Complete, ErdosRenyi, Grid, Paths, Probability, Rmat, Star, WattsStrogatz,
    Wheel,
};
pub use kinds::{KINDS, SCALE, model, named};
#[cfg(feature = "models")]
pub use rare::Rare;

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

/// A model and its arguments.
#[derive(Debug, Subcommand)]
pub enum ModelKind {
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
    Rare(LeftOut),
}

/// A model that is not in this build, with whatever follows it.
#[cfg(not(feature = "models"))]
#[derive(Debug, clap::Args)]
pub struct LeftOut {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _arguments: Vec<std::ffi::OsString>,
}

impl ModelKind {
    /// Refuses a model that this build lacks. What follows such a model is not looked at, the file to write among it.
    ///
    /// # Errors
    /// [`Error::Usage`].
    pub fn check(&self) -> Result<()> {
        #[cfg(not(feature = "models"))]
        if let ModelKind::Rare(_) = self {
            let message = tribin_base::features::missing("models", "this model needs");
            return Err(Error::Usage(message.into()));
        }
        Ok(())
    }

    /// The model, with what was asked of it.
    ///
    /// # Errors
    /// Of the model, for what it cannot have, and as [`check`](Self::check).
    pub fn model(&self, seed: u64) -> Result<Box<dyn EdgeBlocks + Send>> {
        self.check()?;
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
            ModelKind::Rare(_) => unreachable!("models that a build lacks are refused"),
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
fn of_arguments(arguments: &str, seed: u64) -> Result<Box<dyn EdgeBlocks + Send>> {
    let model = Model::try_parse_from(arguments.split(' '));
    model.map_err(|error| Error::Usage(error.to_string().into()))?.kind.model(seed)
}
