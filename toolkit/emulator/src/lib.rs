//! The emulator: every kernel's body on the host, checked access by access.
//!
//! Every thread of a block is a stackful coroutine. A launch runs on one OS thread, and some blocks
//! are resident at a time and interleaved. Which block and which thread goes next is drawn from a
//! seed: the same seed gives the same schedule.
//!
//! # What it finds
//!
//! A finding ends the launch with [`EmulatorError::Finding`].
//!
//! | class | [`Kind`] | found |
//! | --- | --- | --- |
//! | global or shared index past its array | [`Kind::OutOfBounds`] | always |
//! | shared arrays of layouts that overlap | [`Kind::SharedOverlap`] | always |
//! | access to the target of an asynchronous copy before the wait | [`Kind::CopyNotAwaited`] | always |
//! | shared array past what the launch gave | [`Kind::SharedTooSmall`] | always |
//! | shared array not aligned to its element | [`Kind::Misaligned`] | always |
//! | store to a parameter that is only read | [`Kind::ReadOnly`] | always |
//! | read of memory that nothing wrote (shared, global) | [`Kind::Uninitialized`] | always, by bytes |
//! | two accesses to one element, one writing, not both atomic, unordered | [`Kind::Race`] | see below |
//! | threads of a block or cluster at different barriers, or one returned before a barrier | [`Kind::BarrierDivergence`] | always |
//! | shared memory of another block that may not have started, or may have returned | [`Kind::ClusterNotMet`] | always |
//! | a rank that the cluster has not | [`Kind::OutsideCluster`] | always |
//! | lanes of one mask in different calls; a mask naming a lane that has returned | [`Kind::WarpDivergence`] | always |
//! | a lane that calls with a mask it is not in | [`Kind::LaneNotInMask`] | always |
//! | threads that wait for each other at barriers and warp operations | [`Kind::Deadlock`] | always |
//! | nothing changes any more, or too many steps | [`Kind::NeverEnds`] | when the kernel keeps touching memory or sleeping |
//! | a panic of the body: overflow, slice index, `assert!` | [`Kind::Panic`] | always |
//!
//! What the host misuses is an error of its own: a download of bytes that nobody wrote is
//! [`EmulatorError::Unwritten`].
//!
//! # Races
//!
//! Races are found from the order that synchronisation guarantees, not from what the schedule
//! happened to do (the scheme is FastTrack's, Flanagan and Freund, PLDI 2009, section 3). These order
//! accesses:
//!
//! | synchronisation | orders |
//! | --- | --- |
//! | end of a launch | everything |
//! | `sync_threads` | the threads of the block |
//! | `cluster::sync` | the threads of the cluster |
//! | the threads that arrive at an `Mbarrier` in a phase; a wait for its end | what the first knew before what the second does after |
//! | `sync_warp` | the lanes of its mask |
//! | `device_fence`, then an atomic store or update of a global word; an atomic read or update that sees it, then `device_fence` | what the first thread knew at its fence before what the second does after its own |
//! | a release by a store or an update of an ordered word; an acquire that sees it, where each is in the other's scope | what the first thread knew before what the second does after |
//!
//! Votes, shuffles, matches and warp reductions order nothing, as in CUDA's memory model; atomics on
//! shared memory do not either.
//!
//! A race is never reported where these rules order the two accesses. One is missed in these cases:
//! per element the latest write, two plain reads, two atomic updates and one atomic read are
//! remembered, so a race with a third concurrent reader or updater is seen only if one of the
//! remembered takes part in it too; only the accesses that the kernel makes with the given input
//! are seen. Elements are tracked one by one: neighbouring bytes of one word do not race. An asynchronous copy counts
//! as a write of its target when it is asked for and again when it is waited for, and as a read of its source when it
//! is asked for; a later write of the source by the same thread before the wait is not found. A bulk copy is written by the first thread that
//! waits for it.
//!
//! # Deviations from the hardware
//!
//! * Memory is sequentially consistent: a weaker outcome appears as the race of plain accesses that allows it, and not at all where every
//!   access is atomic.
//! * Barriers and warp operations are told apart by their place in the source. So a function with a barrier that is called in both branches
//!   of an `if` is no finding. A loop in which lanes call a warp operation in different rounds is none either.
//! * A finding unwinds the stacks of threads. Where a program is compiled with `panic = "abort"`, the first one ends the process.
//! * A product of a warpgroup waits for each warp alone: that all four come is not checked.
//! * The last warp of a block whose size is not a multiple of 32 lacks lanes; masks may name them.
//! * An atomic addition of `f32` in global memory keeps subnormal numbers, which a GPU takes for zero there.
//! * A shuffle from a lane that is outside the mask or does not exist yields `0xDEAD_BEEF`.
//! * A multiprocessor holds as many blocks as are under way ([`Config::resident_blocks`]) by [`Config::multiprocessors`], but at least 1.
//! * `clock64` counts the accesses of the block, and `globaltimer` is the host's clock.
//! * What is read or written atomically by two threads for scopes that have not both is no finding. What such a pair does not order is.
//! * The mask of active lanes has the calling lane alone, as on a GPU that runs each lane by itself.
//! * A loop that touches no memory, does not sleep and calls no warp operation is no finding. On Linux it ends the process, with a message,
//!   after a minute of processor time ([`Config::compute_limit`]); elsewhere it goes on.

#[allow(missing_docs, reason = "the device library documents them")]
mod atomic;
mod block;
#[allow(missing_docs, reason = "the device library documents them")]
mod bulk;
mod clock;
#[allow(missing_docs, reason = "the device library documents them")]
mod cluster;
mod config;
mod copies;
mod device;
mod engine;
#[allow(missing_docs, reason = "the device library documents them")]
mod global;
#[allow(missing_docs, reason = "the device library documents them")]
pub mod intrinsics;
mod launch;
mod memory;
mod overflow;
mod panics;
mod race;
mod report;
mod scheduler;
#[allow(missing_docs, reason = "the device library documents them")]
mod shared;
mod sites;
mod stacks;
mod warp_ops;
#[allow(missing_docs, reason = "the device library documents them")]
mod warpgroup;
mod watchdog;

pub use config::{Config, Schedule};
pub use device::Emulator;
pub use memory::Memory;
pub use report::{Access, Array, Doing, EmulatorError, Finding, Kind, Other};
