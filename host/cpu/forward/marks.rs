//! The bitmap in which one row is marked while its pairs are counted.

/// A bitmap over the ranks below a limit.
#[derive(Debug)]
pub(super) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// A clear bitmap for ranks below `ranks`, rounded up to a whole word.
    pub fn new(ranks: usize) -> Marks {
        Marks { words: vec![0; ranks.div_ceil(64)] }
    }

    /// Marks the row's ranks up to the bitmap's limit. The row is ascending.
    #[inline(always)]
    pub fn set(&mut self, row: &[u32]) {
        for &rank in row {
            let Some(word) = self.words.get_mut((rank >> 6) as usize) else { break };
            *word |= 1 << (rank & 63);
        }
    }

    /// Clears the words that `set` with the same row has touched.
    #[inline(always)]
    pub fn clear(&mut self, row: &[u32]) {
        for &rank in row {
            let Some(word) = self.words.get_mut((rank >> 6) as usize) else { break };
            *word = 0;
        }
    }

    /// The bits, 64 ranks to a word.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}
