use warpwise_device::memory::InOut;
use warpwise_device::shared::Shared;
use warpwise_device::thread;

/// The number that the block draws at `ticket[0]`: blocks that draw get 0, 1, 2, … in the order in which they run.
///
/// `slot` has one element. Contains a barrier; another one must stand before the block draws again.
#[inline(always)]
pub fn block_ticket(ticket: InOut<u32>, slot: Shared<u32>) -> u32 {
    if thread::thread_idx_x() == 0 {
        slot.set(0, ticket.atomic_add(0, 1));
    }
    thread::sync_threads();
    slot.get(0)
}
