//! Triangles by the directions of their edges on the GPU (docs/engines.md).
//!
//! The directions come from the host, a byte an edge, and go up again for each result: 25 µs a million edges, where the
//! triangles take milliseconds.

use tribin_kernels::directed_triangles::{
    self, BLOCK, MOST_AT_ONCE, directed_codes, directed_kinds, directed_thirds, shared_bytes,
    words_of_edge,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::{ROUNDING, longest_row};
use crate::device_graph::DeviceGraph;
use crate::graph::{DOWN, UP};
use tribin_analytics::cpu::directed::{CODES, KINDS};

const _: () = assert!(directed_triangles::DOWN == DOWN && directed_triangles::UP == UP);
const _: () = assert!(directed_triangles::KINDS == KINDS as u64);

/// Blocks a multiprocessor of the kernel that finds kinds: edges differ in their wedges, and who is done early takes
/// others.
const KIND_BLOCKS: u32 = 512;

/// Blocks a multiprocessor of the kernel that counts codes: each adds 27 numbers a warp up at its end.
const CODE_BLOCKS: u32 = 64;

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

/// The longest row with numbers of 16 bits: they count less than the row's entries.
pub const LONGEST_NARROW: u32 = 1 << 16;

/// Bytes of device memory that [`kinds`] takes beside the graph.
pub fn memory_for_kinds(edges: u64, ranks: u64, wide: bool) -> u64 {
    (1 + 8 * words_of_edge(wide)) * edges + 8 * KINDS as u64 * ranks + ROUNDING
}

/// Bytes of device memory that [`codes`] takes beside the graph.
pub fn memory_for_codes(edges: u64) -> u64 {
    edges + ROUNDING
}

/// Whether 32 bits are needed for the numbers of an edge, with rows of up to `longest_narrow` entries, at most
/// [`LONGEST_NARROW`], in 16. O(n) work.
///
/// # Errors
/// What the device reports.
pub fn is_wide<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    longest_narrow: u32,
) -> Result<bool, D::Error> {
    assert!(longest_narrow <= LONGEST_NARROW, "more than 16 bits: {longest_narrow}");
    if graph.rows.is_empty() {
        return Ok(false);
    }
    Ok(longest_row(device, graph)?.to_vec(device)?[0] > longest_narrow)
}

/// The numbers of directed triangles at each rank, by kind; `bits` has the directions by place. `wide` is what
/// [`is_wide`] says.
///
/// O(m^1.5) work; memory: [`memory_for_kinds`]. Exact: sums have 64 bits, and a rank has fewer than 2⁴⁵ triangles.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there is not a byte for each edge.
pub fn kinds<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    bits: &[u8],
    wide: bool,
) -> Result<Vec<[u64; KINDS]>, D::Error> {
    let (m, ranks) = (graph.edges, graph.rows.len() / 2);
    assert_eq!(bits.len() as u64, m, "a byte for each edge");
    let mut found = vec![[0; KINDS]; ranks as usize];
    if m == 0 {
        return Ok(found);
    }
    let bits = Buffer::from_host(device, bits)?;
    let mut kinds = Buffer::<u64, D>::zeroed(device, directed_triangles::KINDS * ranks)?;
    let mut thirds = Buffer::<u64, D>::zeroed(device, m * words_of_edge(wide))?;
    let over_edges = |blocks| Shape::cover(m, BLOCK, device.multiprocessors() * blocks);
    directed_kinds(
        device,
        over_edges(KIND_BLOCKS),
        graph.oriented(),
        bits.view(),
        kinds.view_mut(),
        thirds.view_mut(),
        u32::from(wide),
        m,
    )?;
    directed_thirds(
        device,
        over_edges(BLOCKS),
        graph.heads.view(),
        bits.view(),
        thirds.view(),
        kinds.view_mut(),
        u32::from(wide),
        m,
    )?;
    kinds.download(device, 0, found.as_flattened_mut())?;
    Ok(found)
}

/// The number of triangles of each code; `bits` has the directions by place. Exact: there are fewer than 2⁴⁸.
///
/// O(m^1.5) work; memory: [`memory_for_codes`].
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there is not a byte for each edge.
pub fn codes<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    bits: &[u8],
) -> Result<[u64; CODES], D::Error> {
    let m = graph.edges;
    assert_eq!(bits.len() as u64, m, "a byte for each edge");
    let mut codes = [0; CODES];
    if m == 0 {
        return Ok(codes);
    }
    let bits = Buffer::from_host(device, bits)?;
    let mut found = Buffer::<u64, D>::zeroed(device, directed_triangles::CODES.into())?;
    let shape = Shape::cover(m, BLOCK, device.multiprocessors() * CODE_BLOCKS);
    directed_codes(
        device,
        shape.shared(shared_bytes(BLOCK)),
        graph.oriented(),
        bits.view(),
        found.view_mut(),
        MOST_AT_ONCE,
        m,
    )?;
    for (number, count) in found.to_vec(device)?.into_iter().enumerate() {
        // A direction d has the bits d + 1.
        let [ua, ub, ab] = [number / 9, number / 3 % 3, number % 3].map(|direction| direction + 1);
        codes[ua | ub << 2 | ab << 4] = count;
    }
    Ok(codes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use warpwise_device::emulated::{Config, Emulator};
    use warpwise_device::launch::Metered;

    use super::*;
    use crate::Graph;
    use crate::control::Context;
    use crate::device_graph::upload_rows;
    use tribin_analytics::cpu::directed::{self, TRIANGLES};
    use tribin_cpu::prepare::{directions, prepare};

    /// Checks that the triangles by direction and the census are the CPU's, with numbers of 16 and of 32 bits,
    /// and take no more memory than was predicted.
    fn check(graph: &Graph) {
        let context = Context::silent();
        let oriented = prepare(graph.edges(), graph.vertex_bound()).oriented;
        let directions = directions(graph, &oriented, &context).unwrap();
        let device =
            Metered::new(Emulator::with(Config { multiprocessors: 1, ..Config::seeded(1) }));
        let there = upload_rows(&device, &oriented).unwrap();
        let (edges, ranks) = (oriented.edges(), oriented.vertices() as u64);
        let held = device.live_bytes();
        let metered = |needed: u64, what: &str| {
            let took = device.peak_bytes() - held;
            assert!(took <= needed, "{what}: {took} bytes, and {needed} predicted");
            device.reset_peak();
        };
        device.reset_peak();
        let expected = directed::at_corners(&oriented, &directions, &TRIANGLES, &context).unwrap();
        for longest_narrow in [0, LONGEST_NARROW] {
            let wide = is_wide(&device, &there, longest_narrow).unwrap();
            assert_eq!(wide, longest_narrow == 0 && edges > 0);
            assert_eq!(kinds(&device, &there, &directions.bits, wide).unwrap(), expected);
            metered(memory_for_kinds(edges, ranks, wide), "kinds");
        }
        let expected = directed::codes(&oriented, &directions, &context).unwrap();
        assert_eq!(codes(&device, &there, &directions.bits).unwrap(), expected);
        metered(memory_for_codes(edges), "codes");
    }

    #[test]
    fn graphs_of_each_sort_are_the_cpu_s() {
        let hub = (1..400u32).flat_map(|v| [[0, v], [v, v % 7], [v, v / 2]]);
        let clique = (0..40u32)
            .flat_map(|u| (0..u).map(move |v| if (u + v) % 3 == 0 { [u, v] } else { [v, u] }));
        let mutual = clique.clone().chain(clique.clone().step_by(2).map(|[u, v]| [v, u]));
        for entries in [
            vec![],
            vec![[3, 3]],
            vec![[0, 1], [1, 2], [2, 0]],
            hub.clone().collect(),
            clique.clone().collect(),
            mutual.chain(hub).collect(),
        ] {
            let graph = Graph::from_edges(entries);
            check(&graph);
            check(&graph.with_both_directions());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn any_multigraph_is_the_cpu_s(
            entries in prop::collection::vec(prop::array::uniform2(0u32..24), 0..200),
        ) {
            check(&Graph::from_edges(entries));
        }
    }
}
