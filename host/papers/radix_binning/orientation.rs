//! Which wedges are candidates.

/// The choice of the wedges that are candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    /// The wedges of the graph oriented by degree: each triangle closes one.
    Degree,
    /// The wedges of the undirected graph, as in the paper: each triangle closes three.
    None,
}

impl Orientation {
    /// How many wedges a triangle closes.
    pub fn closings(self) -> u64 {
        match self {
            Orientation::Degree => 1,
            Orientation::None => 3,
        }
    }
}
