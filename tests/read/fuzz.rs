//! Arbitrary bytes: every reader answers or names what is wrong, and never asks for more memory than
//! the content justifies (see the allocator in `main.rs`).

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use tribin::read::{Columns, Format, IdKind, Options};

use crate::samples::{answers, gzip, kite, zstandard};

/// Reads the bytes in every format and checks what every answer must keep.
fn all_readers(name: &str, bytes: &[u8]) {
    for format in std::iter::once(None).chain(Format::ALL.map(Some)) {
        let mut options = Options::default();
        options.format = format;
        answers(name, bytes, &options);
    }
}

/// A change to a file.
#[derive(Debug, Clone)]
pub enum Edit {
    Replace(Index, u8),
    Remove(Index, usize),
    Insert(Index, Vec<u8>),
    Cut(Index),
}

pub fn edit() -> impl Strategy<Value = Edit> {
    let telling = prop_oneof![
        vec(any::<u8>(), 1..9),
        Just(b"18446744073709551615".to_vec()),
        Just(b"99999999999999999999999".to_vec()),
        Just(b" 4294967295 ".to_vec()),
        Just(b" 4294967296 1000000000000 ".to_vec()),
        Just(b"\n".to_vec()),
        Just(b" -1 ".to_vec()),
        Just(b"% ".to_vec()),
    ];
    prop_oneof![
        4 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Edit::Replace(at, byte)),
        2 => (any::<Index>(), 1usize..9).prop_map(|(at, count)| Edit::Remove(at, count)),
        3 => (any::<Index>(), telling).prop_map(|(at, bytes)| Edit::Insert(at, bytes)),
        1 => any::<Index>().prop_map(Edit::Cut),
    ]
}

pub fn apply(bytes: &mut Vec<u8>, edit: &Edit) {
    match edit {
        _ if bytes.is_empty() => {}
        Edit::Replace(at, byte) => *at.get_mut(bytes) = *byte,
        Edit::Remove(at, count) => {
            let at = at.index(bytes.len());
            bytes.drain(at..bytes.len().min(at + count));
        }
        Edit::Insert(at, more) => {
            let at = at.index(bytes.len());
            bytes.splice(at..at, more.iter().copied());
        }
        Edit::Cut(at) => bytes.truncate(at.index(bytes.len())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::effort::cases(512), ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in vec(any::<u8>(), 0..300), name in "a(\\.gz|\\.zst|\\.bin)?") {
        all_readers(&name, &bytes);
    }

    #[test]
    fn random_text(text in "[-0-9 ,\t\r\n#%/.e]{0,200}", header in "(%%MatrixMarket matrix coordinate pattern general\n)?[0-9]{1,3} [0-9]{1,20}( [0-9]{1,20})?\n") {
        all_readers("a", text.as_bytes());
        all_readers("a", format!("{header}{text}").as_bytes());
    }

    #[test]
    fn random_tables(
        text in "[0-9ab,;|\t\" \r\n#:.é\\-]{0,200}",
        header in "(source,target\n|\"\",\"from\",\"to\"\n|a;b;c\n|sep=;\n|u v\n)?",
        names in any::<bool>(), columns in any::<bool>(), has_header in any::<Option<bool>>(),
        delimiter in prop_oneof![Just(None), Just(Some(',')), Just(Some(' ')), Just(Some('\t'))],
    ) {
        let mut options = Options::default();
        options.header = has_header;
        options.delimiter = delimiter.map(String::from);
        options.columns = columns.then(|| Columns::new("2", "1"));
        options.ids = if names { IdKind::Names } else { IdKind::Auto };
        answers("a", format!("{header}{text}").as_bytes(), &options);
    }

    #[test]
    fn edited_files(sample in any::<Index>(), edits in vec(edit(), 0..5)) {
        let (name, mut bytes) = sample.get(&kite()).clone();
        for edit in &edits {
            apply(&mut bytes, edit);
        }
        all_readers(name, &bytes);
    }

    #[test]
    fn edited_compressed_files(
        sample in any::<Index>(), gzipped in any::<bool>(), edits in vec(edit(), 0..4),
    ) {
        let (_, bytes) = sample.get(&kite()).clone();
        let mut bytes = if gzipped { gzip(&bytes) } else { zstandard(&bytes) };
        for edit in &edits {
            apply(&mut bytes, edit);
        }
        all_readers(if gzipped { "a.gz" } else { "a.zst" }, &bytes);
    }
}
