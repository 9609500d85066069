//! From edges in the memory of a device to a prepared graph.

use std::time::{Duration, Instant};

use tribin_device::launch::{Buffer, Device, Shape, View};
use tribin_kernels::device_edges::{BLOCK, pack_edges_32, pack_edges_64};

use super::{Accelerator, OnGpu, held};
use crate::control::memory;
use crate::control::{Context, Phase};
use crate::graph::{DeviceColumn, DeviceEdges};
use crate::plan::{Place, place};
use crate::prepare::gpu;
use crate::read::ids;
use crate::session::engine::FromDevice;
use crate::{Error, Graph, Message, Result, VertexIds};

/// What graphs of edges in device memory are called.
pub(crate) const NAME: &str = "(device memory)";

/// The entries as tribin has them, in memory of the device, and the largest id.
struct Packed<D: Device> {
    edges: Buffer<u64, D>,
    largest: u64,
}

fn fault(message: impl Into<Message>) -> Error {
    Error::Input { file: NAME.into(), message: message.into() }
}

/// Ids from the first of a column to its last.
fn span(edges: &DeviceEdges, column: DeviceColumn) -> u64 {
    (edges.entries - 1).saturating_mul(column.step).saturating_add(1)
}

fn pack<D: Device>(device: &D, from: &DeviceEdges) -> Result<Packed<D>, D::Error> {
    let m = from.entries;
    let shape = Shape::cover(m, BLOCK, device.multiprocessors() * 8);
    let mut edges = Buffer::uninitialized(device, m)?;
    let mut largest = Buffer::zeroed(device, 1)?;
    let [sources, targets] = from.columns;
    let (steps, to) = ([sources.step, targets.step], (edges.view_mut(), largest.view_mut()));
    if from.ids.bytes() == 4 {
        // SAFETY: who made the edges promised that the columns are alive, aligned, of this device and not written
        // to; they are read before this function returns.
        let [sources, targets] = from.columns.map(|column| unsafe {
            View::<u32, D>::from_raw_parts(device, column.address, span(from, column))
        });
        pack_edges_32(device, shape, sources, targets, to.0, to.1, steps[0], steps[1], m)?;
    } else {
        // SAFETY: as above.
        let [sources, targets] = from.columns.map(|column| unsafe {
            View::<u64, D>::from_raw_parts(device, column.address, span(from, column))
        });
        pack_edges_64(device, shape, sources, targets, to.0, to.1, steps[0], steps[1], m)?;
    }
    // The copy waits for the kernel.
    let largest = largest.to_vec(device)?[0];
    Ok(Packed { edges, largest })
}

/// A column in host memory.
fn download<D: Accelerator>(
    device: &D,
    from: &DeviceEdges,
    column: DeviceColumn,
) -> Result<Vec<u64>> {
    let no_memory = |refused: memory::NoMemory| fault(refused.to_string());
    let (span, entries) = (span(from, column) as usize, from.entries as usize);
    let bytes = from.ids.bytes() as usize;
    let mut raw = memory::zeroed::<u8>(span * bytes).map_err(no_memory)?;
    // SAFETY: who made the edges promised that this range is alive and of this device.
    unsafe { device.download(column.address, &mut raw) }
        .map_err(|error| -> Error { error.into() })?;
    let mut ids = memory::with_capacity(entries).map_err(no_memory)?;
    let step = column.step as usize;
    ids.extend((0..entries).map(|entry| {
        let id = &raw[entry * step * bytes..][..bytes];
        match bytes {
            4 => u64::from(u32::from_ne_bytes(id.try_into().expect("four bytes"))),
            _ => u64::from_ne_bytes(id.try_into().expect("eight bytes")),
        }
    }));
    Ok(ids)
}

/// The graph of the same edges in host memory.
fn copy<D: Accelerator>(device: &D, from: &DeviceEdges) -> Result<Graph> {
    let [sources, targets] = from.columns.map(|column| download(device, from, column));
    let pairs = sources?.into_iter().zip(targets?);
    let graph = Graph::from_u64_edges(pairs)?.with_name(NAME.into());
    match from.vertices {
        Some(vertices) => graph.with_vertices(vertices as usize),
        None => Ok(graph),
    }
}

/// The first edge with an id above `most`, and that id.
fn first_above<D: Accelerator>(device: &D, from: &DeviceEdges, most: u64) -> Result<(usize, u64)> {
    let [sources, targets] = from.columns.map(|column| download(device, from, column));
    let mut pairs = sources?.into_iter().zip(targets?).enumerate();
    let above = |(row, (u, v)): (usize, (u64, u64))| {
        [u, v].into_iter().find(|&id| id > most).map(|id| (row, id))
    };
    pairs.find_map(above).ok_or_else(|| fault("the edges change while they are read"))
}

/// The error of ids that are negative numbers.
fn negative<D: Accelerator>(device: &D, from: &DeviceEdges) -> Result<Error> {
    let (row, id) = first_above(device, from, from.ids.largest())?;
    let id =
        if from.ids.bytes() == 4 { i64::from((id as u32).cast_signed()) } else { id.cast_signed() };
    Ok(fault(format!("edge {row}: vertex {id} is negative")))
}

/// The vertices that have a self-loop, ascending.
fn looped<D: Accelerator>(device: &D, from: &DeviceEdges) -> Result<Vec<u32>> {
    let packed = pack(device, from).map_err(|error| -> Error { error.into() })?;
    let edges = packed.edges.to_vec(device).map_err(|error| -> Error { error.into() })?;
    let ends = edges.into_iter().map(|edge| (edge as u32, (edge >> 32) as u32));
    let mut looped: Vec<u32> = ends.filter(|(u, v)| u == v).map(|(u, _)| u).collect();
    looped.sort_unstable();
    looped.dedup();
    Ok(looped)
}

impl<D: Accelerator> OnGpu<D> {
    /// Prepares edges that another library left on this device. They stay there, unless their ids have to be
    /// numbered anew or the device has no room for the sort: then the graph in host memory is returned.
    pub(super) fn take_edges(&self, edges: &DeviceEdges, context: &Context) -> Result<FromDevice> {
        let label = format!("gpu:{}", edges.gpu);
        if label != self.0.label {
            return Err(Error::Usage(
                format!(
                    "the edges are in the memory of {label}, and the device is {}",
                    self.0.label
                )
                .into(),
            ));
        }
        let bytes = edges.ids.bytes();
        if edges.columns.iter().any(|column| !column.address.is_multiple_of(bytes)) {
            return Err(fault(format!("ids of {bytes} bytes are not aligned to {bytes} bytes")));
        }
        if edges.entries == 0 {
            return Ok(FromDevice::Copied {
                graph: Graph::from_edges(Vec::<[u32; 2]>::new())
                    .with_name(NAME.into())
                    .with_vertices(edges.vertices.unwrap_or(0) as usize)?,
                because: "there are no edges".into(),
            });
        }
        context.cancel().check()?;
        context.phase(Phase::Orient);
        let start = Instant::now();
        let taken = self.0.driver.run_with_threads(|device| {
            let into = |error: D::Error| -> Error { error.into() };
            device.take_peak_memory()?;
            if let Some(stream) = edges.stream {
                // SAFETY: who made the edges promised that the stream is alive and of this device.
                unsafe { device.wait_for_stream(stream) }?;
            }
            let (needed, free) = (8 * edges.entries, self.0.free_beside(device, 0)?);
            if needed > free {
                return Err(self.0.too_large(needed, free));
            }
            let packed = pack(device, edges).map_err(into)?;
            if packed.largest > edges.ids.largest() {
                return Err(negative(device, edges)?);
            }
            let bound = match edges.vertices {
                Some(vertices) if packed.largest >= vertices => {
                    let (row, id) = first_above(device, edges, vertices.saturating_sub(1))?;
                    return Err(fault(format!(
                        "edge {row} has vertex {id}: vertices are below {vertices}"
                    )));
                }
                Some(vertices) => ids::checked_bound(vertices),
                None => ids::kept_bound(packed.largest, edges.entries),
            };
            let Some(bound) = bound else {
                let because = format!(
                    "the largest id is {}, and {} edges are numbered anew on the host",
                    packed.largest, edges.entries
                );
                drop(packed);
                return Ok(Err((copy(device, edges)?, because)));
            };
            let beside = super::beside_graph(edges.entries, bound.into());
            let placed = place(edges.entries, u64::from(bound), beside, free);
            if placed.choice != Place::Device {
                drop(packed);
                let reasons = placed.rejected.iter().flat_map(|rejected| &rejected.because);
                let reasons: Vec<String> = reasons.map(ToString::to_string).collect();
                return Ok(Err((copy(device, edges)?, reasons.join(", "))));
            }
            let prepared = gpu::prepare_keeping_vertices(device, packed.edges, u64::from(bound));
            let mut ready = prepared.map_err(into)?;
            ready.decisions.insert(0, placed.decision(super::WHO_PREPARES));
            let looped = match ready.figures.self_loops_dropped {
                0 => Vec::new(),
                _ if edges.vertices.is_some() => Vec::new(),
                _ => looped(device, edges)?,
            };
            Ok(Ok((ready, bound, looped)))
        })?;
        let (on_device, bound, looped) = match taken {
            Ok(taken) => taken,
            Err((graph, because)) => return Ok(FromDevice::Copied { graph, because }),
        };
        let all = start.elapsed();
        let clean = Duration::from_secs_f64(on_device.seconds.clean).min(all);
        let times = crate::prepare::cpu::PhaseTimes { clean, orient: all - clean };
        Ok(FromDevice::Held {
            held: held(self.0.clone(), on_device, times),
            ids: VertexIds::Identity { bound },
            declared: edges.vertices,
            looped,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use tribin_device::emulated::Emulator;
    use tribin_device::launch::Metered;

    use super::*;
    use crate::device::driver::Driver;
    use crate::graph::{DeviceIds, Summary};
    use crate::session::tests::{metered, on_cpu};
    use crate::session::{Options, Session};

    /// A device and the session on it. The driver has the device as long as either is there.
    fn on_device() -> (Arc<Driver<Metered<Emulator>>>, Session) {
        let engine = metered(None);
        let driver = engine.0.driver.clone();
        (driver, Session::with_engine(Box::new(engine), Options::default()).unwrap())
    }

    /// How two columns lie in memory.
    #[derive(Debug, Clone, Copy)]
    enum Layout {
        /// u0 v0 u1 v1 …
        Pairs,
        /// u0 u1 … v0 v1 …
        Rows,
        /// Every third place has a source, and targets are in an array of their own.
        Spread,
    }

    const LAYOUTS: [Layout; 3] = [Layout::Pairs, Layout::Rows, Layout::Spread];

    /// The two columns in one array, and where each begins and how far its ids are apart.
    fn laid_out(edges: &[[u64; 2]], layout: Layout) -> (Vec<u64>, [(u64, u64); 2]) {
        let m = edges.len() as u64;
        let [sources, targets] = [0, 1].map(|end| edges.iter().map(move |edge| edge[end]));
        match layout {
            Layout::Pairs => (edges.concat(), [(0, 2), (1, 2)]),
            Layout::Rows => (sources.chain(targets).collect(), [(0, 1), (m, 1)]),
            Layout::Spread => {
                let spread = sources.flat_map(|id| [id, 77, 78]);
                (spread.chain(targets).collect(), [(0, 3), (3 * m, 1)])
            }
        }
    }

    fn prepared(
        edges: &[[u64; 2]],
        layout: Layout,
        ids: DeviceIds,
    ) -> Result<crate::PreparedGraph> {
        let (driver, session) = on_device();
        let device = driver.device();
        let (array, columns) = laid_out(edges, layout);
        let narrow: Vec<u32> = array.iter().map(|&id| id as u32).collect();
        let (narrow, wide) = (
            Buffer::from_host(device, &narrow).unwrap(),
            Buffer::from_host(device, &array).unwrap(),
        );
        let start = if ids.bytes() == 4 { narrow.view().address() } else { wide.view().address() };
        let columns = columns
            .map(|(first, step)| DeviceColumn { address: start + first * ids.bytes(), step });
        // SAFETY: both buffers live until the graph is made, and nothing writes to them.
        let edges = unsafe { DeviceEdges::new(0, ids, columns, edges.len() as u64).ready_on(1) };
        session.prepare_device_edges(&edges)
    }

    fn check(edges: &[[u64; 2]]) {
        let graph = Graph::from_u64_edges(edges).unwrap();
        let known = on_cpu().prepare(&graph).unwrap();
        let largest = edges.iter().flatten().max().copied().unwrap_or(0);
        for ids in [DeviceIds::U32, DeviceIds::I32, DeviceIds::U64, DeviceIds::I64] {
            if largest > ids.largest() {
                continue;
            }
            for layout in LAYOUTS {
                let found = prepared(edges, layout, ids).unwrap();
                let undirected = |summary: Summary| Summary { reciprocal_dropped: None, ..summary };
                assert_eq!(
                    undirected(found.summary()),
                    undirected(known.summary()),
                    "{layout:?} {ids:?}"
                );
                assert_eq!(found.vertex_bound(), known.vertex_bound());
                assert_eq!(found.count().unwrap().triangles, known.count().unwrap().triangles);
                assert_eq!(found.local().unwrap(), known.local().unwrap());
                assert_eq!(
                    found.stats().unwrap().vertices_all,
                    known.stats().unwrap().vertices_all
                );
                for vertex in 0..known.vertex_bound() as u32 {
                    assert_eq!(found.ids().number(vertex), known.ids().number(vertex));
                }
            }
        }
    }

    #[test]
    fn every_layout_and_type_gives_the_graph() {
        check(&[[0, 1], [1, 2], [2, 0], [2, 3], [3, 3], [1, 0], [9, 9]]);
        check(&[[5, 6]]);
        check(&[]);
    }

    #[test]
    fn ids_with_gaps_are_numbered_anew() {
        check(&[[7, u64::from(u32::MAX)], [1 << 31, 7], [u64::from(u32::MAX), 1 << 31]]);
        check(&[[7, u64::MAX], [1 << 40, 7], [u64::MAX, 1 << 40], [7, 7]]);
        let far = prepared(&[[1, 1 << 40]], Layout::Rows, DeviceIds::I64).unwrap();
        assert_eq!(
            far.copied(),
            Some("the largest id is 1099511627776, and 1 edges are numbered anew on the host")
        );
    }

    #[test]
    fn negative_ids_are_named() {
        for (ids, id) in [(DeviceIds::I32, 0xffff_fffe), (DeviceIds::I64, u64::MAX - 1)] {
            let edges = [[0, 1], [3, id], [id, 4]];
            let error = prepared(&edges, Layout::Pairs, ids).unwrap_err();
            assert_eq!(error.to_string(), "(device memory): edge 1: vertex -2 is negative");
        }
    }

    #[test]
    fn vertices_may_be_declared() {
        let prepare = |vertices| {
            let (driver, session) = on_device();
            let ids = Buffer::from_host(driver.device(), &[0u32, 1, 1, 2, 2, 0, 4, 4]).unwrap();
            let address = ids.view().address();
            let columns = [0, 4].map(|offset| DeviceColumn { address: address + offset, step: 2 });
            // SAFETY: the buffer lives until the graph is made.
            let edges = unsafe { DeviceEdges::new(0, DeviceIds::U32, columns, 4) };
            session.prepare_device_edges(&edges.with_vertices(vertices))
        };
        let graph = prepare(9).unwrap();
        assert_eq!((graph.vertex_bound(), graph.stats().unwrap().vertices_all), (9, 9));
        assert_eq!(graph.count().unwrap().triangles, 1);
        let error = prepare(4).unwrap_err().to_string();
        assert_eq!(error, "(device memory): edge 3 has vertex 4: vertices are below 4");
    }

    #[test]
    fn edges_stay_on_their_device() {
        let (driver, session) = on_device();
        let device = driver.device();
        let edges: Vec<[u64; 2]> = (0..8_000).flat_map(|v| [[v, v + 1], [v, v + 2]]).collect();
        let array: Vec<u32> = edges.as_flattened().iter().map(|&id| id as u32).collect();
        let array = Buffer::from_host(device, &array).unwrap();
        let address = array.view().address();
        let columns = [0, 4].map(|offset| DeviceColumn { address: address + offset, step: 2 });
        // SAFETY: the buffer lives until the end.
        let edges = unsafe { DeviceEdges::new(0, DeviceIds::U32, columns, 16_000) };
        let uploaded = device.uploaded_bytes();
        let graph = session.prepare_device_edges(&edges).unwrap();
        assert_eq!(graph.count().unwrap().triangles, 7_999);
        assert_eq!((device.uploaded_bytes() - uploaded, graph.copied()), (0, None));
        // Figures, flags and totals: much less than the 128,000 bytes of the edges.
        assert!(device.downloaded_bytes() < 32_000, "{}", device.downloaded_bytes());
    }

    #[test]
    fn another_device_is_refused() {
        // SAFETY: nothing is read of no edges.
        let edges = unsafe {
            DeviceEdges::new(3, DeviceIds::U32, [DeviceColumn { address: 0, step: 1 }; 2], 0)
        };
        for (session, device) in [(on_device().1, "gpu:0"), (on_cpu(), "cpu")] {
            let error = session.prepare_device_edges(&edges).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("the edges are in the memory of gpu:3, and the device is {device}")
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn any_edges_give_the_graph(
            edges in prop::collection::vec(prop::array::uniform2(0u64..24), 1..80),
        ) {
            check(&edges);
        }
    }
}
