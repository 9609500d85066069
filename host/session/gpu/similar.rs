//! The formulas of similar pairs that a device has.

use crate::results::{Similarity, SimilarityFormula};
use tribin_gpu::analytics::similar::SimilarityMeasure;
use tribin_kernels::similar::measures;

/// The formula by which the kernels reckon a similarity, if they do. The integers among them are whole in doubles, so that each formula
/// rounds as on the CPU.
pub(super) fn formula(by: &Similarity) -> Option<SimilarityMeasure<'_>> {
    let measure = match by.definition.name {
        "jaccard" => measures::JACCARD,
        "overlap" => measures::OVERLAP,
        "cosine" => measures::COSINE,
        "sorensen" => measures::SORENSEN,
        "common" | "adamic_adar" | "resource_allocation" => measures::SUM,
        _ => return None,
    };
    Some(match &by.formula {
        SimilarityFormula::Common(_) => {
            SimilarityMeasure { measure, weight: &|_| 1.0, is_ordered: false }
        }
        SimilarityFormula::Summed(weight) => {
            SimilarityMeasure { measure, weight, is_ordered: true }
        }
    })
}
