//! What stands between the columns of a text, by its name.

use crate::{Error, Result};

/// The delimiter that a text names, for [`Options::delimiter`](super::Options::delimiter): the characters themselves, or the name of one
/// that is awkward to type.
///
/// ```
/// use tribin::read::delimiter;
///
/// assert_eq!((delimiter("tab")?, delimiter(";")?, delimiter("->")?), ("\t".into(), ";".into(), "->".into()));
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Errors
/// [`Error::Usage`](crate::Error::Usage) of nothing, and of letters, digits, points, quotes and line ends, which stand in ids.
pub fn delimiter(text: &str) -> Result<String> {
    let named = match text {
        "comma" => ",",
        "tab" | "\\t" => "\t",
        "semicolon" => ";",
        "pipe" => "|",
        "blank" | "space" => " ",
        other => other,
    };
    let is_of_ids = |c: char| c.is_alphanumeric() || "\"\n\r.".contains(c);
    if named.is_empty() || named.contains(is_of_ids) {
        let message = format!(
            "`{text}` is no delimiter: use comma, tab, semicolon, pipe, blank or the characters themselves, without letters, digits, \
             points and quotes"
        );
        return Err(Error::Usage(message.into()));
    }
    Ok(named.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_names_are_delimiters() {
        for (text, expected) in [
            ("comma", ","),
            ("tab", "\t"),
            ("\\t", "\t"),
            ("\t", "\t"),
            ("semicolon", ";"),
            ("pipe", "|"),
            ("blank", " "),
            ("space", " "),
            (":", ":"),
            ("::", "::"),
            ("->", "->"),
            ("-", "-"),
            ("→", "→"),
        ] {
            assert_eq!(delimiter(text).unwrap(), expected, "{text}");
        }
        for text in ["", "1", "a", ".", "\"", "\n", "é", " x "] {
            let error = delimiter(text).unwrap_err().to_string();
            assert!(error.contains("is no delimiter: use comma, "), "{error}");
        }
    }
}
