//! The executables of a bundle in one compressed file.
//!
//! Each has the same libraries and the same kernels linked in, megabytes apart from where another has them. So the file is
//! compressed with a dictionary that reaches far enough: gzip's reaches 32 KiB, and packs them four times as large.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use lzma_rust2::{XzOptions, XzWriter};
use tar::{Builder, HeaderMode};

/// The archive's path in the bundle.
pub const NAME: &str = "executables.tar.xz";

/// How hard it is compressed, of 0 to 9: harder takes minutes more, and saves a tenth.
const PRESET: u32 = 3;

/// Most bytes that the dictionary reaches back: four of the largest executables. Who unpacks it needs as much memory.
const MOST_REACH: u32 = 192 << 20;

/// Where the executables are in it, and in a bundle once a script has unpacked it.
const FOLDERS: [&str; 3] = ["benches", "bin", "tests"];

/// Moves the executables at `paths` of the bundle `out` into its archive. The same files give the
/// same archive.
pub fn pack<'a>(out: &Path, paths: impl Iterator<Item = &'a str>) -> Result<()> {
    let archive = out.join(NAME);
    let named = || archive.display().to_string();
    let mut paths: Vec<_> = paths.collect();
    paths.sort_unstable();
    let file = BufWriter::new(File::create(&archive).with_context(named)?);
    let mut options = XzOptions::with_preset(PRESET);
    options.lzma_options.dict_size = reach(out, &paths)?;
    let mut tar = Builder::new(XzWriter::new(file, options).with_context(named)?);
    tar.mode(HeaderMode::Deterministic);
    // Not every tar reads GNU's sparse files.
    tar.sparse(false);
    for path in paths {
        tar.append_path_with_name(out.join(path), path).with_context(|| path.to_owned())?;
    }
    let mut file = tar.into_inner().and_then(XzWriter::finish).with_context(named)?;
    file.flush().with_context(named)?;
    remove_unpacked(out)
}

/// Bytes that the dictionary reaches back for these files.
fn reach(out: &Path, paths: &[&str]) -> Result<u32> {
    let mut bytes = 1 << 20;
    for path in paths {
        bytes += fs::metadata(out.join(path)).with_context(|| (*path).to_owned())?.len();
    }
    Ok(u32::try_from(bytes).map_or(MOST_REACH, |bytes| bytes.min(MOST_REACH)))
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

        let mut read = tar::Archive::new(lzma_rust2::XzReader::new(archive.as_slice(), false));
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
