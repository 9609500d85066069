//! Numbers as people read them.

/// Digits in groups of three: `1,234,567`.
pub fn grouped(value: impl Into<u128>) -> String {
    let digits = value.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with what is counted.
///
/// ```
/// use tribin::report::counted;
///
/// assert_eq!(counted(1, "edge", "edges"), "1 edge");
/// assert_eq!(counted(2000, "edge", "edges"), "2,000 edges");
/// ```
pub fn counted(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(value), if value == 1 { one } else { many })
}

/// A length of time to three decimals of the unit that suits it.
pub fn duration(seconds: f64) -> String {
    if seconds >= 1.0 {
        format!("{seconds:.3} s")
    } else if seconds >= 1e-3 {
        format!("{:.3} ms", seconds * 1e3)
    } else {
        format!("{:.3} µs", seconds * 1e6)
    }
}

/// Bytes, with the binary unit beside them where they are many: `2,097,152 bytes (2.0 MiB)`.
pub fn bytes(value: u64) -> String {
    let exact = counted(value, "byte", "bytes");
    let mut scaled = value as f64;
    let mut unit = "";
    for next in ["KiB", "MiB", "GiB", "TiB"] {
        if scaled < 1024.0 {
            break;
        }
        scaled /= 1024.0;
        unit = next;
    }
    if unit.is_empty() { exact } else { format!("{exact} ({scaled:.1} {unit})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        assert_eq!(grouped(0u64), "0");
        assert_eq!(grouped(999u64), "999");
        assert_eq!(grouped(1000u64), "1,000");
        assert_eq!(grouped(123_456u64), "123,456");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(grouped(1u128 << 90), "1,237,940,039,285,380,274,899,124,224");
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(0, "edge", "edges"), "0 edges");
        assert_eq!(counted(1, "edge", "edges"), "1 edge");
        assert_eq!(counted(2000, "edge", "edges"), "2,000 edges");
    }

    #[test]
    fn times_in_their_unit() {
        assert_eq!(duration(0.0), "0.000 µs");
        assert_eq!(duration(0.000_012_345), "12.345 µs");
        assert_eq!(duration(0.25), "250.000 ms");
        assert_eq!(duration(61.5), "61.500 s");
    }

    #[test]
    fn bytes_in_binary_units() {
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(1023), "1,023 bytes");
        assert_eq!(bytes(1024), "1,024 bytes (1.0 KiB)");
        assert_eq!(bytes(5 << 40), "5,497,558,138,880 bytes (5.0 TiB)");
        assert_eq!(bytes(5 << 50), "5,629,499,534,213,120 bytes (5120.0 TiB)");
    }
}
