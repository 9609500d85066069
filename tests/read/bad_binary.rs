//! Every error of the binary formats, its whole message.

use tribin::read::Format;

use crate::samples::{gzip, ids, message, npy, read_as};

#[test]
fn raw_pairs() {
    assert_eq!(
        message("a.bin", [0; 21]),
        "a.bin:byte 16: 5 bytes are left over after the last whole pair: a .bin file holds two \
         little-endian 32-bit ids for each edge; the file is cut off or of another format (name it with `format`)"
    );
}

#[test]
fn npy_headers() {
    let advice = "save the array with `.astype('<u4')` or another integer type";
    let shape = "edges are an array of shape (m, 2), one row for each, or (2, m)";
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
            npy("<f2", false, "(1, 2)", &[0; 4]),
            format!("a.npy:byte 10: the type `<f2` is not read here: {advice}"),
        ),
        (
            npy("|b1", false, "(1, 2)", &[0; 2]),
            format!("a.npy:byte 10: the type `|b1` is not read here: {advice}"),
        ),
        (
            npy("<i16", false, "(1, 2)", &[0; 2]),
            format!("a.npy:byte 10: the type `<i16` is not read here: {advice}"),
        ),
        (
            npy("!i4", false, "(1, 2)", &[0; 8]),
            format!("a.npy:byte 10: the type `!i4` is not read here: {advice}"),
        ),
        (
            npy("<i4", false, "(3, 3)", &[0; 36]),
            format!("a.npy:byte 10: the array's shape is `(3, 3)`: {shape}"),
        ),
        (npy("<i4", false, "(2,)", &[0; 8]), format!("a.npy:byte 10: the array's shape is `(2,)`: {shape}")),
        (npy("<i4", false, "()", &[0; 4]), format!("a.npy:byte 10: the array's shape is `()`: {shape}")),
        (
            npy("<i4", false, "(-1, 2)", &[0; 8]),
            "a.npy:byte 10: the header has no valid `shape` or `fortran_order`: save the array again".into(),
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
        // Found by fuzzing: a shape with line ends once went into the message as it stood.
        (
            npy("<i4", false, "(3, 4\n\n)", &[0; 48]),
            format!("a.npy:byte 10: the array's shape is `(3, 4\\n\\n)`: {shape}"),
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
        "a.npy:byte 10: the header has no valid `shape` or `fortran_order`: save the array again"
    );
}

#[test]
fn npy_negative_ids() {
    let data: Vec<u8> = [1i32, 2, 3, -4].into_iter().flat_map(i32::to_le_bytes).collect();
    assert_eq!(
        message("a.npy", npy("<i4", false, "(2, 2)", &data)),
        "a.npy:byte 140: row 1: the vertex id -4 is negative (ids are integers from 0 on, renumber the vertices)"
    );
    assert_eq!(
        message("a.npy", npy("<i8", false, "(1, 2)", &i128::MIN.to_le_bytes())),
        "a.npy:byte 136: row 0: the vertex id -9223372036854775808 is negative (ids are integers from 0 on, renumber the vertices)"
    );
    assert_eq!(
        message("a.npy", npy("|i1", true, "(2, 2)", &[1, 0xff, 2, 3])),
        "a.npy:byte 129: row 1: the vertex id -1 is negative (ids are integers from 0 on, renumber the vertices)"
    );
}

#[test]
fn npy_floats_that_are_no_ids() {
    let whole = "floats are ids if they are whole and at most 2^53";
    for (value, expected) in [
        (0.5, format!("row 1: 0.5 is no vertex id ({whole})")),
        (f64::INFINITY, format!("row 1: inf is no vertex id ({whole})")),
        (9_007_199_254_740_994.0, format!("row 1: 9007199254740994 is no vertex id ({whole})")),
        (
            f64::NAN,
            "row 1: a value is missing (leave out rows without an end, as `df.dropna` does)".into(),
        ),
        (
            -2.0,
            "row 1: the vertex id -2 is negative (ids are integers from 0 on, renumber the vertices)"
                .into(),
        ),
    ] {
        let double: Vec<u8> =
            [1.0, 2.0, value, 3.0].into_iter().flat_map(f64::to_le_bytes).collect();
        assert_eq!(
            message("a.npy", npy("<f8", false, "(2, 2)", &double)),
            format!("a.npy:byte 144: {expected}")
        );
        let by_columns: Vec<u8> =
            [1.0, 3.0, 2.0, value].into_iter().flat_map(f64::to_le_bytes).collect();
        assert_eq!(
            message("a.npy", npy("<f8", true, "(2, 2)", &by_columns)),
            format!("a.npy:byte 152: {expected}")
        );
    }
    let single: Vec<u8> = [1.0f32, 2.5].into_iter().flat_map(f32::to_le_bytes).collect();
    assert_eq!(
        message("a.npy", npy("<f4", false, "(1, 2)", &single)),
        format!("a.npy:byte 132: row 0: 2.5 is no vertex id ({whole})")
    );
    assert_eq!(
        message("a.npy", npy("<f8", false, "(1, 2)", &[0; 15])),
        "a.npy:byte 128: the header announces 16 bytes of data and 15 follow: the file is cut off or damaged, save the \
         array again"
    );
}

#[test]
fn files_of_other_formats_that_are_called_raw_pairs() {
    let said = |bytes: &[u8], format: &str| {
        assert_eq!(
            message("a.bin", bytes),
            format!(
                "a.bin: the file begins as those of the format `{format}` do, and a .bin file holds two little-endian 32-bit ids for \
                 each edge: `--format {format}` reads it as what it seems to be, and `--format bin` as raw pairs"
            )
        );
    };
    said(b"PAR1\x15\x04\x15\x30", "parquet");
    said(b"ARROW1\0\0", "arrow");
    said(b"\x93NUMPY\x01\0", "npy");
    let graph = read_as("a.bin", b"PAR1PAR2".as_slice(), Format::Pairs).unwrap();
    assert_eq!(ids(&graph), [[0x3152_4150, 0x3252_4150]]);
}

#[test]
fn texts_that_are_called_raw_pairs() {
    let text = "10 20\n20 30\n";
    assert_eq!(
        message("a.bin", text),
        "a.bin: the file begins as text does, `10 20`, and a .bin file holds two little-endian 32-bit ids for each edge \
         (for an edge list use `format edge-list`)"
    );
    assert!(
        message("a.bin.gz", gzip(text.as_bytes())).starts_with("a.bin.gz: the file begins as text")
    );
    assert_eq!(ids(&read_as("a.bin", text, Format::EdgeList).unwrap()), [[10, 20], [20, 30]]);
    // Who says that they are pairs gets them.
    let graph = read_as("a.bin", "0000000\n", Format::Pairs).unwrap();
    assert_eq!(ids(&graph), [[0x3030_3030, 0x0a30_3030]]);
}
