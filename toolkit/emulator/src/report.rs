//! What the emulator reports.

use std::fmt;
use std::panic::Location;

use warpwise_launch::Shape;

use crate::config::SEED_VARIABLE;
use crate::launch::MOST_SHARED;

/// The error of the emulator. The text is complete, also where `main` returns it.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum EmulatorError {
    /// A defect of the kernel, or of how it was launched.
    #[error(transparent)]
    Finding(#[from] Box<Finding>),
    /// The host has not enough memory.
    #[error("emulator: no host memory for an allocation of {bytes} bytes: use a smaller input")]
    OutOfMemory {
        /// Bytes that were asked for.
        bytes: u64,
    },
    /// The operating system gave no stack for a thread.
    #[error("emulator: no stack for an emulated thread ({message}): use smaller blocks")]
    NoStack {
        /// What the operating system said.
        message: String,
    },
    /// Device memory was named that is no live allocation.
    #[error(
        "emulator: {what}: bytes {address:#x}..+{bytes} do not lie in one live allocation: \
         pass a range of a buffer of this device that still exists"
    )]
    Range {
        /// The user of the range: `fill`, `upload`, `download`, or the kernel and its parameter.
        what: String,
        /// The address where the range starts.
        address: u64,
        /// The length of the range in bytes.
        bytes: u64,
    },
    /// The host asked for device memory that nobody wrote.
    #[error(
        "emulator: download: byte {at} of {bytes} was never written: \
         read no more than what kernels and uploads wrote"
    )]
    Unwritten {
        /// The first byte that nobody wrote, from where the download starts.
        at: u64,
        /// How long the download is.
        bytes: u64,
    },
    /// A launch that no GPU would take.
    #[error(
        "emulator: kernel {kernel}: {shape}: launch at least 1 and at most 2^31 - 1 x 65535 x 65535 blocks of 1024 x 1024 x 64 \
         threads, 1024 in all, with at most {} bytes, and 1 to 8 blocks in a cluster, of which a row of the grid is a multiple",
        MOST_SHARED
    )]
    Shape {
        /// The kernel.
        kernel: &'static str,
        /// The blocks, their threads, and their shared memory.
        shape: Shape,
    },
    /// A launch of a kernel that the PTX has not, or has with other parameters.
    #[error(
        "emulator: kernel {kernel} is not in the PTX, or takes other parameters there: declare it in the module that the \
         build script names, and behind no feature"
    )]
    NotInPtx {
        /// The kernel.
        kernel: &'static str,
    },
    /// More threads than the emulator numbers.
    #[error("emulator: kernel {kernel}: {threads} threads: launch at most 2^32 - 1")]
    TooManyThreads {
        /// The kernel.
        kernel: &'static str,
        /// Threads of the grid.
        threads: u64,
    },
    /// Blocks that wait for one another are more than are under way at a time.
    #[error(
        "emulator: kernel {kernel}: {blocks} blocks wait for one another, and {most} are under way at a time: \
         launch no more, or set more resident blocks"
    )]
    NotTogether {
        /// The kernel.
        kernel: &'static str,
        /// Blocks of the grid.
        blocks: u32,
        /// How many are under way.
        most: u32,
    },
    /// The environment's seed is no number.
    #[error(
        "{SEED_VARIABLE}={text:?} is no seed: set a decimal number, or a hexadecimal one after 0x"
    )]
    Seed {
        /// The seed as the environment has it.
        text: String,
    },
}

impl fmt::Debug for EmulatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl EmulatorError {
    /// The finding, if it is one.
    pub fn finding(&self) -> Option<&Finding> {
        match self {
            EmulatorError::Finding(finding) => Some(finding),
            _ => None,
        }
    }
}

/// A defect of a kernel: what, who and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The class of the defect.
    pub kind: Kind,
    /// The kernel's name.
    pub kernel: &'static str,
    /// The block, by its number in the grid: along x first, then y, then z.
    pub block: u32,
    /// The thread, by its number in the block, along the same axes.
    pub thread: u32,
    /// The array, where one is accessed.
    pub array: Option<Array>,
    /// The element of the array.
    pub index: Option<u64>,
    /// The line of the kernel.
    pub location: Option<&'static Location<'static>>,
    /// The other thread, of defects that need two.
    pub other: Option<Other>,
    /// The value of `WARPWISE_EMU_SEED` for the same schedule.
    pub seed: u64,
    /// The number of the emulator's launch, from 1.
    pub launch: u32,
}

/// A class of defects.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An index past its array.
    OutOfBounds {
        /// The way in which the array is accessed.
        access: Access,
        /// Elements of the array.
        len: u64,
    },
    /// A store to a parameter that is only read.
    ReadOnly,
    /// A read of memory that nothing wrote.
    Uninitialized,
    /// An array in shared memory that is not aligned to its element, or a bulk copy whose bytes or addresses are no multiples of 16.
    Misaligned,
    /// An array in shared memory that ends past what the launch gave.
    SharedTooSmall {
        /// Where the array ends, in bytes.
        end: u64,
        /// Bytes of shared memory of the block.
        given: u32,
    },
    /// An array of a [layout](crate::intrinsics::SharedBase::claim) that overlaps another array of a layout.
    SharedOverlap {
        /// Where the other array starts, in bytes.
        other_start: u32,
        /// Where the other array ends, in bytes.
        other_end: u32,
    },
    /// An access to shared memory that an asynchronous copy may still be writing: nothing waited for the copy.
    CopyNotAwaited {
        /// The way in which the array is accessed.
        access: Access,
    },
    /// Two unordered accesses to one element, one of them writing and not both atomic.
    Race {
        /// The access of the finding's thread.
        access: Access,
    },
    /// Threads of a block that do not meet at one barrier.
    BarrierDivergence,
    /// An access to the shared memory of another block of the cluster that may not have started, or that may have returned
    /// (`returns`): a barrier of the cluster is missing before or behind it.
    ClusterNotMet {
        /// Whether the barrier is missing behind it.
        returns: bool,
    },
    /// A block that the cluster has not.
    OutsideCluster {
        /// The rank of the block.
        rank: u32,
        /// Blocks of the cluster.
        blocks: u32,
    },
    /// Lanes of a mask that do not meet in one warp operation.
    WarpDivergence {
        /// The mask of the finding's thread.
        mask: u32,
    },
    /// A warp operation whose mask does not name the calling lane.
    LaneNotInMask {
        /// The mask.
        mask: u32,
    },
    /// Threads that wait for one another.
    Deadlock,
    /// The block does not end: nothing changes any more, or a limit of [`Config`](crate::Config) was reached.
    NeverEnds {
        /// Steps that the block took.
        steps: u64,
    },
    /// The body panicked.
    Panic {
        /// What the panic said.
        message: String,
    },
}

/// The kind of an access to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// An ordinary load.
    Read,
    /// An ordinary store.
    Write,
    /// An atomic load.
    AtomicRead,
    /// An atomic store or read-modify-write.
    AtomicUpdate,
}

/// An array of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Array {
    /// A parameter, by its name.
    Global(&'static str),
    /// An array in shared memory, by where it starts.
    Shared {
        /// Bytes from the start of the block's shared memory.
        byte_offset: u32,
    },
}

/// The other thread of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Other {
    /// The other thread's block.
    pub block: u32,
    /// The other thread's index in its block.
    pub thread: u32,
    /// What the other thread did or does.
    pub doing: Doing,
    /// The line of the kernel where the other thread did it.
    pub location: Option<&'static Location<'static>>,
}

/// The state or the act of the other thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// The thread accessed the element.
    Accessed(Access),
    /// The thread has returned.
    Returned,
    /// The thread waits at a barrier of the block.
    AtBarrier,
    /// The thread waits in a warp operation.
    InWarpOperation {
        /// The mask of the warp operation.
        mask: u32,
    },
    /// The thread is neither waiting nor done.
    Running,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::AtomicRead => "atomic read",
            Access::AtomicUpdate => "atomic update",
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::OutOfBounds { access, len } => {
                write!(f, "{access} out of bounds of {len} elements")
            }
            Kind::ReadOnly => f.write_str("write to a parameter that is only read"),
            Kind::Uninitialized => f.write_str("read of memory that nothing wrote"),
            Kind::Misaligned => {
                f.write_str("access that is not aligned to its element, or a bulk copy to 16 bytes")
            }
            Kind::SharedTooSmall { end, given } => {
                write!(f, "shared array ends at byte {end} of {given}")
            }
            Kind::SharedOverlap { other_start, other_end } => {
                write!(f, "shared array overlaps the one at bytes {other_start} to {other_end}")
            }
            Kind::CopyNotAwaited { access } => {
                write!(f, "{access} of memory that an asynchronous copy writes, before the wait")
            }
            Kind::Race { access } => write!(f, "{access} that races"),
            Kind::BarrierDivergence => f.write_str("threads do not meet at one barrier"),
            Kind::ClusterNotMet { returns } => {
                let (may, missing) = match returns {
                    true => ("have returned", "behind"),
                    false => ("not have started", "before"),
                };
                write!(
                    f,
                    "access to shared memory of a block that may {may}: a barrier of the cluster is missing {missing} it"
                )
            }
            Kind::OutsideCluster { rank, blocks } => {
                write!(f, "block {rank} of a cluster of {blocks}")
            }
            Kind::WarpDivergence { mask } => {
                write!(f, "lanes of mask {mask:#010x} do not meet in one warp operation")
            }
            Kind::LaneNotInMask { mask } => {
                write!(f, "calling lane is not in its mask {mask:#010x}")
            }
            Kind::Deadlock => f.write_str("threads wait for one another"),
            Kind::NeverEnds { steps } => {
                write!(
                    f,
                    "block does not end after {steps} steps: it waits for what does not come, perhaps for a block that has no room to \
                     run (`resident_blocks` of `Config`), or it reads for longer (`idle_limit` and `step_limit`)"
                )
            }
            Kind::Panic { message } => write!(f, "panic: {message}"),
        }
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Array::Global(name) => f.write_str(name),
            Array::Shared { byte_offset } => write!(f, "shared array at byte {byte_offset}"),
        }
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {} thread {} ", self.block, self.thread)?;
        match self.doing {
            Doing::Accessed(access @ (Access::AtomicRead | Access::AtomicUpdate)) => {
                write!(f, "made the other access, an {access}")?;
            }
            Doing::Accessed(access) => write!(f, "made the other access, a {access}")?,
            Doing::Returned => f.write_str("has returned")?,
            Doing::AtBarrier => f.write_str("waits at a barrier")?,
            Doing::InWarpOperation { mask } => {
                write!(f, "waits in a warp operation with mask {mask:#010x}")?;
            }
            Doing::Running => f.write_str("is elsewhere")?,
        }
        match self.location {
            Some(location) => write!(f, ", {location}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { kernel, block, thread, kind, seed, launch, .. } = self;
        write!(f, "kernel {kernel}, block {block} thread {thread}: {kind}")?;
        if let Some(array) = &self.array {
            write!(f, ", {array}")?;
        }
        if let Some(index) = self.index {
            write!(f, " [{index}]")?;
        }
        if let Some(location) = self.location {
            write!(f, ", {location}")?;
        }
        if let Some(other) = &self.other {
            write!(f, "; {other}")?;
        }
        if let Some(missing) = self.missing() {
            write!(f, "; {missing}")?;
        }
        write!(f, "; launch {launch}, replay with {SEED_VARIABLE}={seed:#x}")
    }
}

impl Finding {
    /// What is likely to be missing in the kernel.
    fn missing(&self) -> Option<&'static str> {
        match (&self.kind, self.array, self.other) {
            (Kind::Race { .. }, _, Some(other)) if other.location == self.location => Some(
                "let one thread do it, use an atomic operation, or put a barrier between rounds",
            ),
            (Kind::Race { .. }, _, Some(other)) if other.block == self.block => {
                Some("a barrier between the two would order them")
            }
            (Kind::Uninitialized, Some(Array::Shared { .. }), _) => Some(
                "if another thread of the block writes it, a barrier is missing before this read",
            ),
            (Kind::SharedTooSmall { .. }, ..) => {
                Some("`Shape::shared` asks for memory at the launch, and `requires` can see to it")
            }
            _ => None,
        }
    }
}

impl std::error::Error for Finding {}

impl warpwise_launch::DeviceFault for EmulatorError {}
