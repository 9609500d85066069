//! What the edges of an oriented graph have beside their ends: directions and weights, by place.

/// The bit of an arc from the larger rank of an edge to the smaller.
pub const DOWN: u8 = 0b01;

/// The bit of an arc from the smaller rank of an edge to the larger.
pub const UP: u8 = 0b10;

/// The directions in which the input has each edge, and its self-loops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directions {
    /// The directions of the edge at each place: [`DOWN`], [`UP`], or both.
    pub bits: Vec<u8>,
    /// The vertices with a self-loop, ascending.
    pub loops: Vec<u32>,
}

/// The weights of edges or arcs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights {
    /// The weights by place. With directions there are two for each place, of the arc [`DOWN`] and of the arc [`UP`]; an arc
    /// that is not there has the weight 0.
    pub values: Vec<f64>,
    /// The largest of all, those of self-loops included; 0 where there is none.
    pub largest: f64,
}
