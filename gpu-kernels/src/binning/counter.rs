/// The counters of a batch's queues, all in one array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// Segments of a level, one level more than there are: none is written at full depth.
    Level,
    /// Tasks that a level leaves to the blocks of the tail.
    Tail,
    /// Tasks that a level leaves to the warps of the tail.
    TailWarps,
}

impl Counter {
    /// Where the counter of `level` of `levels` stands.
    #[inline(always)]
    pub const fn at(self, level: u32, levels: u32) -> u64 {
        let first = match self {
            Counter::Level => 0,
            Counter::Tail => levels + 1,
            Counter::TailWarps => 2 * levels + 1,
        };
        (first + level) as u64
    }

    /// How many counters `levels` levels have.
    #[inline(always)]
    pub const fn number(levels: u32) -> u64 {
        3 * levels as u64 + 1
    }
}
