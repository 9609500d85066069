//! The glibc that an executable needs.

use std::fmt;

/// 2.34 is `Version(34)`: glibc's major version has been 2 since 1997.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "2.{}", self.0)
    }
}

/// The newest `GLIBC_2.N` that is named in the file of an executable. Its string table names the
/// versions of the symbols that it takes from glibc. O(bytes).
pub fn needed(executable: &[u8]) -> Version {
    const PREFIX: &[u8] = b"GLIBC_2.";
    executable
        .windows(PREFIX.len())
        .enumerate()
        .filter(|(_, window)| *window == PREFIX)
        .map(|(at, _)| {
            let digits = executable[at + PREFIX.len()..].iter().take_while(|c| c.is_ascii_digit());
            Version(digits.take(3).fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
        })
        .max()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::needed;

    #[test]
    fn the_newest_version_named_is_needed() {
        let table = b"\0libc.so.6\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0GLIBC_2.";
        assert_eq!(needed(table).to_string(), "2.34");
        assert_eq!(needed(b"GLIBC_2.").to_string(), "2.0");
        assert_eq!(needed(b"").to_string(), "2.0");
    }
}
