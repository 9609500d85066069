//! Names in text tables.

/// Appends a name as a column of a text table. It stands between quotes, with its own quotes doubled (RFC 4180),
/// where it could be read as anything but one whole column: where it is empty, holds the separator, a blank, a
/// quote or a line end, or begins as a comment does.
pub(crate) fn push_quoted(to: &mut Vec<u8>, name: &str, separator: u8) {
    let special =
        |byte: u8| byte == separator || matches!(byte, b' ' | b'\t' | b'"' | b'\n' | b'\r' | b'\'');
    let is_comment = ["#", "%", "//"].iter().any(|mark| name.starts_with(mark));
    if !name.is_empty()
        && !is_comment
        && !name.bytes().any(special)
        && !name.starts_with('\u{feff}')
    {
        to.extend_from_slice(name.as_bytes());
        return;
    }
    to.push(b'"');
    for byte in name.bytes() {
        if byte == b'"' {
            to.push(byte);
        }
        to.push(byte);
    }
    to.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_quotes_has_them() {
        for (name, separator, expected) in [
            ("Ann", b',', "Ann"),
            ("", b',', r#""""#),
            ("a,b", b',', r#""a,b""#),
            ("a,b", b'\t', "a,b"),
            ("a\tb", b'\t', "\"a\tb\""),
            ("a b", b',', r#""a b""#),
            ("say \"hi\"", b',', r#""say ""hi""""#),
            ("#1", b',', r##""#1""##),
            ("//a", b',', r#""//a""#),
            ("a\nb", b',', "\"a\nb\""),
            ("😀", b',', "😀"),
        ] {
            let mut text = Vec::new();
            push_quoted(&mut text, name, separator);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        }
    }
}
