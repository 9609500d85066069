//! Counting short rows on the GPU with most wedges dropped by signatures of the rows (docs/engines.md).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::row_signatures::{
    BLOCK, FILTER_SHARED_BYTES, MAKE_SHARED_BYTES, RANKS, ROW_WORDS, filter_search, row_signatures,
};

use super::method::{Method, Rates};
use super::totals;
use crate::graph::DeviceGraph;

/// Filters of 64 bytes a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filters;

/// The signatures of all rows.
pub struct Signatures<D: Device>(Buffer<u32, D>);

impl Method for Filters {
    const RATES: Rates = Rates { build: 6.0e-12, count: 3.3e-12 };

    type Beside<D: Device> = Signatures<D>;

    fn bytes(&self, _: u64, ranks: u64) -> u64 {
        4 * ranks * u64::from(ROW_WORDS)
    }

    fn build<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
    ) -> Result<Signatures<D>, D::Error> {
        let ranks = graph.rows.len() / 2;
        let mut signatures = Buffer::uninitialized(device, ranks * u64::from(ROW_WORDS))?;
        if ranks > 0 {
            let blocks = ranks.div_ceil(u64::from(RANKS)) as u32;
            row_signatures(
                device,
                Shape::new(blocks, BLOCK).shared(MAKE_SHARED_BYTES),
                graph.tails.view(),
                graph.heads.view(),
                graph.rows.view().cast(),
                signatures.view_mut(),
                ranks,
            )?;
        }
        Ok(Signatures(signatures))
    }

    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        signatures: &Signatures<D>,
    ) -> Result<u64, D::Error> {
        let m = graph.edges;
        totals::sum_of(device, m, |totals| {
            filter_search(
                device,
                Shape::cover(m, BLOCK, u32::MAX).shared(FILTER_SHARED_BYTES),
                graph.tails.view(),
                graph.heads.view(),
                graph.rows.view().cast(),
                signatures.0.view(),
                signatures.0.view().cast(),
                totals,
                m,
            )
        })
    }
}
