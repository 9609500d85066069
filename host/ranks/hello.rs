//! What a rank says when it connects.

use super::token::{self, Token};

/// What every greeting begins with. Another version of these frames has another one.
const MAGIC: &[u8; 16] = b"tribin ranks 002";

/// Who connects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hello {
    /// The job's token as the process showed it.
    pub token: Vec<u8>,
    pub rank: u32,
    pub ranks: u32,
    /// The process's version of tribin.
    pub version: String,
}

impl Hello {
    pub fn new(token: &Token, rank: u32, ranks: u32) -> Hello {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Hello { token: token.bytes().to_vec(), rank, ranks, version }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.rank.to_le_bytes());
        bytes.extend(self.ranks.to_le_bytes());
        bytes.extend((self.token.len() as u16).to_le_bytes());
        bytes.extend(&self.token);
        bytes.extend(self.version.as_bytes());
        bytes
    }

    /// The greeting that some bytes are; `None` where they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Hello> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (rank, rest) = rest.split_first_chunk()?;
        let (ranks, rest) = rest.split_first_chunk()?;
        let (len, rest) = rest.split_first_chunk()?;
        let len = usize::from(u16::from_le_bytes(*len));
        let (token, version) = rest.split_at_checked(len).filter(|_| len <= token::MOST)?;
        let is_version = |version: &&str| {
            version.len() <= 64 && version.bytes().all(|byte| byte.is_ascii_graphic())
        };
        Some(Hello {
            token: token.to_vec(),
            rank: u32::from_le_bytes(*rank),
            ranks: u32::from_le_bytes(*ranks),
            version: str::from_utf8(version).ok().filter(is_version)?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::frame::Kind;
    use super::*;

    proptest! {
        #[test]
        fn greetings_come_back_and_others_are_none(
            rank in any::<u32>(), ranks in any::<u32>(),
            token in "[ -~]{1,256}", cut in 1usize..40, noise in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            let hello = Hello::new(&Token::given(&token).unwrap(), rank, ranks);
            let bytes = hello.to_bytes();
            prop_assert!(bytes.len() <= Kind::Hello.most());
            prop_assert_eq!(Hello::from_bytes(&bytes), Some(hello));
            prop_assert_eq!(Hello::from_bytes(&bytes[..bytes.len().saturating_sub(cut + 64)]), None);
            prop_assert_eq!(Hello::from_bytes(&noise), None);
            // Must not panic.
            let _ = Hello::from_bytes(&[&MAGIC[..], &noise].concat());
        }
    }
}
