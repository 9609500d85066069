//! A worked example of every result, in the order of the lists.

use tribin::results::GraphKind::{self, Directed, DirectedWeighted, Plain, Weighted};

type Example<'a> = (GraphKind, &'a str, &'a [[u32; 2]], &'a [f64], &'a [f64]);

/// The kind of graph, the name of the result, entries, their weights, and the number at each vertex.
pub const AT_VERTICES: &[Example] = &[
    (Plain, "degree", TAILED_TRIANGLE, &[], &[2.0, 2.0, 3.0, 1.0]),
    (Plain, "triangles", TAILED_TRIANGLE, &[], &[1.0, 1.0, 1.0, 0.0]),
    (Plain, "clustering", TAILED_TRIANGLE, &[], &[1.0, 1.0, 1.0 / 3.0, 0.0]),
    (Plain, "core", TAILED_TRIANGLE, &[], &[2.0, 2.0, 2.0, 1.0]),
    (Plain, "triangle_centrality", TAILED_TRIANGLE, &[], &[1.0, 1.0, 1.0, 1.0]),
    (Plain, "wedges", SQUARE_AND_TRIANGLE, &[], &[3.0, 1.0, 1.0, 3.0, 1.0]),
    (Plain, "wedge_ends", SQUARE_AND_TRIANGLE, &[], &[4.0, 3.0, 3.0, 4.0, 4.0]),
    (Plain, "four_cycles", SQUARE_AND_TRIANGLE, &[], &[1.0, 1.0, 1.0, 1.0, 0.0]),
    (Plain, "square_clustering", SQUARE_AND_TRIANGLE, &[], &[0.2, 0.5, 0.5, 0.2, 0.0]),
    (Directed, "in_degree", NEARLY_TWO_CYCLES, &[], &[1.0, 1.0, 2.0]),
    (Directed, "out_degree", NEARLY_TWO_CYCLES, &[], &[2.0, 1.0, 1.0]),
    (Directed, "mutual_degree", NEARLY_TWO_CYCLES, &[], &[1.0, 0.0, 1.0]),
    (Directed, "cycle_triangles", NEARLY_TWO_CYCLES, &[], &[1.0, 1.0, 1.0]),
    (Directed, "middleman_triangles", NEARLY_TWO_CYCLES, &[], &[0.0, 1.0, 0.0]),
    (Directed, "in_triangles", NEARLY_TWO_CYCLES, &[], &[0.0, 0.0, 1.0]),
    (Directed, "out_triangles", NEARLY_TWO_CYCLES, &[], &[1.0, 0.0, 0.0]),
    (Directed, "triangles", NEARLY_TWO_CYCLES, &[], &[2.0, 2.0, 2.0]),
    (Directed, "cycle_clustering", NEARLY_TWO_CYCLES, &[], &[1.0, 1.0, 1.0]),
    (Directed, "middleman_clustering", NEARLY_TWO_CYCLES, &[], &[0.0, 1.0, 0.0]),
    (Directed, "in_clustering", NEARLY_TWO_CYCLES, &[], &[0.0, 0.0, 0.5]),
    (Directed, "out_clustering", NEARLY_TWO_CYCLES, &[], &[0.5, 0.0, 0.0]),
    (Directed, "clustering", NEARLY_TWO_CYCLES, &[], &[0.5, 1.0, 0.5]),
    (Directed, "ldbc_clustering", LDBC, &[], LDBC_NUMBERS),
    (DirectedWeighted, "weighted_clustering", CYCLE, &[1.0, 1.0, 8.0], &[0.125, 0.125, 0.125]),
    (Weighted, "strength", TAILED_TRIANGLE, &[1.0, 1.0, 1.0, 6.0], &[2.0, 2.0, 8.0, 6.0]),
    (Weighted, "onnela", CYCLE, &[1.0, 1.0, 8.0], &[0.25, 0.25, 0.25]),
    (Weighted, "barrat", TAILED_TRIANGLE, &[1.0, 1.0, 1.0, 6.0], &[1.0, 1.0, 0.125, 0.0]),
    (Weighted, "all_positive", TAILED_TRIANGLE, &[1.0, 2.0, 1.0, -1.0], &[1.0, 1.0, 1.0, 0.0]),
    (Weighted, "one_negative", TAILED_TRIANGLE, &[1.0, 2.0, -1.0, -1.0], &[1.0, 1.0, 1.0, 0.0]),
    (Weighted, "two_negative", TAILED_TRIANGLE, &[1.0, -2.0, -1.0, -1.0], &[1.0, 1.0, 1.0, 0.0]),
    (Weighted, "all_negative", TAILED_TRIANGLE, &[-1.0, -2.0, -1.0, 1.0], &[1.0, 1.0, 1.0, 0.0]),
    (Weighted, "balanced", TAILED_TRIANGLE, &[1.0, -2.0, -1.0, 1.0], &[1.0, 1.0, 1.0, f64::NAN]),
];

/// A cycle of three: 0 → 1 → 2 → 0.
const CYCLE: &[[u32; 2]] = &[[0, 1], [1, 2], [2, 0]];

/// A triangle with a tail: 0 – 1 – 2 – 0 and 2 – 3.
const TAILED_TRIANGLE: &[[u32; 2]] = &[[0, 1], [1, 2], [2, 0], [2, 3]];

/// A square and a triangle that share an edge: 0 – 1 – 2 – 3 – 0 and 3 – 4 – 0.
const SQUARE_AND_TRIANGLE: &[[u32; 2]] = &[[0, 1], [1, 2], [2, 3], [3, 0], [3, 4], [4, 0]];

/// Two cycles on the same three vertices, but for one arc: 0 → 1 → 2 → 0 and 0 → 2.
const NEARLY_TWO_CYCLES: &[[u32; 2]] = &[[0, 1], [1, 2], [2, 0], [0, 2]];

/// The example of the benchmark LDBC Graphalytics, by tails.
const LDBC: &[[u32; 2]] = &[
    [1, 3],
    [1, 5],
    [2, 4],
    [2, 5],
    [2, 10],
    [3, 1],
    [3, 5],
    [3, 8],
    [3, 10],
    [5, 3],
    [5, 4],
    [5, 8],
    [6, 3],
    [6, 4],
    [7, 4],
    [8, 1],
    [9, 4],
];

/// Its coefficients.
const LDBC_NUMBERS: &[f64] =
    &[0.0, 2.0 / 3.0, 1.0 / 6.0, 3.0 / 20.0, 1.0 / 20.0, 1.0 / 4.0, 0.0, 0.0, 5.0 / 6.0, 0.0, 0.0];

/// The graph of the examples on edges, whose vertices have the degrees 3, 2, 3, 3 and 1.
pub const EDGES: &[[u32; 2]] = &[[0, 1], [0, 2], [0, 3], [1, 2], [2, 3], [3, 4]];

/// The weights of its edges.
pub const WEIGHTS: &[f64] = &[1.0, -1.0, 2.0, 0.5, -3.0, -1.0];

/// The kind of graph, the name of the result, and the number on each of [`EDGES`].
pub const ON_EDGES: &[(GraphKind, &str, [f64; 6])] = &[
    (Plain, "support", [1.0, 2.0, 1.0, 1.0, 1.0, 0.0]),
    (Plain, "jaccard", [1.0 / 4.0, 2.0 / 4.0, 1.0 / 5.0, 1.0 / 4.0, 1.0 / 5.0, 0.0]),
    (Plain, "overlap", [1.0 / 2.0, 2.0 / 3.0, 1.0 / 3.0, 1.0 / 2.0, 1.0 / 3.0, 0.0]),
    (
        Plain,
        "cosine",
        [0.408_248_290_463_863_1, 2.0 / 3.0, 1.0 / 3.0, 0.408_248_290_463_863_1, 1.0 / 3.0, 0.0],
    ),
    (Plain, "sorensen", [2.0 / 5.0, 4.0 / 6.0, 2.0 / 6.0, 2.0 / 5.0, 2.0 / 6.0, 0.0]),
    (Plain, "edge_clustering", [1.0, 1.0, 1.0 / 2.0, 1.0, 1.0 / 2.0, 0.0]),
    (Plain, "forman", [2.0, 4.0, 1.0, 2.0, 1.0, 0.0]),
    (Weighted, "all_positive", [0.0; 6]),
    (Weighted, "one_negative", [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]),
    (Weighted, "two_negative", [0.0, 1.0, 1.0, 0.0, 1.0, 0.0]),
    (Weighted, "all_negative", [0.0; 6]),
    (Weighted, "balanced", [0.0, 0.5, 1.0, 0.0, 1.0, f64::NAN]),
];
