//! Directions and weights, as they are asked for.

use std::path::Path;

use tribin::analytics::ZeroSign;
use tribin::results::GraphKind;
use tribin::{Duplicates, Input, read};

use super::args::named;

/// The options that ask for directions and weights of edges.
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
    #[arg(long, value_name = "RULE", default_value = "equal", value_parser = named::<Duplicates>(Duplicates::ALL.map(Duplicates::name)), requires = "weight")]
    duplicates: Duplicates,

    /// The sign of an edge of weight 0, in results of signs: it is an error, positive, negative, or skip leaves its triangles out
    #[arg(long, value_name = "RULE", default_value = "error", value_parser = named::<ZeroSign>(ZeroSign::ALL.map(ZeroSign::name)), requires = "weight")]
    pub zero: ZeroSign,
}

impl WeightArgs {
    /// The options of these weights for edges without directions.
    pub fn undirected(&self) -> ArcArgs {
        ArcArgs { directed: false, weight: self.clone() }
    }
}

impl ArcArgs {
    /// Directions alone.
    pub fn directed() -> ArcArgs {
        ArcArgs { directed: true, ..ArcArgs::default() }
    }

    /// What the graph is to know of its edges.
    pub fn kind(&self) -> GraphKind {
        GraphKind::of(self.directed, self.weight.weight.is_some())
    }

    /// The graph of a file, with its directions where they are asked for.
    pub fn input<'a>(&self, file: &Path, reading: &'a read::Options) -> Input<'a> {
        let input = Input::file(file, reading);
        if self.directed { input.directed() } else { input }
    }

    /// Puts what is read of a file into the options.
    pub fn read(&self, reading: &mut read::Options) {
        reading.weight.clone_from(&self.weight.weight);
        reading.duplicates = self.weight.duplicates;
    }
}
