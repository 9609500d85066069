//! Counting on the GPU with the row of each tail as a table in shared memory, which the rows of its heads are looked up in
//! (docs/engines.md).

use tribin_kernels::row_tables::{
    TAILS, row_tables_8, row_tables_16, row_tables_bits, shared_bytes,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::method::Method;
use super::totals;
use crate::device_graph::DeviceGraph;
use crate::plan::counting::{RowTables, TableKind};

/// Blocks for each multiprocessor: as many as can be there at once. They draw tails until there are none.
const BLOCKS_PER_MULTIPROCESSOR: u32 = 32;

impl Method for RowTables {
    /// O(Σ entries of the heads' rows) over the edges.
    ///
    /// # Panics
    /// If there are more ranks than the table's slots can tell apart.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        _: &mut D::Event,
    ) -> Result<u64, D::Error> {
        let ranks = graph.rows.len() / 2;
        let bytes = shared_bytes(self.table.bytes(ranks), self.block);
        let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
        let blocks = ranks.div_ceil(TAILS.into()).clamp(1, most.into()) as u32;
        let shape = Shape::new(blocks, self.block).shared(bytes);
        let mut tickets = Buffer::zeroed(device, graph.counted_in_place().len() as u64)?;
        let mut launch = 0;
        totals::sum_of(device, graph, |edges, totals| {
            let tickets = tickets.view_mut();
            let ticket = tickets.slice(launch, 1);
            launch += 1;
            // Each has the size of its table as a parameter of another meaning.
            let (count, size) = match self.table {
                TableKind::Bits => {
                    (row_tables_bits as fn(_, _, _, _, _, _, _, _, _, _) -> _, ranks as u32)
                }
                TableKind::Slots8 { slots_log2 } => (row_tables_8 as _, slots_log2),
                TableKind::Slots16 { slots_log2 } => (row_tables_16 as _, slots_log2),
            };
            count(
                device,
                shape,
                graph.oriented(),
                graph.head_quads(),
                ticket,
                totals,
                edges.start,
                edges.end,
                size,
                self.lanes_log2,
            )
        })
    }
}
