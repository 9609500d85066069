//! How long the stages of a result took.

/// Wall-clock seconds of the stages of a result. Serialised, this is one object with a number for each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StageSeconds {
    /// Seconds from opening the file to edges in memory. 0 for edges that were in memory already.
    pub read: f64,
    /// Self-loops, duplicates and directions dropped, edges oriented.
    pub prepare: f64,
    /// The time of finding, stage by stage: the name of each stage, and its seconds.
    pub found: Vec<(&'static str, f64)>,
    /// Seconds from opening the file to the result. At least the sum of the above.
    pub total: f64,
}

impl StageSeconds {
    /// Every stage in the order in which they were, without the total.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> {
        [("read", self.read), ("prepare", self.prepare)].into_iter().chain(self.found.clone())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for StageSeconds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().chain([("total", self.total)]))
    }
}
