//! Whether bytes are text that can be read.

use super::super::input::excerpt;
use crate::{Message, hint};

/// Whether a text that begins so is in UTF-16.
pub(crate) fn is_utf_16(head: &[u8]) -> bool {
    !is_utf_32(head) && (head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]))
}

/// The text of bytes in UTF-16 that begin with a byte order mark, as spreadsheets write it.
pub(crate) fn utf_16(bytes: &[u8]) -> Option<String> {
    if !is_utf_16(bytes) {
        return None;
    }
    let is_big = bytes.starts_with(&[0xfe, 0xff]);
    let unit = |pair: &[u8]| match (pair, is_big) {
        (&[high, low], true) | (&[low, high], false) => u16::from_be_bytes([high, low]),
        // An odd byte at the end is a fault of its line.
        _ => 0xfffd,
    };
    let units: Vec<u16> = bytes.chunks(2).skip(1).map(unit).collect();
    Some(String::from_utf16_lossy(&units))
}

/// The message for bytes that should be text in UTF-8 or ASCII, and where; `None` where nothing is. A control
/// character may be in no text, unless it is the delimiter that was asked for, or any text is a name.
pub(crate) fn check(head: &[u8], delimiter: Option<&str>, names: bool) -> Option<(usize, Message)> {
    if is_utf_32(head) {
        let message = "this is text in UTF-32: convert it, for example with `iconv -f UTF-32 -t UTF-8`, or save it as CSV UTF-8";
        return Some((0, message.into()));
    }
    let Some(at) = memchr::memchr(0, head) else {
        return if names { None } else { control(head, delimiter) };
    };
    let before = &head[at.saturating_sub(8)..head.len().min(at + 8)];
    let text = format!(
        "there is a byte 0, which no text has, in {}: the file is binary, is UTF-16 without a byte order mark, or was damaged on its way",
        excerpt(before)
    );
    Some((at, Message::from(text).with_hint(hint::NAME_FORMAT)))
}

/// A control character that is neither a tab nor the end of a line. Some programs take it for a blank and others for
/// a part of an id.
fn control(head: &[u8], delimiter: Option<&str>) -> Option<(usize, Message)> {
    let is_odd = |&byte: &u8| {
        byte.is_ascii_control()
            && !matches!(byte, b'\t' | b'\n' | b'\r')
            && delimiter
                .is_none_or(|delimiter| delimiter.len() == 1 && delimiter.as_bytes() != [byte])
    };
    let at = head.iter().position(is_odd)?;
    let text = format!(
        "there is a control character, {}: if it stands between columns, name it as the delimiter; else take it away",
        excerpt(&head[at..=at])
    );
    Some((at, Message::from(text).with_hint(hint::DELIMITER)))
}

fn is_utf_32(head: &[u8]) -> bool {
    matches!(head, [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_binary_bytes_are_told() {
        for bytes in [&b"\xff\xfe1\0,\x002\0\n\0"[..], b"\xfe\xff\x001\0,\x002"] {
            assert_eq!(utf_16(bytes).map(|text| text.starts_with("1,2")), Some(true));
        }
        for (bytes, told) in [
            (&b"\xff\xfe\0\x001\0\0\0,\0\0\0"[..], "UTF-32"),
            (b"\0\0\xfe\xff\0\0\x001\0\0\0,", "UTF-32"),
            (b"1\0,\x002\0\n\x003\0,\x004\0", "UTF-16 without a byte order mark"),
            (b"1 2\n\0\0", "binary"),
            (b"#\0\0\0\0\0\0\0\0", "binary"),
            (b"1 2\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "binary"),
        ] {
            let (_, message) = check(bytes, None, false).unwrap();
            assert!(message.to_string().contains(told), "{bytes:?}: {message}");
        }
        assert!(check("1 2\nä ö\r\n\t".as_bytes(), None, false).is_none());
        assert!(
            check(b"1\x012\n", None, false).unwrap().1.to_string().contains("control character")
        );
        assert!(check(b"1\x012\n", Some("\x01"), false).is_none());
        assert!(check(b"A\x0cn B\n", None, true).is_none());
    }
}
