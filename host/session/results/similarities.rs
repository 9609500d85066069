//! How alike two vertices are, by the neighbours that they have in common.

use tribin_base::{Error, Result};

use super::on_edges::{COSINE, JACCARD, OVERLAP, SORENSEN};
use super::{EdgeFormula, EdgeResult, ListedResult, plain};

/// All similarities of two vertices, in the order of the documentation.
pub const SIMILARITIES: &[Similarity] = &[
    Similarity::on_edges(JACCARD),
    Similarity::on_edges(OVERLAP),
    Similarity::on_edges(COSINE),
    Similarity::on_edges(SORENSEN),
    plain(
        "common",
        "s",
        "The number of common neighbours of both vertices.",
        "NetworkX: common_neighbors",
        SimilarityFormula::Common(EdgeFormula::Whole(|pair| pair.triangles.into())),
    ),
    plain(
        "adamic_adar",
        "Σ 1 / ln(d_w)",
        "The common neighbours w of both vertices, each of which counts less the more neighbours it has.",
        "Lada Adamic and Eytan Adar, Friends and neighbors on the Web, 2003; NetworkX: adamic_adar_index",
        // A common neighbour has two neighbours at least.
        SimilarityFormula::Summed(|degree| 1.0 / f64::from(degree).ln()),
    ),
    plain(
        "resource_allocation",
        "Σ 1 / d_w",
        "What the second vertex gets if the first sends one unit to each neighbour, and each of these shares it among its own.",
        "Tao Zhou, Linyuan Lü and Yi-Cheng Zhang, Predicting missing links via local information, 2009; NetworkX: resource_allocation_index",
        SimilarityFormula::Summed(|degree| 1.0 / f64::from(degree)),
    ),
];

/// A similarity: how alike two vertices are. Neighbourhoods are open: a vertex is no neighbour of itself.
pub type Similarity = ListedResult<SimilarityFormula>;

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
    const fn on_edges(EdgeResult { definition, formula }: EdgeResult) -> Similarity {
        Similarity { definition, formula: SimilarityFormula::Common(formula) }
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
