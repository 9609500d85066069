//! Pairs of vertices that share a neighbour.

use super::{PreparedGraph, ResidentGraph};
use crate::Result;
use crate::plan::Task;
use crate::results::{EdgeFacts, Similarity, SimilarityFormula};
use tribin_analytics::cpu::similar::{Measure, SimilarPair, TakePairs, TwoSteps, WantedPairs};

impl PreparedGraph {
    /// Hands all pairs of vertices that share a neighbour to `take`, the pairs of some blocks of vertices at a time, until it says
    /// `false`: the most similar ones of each vertex, or all of them once, as `wanted` says. Vertices are called by their indexes,
    /// and ascend.
    ///
    /// O(Σ d²) work at most. Memory beside the graph: 8 bytes for each edge, 28 for each vertex, 4 or 8 for each vertex and thread,
    /// and the pairs of some blocks; never all pairs. `take` runs on one of the session's threads at a time.
    ///
    /// Where the graph is on a GPU, that finds up to 32 pairs of each vertex: the same ones, with the same scores. Device memory:
    /// 8 bytes for each edge, 20 for each vertex, and 128 MiB at most for pairs. Where there is less, and for all other pairs, the CPU
    /// finds them.
    ///
    /// ```
    /// use tribin::analytics::WantedPairs;
    /// use tribin::results::similarity;
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let graph = Session::open(Options::default())?.prepare(&tailed)?;
    /// let wanted = WantedPairs { top: Some(1), ..WantedPairs::default() };
    /// let mut pairs = Vec::new();
    /// graph.each_similar_pair(similarity("jaccard")?, wanted, |blocks| {
    ///     pairs.extend(blocks.into_iter().flatten().map(|pair| (pair.ends, pair.score)));
    ///     Ok(true)
    /// })?;
    /// // The neighbours of 3 are 2 alone, and those of 0 are 1 and 2.
    /// assert_eq!(pairs[0], ([0, 3], 0.5));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`oriented`](Self::oriented), those of `take`, and [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn each_similar_pair(
        &self,
        by: &Similarity,
        wanted: WantedPairs,
        mut take: impl FnMut(Vec<Vec<SimilarPair>>) -> Result<bool> + Send,
    ) -> Result<()> {
        self.compare_pairs(by, |graph, measure| {
            let context = self.session().context();
            let is_best_of_each = wanted.top.is_some() && wanted.vertex.is_none();
            let find = |held: &dyn ResidentGraph, take: &mut TakePairs<'_>| {
                held.similar_pairs(graph, by, wanted, &context, take)
            };
            if is_best_of_each && self.handed_over(Task::Similar, &mut take, find)? {
                return Ok(());
            }
            graph.each_pair(wanted, measure, &context, &mut take)
        })
    }

    /// The similarity of the vertices of each pair, in the order of the pairs, whether they share a neighbour or an edge or not.
    /// Vertices are called by their indexes. O(m + n) work, and that of one search for each neighbour of the smaller degree.
    ///
    /// ```
    /// use tribin::results::similarity;
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let graph = Session::open(Options::default())?.prepare(&tailed)?;
    /// let found = graph.similarities(similarity("resource_allocation")?, &[[0, 3], [2, 3]])?;
    /// assert_eq!(found, [1.0 / 3.0, 0.0]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`oriented`](Self::oriented), and [`Error::Cancelled`](crate::Error::Cancelled).
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn similarities(&self, by: &Similarity, pairs: &[[u32; 2]]) -> Result<Vec<f64>> {
        self.compare_pairs(by, |graph, measure| {
            graph.among(pairs, measure, &self.session().context())
        })
    }

    fn compare_pairs<R: Send>(
        &self,
        by: &Similarity,
        run: impl FnOnce(&TwoSteps, Measure<'_>) -> Result<R> + Send,
    ) -> Result<R> {
        let oriented = self.oriented()?;
        self.session().install(|| {
            let graph = TwoSteps::new(&oriented);
            match by.formula {
                SimilarityFormula::Summed(weight) => run(&graph, Measure::Summed(weight)),
                SimilarityFormula::Common(formula) => {
                    let score = |triangles, degrees| {
                        formula.value(EdgeFacts { triangles, degrees, ..EdgeFacts::default() })
                    };
                    run(&graph, Measure::Common(&score))
                }
            }
        })
    }
}
