/// Which bits of an edge (u, v) the digits of its key are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyOrder {
    /// All of u above all of v (003, equation 2).
    Concatenated,
    /// The bits of u and v in turn, u's first: quadrants of quadrants (003, figure 1).
    Interleaved,
}

impl KeyOrder {
    /// The order as a kernel's parameter.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The order of a [`number`](Self::number).
    #[inline(always)]
    pub const fn of_number(number: u32) -> KeyOrder {
        if number == 0 { KeyOrder::Concatenated } else { KeyOrder::Interleaved }
    }

    /// The key of the edge from `u` to `v`, both below 2^`vertex_bits`: twice as many bits.
    #[inline(always)]
    pub const fn key(self, u: u32, v: u32, vertex_bits: u32) -> u64 {
        match self {
            KeyOrder::Concatenated => (u as u64) << vertex_bits | v as u64,
            KeyOrder::Interleaved => spread(u) << 1 | spread(v),
        }
    }
}

/// Bit i of `value` at bit 2i.
#[inline(always)]
const fn spread(value: u32) -> u64 {
    let mut bits = value as u64;
    bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
    bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
    (bits | bits << 1) & 0x5555_5555_5555_5555
}

#[cfg(test)]
mod tests {
    use super::KeyOrder;

    #[test]
    fn keys_hold_the_bits_of_both_vertices() {
        assert_eq!(KeyOrder::Concatenated.key(0b101, 0b011, 3), 0b101_011);
        assert_eq!(KeyOrder::Interleaved.key(0b101, 0b011, 3), 0b10_01_11);
        for order in [KeyOrder::Concatenated, KeyOrder::Interleaved] {
            assert_eq!(order.key(u32::MAX, u32::MAX, 32), u64::MAX);
            assert_eq!(order.key(0, 0, 32), 0);
            assert_eq!(KeyOrder::of_number(order.number()), order);
        }
        for bit in 0..32 {
            assert_eq!(KeyOrder::Interleaved.key(1 << bit, 0, 32), 2 << (2 * bit));
            assert_eq!(KeyOrder::Interleaved.key(0, 1 << bit, 32), 1 << (2 * bit));
        }
    }
}
