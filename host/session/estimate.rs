//! How many entries a source has, before it is read: enough to begin to open a GPU, and no more.

use super::out_of_core::MOST_FACTOR;
use crate::read::{self, Entries};

/// Bytes of an entry in a file of text; of two 32-bit numbers it is 8. (rmat18 as text: 55.1 MB, 13.1 bytes.)
const TEXT: f64 = 13.0;

/// Bytes of an entry in a file that is compressed. (The same with gzip and with zstd: 24.8 MB, 5.9 bytes.)
const COMPRESSED: f64 = 6.0;

/// What names of archives have. To look into one would take as long as to read it.
const ARCHIVES: [&str; 4] = [".zip", ".tar", ".tgz", ".rar"];

/// What is known of a source before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Estimate {
    pub entries: u64,
    pub bytes: u64,
}

/// The entries of a source by its size and its head; `None` for a pipe, and where `is_enough` is false of as many entries as
/// its bytes can have. A file that is wrong is `None` as well: whoever reads it says so.
pub(super) fn of(
    source: &read::Source,
    options: &read::Options,
    is_enough: impl Fn(Estimate) -> bool,
) -> Option<Estimate> {
    let bytes = source.bytes()?;
    // As many entries as memory for them could have.
    let most = Estimate { entries: bytes.saturating_mul(MOST_FACTOR / 8), bytes };
    if !is_enough(most) {
        return None;
    }
    // Of several files, the first stands for all.
    let files = source.files().ok()?;
    let first = files.first()?;
    let name = first.to_string_lossy().to_ascii_lowercase();
    if ARCHIVES.iter().any(|archive| name.contains(archive)) {
        return Some(Estimate { entries: (bytes as f64 / COMPRESSED) as u64, bytes });
    }
    let inspection = read::inspect(first.clone(), options).ok()?;
    let entries = match (inspection.entries, inspection.bytes) {
        (Entries::Declared(entries) | Entries::Estimated(entries), Some(of)) if of > 0 => {
            (entries as f64 * (bytes as f64 / of as f64)) as u64
        }
        _ => {
            let is_text = inspection.compression == Some(read::Compression::None);
            (bytes as f64 / if is_text { TEXT } else { COMPRESSED }) as u64
        }
    };
    Some(Estimate { entries, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(name: &str, bytes: &[u8]) -> Option<u64> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let found = of(&path.into(), &read::Options::default(), |_| true);
        found.map(|found| {
            assert_eq!(found.bytes, bytes.len() as u64);
            found.entries
        })
    }

    #[test]
    fn entries_are_told_by_size_and_head() {
        let lines: String =
            (0..100_000u32).map(|u| format!("{} {}\n", 10_000 + u % 90_000, 99_999)).collect();
        for (name, bytes, least, most) in [
            ("a.bin", vec![1; 8_000], 1_000, 1_000),
            ("a.txt", lines.clone().into_bytes(), 95_000, 105_000),
            (
                "a.mtx",
                b"%%MatrixMarket matrix coordinate pattern general\n9 9 77\n".to_vec(),
                77,
                77,
            ),
            ("a.zip", vec![7; 6_000], 1_000, 1_000),
        ] {
            let found = estimate(name, &bytes).unwrap();
            assert!((least..=most).contains(&found), "{name}: {found}");
        }
        assert_eq!(estimate("empty.txt", b""), None);
        assert_eq!(of(&"-".into(), &read::Options::default(), |_| true), None);
        assert_eq!(of(&"no such file".into(), &read::Options::default(), |_| true), None);
    }

    #[test]
    fn a_small_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wrong.mtx");
        std::fs::write(&path, "%%MatrixMarket wrong").unwrap();
        let asked = std::cell::Cell::new(0);
        let found = of(&path.into(), &read::Options::default(), |most| {
            asked.set(asked.get() + 1);
            assert_eq!(most, Estimate { entries: 160, bytes: 20 });
            false
        });
        assert_eq!((found, asked.get()), (None, 1));
    }

    #[test]
    fn the_first_of_several_files_stands_for_all() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.bin", "b.bin", "c.bin"] {
            std::fs::write(folder.path().join(name), [0; 800]).unwrap();
        }
        let found = of(&folder.path().into(), &read::Options::default(), |_| true);
        assert_eq!(found, Some(Estimate { entries: 300, bytes: 2_400 }));
    }
}
