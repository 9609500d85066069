use anyhow::Result;
use proptest::prelude::*;
use tribin_kernels::row_tables::{
    SLOTS_LOG2, SPILLED, TAILS, bits_bytes, row_tables_8, row_tables_16, row_tables_bits,
    shared_bytes, tags_bytes,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice};
use crate::rows::{self, Rows, Totals, oriented};

/// How the table of a row keeps its entries: a bit a rank, or 2^`log2` slots of `bytes` bytes.
#[derive(Debug, Clone, Copy)]
enum Table {
    Bits,
    Slots { log2: u32, bytes: u32 },
}

#[derive(Debug)]
struct LookUp {
    graph: Rows,
    table: Table,
    grid: u32,
    block: u32,
    lanes_log2: u32,
    /// Entries behind the last edge, which are not the kernel's.
    spare: usize,
}

impl Table {
    fn of(bytes: u32, log2: u32) -> Table {
        if bytes == 0 { Table::Bits } else { Table::Slots { log2, bytes } }
    }
}

impl LookUp {
    fn of(graph: &Rows, table: Table, block: u32, lanes_log2: u32) -> LookUp {
        LookUp { graph: graph.clone(), table, grid: 3, block, lanes_log2, spare: 0 }
    }
}

impl Case for LookUp {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let LookUp { graph, table, grid, block, lanes_log2, spare } = self;
        let (ranks, m) = (graph.rows.len() as u32, graph.heads.len() as u64);
        if m == 0 {
            return Ok(());
        }
        let with_spare = |ends: &[u32]| {
            let last = ends.last().copied().unwrap_or(0);
            [ends, &vec![last; *spare]].concat()
        };
        let tails = Buffer::from_host(device, &with_spare(&graph.tails))?;
        let heads = Buffer::from_host(device, &with_spare(&graph.heads))?;
        let quads = heads.view().slice(0, heads.len() / 4 * 4).cast();
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut totals = Totals::on(device)?;
        // Two ranges of the edges, which cut a row.
        let cut = m / 3;
        for edges in [0..cut, cut..m] {
            if edges.is_empty() {
                continue;
            }
            let mut ticket = Buffer::zeroed(device, 1)?;
            let (bytes, size) = match *table {
                Table::Bits => (bits_bytes(ranks), ranks),
                Table::Slots { log2, bytes } => (tags_bytes(log2, bytes), log2),
            };
            let shape = Shape::new(*grid, *block).shared(shared_bytes(bytes, *block));
            let count = match table {
                Table::Bits => row_tables_bits,
                Table::Slots { bytes: 1, .. } => row_tables_8,
                Table::Slots { .. } => row_tables_16,
            };
            count(
                device,
                shape,
                oriented(&tails, &heads, &rows),
                quads,
                ticket.view_mut(),
                totals.view_mut(),
                edges.start,
                edges.end,
                size,
                *lanes_log2,
            )?;
        }
        totals.ensure_added(device, graph.count())
    }
}

/// The kernels, and bytes of a slot.
const KERNELS: [(&str, u32); 3] =
    [("row_tables_bits", 0), ("row_tables_8", 1), ("row_tables_16", 2)];

/// Cliques of ranks that are 32 apart, so that every entry of a row names the same slot of 32.
fn all_spilled(ranks: u32) -> Rows {
    Rows::of_pairs(
        &(1..ranks).flat_map(|u| (0..u).map(move |v| [32 * u, 32 * v])).collect::<Vec<_>>(),
    )
}

/// Ranks of which `shared` share a slot of 32, so that none, one, two, three, … of a row are spilled.
fn some_spilled(shared: u32) -> Rows {
    let rank = |k: u32| if k < shared { 32 * k } else { 32 * shared + k };
    let ends = 0..shared + 20;
    let edges = ends.clone().flat_map(|u| (0..u).map(move |v| [rank(u), rank(v)]));
    Rows::of_pairs(&edges.collect::<Vec<_>>())
}

#[test]
fn row_tables_count_what_looking_up_counts() {
    for (name, bytes) in KERNELS {
        let table = |log2| Table::of(bytes, log2);
        let kernel = Kernel::named(name);
        for graph in rows::graphs() {
            for (block, lanes_log2) in [(32, 0), (32, 5), (64, 3), (128, 2)] {
                kernel.everywhere([LookUp::of(&graph, table(5), block, lanes_log2)]);
            }
            // One block, as many as there are tails, and entries behind the last.
            let usual = || LookUp::of(&graph, table(6), 64, 1);
            kernel.everywhere([
                LookUp { grid: 1, spare: 1, ..usual() },
                LookUp { grid: graph.rows.len() as u32 / TAILS + 2, spare: 3, ..usual() },
                LookUp { spare: 6, ..usual() },
            ]);
        }
        let random = (1u32..200, 0u32..34, any::<u64>());
        let random = random.prop_map(|(ranks, percent, seed)| Rows::random(ranks, percent, seed));
        let drawn = (random, 5u32..9, 1u32..4, 0u32..6, 1u32..5, 0usize..5).prop_map(
            move |(graph, log2, warps, lanes_log2, grid, spare)| LookUp {
                grid,
                spare,
                ..LookUp::of(&graph, table(log2), 32 * warps, lanes_log2)
            },
        );
        kernel.drawn(48, drawn);
        kernel.on_gpu(|| {
            let dense = Rows::random(1_500, 15, 1);
            [(64, 3), (256, 5), (512, 4)]
                .map(|(block, lanes)| LookUp {
                    grid: 200,
                    ..LookUp::of(&dense, table(10), block, lanes)
                })
                .into()
        });
    }
}

/// From none to more than the list holds.
#[test]
fn row_tables_count_entries_whose_slots_are_taken() {
    for &(name, bytes) in &KERNELS[1..] {
        let table = |log2| Table::of(bytes, log2);
        let kernel = Kernel::named(name);
        for shared in [1, 2, 3, 4, 5, 9, SPILLED, SPILLED + 1, SPILLED + 2, SPILLED + 3] {
            kernel.everywhere([LookUp::of(&some_spilled(shared), table(5), 64, 2)]);
        }
        kernel.everywhere([LookUp::of(&all_spilled(60), table(5), 32, 3)]);
    }
}

/// The last rank that a slot can tell from an empty one, and ranks that agree in all but their highest bits.
#[test]
fn row_tables_tell_ranks_by_all_of_their_bits() {
    let kernel = Kernel::named("row_tables_8");
    let most = 255 << SLOTS_LOG2.start();
    let apart = [0, 32, 64, most / 2, most / 2 + 32, most - 33, most - 2, most - 1];
    let edges = |ranks: &[u32]| {
        let pairs = ranks.iter().flat_map(|&u| ranks.iter().map(move |&v| [u, v]));
        Rows::of_pairs(&pairs.filter(|[u, v]| u > v).collect::<Vec<_>>())
    };
    let clique = edges(&apart);
    assert_eq!(clique.rows.len(), most as usize);
    // Rows with no rank in common, but for their lowest bits.
    let mut pairs: Vec<[u32; 2]> = (0..8).map(|k| [1_000, 32 * k]).collect();
    pairs.extend((0..8).map(|k| [900, 32 * k + 512]));
    pairs.push([1_000, 900]);
    for graph in [clique, Rows::of_pairs(&pairs)] {
        let slots = Table::Slots { log2: *SLOTS_LOG2.start(), bytes: 1 };
        kernel.everywhere([LookUp::of(&graph, slots, 32, 3)]);
    }
}
