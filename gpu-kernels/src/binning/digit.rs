/// Which bits of a key are its bucket at a level.
#[derive(Clone, Copy)]
pub struct DigitAt {
    /// The lowest bit.
    pub shift: u32,
    /// The largest bucket, at most 255: one less than a power of two.
    pub mask: u32,
}

impl DigitAt {
    /// The key's bucket.
    #[inline(always)]
    pub fn of(self, key: u64) -> u32 {
        (key >> self.shift) as u32 & self.mask
    }
}
