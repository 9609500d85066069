//! What the head of a file tells.

use tribin::read::{Compression, Foretold, Format, Inspection, Options, ToldBy, inspect};

use crate::samples::{gzip, kite, zstandard};

fn look(name: &str, bytes: &[u8]) -> Inspection {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    inspect(&path, &Options::default()).unwrap()
}

#[test]
fn headers_declare_vertices_and_entries() {
    let told = |name: &str| {
        let (_, bytes) = kite().into_iter().find(|(sample, _)| *sample == name).unwrap();
        let found = look(name, &bytes);
        assert_eq!(found.bytes, Some(bytes.len() as u64));
        assert_eq!(found.compression, Some(Compression::None));
        let size = found.size.map(|size| (size.entries, size.vertices, size.is_sampled));
        (found.format, found.told_by, size)
    };
    let four = |vertices| Some((4, vertices, false));
    let about_four = Some((4, None, true));
    assert_eq!(told("kite.mtx"), (Format::MatrixMarket, ToldBy::FirstBytes, four(Some(5))));
    assert_eq!(told("kite.graph"), (Format::Metis, ToldBy::Extension, four(Some(5))));
    assert_eq!(told("kite.npy"), (Format::Npy, ToldBy::FirstBytes, four(None)));
    assert_eq!(told("kite.npz"), (Format::Npz, ToldBy::Extension, None));
    assert_eq!(told("kite.sg"), (Format::Sg, ToldBy::Extension, four(Some(6))));
    assert_eq!(told("directed.sg"), (Format::Sg, ToldBy::Extension, four(Some(6))));
    assert_eq!(told("kite.bin"), (Format::Pairs, ToldBy::Extension, four(None)));
    assert_eq!(told("kite.el"), (Format::EdgeList, ToldBy::Extension, about_four));
    assert_eq!(told("kite"), (Format::EdgeList, ToldBy::Default, about_four));
}

#[test]
fn edge_lists_are_extrapolated_from_their_head() {
    // Lines of equal length: 256 KiB hold 43690 of them and four bytes of the next.
    let text = "12 34\n".repeat(1_000_000);
    let found = look("a.txt", text.as_bytes());
    let size = found.size.unwrap();
    assert_eq!((size.entries, size.is_sampled), (1_000_000, true));
    for (name, bytes, compression) in [
        ("a.txt.gz", gzip(text.as_bytes()), Compression::Gzip),
        ("a.txt", zstandard(text.as_bytes()), Compression::Zstd),
    ] {
        let found = look(name, &bytes);
        assert_eq!(found.compression, Some(compression));
        assert_eq!(found.bytes, Some(bytes.len() as u64));
        let Some(Foretold { entries, is_sampled: true, .. }) = found.size else {
            panic!("{found:?}")
        };
        assert!((600_000..=1_000_000).contains(&entries), "{entries}");
    }
}

#[test]
fn standard_input_is_left_alone() {
    let mut options = Options::default();
    options.format = Some(Format::Metis);
    let found = inspect("-", &options).unwrap();
    assert_eq!((found.format, found.told_by), (Format::Metis, ToldBy::Option));
    assert_eq!((found.bytes, found.compression), (None, None));
    assert_eq!(found.size, None);
}

#[test]
fn a_malformed_header_is_an_error_and_later_lines_are_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.graph");
    std::fs::write(&path, "3\n").unwrap();
    let error = inspect(&path, &Options::default()).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("{}:1: `3` is not the header of a METIS file", path.display()))
    );
    std::fs::write(&path, "").unwrap();
    let error = inspect(&path, &Options::default()).unwrap_err().to_string();
    assert!(error.ends_with("check that writing the file succeeded"), "{error}");
    let path = folder.path().join("a.txt.gz");
    for (bytes, expected) in [
        (
            &b"1 2\n"[..],
            "do not: take the extension away if the file is not compressed, or fetch it again",
        ),
        (&gzip(b"1 2\n")[..11], "the file is cut off, fetch or compress it again"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = inspect(&path, &Options::default()).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
    assert_eq!(look("a.graph", b"3 2\nx").size.unwrap().vertices, Some(3));
}
