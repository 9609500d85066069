//! What ranks say to each other: a length of eight bytes, little-endian, and as many bytes of JSON.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

/// Bytes of a greeting, and of an answer to one, at most.
pub(super) const SHORT: u64 = 1 << 13;

/// Bytes of anything else at most.
pub(super) const LONG: u64 = 1 << 32;

/// A message from one rank to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Said {
    Hello(Hello),
    /// The token was right: the sender is in.
    Accepted,
    /// The caller is not let in, and why.
    Refused(String),
    /// What a rank gives in an exchange. Those of a connection come in the order of the exchanges.
    Numbers(Vec<u64>),
    /// The sender's work is done.
    Done,
    /// The job cannot go on: where it failed, and why.
    Failed(u32, String),
}

/// The greeting of a process that connects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    /// The process's version of tribin.
    pub version: String,
    /// The job's token as the process shows it.
    pub token: String,
    pub rank: u32,
    pub ranks: u32,
}

impl Said {
    /// Reads what is said next, which has at most `most` bytes.
    ///
    /// # Errors
    /// What the connection reports, `UnexpectedEof` where it ends, and `InvalidData` for anything else.
    pub fn read(from: &mut impl Read, most: u64) -> io::Result<Said> {
        let mut len = [0; 8];
        from.read_exact(&mut len)?;
        let len = u64::from_le_bytes(len);
        if len > most {
            return Err(io::ErrorKind::InvalidData.into());
        }
        // Memory is taken for what has come.
        let mut text = Vec::new();
        from.take(len).read_to_end(&mut text)?;
        if (text.len() as u64) < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(serde_json::from_slice(&text).map_err(|_| io::ErrorKind::InvalidData)?)
    }

    /// Writes the message.
    ///
    /// # Errors
    /// What the connection reports.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let text = serde_json::to_vec(self)?;
        to.write_all(&[&(text.len() as u64).to_le_bytes()[..], &text].concat())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read_messages;

    fn said() -> impl Strategy<Value = Said> {
        let hello = (any::<String>(), ".{0,256}", any::<u32>(), any::<u32>());
        let numbers = prop::collection::vec(any::<u64>(), 0..40);
        prop_oneof![
            hello.prop_map(|(version, token, rank, ranks)| {
                Said::Hello(Hello { version, token, rank, ranks })
            }),
            Just(Said::Accepted),
            any::<String>().prop_map(Said::Refused),
            numbers.prop_map(Said::Numbers),
            Just(Said::Done),
            (any::<u32>(), any::<String>()).prop_map(|(rank, why)| Said::Failed(rank, why)),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(all in prop::collection::vec(said(), 1..5), cut in 1usize..20) {
            let mut bytes = Vec::new();
            all.iter().for_each(|said| said.write(&mut bytes).unwrap());
            let mut from = &bytes[..];
            for said in &all {
                prop_assert_eq!(&Said::read(&mut from, LONG).unwrap(), said);
            }
            let error = Said::read(&mut from, LONG).unwrap_err();
            prop_assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            prop_assert_eq!(read_messages(&bytes), all.len());
            // Cut off in the middle.
            let mut first = Vec::new();
            all[0].write(&mut first).unwrap();
            let mut from = &first[..first.len().saturating_sub(cut).max(1)];
            let error = Said::read(&mut from, LONG).unwrap_err();
            prop_assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        }

        #[test]
        fn any_bytes_are_something_or_an_error(
            bytes in prop::collection::vec(prop_oneof![Just(0u8), 0u8..10, any::<u8>()], 0..200),
        ) {
            prop_assert!(read_messages(&bytes) <= bytes.len());
        }

        #[test]
        fn what_is_too_long_is_refused_unread(len in SHORT + 1..=u64::MAX) {
            let mut from = &len.to_le_bytes()[..];
            let error = Said::read(&mut from, SHORT).unwrap_err();
            prop_assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        }
    }
}
