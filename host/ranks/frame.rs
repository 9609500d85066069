//! What goes over a connection between rank 0 and another rank: frames of a known kind and a bounded length.
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | the kind |
//! | 3 | zero |
//! | 4 | the length of the content, little-endian: at most the kind's limit |
//! | 8 | a number, little-endian: of the exchange, or of a rank |
//! | length | the content |

use std::io::{self, Read, Write};

/// Bytes before the content.
pub(super) const HEADER: usize = 16;

/// Bytes of a message in one frame at most, a multiple of every word's size.
pub(super) const PART: usize = 1 << 20;

/// The kind of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// Some of a message, and there is more of it. The number is that of the exchange.
    Part = 1,
    /// The last of a message.
    Last = 2,
    /// The sender's count is done.
    Done = 3,
    /// The job cannot go on. The number is that of the rank where it failed, the content says why.
    Failed = 4,
    /// Who connects, and the job's token.
    Hello = 5,
    /// The token was right: wait.
    Accepted = 6,
    /// The caller is not let in; the content says why.
    Refused = 7,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Part,
        Kind::Last,
        Kind::Done,
        Kind::Failed,
        Kind::Hello,
        Kind::Accepted,
        Kind::Refused,
    ];

    /// Bytes of the content at most.
    pub fn most(self) -> usize {
        match self {
            Kind::Part | Kind::Last => PART,
            Kind::Done | Kind::Accepted => 0,
            Kind::Failed | Kind::Refused => 1 << 12,
            Kind::Hello => 1 << 10,
        }
    }
}

/// The kinds of frames that two ranks send to each other while they work.
pub(super) const AT_WORK: &[Kind] = &[Kind::Part, Kind::Last, Kind::Done, Kind::Failed];

/// A frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub kind: Kind,
    pub number: u64,
    pub content: Vec<u8>,
}

impl Frame {
    /// A frame with a text, of which what is too long is cut off.
    pub fn with_text(kind: Kind, number: u64, text: &str) -> Frame {
        let end = text.floor_char_boundary(kind.most());
        Frame { kind, number, content: text.as_bytes()[..end].to_vec() }
    }

    /// The content as a text, whatever it is.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.content).into_owned()
    }

    /// Reads one of the kinds that are expected. At most their largest limit is allocated, and only for a header
    /// that is right.
    ///
    /// # Errors
    /// What the connection reports, `UnexpectedEof` where it ends within a frame, and `InvalidData` for anything
    /// else than such a frame. `None` where it ends before one.
    pub fn read(from: &mut impl Read, expected: &[Kind]) -> io::Result<Option<Frame>> {
        let mut header = [0; HEADER];
        let mut filled = 0;
        while filled < HEADER {
            match from.read(&mut header[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let [kind, zeros @ .., l0, l1, l2, l3] = *header.first_chunk::<8>().expect("16 bytes");
        let len = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        let number = u64::from_le_bytes(*header.last_chunk::<8>().expect("16 bytes"));
        let known = expected.iter().copied().find(|&known| known as u8 == kind);
        let Some(kind) = known.filter(|kind| zeros == [0; 3] && len <= kind.most()) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no frame of tribin's"));
        };
        let mut content = vec![0; len];
        from.read_exact(&mut content)?;
        Ok(Some(Frame { kind, number, content }))
    }

    /// Writes the frame.
    ///
    /// # Errors
    /// What the connection reports.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        write(to, self.kind, self.number, &self.content)
    }
}

/// Writes a frame with some content.
///
/// # Panics
/// If the content is longer than its kind allows.
pub(super) fn write(
    to: &mut impl Write,
    kind: Kind,
    number: u64,
    content: &[u8],
) -> io::Result<()> {
    assert!(content.len() <= kind.most(), "{kind:?}: {} bytes", content.len());
    let mut header = [0; HEADER];
    header[0] = kind as u8;
    header[4..8].copy_from_slice(&(content.len() as u32).to_le_bytes());
    header[8..].copy_from_slice(&number.to_le_bytes());
    if content.len() <= 1 << 12 {
        // One packet.
        return to.write_all(&[&header[..], content].concat());
    }
    to.write_all(&header)?;
    to.write_all(content)
}

/// Reads frames until they end or are none: what a fuzzer calls. Returns the bytes of content.
pub(super) fn read_all(mut bytes: &[u8]) -> usize {
    let mut content = 0;
    for expected in [AT_WORK, &Kind::ALL] {
        let from = &mut bytes;
        while let Ok(Some(frame)) = Frame::read(from, expected) {
            content += frame.content.len();
        }
    }
    content
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn frames() -> impl Strategy<Value = Frame> {
        let kind = prop::sample::select(&Kind::ALL[..]);
        (kind, any::<u64>(), prop::collection::vec(any::<u8>(), 0..3000)).prop_map(
            |(kind, number, mut content)| {
                content.truncate(kind.most());
                Frame { kind, number, content }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(frames in prop::collection::vec(frames(), 0..5), cut in 0usize..20) {
            let mut bytes = Vec::new();
            frames.iter().for_each(|frame| frame.write(&mut bytes).unwrap());
            let mut from = &bytes[..];
            for frame in &frames {
                prop_assert_eq!(&Frame::read(&mut from, &Kind::ALL).unwrap().unwrap(), frame);
            }
            prop_assert_eq!(Frame::read(&mut from, &Kind::ALL).unwrap(), None);
            // Cut off within a frame.
            if let [first, ..] = &frames[..] {
                let len = HEADER + first.content.len();
                let mut from = &bytes[..(len - 1).saturating_sub(cut).max(1)];
                let error = Frame::read(&mut from, &Kind::ALL).unwrap_err();
                prop_assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            }
        }

        #[test]
        fn any_bytes_are_frames_or_an_error(
            bytes in prop::collection::vec(prop_oneof![Just(0u8), 0u8..10, any::<u8>()], 0..200),
        ) {
            prop_assert!(read_all(&bytes) <= bytes.len());
        }

        #[test]
        fn lengths_and_kinds_are_checked(
            kind in any::<u8>(), zeros in any::<[u8; 3]>(), len in any::<u32>(), number in any::<u64>(),
        ) {
            let zeros = if len.is_multiple_of(2) { [0; 3] } else { zeros };
            let header = [&[kind][..], &zeros, &len.to_le_bytes(), &number.to_le_bytes()].concat();
            let content = vec![7; PART];
            // A reader that says when it is asked for content.
            let found = Frame::read(&mut header.chain(&content[..]), AT_WORK);
            let known = AT_WORK.iter().find(|&&known| known as u8 == kind);
            let is_right =
                zeros == [0; 3] && known.is_some_and(|kind| len as usize <= kind.most());
            prop_assert_eq!(found.is_ok(), is_right);
            if let Err(error) = found {
                prop_assert_eq!(error.kind(), io::ErrorKind::InvalidData);
            }
        }
    }

    #[test]
    fn a_handshake_is_not_taken_for_work() {
        let mut bytes = Vec::new();
        Frame::with_text(Kind::Refused, 0, "no").write(&mut bytes).unwrap();
        assert!(Frame::read(&mut &bytes[..], AT_WORK).is_err());
        assert_eq!(Frame::read(&mut &bytes[..], &[Kind::Refused]).unwrap().unwrap().text(), "no");
        let long = Frame::with_text(Kind::Failed, 0, &"é".repeat(5000));
        assert_eq!(long.content.len(), Kind::Failed.most());
    }
}
