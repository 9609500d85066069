//! Every error of .npz and .sg files, its whole message.

use crate::samples::{message, npy, npz, npz_of_coordinates, sg, zip};

#[test]
fn archives() {
    let save = "save the matrix with scipy.sparse.save_npz";
    let no_zip = message("a.npz", "1 2\n");
    assert!(no_zip.starts_with("a.npz: this is no zip archive, or a damaged one ("), "{no_zip}");
    assert!(no_zip.ends_with(&format!("): {save}")), "{no_zip}");

    let array = npy("<i4", false, "(1, 2)", &[0; 8]);
    let other = zip(&[("arr_0.npy", &array), ("arr_1.npy", &array)]);
    assert_eq!(
        message("a.npz", other),
        "a.npz: the archive has no `format.npy`: it holds no sparse matrix in compressed rows, save \
         one with scipy.sparse.save_npz"
    );

    let mut damaged = npz("csr", 2, &[0, 1, 2], &[1, 0]);
    // The first member's content begins behind its header of 30 bytes and its name.
    damaged[30 + "indices.npy".len() + 4..][..8].fill(0xff);
    let damaged = message("a.npz", damaged);
    assert!(damaged.starts_with("a.npz: `indices.npy` in the archive is damaged ("), "{damaged}");
    assert!(damaged.ends_with("): save the matrix again"), "{damaged}");
}

#[test]
fn matrices() {
    let again = "save the matrix again";
    for (bytes, expected) in [
        (
            npz("lil", 2, &[0], &[]),
            "a.npz: the matrix is of the format `lil`: convert it with `.tocsr()` before it is saved"
                .into(),
        ),
        (
            npz_of_coordinates(3, &[0, 1], &[1]),
            format!("a.npz: the entries have 2 rows and 1 columns: {again}"),
        ),
        (
            npz_of_coordinates(3, &[0, 1], &[1, 3]),
            format!("a.npz: entry 1 is in row 1 and column 3, and there are 3 of each: {again}"),
        ),
        (
            npz("csr", 2, &[0, 1], &[1]),
            format!("a.npz: 2 rows need 3 row starts, not 2: {again}"),
        ),
        (
            npz("csr", 2, &[0, 2, 1], &[1, 0]),
            format!("a.npz: row 1 is said to be the entries 2 to 1 of 2: {again}"),
        ),
        (
            npz("csr", 2, &[1, 1, 2], &[1, 0]),
            format!("a.npz: row 0 is said to be the entries 1 to 1 of 2: {again}"),
        ),
        (
            npz("csr", 2, &[0, 1, 3], &[1, 0]),
            format!("a.npz: row 1 is said to be the entries 1 to 3 of 2: {again}"),
        ),
        (
            npz("csr", 2, &[0, 1, 2], &[1, 2]),
            format!("a.npz: entry 1 leads to row 2, and there are 2: {again}"),
        ),
        (
            npz("csr", 2, &[0, 1, 2], &[1, -2]),
            format!("a.npz:indices.npy:byte 132: -2 is negative: {again}"),
        ),
        (
            npz("csr", -2, &[0], &[]),
            format!("a.npz:shape.npy:byte 128: -2 is negative: {again}"),
        ),
    ] {
        assert_eq!(message("a.npz", bytes), expected);
    }
}

#[test]
fn members() {
    let with = |name: &str, member: Vec<u8>| {
        let list = |values: [i32; 2]| {
            let data: Vec<u8> = values.into_iter().flat_map(i32::to_le_bytes).collect();
            npy("<i4", false, "(2,)", &data)
        };
        let mut members = vec![
            ("format.npy", npy("|S3", false, "()", b"csr")),
            ("shape.npy", list([1, 1])),
            ("indptr.npy", list([0, 2])),
            ("indices.npy", list([0, 0])),
        ];
        for (other, content) in &mut members {
            if *other == name {
                *content = member.clone();
            }
        }
        let members: Vec<(&str, &[u8])> =
            members.iter().map(|(name, content)| (*name, &content[..])).collect();
        message("a.npz", zip(&members))
    };
    assert_eq!(
        with("shape.npy", npy("<i4", false, "(3,)", &[1; 12])),
        "a.npz: the shape has 3 lengths, not two"
    );
    let oblong: Vec<u8> = [2i32, 3].into_iter().flat_map(i32::to_le_bytes).collect();
    assert_eq!(
        with("shape.npy", npy("<i4", false, "(2,)", &oblong)),
        "a.npz: the matrix is not square (2 rows, 3 columns), so it is no graph's adjacency matrix"
    );
    assert_eq!(
        with("indptr.npy", npy("<i4", false, "(1, 2)", &[0; 8])),
        "a.npz:indptr.npy:byte 10: the shape `(1, 2)` is not that of a list of numbers"
    );
    assert_eq!(
        with("indptr.npy", npy("<i4", false, "(2,)", &[0; 7])),
        "a.npz:indptr.npy:byte 128: the header announces 8 bytes of data and 7 follow: the file is cut off or damaged, \
         save the array again"
    );
    assert_eq!(
        with("indices.npy", npy("<f8", false, "(2,)", &[0; 16])),
        "a.npz:indices.npy:byte 10: the type `<f8` is not read here: save the array with \
         `.astype('<u4')` or another integer type"
    );
}

#[test]
fn serialized_graphs() {
    let good = sg(0, 2, 2, &[(&[0, 1, 2], &[1, 0])]);
    let again = "convert the graph again";
    let sized = |found: usize| {
        format!(
            "a.sg:byte 1: 2 entries and 2 vertices take a file of 49 bytes, and this one has {found}: \
             it is cut off or has weights (.wsg), {again}"
        )
    };
    for (bytes, expected) in [
        (
            good[..16].to_vec(),
            format!("a.sg:byte 16: the file ends inside its first 17 bytes: it is cut off, {again}"),
        ),
        (good[..48].to_vec(), sized(48)),
        ([&good[..], &[0; 8]].concat(), sized(57)),
        (
            sg(2, 2, 2, &[(&[0, 1, 2], &[1, 0])]),
            "a.sg:byte 0: the first byte is 2, and a GAP serialized graph begins with 0 or 1: it is of \
             another format (name it with `format`)"
                .into(),
        ),
        (
            sg(0, u64::MAX, 3, &[]),
            format!(
                "a.sg:byte 1: 18446744073709551615 entries and 3 vertices take a file of \
                 73786976294838206509 bytes, and this one has 17: it is cut off or has weights (.wsg), \
                 {again}"
            ),
        ),
        (
            sg(0, 2, 2, &[(&[0, 3, 2], &[1, 0])]),
            format!(
                "a.sg: row 0 is said to be the entries 0 to 3 of 2: the file is damaged, {again}"
            ),
        ),
        (
            sg(0, 2, 2, &[(&[0, 2, 1], &[1, 0])]),
            format!(
                "a.sg: row 1 is said to be the entries 2 to 1 of 2: the file is damaged, {again}"
            ),
        ),
        (
            sg(0, 2, 2, &[(&[1, 1, 2], &[1, 0])]),
            format!(
                "a.sg: row 0 is said to be the entries 1 to 1 of 2: the file is damaged, {again}"
            ),
        ),
        (
            sg(0, 2, 2, &[(&[0, 1, 1], &[1, 0])]),
            format!(
                "a.sg: the rows end at entry 1 of 2: the file is damaged, {again}"
            ),
        ),
        (
            sg(0, 2, 0, &[(&[2], &[1, 0])]),
            format!(
                "a.sg: the rows end at entry 0 of 2: the file is damaged, {again}"
            ),
        ),
        (
            sg(0, 2, 2, &[(&[0, 1, 2], &[1, 2])]),
            format!(
                "a.sg: entry 1 leads to row 2, and there are 2: the file is damaged, {again}"
            ),
        ),
    ] {
        assert_eq!(message("a.sg", bytes), expected);
    }
}
