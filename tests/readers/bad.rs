//! Every error, its whole message.

use std::path::Path;

use tribin::read::{self, Format, Options};

use crate::samples::{gzip, npy, read, read_as, zstandard};

fn message(name: &str, bytes: impl AsRef<[u8]>) -> String {
    read(name, bytes).unwrap_err().to_string()
}

const LINE: &str = "each line needs two vertex ids separated by a blank, a tab or a comma (begin \
                    comment lines with `#`, or name another format with `--format`)";

#[test]
fn edge_list_lines() {
    for (text, expected) in [
        ("1 2\na b\n", format!("a.txt:2: `a` is not a vertex id: {LINE}")),
        ("source,target\n1,2\n", format!("a.txt:1: `source` is not a vertex id: {LINE}")),
        ("1 2\n\n# c\n3 x4\n", format!("a.txt:4: `x4` is not a vertex id: {LINE}")),
        ("1 2x\n", format!("a.txt:1: `2x` is not a vertex id: {LINE}")),
        ("1 2.5\n", format!("a.txt:1: `2.5` is not a vertex id: {LINE}")),
        ("+1 2\n", format!("a.txt:1: `+1` is not a vertex id: {LINE}")),
        ("1;2\n", format!("a.txt:1: `1;2` is not a vertex id: {LINE}")),
        ("1 -\n", format!("a.txt:1: `-` is not a vertex id: {LINE}")),
        ("1 2\n3\n", format!("a.txt:2: only one column, `3`: {LINE}")),
        ("1 2\n  33 \t\r\n", format!("a.txt:2: only one column, `33`: {LINE}")),
        ("7,\n", format!("a.txt:1: only one column, `7`: {LINE}")),
        ("7", format!("a.txt:1: only one column, `7`: {LINE}")),
        ("1,,2\n", format!("a.txt:1: a column is empty where a vertex id was expected: {LINE}")),
        (",1,2\n", format!("a.txt:1: a column is empty where a vertex id was expected: {LINE}")),
        ("1 2\n3 \x01\u{1b}[31m\n", format!("a.txt:2: `\\u{{1}}\\u{{1b}}[31m` is not a vertex id: {LINE}")),
        (
            "1 2\n0 -3\n",
            "a.txt:2: the vertex id `-3` is negative: ids are integers from 0 to 2^64-1, renumber \
             the vertices"
                .into(),
        ),
        (
            "18446744073709551616 1\n",
            "a.txt:1: the vertex id `18446744073709551616` is too large: ids go up to 2^64-1 \
             (18446744073709551615), renumber the vertices"
                .into(),
        ),
        (
            "1 999999999999999999999999999999999999999999\n",
            "a.txt:1: the vertex id `99999999999999999999999999999999…` is too large: ids go up to \
             2^64-1 (18446744073709551615), renumber the vertices"
                .into(),
        ),
    ] {
        assert_eq!(message("a.txt", text), expected, "{text:?}");
    }
    assert_eq!(
        message("a.txt", b"\x7fELF\x02\x01\x01\0\0\xff\xfe"),
        format!(
            "a.txt:1: `\\u{{7f}}ELF\\u{{2}}\\u{{1}}\\u{{1}}\\0\\0\\xff\\xfe` is not a vertex id: {LINE}"
        )
    );
}

#[test]
fn the_first_of_several_faults_for_any_number_of_threads() {
    let mut text = "1 2\n".repeat(1_000_000);
    text.push_str("x\n");
    text.push_str(&"3 4\n".repeat(1_000_000));
    text.push_str("y\n");
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(
            pool.install(|| message("a.txt", &text)),
            format!("a.txt:1000001: `x` is not a vertex id: {LINE}")
        );
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let open = |path: &Path| tribin::Graph::open(path).unwrap_err().to_string();
    let shown = |path: &Path| path.display().to_string();

    let missing = at("no.txt");
    assert_eq!(
        open(&missing),
        format!("{}: no such file: check the path (`-` means standard input)", shown(&missing))
    );
    assert_eq!(
        open(folder.path()),
        format!("{}: this is a directory: name a graph file in it", shown(folder.path()))
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
            println!(
                "permissions do not bind this user: only the message is tested, in the reader"
            );
        } else {
            assert_eq!(
                open(&closed),
                format!(
                    "{}: permission denied: make the file readable for this user",
                    shown(&closed)
                )
            );
        }
        let error = read::inspect(Path::new("/dev/null"), &Options::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "/dev/null: this is no regular file: its head cannot be looked at without consuming it"
        );
    }
}

#[test]
fn compressed_data() {
    let text = "1 2\n".repeat(1000);
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
    for bytes in [flip(&gz, gz.len() - 6), flip(&gz, 10), [&gz[..], b"something else"].concat()] {
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
        "a.txt.zst:byte 0: the zstd frame needs a window of more than 128 MiB: compress the file \
         again without `--ultra` and `--long`"
    );
    // Lines are those of the decompressed text.
    assert_eq!(message("a.gz", gzip(b"1 2\n3\n")), format!("a.gz:2: only one column, `3`: {LINE}"));
}

#[test]
fn matrix_market_heads() {
    for (text, expected) in [
        (
            "1 2\n",
            "a.mtx:1: `1 2` is not the banner of a Matrix Market file: the first line must be \
             `%%MatrixMarket matrix coordinate FIELD SYMMETRY` (for an edge list use `--format \
             edge-list`)",
        ),
        (
            "%%MatrixMarket vector coordinate real general\n",
            "a.mtx:1: `%%MatrixMarket vector coordinate…` is not the banner of a Matrix Market file: \
             the first line must be `%%MatrixMarket matrix coordinate FIELD SYMMETRY` (for an edge \
             list use `--format edge-list`)",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
            "a.mtx:1: an `array` file is a dense matrix, not a graph: write the matrix in \
             `coordinate` form",
        ),
        (
            "%%MatrixMarket matrix coordinate quaternion general\n",
            "a.mtx:1: the field `quaternion` is none of pattern, integer, real, complex",
        ),
        (
            "%%MatrixMarket matrix coordinate real lopsided\n",
            "a.mtx:1: the symmetry `lopsided` is none of general, symmetric, skew-symmetric, \
             hermitian",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n% c\n\n",
            "a.mtx:4: the file ends before the size line `rows columns entries`: it is cut off, \
             fetch it again",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n% c\n3 3\n",
            "a.mtx:3: `3 3` is not the size line: three integers are expected, `rows columns \
             entries`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n3 3 1 1\n",
            "a.mtx:2: `3 3 1 1` is not the size line: three integers are expected, `rows columns \
             entries`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n3 3 -1\n",
            "a.mtx:2: `3 3 -1` is not the size line: three integers are expected, `rows columns \
             entries`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n3 3 99999999999999999999\n",
            "a.mtx:2: `3 3 99999999999999999999` is not the size line: three integers are expected, \
             `rows columns entries`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n3 4 1\n1 4\n",
            "a.mtx:2: the matrix is not square (3 rows, 4 columns), so it is no graph's adjacency \
             matrix",
        ),
    ] {
        assert_eq!(message("a.mtx", text), expected, "{text:?}");
    }
}

#[test]
fn matrix_market_entries() {
    for (size, body, expected) in [
        (
            "3 3 2",
            "1 2\n",
            "a.mtx:2: the size line announces 2 entries and the file holds 1: the file is cut off, \
             fetch it again",
        ),
        (
            "3 3 1000000000000000000",
            "1 2\n",
            "a.mtx:2: the size line announces 1000000000000000000 entries and the file holds 1: the \
             file is cut off, fetch it again",
        ),
        (
            "3 3 2",
            "1 2\n\n2 3\n3 1\n1 1\n",
            "a.mtx:6: an entry more than the 2 that the size line announces: correct the size line, \
             or fetch the file again",
        ),
        (
            "3 3 1",
            "1 2\n2 3\nx\n",
            "a.mtx:4: an entry more than the 1 that the size line announces: correct the size line, \
             or fetch the file again",
        ),
        (
            "3 3 2",
            "1 2\n0 1\n",
            "a.mtx:4: the index `0` is out of range: the size line allows 1 to 3, correct it or \
             fetch the file again",
        ),
        (
            "3 3 2",
            "1 2\n3 4 0.5\n",
            "a.mtx:4: the index `4` is out of range: the size line allows 1 to 3, correct it or \
             fetch the file again",
        ),
        (
            "3 3 1",
            "-1 2\n",
            "a.mtx:3: the index `-1` is out of range: the size line allows 1 to 3, correct it or \
             fetch the file again",
        ),
        (
            "3 3 1",
            "1 18446744073709551616\n",
            "a.mtx:3: the index `18446744073709551616` is out of range: the size line allows 1 to 3, \
             correct it or fetch the file again",
        ),
        (
            "0 0 1",
            "1 1\n",
            "a.mtx:3: the index `1` is out of range: the size line allows 1 to 0, correct it or \
             fetch the file again",
        ),
        (
            "3 3 2",
            "1 2\n2\n",
            "a.mtx:4: only one column, `2`: each entry needs a row and a column from 1 to 3",
        ),
        (
            "3 3 2",
            "1 2\n2 1.5\n",
            "a.mtx:4: `1.5` is not an index: each entry needs a row and a column from 1 to 3",
        ),
    ] {
        let text = format!("%%MatrixMarket matrix coordinate pattern general\n{size}\n{body}");
        assert_eq!(message("a.mtx", text), expected);
    }
}

#[test]
fn metis_headers() {
    let expected = |line: u32, found: &str| {
        format!(
            "a.graph:{line}: `{found}` is not the header of a METIS file: two to four integers are \
             expected, `vertices edges [format [weights]]`, the format one of 0, 1, 10, 11, 100, \
             101, 110, 111"
        )
    };
    for (text, line, found) in [
        ("% c\n3\n", 2, "3"),
        ("3 x\n", 1, "3 x"),
        ("3 2 2\n", 1, "3 2 2"),
        ("3 2 11 1 1\n", 1, "3 2 11 1 1"),
        ("3 2 11 18446744073709551616\n", 1, "3 2 11 18446744073709551616"),
        ("3 2 110 18446744073709551615\n", 1, "3 2 110 18446744073709551615"),
        ("-3 2\n", 1, "-3 2"),
    ] {
        assert_eq!(message("a.graph", text), expected(line, found), "{text:?}");
    }
    assert_eq!(
        message("a.graph", "% c\n\n"),
        "a.graph:3: the file ends before the header `vertices edges [format [weights]]`: it is cut \
         off, fetch it again"
    );
}

#[test]
fn metis_lines() {
    for (text, expected) in [
        (
            "3 2\n2\n1 3\n",
            "a.graph:1: the header announces 3 vertices and 2 lines of neighbours follow: the file \
             is cut off (the line of a vertex without neighbours is empty, not missing)",
        ),
        (
            "% c\n4294967294 2\n2\n1 3\n",
            "a.graph:2: the header announces 4294967294 vertices and 2 lines of neighbours follow: \
             the file is cut off (the line of a vertex without neighbours is empty, not missing)",
        ),
        (
            "% c\n4294967295 2\n2\n1 3\n",
            "a.graph:2: the header announces 4294967295 vertices: at most 4294967294 (2^32-2) can be \
             counted",
        ),
        (
            "2 1\n2\n1\n\n1 2\n",
            "a.graph:5: `1 2` stands after the line of the last vertex: the header announces 2 \
             vertices, correct it or fetch the file again",
        ),
        (
            "2 1\n2\n3\n",
            "a.graph:3: the neighbour `3` is out of range: the header allows 1 to 2, correct it or \
             fetch the file again",
        ),
        (
            "2 1\n0\n1\n",
            "a.graph:2: the neighbour `0` is out of range: the header allows 1 to 2, correct it or \
             fetch the file again",
        ),
        (
            "2 1\n% c\n2 -1\n1\n",
            "a.graph:3: the neighbour `-1` is out of range: the header allows 1 to 2, correct it or \
             fetch the file again",
        ),
        (
            "2 1\n99999999999999999999\n1\n",
            "a.graph:2: the neighbour `99999999999999999999` is out of range: the header allows 1 \
             to 2, correct it or fetch the file again",
        ),
        (
            "2 1\n2 x\n1\n",
            "a.graph:2: `x` is not a neighbour: each line holds the numbers of a vertex's \
             neighbours, from 1 to 2 (for an edge list use `--format edge-list`)",
        ),
        (
            "2 1\n2,1\n1\n",
            "a.graph:2: `,` is not a neighbour: each line holds the numbers of a vertex's \
             neighbours, from 1 to 2 (for an edge list use `--format edge-list`)",
        ),
        (
            "3 3\n2\n1 3\n2\n",
            "a.graph:1: the header announces 3 edges and the lines hold 4 neighbours, not twice as \
             many: correct the header (it counts each edge once) or fetch the file again",
        ),
        (
            "2 9223372036854775808\n2\n1\n",
            "a.graph:1: the header announces 9223372036854775808 edges and the lines hold 2 \
             neighbours, not twice as many: correct the header (it counts each edge once) or fetch \
             the file again",
        ),
        (
            "2 1 1\n2 5\n1\n",
            "a.graph:3: the neighbour `1` has no edge weight after it, which the header's format \
             asks for: correct the header or fetch the file again",
        ),
        (
            "2 1 10 3\n4 4 4 2\n4\n",
            "a.graph:3: the line of vertex 2 lacks 2 of the 3 vertex weights that the header's \
             format asks for: correct the header or fetch the file again",
        ),
    ] {
        assert_eq!(message("a.graph", text), expected, "{text:?}");
    }
}

#[test]
fn raw_pairs() {
    assert_eq!(
        message("a.bin", [0; 21]),
        "a.bin:byte 16: 5 bytes are left over after the last whole pair: a .bin file holds two \
         little-endian 32-bit ids for each edge; the file is cut off or of another format (name it \
         with `--format`)"
    );
}

#[test]
fn npy_headers() {
    let advice = "save the array with `.astype('<u4')` or another little-endian integer type";
    let shape = "edges are an array of shape (m, 2), one row for each";
    let cut = "the file ends inside its header: it is cut off, save the array again";
    let good = npy("<u4", false, "(1, 2)", &[0; 8]);
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    for (bytes, expected) in [
        (good[..6].to_vec(), format!("a.npy:byte 6: {cut}")),
        (good[..9].to_vec(), format!("a.npy:byte 9: {cut}")),
        (good[..60].to_vec(), format!("a.npy:byte 60: {cut}")),
        (with(9, 0xff), format!("a.npy:byte {}: {cut}", good.len())),
        (
            with(6, 4),
            "a.npy:byte 6: version 4 of the .npy format is unknown: versions 1 to 3 are read".into(),
        ),
        (
            npy("<f8", false, "(1, 2)", &[0; 16]),
            format!("a.npy:byte 10: the type `<f8` is no integer: {advice}"),
        ),
        (
            npy("|b1", false, "(1, 2)", &[0; 2]),
            format!("a.npy:byte 10: the type `|b1` is no integer: {advice}"),
        ),
        (
            npy("<i16", false, "(1, 2)", &[0; 2]),
            format!("a.npy:byte 10: the type `<i16` is no integer: {advice}"),
        ),
        (
            npy(">i4", false, "(1, 2)", &[0; 8]),
            format!("a.npy:byte 10: the type `>i4` is big-endian: {advice}"),
        ),
        (
            npy("!i4", false, "(1, 2)", &[0; 8]),
            format!("a.npy:byte 10: the type `!i4` is unknown: {advice}"),
        ),
        (
            npy("<i4", false, "(2, 3)", &[0; 24]),
            format!("a.npy:byte 10: the array's shape is (2, 3): {shape}"),
        ),
        (npy("<i4", false, "(2,)", &[0; 8]), format!("a.npy:byte 10: the array's shape is (2,): {shape}")),
        (npy("<i4", false, "()", &[0; 4]), format!("a.npy:byte 10: the array's shape is (): {shape}")),
        (
            npy("<i4", false, "(-1, 2)", &[0; 8]),
            "a.npy:byte 10: the header has no valid `shape`: save the array again".into(),
        ),
        (
            npy("<i4", false, "(2, 2)", &[0; 15]),
            "a.npy:byte 128: the header announces 16 bytes of data and 15 follow: the file is cut \
             off or damaged, save the array again"
                .into(),
        ),
        (
            npy("<i8", false, "(18446744073709551615, 2)", &[0; 16]),
            "a.npy:byte 128: the header announces 295147905179352825840 bytes of data and 16 follow: \
             the file is cut off or damaged, save the array again"
                .into(),
        ),
    ] {
        assert_eq!(message("a.npy", bytes), expected);
    }
    assert_eq!(
        message("a.npy", "1 2\n"),
        "a.npy:byte 0: `1 2\\n` is not the beginning of a .npy file (`\\x93NUMPY`): use numpy.save"
    );
    let mut unordered = good.clone();
    let at = unordered.windows(7).position(|window| window == b"fortran").unwrap();
    unordered[at] = b'F';
    assert_eq!(
        message("a.npy", unordered),
        "a.npy:byte 10: the header has no `fortran_order`: save the array again"
    );
}

#[test]
fn npy_negative_ids() {
    let data: Vec<u8> = [1i32, 2, 3, -4].into_iter().flat_map(i32::to_le_bytes).collect();
    assert_eq!(
        message("a.npy", npy("<i4", false, "(2, 2)", &data)),
        "a.npy:byte 140: the vertex id -4 in row 1 is negative: ids are integers from 0 on, renumber \
         the vertices"
    );
    assert_eq!(
        message("a.npy", npy("<i8", false, "(1, 2)", &i128::MIN.to_le_bytes())),
        "a.npy:byte 136: the vertex id -9223372036854775808 in row 0 is negative: ids are integers \
         from 0 on, renumber the vertices"
    );
    assert_eq!(
        message("a.npy", npy("|i1", true, "(2, 2)", &[1, 0xff, 2, 3])),
        "a.npy:byte 129: the vertex id -1 in row 1 is negative: ids are integers from 0 on, renumber \
         the vertices"
    );
}

#[test]
fn standard_input_is_called_a_dash() {
    let error = read_as("-", "1\n", Format::EdgeList).unwrap_err();
    assert_eq!(error.to_string(), format!("-:1: only one column, `1`: {LINE}"));
}
