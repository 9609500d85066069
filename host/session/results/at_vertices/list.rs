//! The list of results at vertices. An entry has a name, a formula, a meaning and a source, and finds the numbers.

use tribin_analytics::{TriangleKind, Weighting};
use tribin_base::Result;

use super::ldbc_clustering::ldbc_clustering;
use super::square_clustering::square_clustering;
use super::triangle_centrality::triangle_centrality;
use super::{AtVertices, VertexColumn, VertexResult};
use crate::results::{BALANCE, GraphKind, balanced, directed, plain, weighted};

/// All results at vertices, in the order of the documentation.
pub const VERTEX_RESULTS: &[VertexResult] = &[
    plain(
        "degree",
        "d",
        "The neighbours of the vertex, in either direction.",
        "NetworkX: degree",
        |found| {
            let local = found.local()?;
            VertexColumn::whole(|vertex| local.degree(vertex).into())
        },
    ),
    plain(
        "triangles",
        "T",
        "The triangles that the vertex is a corner of.",
        "NetworkX: triangles",
        |found| {
            let local = found.local()?;
            VertexColumn::whole(|vertex| local.triangles(vertex))
        },
    ),
    plain(
        "clustering",
        "2T / (d(d - 1)); 0 where d < 2",
        "The pairs of neighbours that are joined, as a share of all pairs of neighbours.",
        "Duncan Watts and Steven Strogatz, Collective dynamics of small-world networks, 1998; NetworkX: clustering",
        |found| {
            let local = found.local()?;
            VertexColumn::of_doubles(|vertex| local.clustering(vertex))
        },
    ),
    plain(
        "core",
        "the largest k for which it is in a subgraph whose every vertex has k neighbours in it",
        "How deep the vertex lies in the graph, where vertices of few neighbours are taken away again and again.",
        "Stephen Seidman, Network structure and minimum degree, 1983; NetworkX: core_number",
        |found| {
            let cores = found.graph.core_numbers()?;
            VertexColumn::whole(move |vertex| cores[vertex as usize].into())
        },
    ),
    plain(
        "triangle_centrality",
        "(⅓ Σ T over the vertex and the neighbours that it has a triangle with + Σ T over its other neighbours) / the triangles of the graph; 0 where there are none",
        "How much of all triangles lies at the vertex and around it: high for a vertex that joins groups, even if it is in few triangles itself.",
        "Paul Burkhardt, Triangle centrality, 2021",
        triangle_centrality,
    ),
    plain(
        "wedges",
        "d (d - 1) / 2",
        "The pairs of neighbours of the vertex: wedges with it in the middle.",
        "",
        |found| {
            let local = found.local()?;
            VertexColumn::whole(|vertex| {
                let degree = u64::from(local.degree(vertex));
                degree * degree.saturating_sub(1) / 2
            })
        },
    ),
    plain(
        "wedge_ends",
        "Σ (d - 1) over its neighbours",
        "The paths of two edges that end at the vertex.",
        "",
        |found| {
            let ends = found.wedge_ends()?;
            VertexColumn::whole(|vertex| ends[vertex as usize])
        },
    ),
    plain(
        "four_cycles",
        "sets of four edges that are a cycle through the vertex",
        "The cycles of four edges through the vertex, whether diagonals join them or not; of a two-sided graph its butterflies.",
        "",
        |found| {
            let cycles = found.four_cycles()?;
            VertexColumn::whole(|vertex| cycles[vertex as usize])
        },
    ),
    plain(
        "square_clustering",
        "C / ((d - 1) W - 2T - C) for C cycles of four edges, W wedges that end at it and T triangles; 0 where there is none",
        "The cycles of four edges through the vertex as a share of those that its pairs of neighbours could have.",
        "Pedro Lind and others, Cycles and clustering in bipartite networks, 2005; NetworkX: square_clustering",
        square_clustering,
    ),
    directed("in_degree", "d⁻", "The arcs that end at the vertex.", "", |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.in_degree(vertex).into())
    }),
    directed("out_degree", "d⁺", "The arcs that begin at the vertex.", "", |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.out_degree(vertex).into())
    }),
    directed("mutual_degree", "d↔", "The neighbours with an arc each way.", "", |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.mutual_degree(vertex).into())
    }),
    directed(
        "cycle_triangles",
        "i → j → k → i",
        "The cycles of three through the vertex.",
        FAGIOLO,
        |found| triangles_of_kind(found, TriangleKind::Cycle),
    ),
    directed(
        "middleman_triangles",
        "j → i → k, and j → k",
        "The triangles in which the vertex stands on a path between two that are joined as well.",
        FAGIOLO,
        |found| triangles_of_kind(found, TriangleKind::Middleman),
    ),
    directed(
        "in_triangles",
        "j → i ← k, and j → k",
        "The triangles with two arcs that end at the vertex.",
        FAGIOLO,
        |found| triangles_of_kind(found, TriangleKind::In),
    ),
    directed(
        "out_triangles",
        "j ← i → k, and j → k",
        "The triangles with two arcs that begin at the vertex.",
        FAGIOLO,
        |found| triangles_of_kind(found, TriangleKind::Out),
    ),
    directed(
        "triangles",
        "their sum",
        "The directed triangles that the vertex is a corner of, of all four kinds.",
        FAGIOLO,
        |found| triangles_of_kind(found, TriangleKind::All),
    ),
    directed(
        "cycle_clustering",
        "`cycle_triangles` / (d⁺ d⁻ - d↔)",
        "The cycles of three through the vertex as a share of those that its degrees allow.",
        FAGIOLO,
        |found| clustering_of_kind(found, TriangleKind::Cycle),
    ),
    directed(
        "middleman_clustering",
        "`middleman_triangles` / (d⁺ d⁻ - d↔)",
        "The middleman's triangles of the vertex as a share of those that its degrees allow.",
        FAGIOLO,
        |found| clustering_of_kind(found, TriangleKind::Middleman),
    ),
    directed(
        "in_clustering",
        "`in_triangles` / (d⁻ (d⁻ - 1))",
        "The in-triangles of the vertex as a share of those that its degrees allow.",
        FAGIOLO,
        |found| clustering_of_kind(found, TriangleKind::In),
    ),
    directed(
        "out_clustering",
        "`out_triangles` / (d⁺ (d⁺ - 1))",
        "The out-triangles of the vertex as a share of those that its degrees allow.",
        FAGIOLO,
        |found| clustering_of_kind(found, TriangleKind::Out),
    ),
    directed(
        "clustering",
        "`triangles` / (D (D - 1) - 2 d↔)",
        "The directed triangles of the vertex as a share of those that its degrees allow.",
        "Giorgio Fagiolo, Clustering in complex directed networks, 2007; NetworkX: clustering of a DiGraph",
        |found| clustering_of_kind(found, TriangleKind::All),
    ),
    directed(
        "ldbc_clustering",
        "arcs among the neighbours / (d (d - 1)), where the d neighbours are those in either direction; 0 where d < 2",
        "The arcs among the neighbours of the vertex as a share of all that there could be.",
        "Alexandru Iosup and others, LDBC Graphalytics, 2016: local clustering coefficient",
        ldbc_clustering,
    ),
    VertexResult::of(
        GraphKind::DirectedWeighted,
        "weighted_clustering",
        "Σ ∛(ŵ ŵ ŵ) over the triangles / (D (D - 1) - 2 d↔)",
        "The directed triangles of the vertex, each by the geometric mean of its weights, as a share of those that its degrees allow.",
        "Giorgio Fagiolo, Clustering in complex directed networks, 2007; NetworkX: clustering of a DiGraph with weight",
        |found| with_weights(found, Weighting::Onnela),
    ),
    weighted(
        "strength",
        "s",
        "The sum of the weights of the vertex's edges, self-loops left out.",
        "igraph: strength",
        |found| {
            let strengths = found.graph.strengths()?;
            VertexColumn::of_doubles(move |vertex| strengths[vertex as usize])
        },
    ),
    weighted(
        "onnela",
        "2 Σ ∛(ŵᵢⱼ ŵⱼₖ ŵₖᵢ) / (d (d - 1))",
        "The triangles of the vertex, each by the geometric mean of its weights, as a share of its pairs of neighbours.",
        "Jukka-Pekka Onnela and others, Intensity and coherence of motifs in weighted complex networks, 2005; NetworkX: clustering with weight",
        |found| with_weights(found, Weighting::Onnela),
    ),
    weighted(
        "barrat",
        "Σ (wᵢⱼ + wᵢₖ) / (s (d - 1))",
        "The pairs of neighbours that are joined, each by the weights that lead to it, as a share of all pairs.",
        "Alain Barrat and others, The architecture of complex weighted networks, 2004; igraph: transitivity_local_undirected with weights",
        |found| with_weights(found, Weighting::Barrat),
    ),
    weighted(
        "all_positive",
        "+++",
        "The triangles of the vertex whose edges have weights above 0.",
        BALANCE,
        |found| with_negative(found, 0),
    ),
    weighted(
        "one_negative",
        "++-",
        "The triangles of the vertex with one edge of a weight below 0.",
        BALANCE,
        |found| with_negative(found, 1),
    ),
    weighted(
        "two_negative",
        "+--",
        "The triangles of the vertex with two edges of weights below 0.",
        BALANCE,
        |found| with_negative(found, 2),
    ),
    weighted(
        "all_negative",
        "---",
        "The triangles of the vertex whose edges have weights below 0.",
        BALANCE,
        |found| with_negative(found, 3),
    ),
    weighted(
        "balanced",
        "(+++ + +--) / (+++ + ++- + +-- + ---); NaN where there is no such triangle",
        "The triangles of the vertex whose signs have a positive product, as a share of those with signs.",
        BALANCE,
        |found| {
            let signed = found.signed()?;
            VertexColumn::of_doubles(|vertex| balanced(signed[vertex as usize]))
        },
    ),
];

/// Where the results by kind of directed triangles are from.
const FAGIOLO: &str = "Giorgio Fagiolo, Clustering in complex directed networks, 2007";

fn triangles_of_kind<'a>(
    found: &'a AtVertices<'_>,
    kind: TriangleKind,
) -> Result<VertexColumn<'a>> {
    let local = found.directed()?;
    VertexColumn::whole(move |vertex| local.triangles(kind, vertex))
}

fn clustering_of_kind<'a>(
    found: &'a AtVertices<'_>,
    kind: TriangleKind,
) -> Result<VertexColumn<'a>> {
    let local = found.directed()?;
    VertexColumn::of_doubles(move |vertex| local.clustering(kind, vertex))
}

/// The clustering coefficients with weights.
fn with_weights<'a>(found: &AtVertices<'_>, weighting: Weighting) -> Result<VertexColumn<'a>> {
    let values = found.graph.weighted_clustering(weighting)?;
    VertexColumn::of_doubles(move |vertex| values[vertex as usize])
}

/// The triangles with a given number of negative edges.
fn with_negative<'a>(found: &'a AtVertices<'_>, edges: usize) -> Result<VertexColumn<'a>> {
    let signed = found.signed()?;
    VertexColumn::whole(move |vertex| signed[vertex as usize][edges])
}
