//! What models with places call their vertices.

use super::random::Order;

/// The ids of a model whose vertices have places, on a map or a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ids {
    /// A random permutation. Entries come in the order of the places.
    Shuffled,
    /// In the order of the places, as maps and crawls have them. Entries come in a random order, and
    /// each in a random direction.
    Places,
}

/// [`Ids`], worked out.
#[derive(Debug)]
pub(super) enum Named {
    /// The id of each place.
    Shuffled(Vec<u32>),
    /// The order of the entries.
    Places(Order),
}

impl Order {
    /// An entry in its direction.
    pub(super) fn directed(&self, place: u64, [u, v]: [u32; 2]) -> [u32; 2] {
        if self.turned(place) { [v, u] } else { [u, v] }
    }
}
