//! How the devices of a team bring each other what they have: [`PeerCopies`]. Since a device is a peer of itself, it serves
//! several parts on one GPU or in the emulator, too.

mod peer_copies;

use std::ops::Range;

use tribin_device::launch::{Buffer, Device};

pub use peer_copies::PeerCopies;

/// The word that [`PeerCopies::all_reduce`] makes of those of all devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// The sum of the words, modulo 2³².
    Sum,
    /// The largest of the words.
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

/// The words that each device took, and what it made meanwhile.
pub type Received<T, D, R> = Vec<(Buffer<T, D>, R)>;

/// The parts of a device at these turns that there are, with their blocks.
fn blocks_of<D: Device>(
    blocks: &[Buffer<u32, D>],
    device: usize,
    devices: usize,
    (parts, turns): (usize, Range<usize>),
) -> impl Iterator<Item = (usize, &Buffer<u32, D>)> {
    turns
        .map(move |turn| (device + turn * devices, turn))
        .filter(move |(part, _)| *part < parts)
        .map(|(part, turn)| (part, &blocks[turn]))
}
