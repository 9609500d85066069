//! Tables of text that are easily misread: each gives its edges, or one message.

use tribin::Graph;
use tribin::read::{self, Options};

use crate::samples::{INTEGERS, LINE, ids, message, read};

/// Reads a table whose delimiter is said.
fn between(delimiter: char, text: impl AsRef<[u8]>) -> tribin::Result<Graph> {
    let mut options = Options::default();
    options.delimiter = Some(delimiter);
    read::from_bytes("a.txt", text.as_ref(), &options)
}

const EMPTY: &str = "a column is empty where a vertex id was expected";

/// A run of tabs was taken for one, so that a weight became an end.
#[test]
fn an_empty_column_between_tabs_moves_nothing() {
    let rows = |rows: usize| -> String {
        (0..rows).map(|row| format!("{}\t{}\t9\n", row % 7, row % 5)).collect()
    };
    for (start, lines) in [(rows(2), 2), (rows(1 << 16), 1 << 16)] {
        for row in ["\t1\t3\n", "1\t\t3\n", "1\t \t3\n", " \t1\t3\n"] {
            let text = format!("{start}{row}");
            let expected = |line: usize| format!("a.txt:{line}: {EMPTY}: {LINE}");
            assert_eq!(message("a.txt", &text), expected(lines + 1), "{row:?}");
            assert_eq!(
                between('\t', &text).unwrap_err().to_string(),
                expected(lines + 1),
                "{row:?}"
            );
            let headed = format!("source\ttarget\tweight\n{text}");
            assert_eq!(message("a.txt", headed), expected(lines + 2), "{row:?}");
        }
    }
}

#[test]
fn blanks_in_a_column_separate_nothing() {
    let blank = |at: &str, cut_at: &str| {
        format!(
            "a.txt:{at} has a blank in it, as no integer has, and columns are cut at {cut_at} (say what stands between \
             columns)"
        )
    };
    for (delimiter, sep, cut_at) in [('\t', "\t", "tabs"), (',', ",", "`,`"), (';', ";", "`;`")] {
        let rows = format!("1{sep}2\n").repeat(2);
        let many = format!("1{sep}2\n").repeat(1 << 17);
        for (start, line) in [(rows, 3), (many, (1 << 17) + 1)] {
            for (row, shown) in [
                (format!("1 500{sep}3\n"), "1 500"),
                (format!("3{sep}1 500\n"), "1 500"),
                ("1 500\n".into(), "1 500"),
                (format!("1 500 7{sep}3\n"), "1 500 7"),
            ] {
                let text = format!("{start}{row}");
                let found = between(delimiter, &text).unwrap_err().to_string();
                assert_eq!(found, blank(&format!("{line}: `{shown}`"), cut_at), "{row:?}");
                let found = message("a.txt", format!("source{sep}target\n{text}"));
                assert_eq!(found, blank(&format!("{}: `{shown}`", line + 1), cut_at), "{row:?}");
            }
        }
        // Blanks around integers are none of theirs.
        let padded = format!(" 1 {sep} 2 \n2{sep} 3\n");
        assert_eq!(ids(&between(delimiter, padded).unwrap()), [[1, 2], [2, 3]]);
    }
}

/// Lists whose lines differ stay lists.
#[test]
fn blanks_and_tabs_that_are_mixed_separate_columns() {
    let edges = [[1, 2], [2, 3], [3, 4], [4, 5]];
    for text in
        ["1\t2\n2 3\n3\t\t4\n\t4 5\n", "1 \t2\n2\t 3\n3  4\n4\t5\n", "1\t\t2\n2\t3\n3\t\t4\n4\t5\n"]
    {
        assert_eq!(ids(&read("a.txt", text).unwrap()), edges, "{text:?}");
    }
    let aligned = "1\t\t2\t7\n20\t\t3\t7\n";
    assert_eq!(ids(&read("a.txt", aligned).unwrap()), [[1, 2], [20, 3]]);
    // Behind the beginning, too, where that has nothing but tabs.
    let many = "1\t2\n".repeat(1 << 17);
    let found = ids(&read("a.txt", format!("{many}3 4\n 5 6\n")).unwrap());
    assert_eq!(found[1 << 17..], [[3, 4], [5, 6]]);
}
