//! How the devices of a team bring each other what they have.
//!
//! The algorithms that use several devices speak to an [`Exchange`] alone. [`PeerCopies`] is the one that there is: it
//! serves the GPUs of one process, and, since a device is a peer of itself, several parts on one GPU or in
//! the emulator. One by NCCL or over a network has the same functions.

mod peer_copies;

use tribin_device::launch::{Buffer, Device};

use crate::device::team::Failed;

pub use peer_copies::PeerCopies;
pub(crate) use peer_copies::by_part;

/// What [`Exchange::all_reduce`] makes of the words of all devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// Their sum, modulo 2³².
    Sum,
    /// The largest.
    Largest,
}

/// Words of one device that are cut into a piece for each part.
pub struct Pieces<D: Device> {
    /// The pieces, one after another.
    pub words: Buffer<u64, D>,
    /// Where each piece begins, and where the last one ends.
    pub cuts: Vec<u64>,
}

/// Some of a device's words, for all devices.
pub struct Block<D: Device> {
    /// The words. What stands past `len` is nobody's.
    pub words: Buffer<u32, D>,
    /// How many there are.
    pub len: u64,
}

/// Brings what devices have to other devices. Devices are called by their number in the team. Part q is on
/// device q modulo the number of devices.
///
/// Whatever fails ends the call on all devices, with the error of the first that failed.
pub trait Exchange<D: Device> {
    /// Device i gives `words[i]`, and has afterwards what the reduction makes of the words of all. All arrays are
    /// of one length.
    ///
    /// # Errors
    /// What a device reports.
    fn all_reduce(
        &self,
        words: Vec<Buffer<u32, D>>,
        by: Reduction,
    ) -> Result<Vec<Buffer<u32, D>>, Failed<D::Error>>;

    /// Device i gives `pieces[i]`. Part q has afterwards the pieces q of all devices, in the order of the devices.
    ///
    /// # Errors
    /// What a device reports.
    fn all_to_all(&self, pieces: Vec<Pieces<D>>) -> Result<Vec<Buffer<u64, D>>, Failed<D::Error>>;

    /// Every device takes the blocks of all parts, one at a time and in any order: `take(i, device, keeper, q,
    /// block)` is called on device i with part q's block. Device i keeps `keepers[i]` meanwhile, and gets it back.
    ///
    /// # Errors
    /// What a device, or `take`, reports.
    fn all_gather<K: Send>(
        &self,
        blocks: &[Block<D>],
        keepers: Vec<K>,
        take: impl Fn(usize, &D, &mut K, usize, &Buffer<u32, D>) -> Result<(), D::Error> + Sync,
    ) -> Result<Vec<K>, Failed<D::Error>>;

    /// Bytes that devices have taken from other devices so far.
    fn bytes(&self) -> u64;

    /// Seconds that its functions took so far.
    fn seconds(&self) -> f64;
}
