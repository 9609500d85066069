//! Similar pairs of a graph on a device, found there.

use super::{Accelerator, GpuGraph, held_bytes};
use crate::control::{Context, Phase};
use crate::results::{Similarity, SimilarityFormula};
use crate::{Error, Result};
use tribin_analytics::cpu::similar::{TakePairs, TwoSteps, WantedPairs};
use tribin_base::par::Pool;
use tribin_gpu::analytics::similar::{SimilarSearch, SimilarityMeasure};
use tribin_kernels::similar::measures;

/// Hands the similar pairs of each vertex to `take`; `false` where the CPU finds them, because the device has no room, or no formula.
pub(super) fn similar_pairs<D: Accelerator>(
    held: &GpuGraph<D>,
    graph: &TwoSteps,
    by: &Similarity,
    wanted: WantedPairs,
    context: &Context,
    take: &mut TakePairs<'_>,
) -> Result<bool> {
    let Some(formula) = formula(by) else { return Ok(false) };
    context.cancel().check()?;
    context.phase(Phase::Count);
    let device = &held.device;
    let search = device.driver.run_beside_threads(|gpu, pool| {
        let free = device.free_beside(gpu, held_bytes(&held.on_device.graph))?;
        let search = pool.install(|| SimilarSearch::new(gpu, graph, formula, &wanted, free));
        search.map_err(|error| -> Error { error.into() })
    })?;
    let Some(mut search) = search else {
        tracing::info!("{}: the CPU finds what is wanted of similar pairs", device.label);
        return Ok(false);
    };
    context.work().begin(search.batches().map(|batch| search.paths_of(batch)).sum());
    for batch in search.batches() {
        context.cancel().check()?;
        let find = |gpu: &D, pool: &Pool| pool.install(|| search.find(gpu, batch.clone()));
        let found = device.driver.run_beside_threads(find);
        context.work().add(search.paths_of(batch));
        if !take(found.map_err(|error: D::Error| -> Error { error.into() })?)? {
            break;
        }
    }
    Ok(true)
}

/// The formula by which the kernels reckon a similarity: the integers among them are whole in doubles, so that each formula rounds as on
/// the CPU.
fn formula(by: &Similarity) -> Option<SimilarityMeasure<'_>> {
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
