//! The steps that work goes through.

/// A step on the path of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The file read to edges in memory.
    Read,
    /// Entries copied from host memory to the device's.
    Upload,
    /// Directions, self-loops and duplicates dropped.
    Clean,
    /// Every edge pointed from its larger rank to its smaller.
    Orient,
    /// The lists intersected.
    Count,
    /// Vertices or edges taken away, those with the fewest edges or triangles first.
    Peel,
    /// Results written to their file.
    Write,
    /// Counted again by an independent engine.
    Verify,
}

/// Wall-clock seconds of an engine's phases; 0 where it has no such phase.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EngineSeconds {
    /// See [`Phase::Upload`].
    pub upload: f64,
    /// See [`Phase::Clean`].
    pub clean: f64,
    /// See [`Phase::Orient`].
    pub orient: f64,
    /// See [`Phase::Count`].
    pub count: f64,
}

impl Phase {
    /// The name in reports and in the progress display.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Read => "read",
            Phase::Upload => "upload",
            Phase::Clean => "clean",
            Phase::Orient => "orient",
            Phase::Count => "count",
            Phase::Peel => "peel",
            Phase::Write => "write",
            Phase::Verify => "verify",
        }
    }
}
