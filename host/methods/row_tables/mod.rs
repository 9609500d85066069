//! Counting on the GPU with the row of each tail as a table in shared memory, which the rows of its heads are looked up in
//! (docs/engines.md).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::row_tables::{
    MOST_BITS, MOST_THREADS, SLOTS_LOG2, TAILS, bits_bytes, row_tables_8, row_tables_16,
    row_tables_bits, shared_bytes, tags_bytes,
};

use super::method::{Method, Rates};
use super::totals;
use crate::graph::DeviceGraph;

/// Blocks for each multiprocessor: as many as can be there at once. They draw tails until there are none.
const BLOCKS_PER_MULTIPROCESSOR: u32 = 32;

/// Most bytes of a table of bits, so that two blocks fit a multiprocessor of every GPU of compute capability 8.0 and more, and
/// four or five those of data centres.
const MOST_BITS_BYTES: u32 = 40 << 10;

/// A table has 2^this slots at least.
const LEAST_SLOTS_LOG2: u32 = 11;

/// Threads of the smallest blocks.
const LEAST_THREADS: u32 = 64;

/// Shared memory that the tables of a multiprocessor's blocks take together, about, and threads that can be there at once.
const SHARED_BYTES: u32 = 208 << 10;
const RESIDENT_THREADS: u32 = 2048;

/// How a table keeps the entries of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// A bit for each rank.
    Bits,
    /// 2^`slots_log2` slots of 8 bits: at most 255 ranks for each slot.
    Slots8 {
        /// From 5 to 15.
        slots_log2: u32,
    },
    /// 2^`slots_log2` slots of 16 bits: at most 65,535 ranks for each slot.
    Slots16 {
        /// From 5 to 15.
        slots_log2: u32,
    },
}

impl Table {
    /// Bytes of a table.
    const fn bytes(self, ranks: u64) -> u32 {
        match self {
            Table::Bits => bits_bytes(ranks as u32),
            Table::Slots8 { slots_log2 } => tags_bytes(slots_log2, 1),
            Table::Slots16 { slots_log2 } => tags_bytes(slots_log2, 2),
        }
    }
}

/// The kind of the tables, and the threads that look up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowTables {
    /// How a table keeps entries.
    pub table: Table,
    /// Threads in a block: a multiple of 32, at most 512.
    pub block: u32,
    /// 2^this lanes stream a row, at most 2⁵.
    pub lanes_log2: u32,
}

impl RowTables {
    /// Most ranks of a graph that has tables.
    pub const MOST_RANKS: u64 = 65_535 << *SLOTS_LOG2.end();

    /// The tables for rows of `row` entries, from the view of an edge, in a graph of at most [`MOST_RANKS`](Self::MOST_RANKS) ranks.
    ///
    /// There are about row² slots, so that of half an entry to one the slot is taken. A bit for each rank is
    /// taken where that is at most half as much memory again. Blocks have a thread for about each entry of a row, and more where their
    /// tables are so large that few blocks fit a multiprocessor.
    ///
    /// docs/measured.md says what this was read off.
    pub fn for_rows(row: u64, ranks: u64) -> RowTables {
        let row = row.clamp(1, 1 << 16) as u32;
        let least_slots =
            (row * row.min(u32::MAX / row)).ilog2().clamp(LEAST_SLOTS_LOG2, *SLOTS_LOG2.end());
        let fitting = |ranks_of_slot: u64| {
            let slots = (ranks / ranks_of_slot + 1).next_power_of_two().ilog2();
            (slots <= *SLOTS_LOG2.end()).then(|| slots.max(least_slots))
        };
        // A slot of 16 bits takes as much as two of 8.
        let slots = match fitting(255) {
            Some(slots_log2) if slots_log2 <= least_slots + 1 => Table::Slots8 { slots_log2 },
            _ => Table::Slots16 { slots_log2: fitting(65_535).unwrap_or(*SLOTS_LOG2.end()) },
        };
        let bits = ranks <= MOST_BITS.into()
            && Table::Bits.bytes(ranks) <= (slots.bytes(ranks) * 3 / 2).min(MOST_BITS_BYTES);
        let table = if bits { Table::Bits } else { slots };
        let blocks = (SHARED_BYTES / table.bytes(ranks)).max(1);
        let block = (row * 3 / 4).max(RESIDENT_THREADS / blocks).next_power_of_two();
        RowTables {
            table,
            block: block.clamp(LEAST_THREADS, MOST_THREADS),
            lanes_log2: if row >= LONG_ROW { 4 } else { 3 },
        }
    }
}

/// Fewest entries of a row that gets 16 lanes; shorter ones get 8.
const LONG_ROW: u32 = 128;

impl Method for RowTables {
    const RATES: Rates = Rates { build: 0.0, count: 1.5e-12 };

    type Beside<D: Device> = ();

    fn bytes(&self, _: u64, _: u64) -> u64 {
        0
    }

    fn build<D: Device>(&self, _: &D, _: &DeviceGraph<D>) -> Result<(), D::Error> {
        Ok(())
    }

    /// O(Σ entries of the heads' rows) over the edges.
    ///
    /// # Panics
    /// If there are more ranks than the table's slots can tell apart.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        (): &(),
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
                Table::Bits => {
                    (row_tables_bits as fn(_, _, _, _, _, _, _, _, _, _, _, _) -> _, ranks as u32)
                }
                Table::Slots8 { slots_log2 } => (row_tables_8 as _, slots_log2),
                Table::Slots16 { slots_log2 } => (row_tables_16 as _, slots_log2),
            };
            count(
                device,
                shape,
                graph.tails.view(),
                graph.heads.view(),
                graph.head_quads(),
                graph.rows.view().cast(),
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

#[cfg(test)]
mod tests {
    use super::{RowTables, Table};

    /// The graphs of docs/measured.md, and those at the borders.
    #[test]
    fn tables_are_as_large_as_rows_and_ranks_ask_for() {
        let tables = |row, ranks| {
            let RowTables { table, block, lanes_log2 } = RowTables::for_rows(row, ranks);
            (table, block, lanes_log2)
        };
        let [slots8, slots16] =
            [|slots_log2| Table::Slots8 { slots_log2 }, |slots_log2| Table::Slots16 { slots_log2 }];
        // ws:300000,200,500,1; er-dense; ws:1000000,40,600,1.
        assert_eq!(tables(237, 300_000), (Table::Bits, 512, 4));
        assert_eq!(tables(82, 262_144), (slots8(12), 64, 3));
        assert_eq!(tables(45, 1_000_000), (slots8(12), 64, 3));
        // Slots of 8 bits tell 255 ranks apart, and twice as many as the row asks for are taken.
        assert_eq!(tables(45, (255 << 12) - 1).0, slots8(12));
        assert_eq!(tables(45, 255 << 12).0, slots16(11));
        assert_eq!(tables(45, u32::MAX.into()).0, slots16(15));
        // A bit a rank is taken where it is at most half as much memory again as the slots, which take 2,304 bytes.
        assert_eq!(tables(45, 8 * 3_456).0, Table::Bits);
        assert_eq!(tables(45, 8 * 3_456 + 1).0, slots8(11));
        assert_eq!(tables(400, 8 * (40 << 10)).0, Table::Bits);
        assert_eq!(tables(400, 8 * (40 << 10) + 1).0, slots8(15));
        // The shortest rows and the longest.
        assert_eq!(tables(0, 100_000), (slots8(11), 64, 3));
        assert_eq!(tables(u64::MAX, u32::MAX.into()), (slots16(15), 512, 4));
        assert_eq!(tables(128, 5_000_000).2, 4);
        assert_eq!(tables(127, 5_000_000).2, 3);
    }
}
