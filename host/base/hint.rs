//! What helps against an error: the end of its text, which names options as the command's flags, such as `` `--device cpu` ``.
//! Hints that one or two places give are written there.

/// Count on the CPU (`DeviceChoice::Cpu`).
pub const CPU: &str = ": count on the CPU with `--device cpu`";

/// Count on the CPU, or on a GPU with more memory.
pub const CPU_OR_MORE_MEMORY: &str =
    ": count on the CPU with `--device cpu`, or on a GPU with more memory";

/// Name the file's format (`read::Options::format`).
pub const NAME_FORMAT: &str = " (name it with `--format`)";

/// Name the format of the file that is written (`write::Target`).
pub const NAME_OUTPUT_FORMAT: &str = ", or name the format with `--to-format`";

/// Name this format, if the file holds an edge list.
pub const EDGE_LIST_FORMAT: &str = " (for an edge list use `--format edge-list`)";

/// Allow more decompressed bytes (`read::Options::decompressed_limit`).
pub const DECOMPRESSED_LIMIT: &str =
    ": if the file can be trusted and the memory suffices, allow more with `--decompressed-limit`";

/// Name the two columns that are the ends of an edge (`read::Options::columns`), as in this example.
pub const NAME_COLUMNS: &str = ": name two with `--columns`, for example `--columns 1,2`";

/// Leave out rows of which an end is missing (`read::Options::missing`), or take every id as a name.
pub const MISSING: &str =
    " (`--missing skip` leaves such lines out, `--ids names` takes every id as a name)";

/// Take every id as a name (`IdKind::Names`).
pub const NAMES_AS_IDS: &str = " (`--ids names` takes every id as a name)";

/// Take ids as integers, or as names (`read::Options::ids`).
pub const INTEGERS_OR_NAMES: &str = " (say `--ids integers` or `--ids names`)";

/// Say what stands between columns (`read::Options::delimiter`).
pub const DELIMITER: &str = " (say with `--delimiter` what stands between columns)";

/// Leave a first line out, name the two columns, or name another format: the lines are no table of edges.
pub const NO_TABLE: &str = ": leave a first line out with `--skip 1`, name the two ends with `--columns 1,2`, or say \
                            `--format adjacency` or `--format metis`";

/// Put scratch files into another folder (`Options::scratch`).
pub const SCRATCH: &str = ": choose another folder with `--scratch`";

/// Allow more memory (`Options::memory`), or use fewer threads.
pub const MORE_MEMORY: &str = ": allow more with `--memory`, or use fewer `--threads`";

/// Say what the weight of an edge is that has several (`Duplicates`).
pub const DUPLICATES: &str = ": say `--duplicates sum` or `--duplicates last`";

/// A text with other words for its flags: that of a hint, or a warning of a file. `words` gets the name of a flag, and its value
/// with the blank before it; `None` of it makes the text `None`.
///
/// ```
/// let keyword = |flag: &str, value: &str| Some(format!("{flag}={}", value.trim()));
/// let text = tribin::hint::in_words("the first line may name the columns: say `--header yes`", keyword);
/// assert_eq!(text.as_deref(), Some("the first line may name the columns: say `header=yes`"));
/// ```
pub fn in_words(hint: &str, words: impl Fn(&str, &str) -> Option<String>) -> Option<String> {
    let parts = hint.split('`').map(|part| match part.strip_prefix("--") {
        Some(flag) => {
            let (name, value) = flag.split_at(flag.find(' ').unwrap_or(flag.len()));
            words(name, value)
        }
        None => Some(part.to_owned()),
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join("`"))
}

/// The text of a hint with the names of the library for flags.
pub(crate) fn in_library_words(hint: &str) -> String {
    let name = |flag: &str, value: &str| Some(format!("{}{value}", flag.replace('-', "_")));
    in_words(hint, name).unwrap_or_default()
}
