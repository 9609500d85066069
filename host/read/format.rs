//! How a file's format is told.

use super::compression::Compression;
use super::dimacs;
use super::input::text_start;
pub use tribin_base::file_format::Format;

/// What decided on a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldBy {
    /// The caller named it.
    Option,
    /// The file's first bytes.
    FirstBytes,
    /// The file's extension.
    Extension,
    /// Nothing: an edge list is assumed.
    Default,
}

/// The format that a name's extension says, that of the compression left aside.
pub fn of_name(name: &str) -> Option<(Format, Compression)> {
    let (name, compression) = Compression::of_name(name);
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let format = Format::ALL.into_iter().find(|f| f.extensions().contains(&extension.as_str()))?;
    Some((format, compression))
}

/// The format of a file, from its name and the first of its (decompressed) bytes.
pub(super) fn tell(name: &str, head: &[u8], asked: Option<Format>) -> (Format, ToldBy) {
    if let Some(format) = asked {
        return (format, ToldBy::Option);
    }
    let banner = b"%%MatrixMarket";
    let text = &head[text_start(head)..];
    if text.get(..banner.len()).is_some_and(|h| h.eq_ignore_ascii_case(banner)) {
        return (Format::MatrixMarket, ToldBy::FirstBytes);
    }
    let by_name = of_name(name);
    // Raw pairs may begin so by chance: there, more of the header has to be right.
    let raw = by_name.is_some_and(|(format, _)| format == Format::Pairs);
    if head.starts_with(b"\x93NUMPY") && (!raw || is_npy_header(head)) {
        return (Format::Npy, ToldBy::FirstBytes);
    }
    if !raw && let Some(format) = columnar(head) {
        return (format, ToldBy::FirstBytes);
    }
    match by_name {
        Some((format, _)) if format != Format::EdgeList => (format, ToldBy::Extension),
        _ if dimacs::is_dimacs(head) => (Format::Dimacs, ToldBy::FirstBytes),
        Some((format, _)) => (format, ToldBy::Extension),
        // Four bytes that raw pairs could begin with too, so the extension goes before.
        None if head.starts_with(b"PK\x03\x04") => (Format::Npz, ToldBy::FirstBytes),
        None => (Format::EdgeList, ToldBy::Default),
    }
}

/// The format of tables whose files begin so; `PARE` stands in Parquet files whose footer is encrypted.
fn columnar(head: &[u8]) -> Option<Format> {
    if head.starts_with(b"PAR1") || head.starts_with(b"PARE") {
        return Some(Format::Parquet);
    }
    // A stream begins with a message: a mark, the length of its head, and the head's root table.
    let stream = matches!(head, [0xff, 0xff, 0xff, 0xff, _, _, 0, 0, _, _, 0, 0, ..]);
    (head.starts_with(b"ARROW1\0\0") || stream).then_some(Format::Arrow)
}

/// Whether a file begins with a version that there is and a dictionary.
fn is_npy_header(head: &[u8]) -> bool {
    match head.get(6..8) {
        Some([1, 0]) => head.get(10) == Some(&b'{'),
        Some([2 | 3, 0]) => head.get(12) == Some(&b'{'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_before_first_bytes_before_extension() {
        let mtx = b"%%matrixmarket matrix";
        assert_eq!(
            tell("a.graph", mtx, Some(Format::EdgeList)),
            (Format::EdgeList, ToldBy::Option)
        );
        assert_eq!(tell("a.graph", mtx, None), (Format::MatrixMarket, ToldBy::FirstBytes));
        let marked = b"\xef\xbb\xbf%%MatrixMarket matrix";
        assert_eq!(tell("a", marked, None), (Format::MatrixMarket, ToldBy::FirstBytes));
        assert_eq!(tell("a", b"\x93NUMPY\x01", None), (Format::Npy, ToldBy::FirstBytes));
        let npy = |head| tell("a.bin", head, None).0;
        assert_eq!(npy(b"\x93NUMPY\x01\0\x10\0{'des"), Format::Npy);
        assert_eq!(npy(b"\x93NUMPY\x01\0\x10\0\0\0\0\0"), Format::Pairs);
        assert_eq!(npy(b"\x93NUMPY\x09\0\x10\0{'des"), Format::Pairs);
        assert_eq!(tell("a", b"PK\x03\x04", None), (Format::Npz, ToldBy::FirstBytes));
        assert_eq!(tell("a.bin", b"PK\x03\x04", None), (Format::Pairs, ToldBy::Extension));
        assert_eq!(tell("a.GRAPH.Gz", b"1 0", None), (Format::Metis, ToldBy::Extension));
        assert_eq!(tell("a.bin.zst", b"", None), (Format::Pairs, ToldBy::Extension));
        assert_eq!(tell("x.y/out.konect", b"1 2", None), (Format::EdgeList, ToldBy::Default));
        assert_eq!(tell("-", b"1 2", None), (Format::EdgeList, ToldBy::Default));
    }
}
