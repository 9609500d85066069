//! What stands between the columns of a text, by its name.

use crate::{Error, Result};

/// What [`Options::delimiter`](super::Options::delimiter) takes, of a text: the character itself, or the name of one that
/// is awkward to type.
///
/// ```
/// use tribin::read::delimiter;
///
/// assert_eq!((delimiter("tab")?, delimiter(";")?), ('\t', ';'));
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Errors
/// [`Error::Usage`](crate::Error::Usage) of a text that is neither, and of characters that stand in numbers, names and quotes.
pub fn delimiter(text: &str) -> Result<char> {
    let named = match text {
        "comma" => Some(','),
        "tab" | "\\t" => Some('\t'),
        "semicolon" => Some(';'),
        "pipe" => Some('|'),
        "blank" | "space" => Some(' '),
        other => other.parse().ok(),
    };
    let taken = |c: &char| c.is_ascii() && !c.is_ascii_alphanumeric() && !"\"\n\r.-".contains(*c);
    named.filter(taken).ok_or_else(|| {
        let message = format!(
            "`{text}` is no delimiter: use comma, tab, semicolon, pipe, blank or one ASCII character"
        );
        Error::Usage(message.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_names_are_delimiters() {
        for (text, expected) in [
            ("comma", ','),
            ("tab", '\t'),
            ("\\t", '\t'),
            ("\t", '\t'),
            ("semicolon", ';'),
            ("pipe", '|'),
            ("blank", ' '),
            ("space", ' '),
            (":", ':'),
        ] {
            assert_eq!(delimiter(text).unwrap(), expected, "{text}");
        }
        for text in ["", "::", "1", "a", "-", ".", "\"", "\n", "é"] {
            let error = delimiter(text).unwrap_err().to_string();
            assert!(error.contains("is no delimiter: use comma, "), "{error}");
        }
    }
}
