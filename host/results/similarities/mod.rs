//! How alike two vertices are, by the neighbours that they have in common: one file each, and a line of [`SIMILARITIES`].

mod adamic_adar;
mod common;
mod resource_allocation;

use tribin_base::{Error, Result};

use crate::on_edges::{COSINE, JACCARD, OVERLAP, SORENSEN};
use crate::{Definition, EdgeFormula, EdgeResult};

/// All similarities of two vertices, in the order of the documentation.
pub const SIMILARITIES: &[Similarity] = &[
    Similarity::on_edges(&JACCARD),
    Similarity::on_edges(&OVERLAP),
    Similarity::on_edges(&COSINE),
    Similarity::on_edges(&SORENSEN),
    common::COMMON,
    adamic_adar::ADAMIC_ADAR,
    resource_allocation::RESOURCE_ALLOCATION,
];

/// A similarity: how alike two vertices are. Neighbourhoods are open: a vertex is no neighbour of itself.
#[derive(Debug, Clone, Copy)]
pub struct Similarity {
    /// The name and the meaning of the similarity.
    pub definition: &'static Definition,
    /// The formula of the similarity.
    pub formula: SimilarityFormula,
}

/// The formula of the similarity of two vertices, whether there is an edge between them or not.
#[derive(Debug, Clone, Copy)]
pub enum SimilarityFormula {
    /// The similarity follows from the number of common neighbours, which stands for the triangles on an edge, and from both degrees.
    Common(EdgeFormula),
    /// The sum over the common neighbours of a number that follows from the degree of each, which is above 0.
    Summed(fn(u32) -> f64),
}

impl Similarity {
    /// A result on edges, for any two vertices.
    const fn on_edges(result: &'static EdgeResult) -> Similarity {
        let formula = SimilarityFormula::Common(result.formula);
        Similarity { definition: &result.definition, formula }
    }

    /// Whether the similarity is a whole number.
    pub fn is_whole(&self) -> bool {
        matches!(self.formula, SimilarityFormula::Common(EdgeFormula::Whole(_)))
    }
}

/// The similarity that is called so; `-` stands for `_` too.
///
/// # Errors
/// [`Error::Usage`] for other names, with those that there are.
pub fn similarity(name: &str) -> Result<&'static Similarity> {
    let sought = name.replace('-', "_");
    SIMILARITIES.iter().find(|similarity| similarity.definition.name == sought).ok_or_else(|| {
        let names = SIMILARITIES.iter().map(|similarity| similarity.definition.name);
        let names = names.collect::<Vec<_>>().join(", ");
        Error::Usage(format!("`{name}` is no similarity: there are {names}").into())
    })
}
