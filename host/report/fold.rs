//! Lines that fit a terminal.

/// Characters of a line, where words leave a choice.
const WIDTH: usize = 80;

/// A text in lines that begin at `column`, folded between words. What goes on stands two characters further in.
pub(super) fn folded(text: &str, column: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split(' ') {
        if !line.is_empty() && column + line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".into()));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reasons of several facts made lines of 300 characters.
    #[test]
    fn long_lines_are_folded_between_words() {
        let lines = folded(&"word, ".repeat(25), 16);
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("word, word, ") && lines[1].starts_with("  word, word, "));
        assert!(lines.iter().all(|line| 16 + line.trim_end().chars().count() <= 80), "{lines:?}");
        assert_eq!(lines.concat().matches("word,").count(), 25);
        let long = "w".repeat(100);
        assert_eq!(folded(&long, 16), [long]);
        assert_eq!(folded("", 16), [""]);
    }
}
