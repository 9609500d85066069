use warpwise_device::memory::U64x2;

/// Most keys of a tile. The larger, the smaller the count matrix, whose columns lie far apart in
/// memory; the smaller, the more blocks share a short list.
pub const TILE: u32 = 8192;

/// A call of algorithm 2, or what one leaves for the tail: a range of edges and a range of candidates,
/// by place in the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// The first edge's place.
    pub edges_at: u32,
    /// Edges.
    pub edges: u32,
    /// The first candidate's place.
    pub candidates_at: u32,
    /// Candidates.
    pub candidates: u32,
}

impl Segment {
    /// How many tiles it has.
    #[inline(always)]
    pub const fn tiles(self) -> u32 {
        self.edges.div_ceil(TILE) + self.candidates.div_ceil(TILE)
    }

    /// The segment as a queue holds it.
    #[inline(always)]
    pub const fn pack(self) -> U64x2 {
        U64x2([
            (self.edges as u64) << 32 | self.edges_at as u64,
            (self.candidates as u64) << 32 | self.candidates_at as u64,
        ])
    }

    /// What [`pack`](Self::pack) packed.
    #[inline(always)]
    pub const fn unpack(packed: U64x2) -> Segment {
        let U64x2([edges, candidates]) = packed;
        Segment {
            edges_at: edges as u32,
            edges: (edges >> 32) as u32,
            candidates_at: candidates as u32,
            candidates: (candidates >> 32) as u32,
        }
    }
}
