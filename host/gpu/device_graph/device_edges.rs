//! Edges that another library holds in a GPU's memory.

use tribin_base::Result;

use crate::device::cuda;

/// Edges that another library holds in a GPU's memory: two columns of ids, each with a step of its own, so that
/// pairs side by side, two rows of one array and two arrays are all read where they lie.
///
/// `Input::on_gpus` is the graph that they make. It reads them
/// once and does not keep them. Edges that are spread over several GPUs are several shares, each such a value.
#[derive(Debug, Clone)]
pub struct DeviceEdges {
    #[doc(hidden)]
    pub gpu: u32,
    #[doc(hidden)]
    pub ids: DeviceIds,
    #[doc(hidden)]
    pub columns: [DeviceColumn; 2],
    #[doc(hidden)]
    pub entries: u64,
    #[doc(hidden)]
    pub stream: Option<u64>,
    #[doc(hidden)]
    pub vertices: Option<u64>,
}

/// The type of ids in device memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceIds {
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 64 bits.
    I64,
}

impl DeviceIds {
    /// Bytes of an id.
    pub fn bytes(self) -> u64 {
        match self {
            DeviceIds::U32 | DeviceIds::I32 => 4,
            DeviceIds::U64 | DeviceIds::I64 => 8,
        }
    }

    /// The largest id that is not a negative number.
    pub fn largest(self) -> u64 {
        match self {
            DeviceIds::U32 => u64::from(u32::MAX),
            DeviceIds::I32 => i32::MAX as u64,
            DeviceIds::U64 => u64::MAX,
            DeviceIds::I64 => i64::MAX as u64,
        }
    }
}

/// A column of ids in device memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceColumn {
    /// The address of the first id.
    pub address: u64,
    /// Ids from one edge's to the next one's: 1 for an array, 2 for pairs side by side.
    pub step: u64,
}

/// Edges in one GPU's memory are one share.
impl AsRef<[DeviceEdges]> for DeviceEdges {
    fn as_ref(&self) -> &[DeviceEdges] {
        std::slice::from_ref(self)
    }
}

impl DeviceEdges {
    /// `entries` edges between the ids of two columns in the memory of a GPU, which the driver numbers from 0.
    ///
    /// ```no_run
    /// use tribin::graph::{DeviceColumn, DeviceEdges, DeviceIds};
    /// use tribin::{Input, Options, Session};
    ///
    /// # let (address, entries) = (0, 0);
    /// // Pairs of 32-bit ids, one after the other.
    /// let columns = [0, 4].map(|offset| DeviceColumn { address: address + offset, step: 2 });
    /// // SAFETY: the memory is alive, and nothing writes to it.
    /// let edges = unsafe { DeviceEdges::new(0, DeviceIds::U32, columns, entries) };
    /// let graph = Session::open(Options::default())?.prepare(Input::on_gpus(&edges))?;
    /// println!("{}", graph.count()?.triangles);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Safety
    /// Until the value and its clones are dropped: for each `i` below `entries` the id at `address + i * step *
    /// ids.bytes()` of each column lies inside a live allocation of that GPU in its primary context, one
    /// allocation for a column, aligned to an id's size; and nothing writes to it but work that
    /// [`ready_on`](Self::ready_on) names.
    pub unsafe fn new(
        gpu: u32,
        ids: DeviceIds,
        columns: [DeviceColumn; 2],
        entries: u64,
    ) -> DeviceEdges {
        DeviceEdges { gpu, ids, columns, entries, stream: None, vertices: None }
    }

    /// Says that the edges are there when all work is done that was asked for so far on a stream: the driver's
    /// handle, or 1 for the legacy default stream and 2 for that of the calling thread.
    ///
    /// # Safety
    /// The stream is alive and of the same GPU until the value and its clones are dropped.
    pub unsafe fn ready_on(self, stream: u64) -> DeviceEdges {
        DeviceEdges { stream: Some(stream), ..self }
    }

    /// Says that the edges are of a graph with the vertices `0..vertices`, those without an edge among them.
    pub fn with_vertices(self, vertices: u64) -> DeviceEdges {
        DeviceEdges { vertices: Some(vertices), ..self }
    }

    /// The number of the GPU in whose memory an address lies; `None` where it is in no GPU's memory.
    ///
    /// # Errors
    /// [`Error::Device`](tribin_base::Error::Device) without an NVIDIA driver.
    pub fn gpu_of(address: u64) -> Result<Option<u32>> {
        Ok(cuda::gpu_of(address)?.map(|ordinal| ordinal as u32))
    }

    /// The number of the GPU in whose memory they are.
    pub fn gpu(&self) -> u32 {
        self.gpu
    }

    /// The GPU in whose memory the edges are, as `--device` takes it.
    pub fn label(&self) -> String {
        format!("gpu:{}", self.gpu)
    }

    /// How many there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }
}
