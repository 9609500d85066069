//! The executables of a bundle in one compressed file: each has the same libraries linked in, so
//! that together they exceed a bundle's limit.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, HeaderMode};

/// Its path in the bundle.
pub const NAME: &str = "executables.tar.gz";

/// Where the executables are in it, and in a bundle once a script has unpacked it.
const FOLDERS: [&str; 3] = ["benches", "bin", "tests"];

/// Moves the executables at `paths` of the bundle `out` into its archive. The same files give the
/// same archive.
pub fn pack<'a>(out: &Path, paths: impl Iterator<Item = &'a str>) -> Result<()> {
    let archive = out.join(NAME);
    let named = || archive.display().to_string();
    let file = BufWriter::new(File::create(&archive).with_context(named)?);
    let mut tar = Builder::new(GzEncoder::new(file, Compression::best()));
    tar.mode(HeaderMode::Deterministic);
    // Not every tar reads GNU's sparse files.
    tar.sparse(false);
    let mut paths: Vec<_> = paths.collect();
    paths.sort_unstable();
    for path in paths {
        tar.append_path_with_name(out.join(path), path).with_context(|| path.to_owned())?;
    }
    let mut file = tar.into_inner().and_then(GzEncoder::finish).with_context(named)?;
    file.flush().with_context(named)?;
    remove_unpacked(out)
}

/// Removes the executables that are in the archive of the bundle `out`.
pub fn remove_unpacked(out: &Path) -> Result<()> {
    for folder in FOLDERS.map(|folder| out.join(folder)) {
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::bundle::executable;

    fn packed(paths: [&str; 3]) -> Vec<u8> {
        let out = tempfile::tempdir().unwrap();
        for path in paths {
            let file = out.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, path.repeat(100)).unwrap();
            executable(&file).unwrap();
        }
        pack(out.path(), paths.into_iter()).unwrap();
        let left: Vec<_> = out.path().read_dir().unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, [NAME]);
        fs::read(out.path().join(NAME)).unwrap()
    }

    #[test]
    fn the_same_executables_are_the_same_archive() {
        let archive = packed(["tests/a", "bin/b", "benches/c"]);
        assert_eq!(packed(["benches/c", "tests/a", "bin/b"]), archive);

        let mut read = tar::Archive::new(flate2::read::GzDecoder::new(archive.as_slice()));
        let rows = read.entries().unwrap().map(|entry| {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().to_str().unwrap().to_owned();
            let text = std::io::read_to_string(&mut entry).unwrap();
            (path, entry.header().mode().unwrap(), text)
        });
        let expected = ["benches/c", "bin/b", "tests/a"];
        assert_eq!(
            rows.collect::<Vec<_>>(),
            expected.map(|path| (path.to_owned(), 0o755, path.repeat(100)))
        );
    }
}
