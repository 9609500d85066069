//! How the devices of a team bring each other what they have.
//!
//! The algorithms that use several devices speak to an [`Exchange`] alone. The devices of a team may belong to
//! several processes, all of which run the same program; each process holds what its own devices have.
//!
//! [`PeerCopies`] serves the GPUs of one process, and, since a device is a peer of itself, several parts on one GPU
//! or in the emulator. [`Linked`] serves the devices of several processes: a [`Wire`], such as NCCL, carries what
//! the devices have, and [`Peers`] what the processes agree on.

mod peer_copies;

use std::ops::Range;

use tribin_device::launch::{Buffer, Device};

use crate::Error;
use crate::device::team::{Failed, Team};

pub use peer_copies::PeerCopies;

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

impl<D: Device> Pieces<D> {
    /// Where the piece of a part is: nowhere if there is no such part.
    fn places(&self, part: usize) -> Range<u64> {
        match self.cuts.get(part..part + 2) {
            Some(ends) => ends[0]..ends[1],
            None => 0..0,
        }
    }
}

/// What each device took, and what it made meanwhile.
pub type Taken<T, D, R> = Vec<(Buffer<T, D>, R)>;

/// Why an exchange ended.
#[derive(Debug)]
pub enum Broken<E> {
    /// A device of this process failed.
    Device(Failed<E>),
    /// What joins the processes failed, or another of them.
    Peers(Error),
}

impl<E> From<Failed<E>> for Broken<E> {
    fn from(failed: Failed<E>) -> Self {
        Broken::Device(failed)
    }
}

/// Brings what devices have to other devices. All of them are one team, and are called by their number in it. A
/// process has some of them, which follow one another: those from [`first`](Self::first) on. Part q is on
/// device q modulo the number of devices.
///
/// Vectors have an entry for each device of this process. All processes call the same functions in the same order.
///
/// Whatever fails ends the call on all devices, with the error of the first that failed.
pub trait Exchange<D: Device + 'static> {
    /// The devices of this process.
    fn team(&self) -> &Team<D>;

    /// The number of this process's first device.
    fn first(&self) -> usize;

    /// How many devices there are in all processes.
    fn devices(&self) -> usize;

    /// What `by` makes of the words of all processes, place by place, in the order of the processes. All have the same
    /// afterwards. It is for figures that all go by, and moves no memory of devices.
    ///
    /// # Errors
    /// Where another process does not answer.
    fn agree(&self, words: Vec<u64>, by: fn(u64, u64) -> u64) -> Result<Vec<u64>, Error>;

    /// Device i gives `words[i]`, and has afterwards what the reduction makes of the words of all. All arrays are
    /// of one length.
    ///
    /// # Errors
    /// What a device reports, and what joins the processes.
    fn all_reduce(
        &self,
        words: Vec<Buffer<u32, D>>,
        by: Reduction,
    ) -> Result<Vec<Buffer<u32, D>>, Broken<D::Error>>;

    /// Device i gives `pieces[i]`, one for each part. With p devices, device d takes the pieces of part d + `turn` · p
    /// at this turn, in the order of the devices. If there is no such part, it takes nothing.
    ///
    /// Each device i of this process also calls `beside` with i and its keeper. What that asks the device for may go on
    /// beside the copies. Returns what each device took, and what its call made.
    ///
    /// # Errors
    /// What a device, or `beside`, reports, and what joins the processes.
    fn all_to_all<K: Send, R: Send>(
        &self,
        pieces: &[Pieces<D>],
        turn: usize,
        keepers: Vec<K>,
        beside: impl Fn(usize, &D, K) -> Result<R, D::Error> + Sync,
    ) -> Result<Taken<u64, D, R>, Broken<D::Error>>;

    /// Every device takes the blocks of the parts of some turns: `of` has the starts of all parts, and the turns.
    /// `blocks[i]` are those of device i's own parts, turn by turn. That of part q goes to the places
    /// `starts[q]..starts[q + 1]` of every device's array of `into`; what a block has behind as many words is nobody's.
    /// All processes give the same starts. `beside` is called as by [`all_to_all`](Self::all_to_all).
    ///
    /// # Errors
    /// What a device, or `beside`, reports, and what joins the processes.
    fn all_gather<K: Send, R: Send>(
        &self,
        blocks: &[Vec<Buffer<u32, D>>],
        of: (&[u64], Range<usize>),
        into: Vec<Buffer<u32, D>>,
        keepers: Vec<K>,
        beside: impl Fn(usize, &D, K) -> Result<R, D::Error> + Sync,
    ) -> Result<Taken<u32, D, R>, Broken<D::Error>>;

    /// Bytes that devices of this process have taken from other devices so far.
    fn bytes(&self) -> u64;

    /// Seconds that its functions took so far, less what went on beside them.
    fn seconds(&self) -> f64;
}

/// The parts of a device at these turns that there are, with their blocks.
fn blocks_of<D: Device>(
    blocks: &[Buffer<u32, D>],
    (device, devices): (usize, usize),
    (parts, turns): (usize, Range<usize>),
) -> impl Iterator<Item = (usize, &Buffer<u32, D>)> {
    turns
        .map(move |turn| (device + turn * devices, turn))
        .filter(move |(part, _)| *part < parts)
        .map(|(part, turn)| (part, &blocks[turn]))
}
