//! What every counting method on a GPU is, and the list of them.

use tribin_device::launch::Device;

use super::bloom_filters::BloomFilters;
use super::forward::gpu::CountShape;
use super::hub_product::BitMatrix;
use super::narrow_bloom_filters::NarrowBloomFilters;
use super::row_tables::RowTables;
use super::segments::Segments;
use crate::graph::DeviceGraph;

/// How long a method takes on an NVIDIA H200, for predictions. They are printed, and a
/// matrix of all ranks is chosen by them (`plan/counting/matrix.rs`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Seconds to build what stands beside the graph, for each of its edges.
    pub build: f64,
    /// Seconds to count, for each wedge of the oriented graph.
    pub count: f64,
}

/// A method that counts the triangles of an oriented graph on a device, where its edges lie.
///
/// It builds what it needs beside the graph, and then counts. The value itself is the method's settings.
pub trait Method {
    /// How long it takes.
    const RATES: Rates;

    /// Whether several devices can each count a share of the edges. Otherwise the first counts all.
    const IN_SHARES: bool = true;

    /// What it builds beside the graph.
    type Beside<D: Device>;

    /// Bytes of device memory that it takes beside a graph of these sizes, at most.
    fn bytes(&self, edges: u64, ranks: u64) -> u64;

    /// Builds what stands beside the graph.
    ///
    /// # Errors
    /// What the device reports.
    fn build<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
    ) -> Result<Self::Beside<D>, D::Error>;

    /// Counts the triangles that the edges of the graph's share close. A graph of m < 2³² edges has less than 2⁴⁷
    /// ([`forward_merge`](tribin_kernels::forward::forward_merge) says why).
    ///
    /// # Errors
    /// What the device reports.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        beside: &Self::Beside<D>,
    ) -> Result<u64, D::Error>;
}

/// What was counted, and how long it took on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counted {
    /// Triangles.
    pub triangles: u64,
    /// Seconds to build what stands beside the graph.
    pub build: f64,
    /// Seconds to count.
    pub count: f64,
}

/// Builds and counts; the time from `start` on is the building's.
///
/// # Errors
/// What the device reports.
pub fn run<M: Method, D: Device>(
    method: &M,
    device: &D,
    graph: &DeviceGraph<D>,
    start: &D::Event,
) -> Result<Counted, D::Error> {
    if graph.edges == 0 || !M::IN_SHARES && graph.share.number > 0 {
        return Ok(Counted::default());
    }
    let beside = method.build(device, graph)?;
    let built = device.record()?;
    let triangles = method.count(device, graph, &beside)?;
    let counted = device.record()?;
    Ok(Counted {
        triangles,
        build: device.seconds_between(start, &built)?,
        count: device.seconds_between(&built, &counted)?,
    })
}

/// One of the methods, with its settings.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident($settings:ty),)*) => {
        /// A counting method and its settings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum InPlace {
            $($(#[$doc])* $name($settings),)*
        }

        impl InPlace {
            /// How long it takes.
            pub fn rates(&self) -> Rates {
                match self {
                    $(InPlace::$name(_) => <$settings as Method>::RATES,)*
                }
            }

            /// Bytes of device memory that it takes beside a graph of these sizes, at most.
            pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
                match self {
                    $(InPlace::$name(settings) => settings.bytes(edges, ranks),)*
                }
            }

            /// Builds and counts; the time from `start` on is the building's.
            ///
            /// # Errors
            /// What the device reports.
            pub fn run<D: Device>(
                &self,
                device: &D,
                graph: &DeviceGraph<D>,
                start: &D::Event,
            ) -> Result<Counted, D::Error> {
                match self {
                    $(InPlace::$name(settings) => run(settings, device, graph, start),)*
                }
            }
        }
    };
}

// A new method has a line here, and a rule in `plan/counting` that says when it is taken.
methods! {
    /// Edges that close no triangle are told by a few bits for each row.
    NarrowBloomFilters(NarrowBloomFilters),
    /// Wedges that do not close are told by 64 bytes for each row.
    BloomFilters(BloomFilters),
    /// Rows are merged as segments of 32 ranks.
    Segments(Segments),
    /// Rows are merged entry by entry.
    Merge(CountShape),
    /// The rows of heads are looked up in a table of their tail's row.
    RowTables(RowTables),
    /// All ranks as a matrix of bits.
    BitMatrix(BitMatrix),
}
