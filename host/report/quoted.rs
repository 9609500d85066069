//! Names in text tables.

use crate::read::is_missing;

/// Appends a name as a column of a text table. It stands between quotes, with its own quotes doubled (RFC 4180), where it
/// could be read as anything but one whole column. That does not depend on what stands between the columns here. It is so
/// where a name is what programs write for a missing value. It is so where it holds a separator of any table, a quote or a line end, and
/// where it begins as a comment or a bracket does.
pub fn push_quoted(to: &mut Vec<u8>, name: &str) {
    let special = |byte: u8| b",;|\t \"\n\r".contains(&byte);
    let begins = ["#", "%", "//", "\u{feff}", "{", "(", "["];
    if !is_missing(name.as_bytes())
        && !name.bytes().any(special)
        && !begins.iter().any(|begin| name.starts_with(begin))
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
        for (name, expected) in [
            ("Ann", "Ann"),
            ("", r#""""#),
            ("NA", r#""NA""#),
            ("a,b", r#""a,b""#),
            ("a;b", r#""a;b""#),
            ("a|b", r#""a|b""#),
            ("a\tb", "\"a\tb\""),
            ("a b", r#""a b""#),
            ("say \"hi\"", r#""say ""hi""""#),
            ("#1", r##""#1""##),
            ("//a", r#""//a""#),
            ("a/b#c%{(", "a/b#c%{("),
            ("{a", r#""{a""#),
            ("a\nb", "\"a\nb\""),
            ("😀", "😀"),
        ] {
            let mut text = Vec::new();
            push_quoted(&mut text, name);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        }
    }
}
