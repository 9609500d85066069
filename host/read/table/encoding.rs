//! Whether bytes are text that can be read.

use super::super::input::excerpt;
use crate::{Hint, Message};

/// What is wrong with bytes that should be text in UTF-8 or ASCII, and where; `None` where nothing is. A control
/// character may be in no text, unless it is the delimiter that was asked for, or any text is a name.
pub(in super::super) fn check(
    head: &[u8],
    delimiter: Option<char>,
    names: bool,
) -> Option<(usize, Message)> {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some((0, utf16()));
    }
    let Some(at) = memchr::memchr(0, head) else {
        return if names { None } else { control(head, delimiter) };
    };
    // Every second byte of Latin text in UTF-16 is 0, and hardly any other.
    let zeros = |first: usize| {
        let bytes = head.iter().skip(first).step_by(2).take(64);
        (bytes.clone().filter(|&&byte| byte == 0).count(), bytes.count())
    };
    let [(even, evens), (odd, odds)] = [zeros(0), zeros(1)];
    let is_wide = |(zeros, of): (usize, usize), others: usize| {
        of > 3 && zeros * 4 > of * 3 && others * 4 < zeros
    };
    if is_wide((even, evens), odd) || is_wide((odd, odds), even) {
        return Some((0, utf16()));
    }
    let before = &head[at.saturating_sub(8)..head.len().min(at + 8)];
    let text = format!(
        "there is a byte 0, which no text has, in {}: the file is binary, or was damaged on its way",
        excerpt(before)
    );
    Some((at, Message::from(text).with_hint(Hint::NameFormat)))
}

/// A control character that is neither a tab nor the end of a line. Some programs take it for a blank and others for
/// a part of an id.
fn control(head: &[u8], delimiter: Option<char>) -> Option<(usize, Message)> {
    let is_odd = |&byte: &u8| {
        byte.is_ascii_control()
            && !matches!(byte, b'\t' | b'\n' | b'\r')
            && delimiter != Some(char::from(byte))
    };
    let at = head.iter().position(is_odd)?;
    let text = format!(
        "there is a control character, {}: if it stands between columns, name it as the delimiter; else take it away",
        excerpt(&head[at..=at])
    );
    Some((at, Message::from(text).with_hint(Hint::Delimiter)))
}

fn utf16() -> Message {
    "this is text in UTF-16: convert it, for example with `iconv -f UTF-16 -t UTF-8`, or save it as \
     CSV UTF-8"
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_binary_bytes_are_told() {
        for (bytes, told) in [
            (&b"\xff\xfe1\0,\x002\0\n\0"[..], "UTF-16"),
            (b"\xfe\xff\x001\0,\x002", "UTF-16"),
            (b"1\0,\x002\0\n\x003\0,\x004\0", "UTF-16"),
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
        assert!(check(b"1\x012\n", Some('\x01'), false).is_none());
        assert!(check(b"A\x0cn B\n", None, true).is_none());
    }
}
