//! Copies of whole ranges from global to shared memory that run while the block goes on (`cp.async.bulk`): what the bulk copy engine,
//! the TMA, does in one dimension. Compute capability 9.0 brought them, and [`cluster`](crate::cluster) says how kernels are compiled for it.
//!
//! One thread asks for a copy, where [`copy_async`](crate::async_copy::copy_async) takes all. An [`Mbarrier`], a word of shared memory,
//! says when copies are done. It goes through phases, numbered from 0: a phase ends once as many threads have [arrived](Mbarrier::arrive)
//! as [`init`](Mbarrier::init) said, and all copies with this barrier are done. Whoever [waits](Mbarrier::wait) for the end sees
//! what was copied, and all that the threads did before they arrived. Until then nothing may touch the target, and nothing may write the
//! source. The emulator reports every access to a target before the wait.
//!
//! ```
//! use warpwise_device::bulk_copy::{Mbarrier, bulk_copy};
//! use warpwise_device::memory::{In, InOut};
//! use warpwise_device::{kernel, shared, thread};
//!
//! kernel!(
//!     /// Reverses the values of each block, which has a multiple of 4 threads.
//!     #[requires(
//!         |shape| shape.is_1d(), shape.block.x % 4 == 0, shape.shared_bytes >= 16 + 4 * shape.block.x,
//!         values.len() >= shape.threads(), out.len() >= values.len()
//!     )]
//!     pub unsafe fn reverse_blocks(values: In<f32>, out: InOut<f32>) {
//!         let (me, threads) = (thread::thread_idx_x(), thread::block_dim_x());
//!         let copied = Mbarrier::new(shared::array(0, 1), 0);
//!         let tile = shared::array::<f32>(16, threads);
//!         if me == 0 {
//!             copied.init(1);
//!         }
//!         thread::sync_threads();
//!         if me == 0 {
//!             bulk_copy((tile, 0), (values, thread::index_1d()), threads, copied);
//!             copied.arrive();
//!         }
//!         copied.wait(0);
//!         out.set(thread::index_1d(), tile.get(threads - 1 - me));
//!     }
//! );
//! # fn main() {}
//! ```

use crate::async_copy::Source;
use crate::imp;
use crate::memory::Element;
use crate::shared::Shared;

/// A word of shared memory at which threads and copies arrive.
#[derive(Clone, Copy)]
pub struct Mbarrier {
    words: imp::SharedBase,
    index: u32,
}

impl Mbarrier {
    /// The barrier that is word `index`, which nothing else may use.
    #[inline(always)]
    pub fn new(words: Shared<u64>, index: u32) -> Mbarrier {
        Mbarrier { words: words.base, index }
    }

    /// Makes the word a barrier in phase 0. A phase ends when `arrivals` threads have arrived. One thread calls this, and
    /// [`sync_threads`](crate::thread::sync_threads) comes before others use the barrier.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn init(self, arrivals: u32) {
        imp::mbarrier_init(self.words, self.index, arrivals);
    }

    /// The calling thread arrives, behind the copies that it asked for.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn arrive(self) {
        imp::mbarrier_arrive(self.words, self.index);
    }

    /// Waits until a phase has ended: 0 for one of an even number, and 1 for one of an odd number. It is the phase that the barrier is in,
    /// or the one before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn wait(self, parity: u32) {
        imp::mbarrier_wait(self.words, self.index, parity);
    }
}

/// Starts to copy `len` elements, to `to.0` from its element `to.1` on, and from `from.0` from its element `from.1` on. The phase that
/// `barrier` is in does not end before that is done: the calling thread has yet to arrive in it.
///
/// The bytes, and the addresses of both first elements, are multiples of 16, and there is at least one element.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn bulk_copy<T: Element>(
    to: (Shared<T>, u32),
    from: (impl Source<T>, u64),
    len: u32,
    barrier: Mbarrier,
) {
    let (to, from) = ((to.0.base, to.1), (from.0.base(), from.1));
    imp::bulk_copy(to, from, len, (barrier.words, barrier.index));
}
