//! The clustering coefficients of a vertex with weights.

use tribin_analytics::Weighting;
use tribin_base::Result;

use super::{AtVertices, TAILED_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};

fn by<'a>(found: &AtVertices<'_>, weighting: Weighting) -> Result<VertexColumn<'a>> {
    let values = found.finder.weighted_clustering(weighting)?;
    VertexColumn::of_doubles(move |vertex| values[vertex as usize])
}

/// The coefficient of a directed graph.
pub(super) static DIRECTED: VertexResult = VertexResult {
    definition: Definition {
        name: "weighted_clustering",
        needs: GraphKind::DirectedWeighted,
        formula: "Σ ∛(ŵ ŵ ŵ) over the triangles / (D (D - 1) - 2 d↔)",
        meaning: "The directed triangles of the vertex, each by the geometric mean of its weights, as a share of those that its degrees allow.",
        source: "Giorgio Fagiolo, Clustering in complex directed networks, 2007; NetworkX: clustering of a DiGraph with weight",
    },
    find: |found| by(found, Weighting::Onnela),
    example: VertexExample {
        entries: &[[0, 1], [1, 2], [2, 0]],
        weights: &[1.0, 1.0, 8.0],
        values: &[0.125, 0.125, 0.125],
    },
};

/// Onnela's coefficient.
pub(super) static ONNELA: VertexResult = VertexResult {
    definition: Definition {
        name: "onnela",
        needs: GraphKind::Weighted,
        formula: "2 Σ ∛(ŵᵢⱼ ŵⱼₖ ŵₖᵢ) / (d (d - 1))",
        meaning: "The triangles of the vertex, each by the geometric mean of its weights, as a share of its pairs of neighbours.",
        source: "Jukka-Pekka Onnela and others, Intensity and coherence of motifs in weighted complex networks, 2005; NetworkX: clustering with weight",
    },
    find: |found| by(found, Weighting::Onnela),
    example: VertexExample {
        entries: &[[0, 1], [1, 2], [2, 0]],
        weights: &[1.0, 1.0, 8.0],
        values: &[0.25, 0.25, 0.25],
    },
};

/// Barrat's coefficient.
pub(super) static BARRAT: VertexResult = VertexResult {
    definition: Definition {
        name: "barrat",
        needs: GraphKind::Weighted,
        formula: "Σ (wᵢⱼ + wᵢₖ) / (s (d - 1))",
        meaning: "The pairs of neighbours that are joined, each by the weights that lead to it, as a share of all pairs.",
        source: "Alain Barrat and others, The architecture of complex weighted networks, 2004; igraph: transitivity_local_undirected with weights",
    },
    find: |found| by(found, Weighting::Barrat),
    example: VertexExample {
        entries: TAILED_TRIANGLE,
        weights: &[1.0, 1.0, 1.0, 6.0],
        values: &[1.0, 1.0, 0.125, 0.0],
    },
};
