//! NCCL, NVIDIA's library that moves memory between the GPUs of several processes and machines. It is found at run
//! time: nothing is linked, and no header is needed.
//!
//! [`Nccl::load`] finds the library, [`Link::join`] makes a GPU one of several that are linked, and the functions of
//! [`Link`] move what they have. Nobody waits for ever: whoever waits asks the caller again and again whether to go
//! on, and a link that is given up is aborted.

mod find;
mod library;
mod link;

pub use find::{Surroundings, candidates};
pub use library::{Nccl, UNIQUE_ID_BYTES, UniqueId};
pub use link::{GoOn, Link};

/// The least version that has all that is used here: 2.14, the first whose calls need not be waited for.
pub const LEAST: Version = Version { major: 2, minor: 14, patch: 0 };

/// A version of NCCL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// 2 of 2.27.5.
    pub major: u32,
    /// 27 of 2.27.5.
    pub minor: u32,
    /// 5 of 2.27.5.
    pub patch: u32,
}

impl Version {
    /// The version of this number, as the library tells it. Before 2.9 a major version was a thousand, and since then
    /// it is ten thousand.
    pub fn from_code(code: u32) -> Version {
        let thousands = if code < 10_000 { 1_000 } else { 10_000 };
        let (major, rest) = (code / thousands, code % thousands);
        Version { major, minor: rest / 100, patch: rest % 100 }
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, Version};

    #[test]
    fn versions_are_read_from_their_codes() {
        for (code, expected) in [
            (2_708, "2.7.8"),
            (2_804, "2.8.4"),
            (20_905, "2.9.5"),
            (21_400, "2.14.0"),
            (22_705, "2.27.5"),
        ] {
            let version = Version::from_code(code);
            assert_eq!(version.to_string(), expected);
            assert_eq!(version >= LEAST, code >= 21_400, "{code}");
        }
    }
}
