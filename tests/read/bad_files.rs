//! Every error of files that cannot be read or decompressed, its whole message.

use std::path::Path;

use testkit::skip;
use tribin::read::{Format, Options, inspect};

use crate::samples::{NO_TABLE, gzip, message, read, read_as, zstandard};

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let open = |path: &Path| tribin::open(path).unwrap_err().to_string();
    let shown = |path: &Path| path.display().to_string();

    let missing = at("no.txt");
    assert_eq!(
        open(&missing),
        format!("{}: no such file: check the path (`-` means standard input)", shown(&missing))
    );
    assert_eq!(
        open(folder.path()),
        format!(
            "{}: the folder holds no graph: it has no files but documents, checksums and hidden ones",
            shown(folder.path())
        )
    );
    let empty = at("empty.mtx");
    std::fs::write(&empty, "").unwrap();
    assert_eq!(
        open(&empty),
        format!(
            "{}: the file is empty (0 bytes): a graph without edges is a file with only a comment \
             line; check that writing the file succeeded",
            shown(&empty)
        )
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let closed = at("closed.txt");
        std::fs::write(&closed, "1 2\n").unwrap();
        std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
        if std::fs::File::open(&closed).is_ok() {
            skip::part("this user may read every file");
        } else {
            assert_eq!(
                open(&closed),
                format!(
                    "{}: permission denied: make the file readable for this user",
                    shown(&closed)
                )
            );
        }
        let error = inspect(Path::new("/dev/null"), &Options::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "/dev/null: this is no regular file: its head cannot be looked at without consuming it"
        );
    }
}

#[test]
fn compressed_data() {
    let text = "1 2\n".repeat(1000);
    let members = [gzip(text.as_bytes()), gzip(b"3 4\n")].concat();
    assert_eq!(read("a.txt.gz", members).unwrap().edges()[999..], [[1, 2], [3, 4]]);
    let (gz, zst) = (gzip(text.as_bytes()), zstandard(text.as_bytes()));
    let cut = |bytes: &[u8]| bytes[..bytes.len() - 3].to_vec();
    let flip = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 0xff;
        bytes
    };
    let end = gz.len() - 3;
    assert_eq!(
        message("a.txt.gz", cut(&gz)),
        format!(
            "a.txt.gz:byte {end}: the gzip data stop in the middle: the file is cut off, fetch or \
             compress it again"
        )
    );
    let end = zst.len() - 3;
    assert_eq!(
        message("a.txt.zst", cut(&zst)),
        format!(
            "a.txt.zst:byte {end}: the zstd data stop in the middle: the file is cut off, fetch or \
             compress it again"
        )
    );
    // The checksum at the end, a block in the middle, and what follows the last member.
    for bytes in [
        flip(&gz, gz.len() - 6),
        flip(&gz, 10),
        [&gz[..], b"something else"].concat(),
        [&gz[..], b"\0\0", &gz].concat(),
    ] {
        let message = message("a", bytes);
        assert!(message.starts_with("a:byte "), "{message}");
        assert!(
            message.ends_with("the gzip data are damaged here: fetch or compress the file again"),
            "{message}"
        );
    }
    for bytes in [flip(&zst, 4), [&zst[..], b"something else"].concat()] {
        let message = message("a", bytes);
        assert!(message.starts_with("a:byte "), "{message}");
        assert!(
            message.ends_with("the zstd data are damaged here: fetch or compress the file again"),
            "{message}"
        );
    }
    assert_eq!(
        message("a.txt.gz", "1 2\n"),
        "a.txt.gz: the extension says gzip and the first bytes, `1 2\\n`, do not: take the extension \
         away if the file is not compressed, or fetch it again"
    );
    assert_eq!(
        message("a.zst", "1 2\n"),
        "a.zst: the extension says zstd and the first bytes, `1 2\\n`, do not: take the extension \
         away if the file is not compressed, or fetch it again"
    );
    for (bytes, kind) in [(gzip(b""), "gzip"), (zstandard(b""), "zstd")] {
        assert_eq!(
            message("a", bytes),
            format!(
                "a: the {kind} data decompress to nothing: a graph without edges is a file with only \
                 a comment line; check that writing the file succeeded"
            )
        );
    }
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(28).unwrap();
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    assert_eq!(
        message("a.txt.zst", encoder.finish().unwrap()),
        "a.txt.zst:byte 20: the zstd frame needs a window of more than 128 MiB: compress the file \
         again without `--ultra` and `--long`"
    );
    // Lines are those of the decompressed text.
    let uneven = format!("`3` has 1 column between blanks, and most lines have 2{NO_TABLE}");
    assert_eq!(message("a.gz", gzip(b"1 2\n3\n")), format!("a.gz:2: {uneven}"));
}

#[test]
fn standard_input_is_called_a_dash() {
    let error = read_as("-", "1\n", Format::EdgeList).unwrap_err();
    assert_eq!(
        error.to_string(),
        "-:1: only one column, `1`: each line needs the two ends of an edge (say with `delimiter` what stands between columns)"
    );
}

/// A table of two columns and one of five in a folder were one graph.
#[test]
fn files_of_different_numbers_of_columns() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), "0,1\n1,2\n2,0\n").unwrap();
    std::fs::write(folder.path().join("b.csv"), "3,4,7\n4,5,8\n5,3,9\n").unwrap();
    let error = tribin::read::open(folder.path(), &Options::default()).unwrap_err().to_string();
    assert!(
        error.contains(
            "b.csv: the columns of the edges are the first two of 3 here and the first two of 2 in "
        ) && error.contains("a.csv"),
        "{error}"
    );
    let mut options = Options::default();
    options.columns = Some("1,2".parse().unwrap());
    assert_eq!(tribin::read::open(folder.path(), &options).unwrap().edges().len(), 6);
}
