//! The list of results on edges. An entry has a name, a formula, a meaning and a source, and reckons the number on an edge.

use super::{EdgeFormula, EdgeResult};
use crate::results::{BALANCE, balanced, plain, weighted};

/// All results on edges, in the order of the documentation.
pub const EDGE_RESULTS: &[EdgeResult] = &[
    plain(
        "support",
        "s",
        "The triangles that contain the edge, which are the common neighbours of its ends.",
        "",
        EdgeFormula::Whole(|edge| edge.triangles.into()),
    ),
    JACCARD,
    OVERLAP,
    COSINE,
    SORENSEN,
    plain(
        "edge_clustering",
        "s / (min(dᵤ, dᵥ) - 1); 0 where an end has no other neighbour",
        "The triangles on the edge as a share of those that its end of fewer neighbours allows.",
        "Jianxin Wang and others, Identification of essential proteins based on edge clustering coefficient, 2012",
        EdgeFormula::Double(|edge| match edge.least_degree() - 1.0 {
            0.0 => 0.0,
            most => edge.triangles() / most,
        }),
    ),
    plain(
        "forman",
        "4 - dᵤ - dᵥ + 3 s",
        "How densely the surroundings of the edge are joined: low for a bridge between hubs, high within a group.",
        "Areejit Samal and others, Comparative analysis of two discretizations of Ricci curvature for complex networks, 2018; GraphRicciCurvature: FormanRicci, augmented",
        EdgeFormula::Whole(|edge| {
            let [u, v] = edge.degrees.map(i64::from);
            // Three times 2³² and two degrees: far below 2⁶³.
            4 - u - v + 3 * i64::from(edge.triangles)
        }),
    ),
    weighted(
        "all_positive",
        "+++",
        "The triangles on the edge whose edges have weights above 0.",
        BALANCE,
        EdgeFormula::Whole(|edge| edge.signs[0].into()),
    ),
    weighted(
        "one_negative",
        "++-",
        "The triangles on the edge with one edge of a weight below 0.",
        BALANCE,
        EdgeFormula::Whole(|edge| edge.signs[1].into()),
    ),
    weighted(
        "two_negative",
        "+--",
        "The triangles on the edge with two edges of weights below 0.",
        BALANCE,
        EdgeFormula::Whole(|edge| edge.signs[2].into()),
    ),
    weighted(
        "all_negative",
        "---",
        "The triangles on the edge whose edges have weights below 0.",
        BALANCE,
        EdgeFormula::Whole(|edge| edge.signs[3].into()),
    ),
    weighted(
        "balanced",
        "(+++ + +--) / (+++ + ++- + +-- + ---); NaN where there is no such triangle",
        "The triangles on the edge whose signs have a positive product, as a share of those with signs.",
        BALANCE,
        EdgeFormula::Double(|edge| balanced(edge.signs.map(u64::from))),
    ),
];

/// Jaccard's similarity of the ends of an edge.
pub(crate) const JACCARD: EdgeResult = plain(
    "jaccard",
    "s / (dᵤ + dᵥ - s)",
    "The common neighbours of the two ends as a share of all neighbours of either, the ends themselves among them.",
    "Paul Jaccard, 1901; NetworkX: jaccard_coefficient",
    EdgeFormula::Double(|edge| {
        let [u, v] = edge.degrees();
        edge.triangles() / (u + v - edge.triangles())
    }),
);

/// The overlap of the neighbourhoods of the ends of an edge.
pub(crate) const OVERLAP: EdgeResult = plain(
    "overlap",
    "s / min(dᵤ, dᵥ)",
    "The common neighbours of the two ends as a share of the neighbours of the end that has fewer.",
    "D. Szymkiewicz, 1934; G. G. Simpson, 1960; cuGraph: overlap",
    EdgeFormula::Double(|edge| edge.triangles() / edge.least_degree()),
);

/// The cosine of the neighbourhoods of the ends of an edge.
pub(crate) const COSINE: EdgeResult = plain(
    "cosine",
    "s / √(dᵤ dᵥ)",
    "The common neighbours of the two ends, divided by the geometric mean of their numbers of neighbours.",
    "Gerard Salton, 1983; cuGraph: cosine",
    EdgeFormula::Double(|edge| {
        let [u, v] = edge.degrees();
        // Two degrees below 2³² have a product that is rounded once at most.
        edge.triangles() / (u * v).sqrt()
    }),
);

/// Sørensen's similarity of the ends of an edge.
pub(crate) const SORENSEN: EdgeResult = plain(
    "sorensen",
    "2 s / (dᵤ + dᵥ)",
    "Twice the common neighbours of the two ends as a share of the sum of their numbers of neighbours.",
    "Thorvald Sørensen, 1948; cuGraph: sorensen; igraph: similarity, dice",
    EdgeFormula::Double(|edge| {
        let [u, v] = edge.degrees();
        2.0 * edge.triangles() / (u + v)
    }),
);
