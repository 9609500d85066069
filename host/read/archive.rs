//! Archives, tar and zip, with one graph inside.

use super::format::Format;
use super::open_file::OpenFile;
use crate::Result;

/// The kind of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArchiveKind {
    Tar,
    Zip,
}

/// A member's path in the archive, and its content.
type ArchiveMember = (String, Vec<u8>);

/// Whether a file, decompressed, is an archive, from its name and its first bytes. What raw pairs begin with is
/// no evidence where `raw` says that they may be there.
pub(super) fn tell(name: &str, head: &[u8], raw: bool) -> Option<ArchiveKind> {
    let lower = name.to_ascii_lowercase();
    let (stem, _) = super::Compression::of_name(&lower);
    let called_tar = [".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst"];
    if called_tar.iter().any(|extension| stem.ends_with(extension)) {
        return Some(ArchiveKind::Tar);
    }
    let is_tar = head.get(257..262) == Some(b"ustar");
    let is_zip = head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06");
    match raw {
        true => None,
        false if is_tar => Some(ArchiveKind::Tar),
        false => is_zip.then_some(ArchiveKind::Zip),
    }
}

/// The member that is the graph. `None` for what is a zip archive and is read as a whole: a sparse matrix of SciPy.
pub(super) fn graph(archive: &OpenFile, kind: ArchiveKind) -> Result<Option<ArchiveMember>> {
    let is_matrix = archive.named() == Some(Format::Npz);
    match kind {
        #[cfg(feature = "archives")]
        ArchiveKind::Tar => members_of::of_tar(archive.name(), archive.content()).map(Some),
        #[cfg(feature = "archives")]
        ArchiveKind::Zip => members_of::of_zip(archive, is_matrix),
        #[cfg(not(feature = "archives"))]
        ArchiveKind::Zip if is_matrix => Ok(None),
        #[cfg(not(feature = "archives"))]
        _ => {
            let what =
                if kind == ArchiveKind::Zip { "zip archives need" } else { "tar archives need" };
            Err(archive.error(crate::features::missing("archives", what)))
        }
    }
}

#[cfg(feature = "archives")]
pub(super) mod members_of {
    use std::io::{Cursor, Read};

    use tar::Archive;
    use zip::ZipArchive;

    use super::super::compression::too_long;
    use super::super::memory::{self, Stopped};
    use super::super::{input, members};
    use super::{ArchiveMember, OpenFile};
    use crate::{Error, Result};

    /// The place of the graph among the members, or an error that lists them.
    fn choose(name: &str, paths: &[String]) -> Result<usize> {
        let may_be = |path: &&str| !members::is_beside(path);
        let candidates: Vec<&str> = paths.iter().map(String::as_str).filter(may_be).collect();
        let place = |path: &str| paths.iter().position(|other| other == path);
        let found = members::graph_among(&candidates).and_then(|at| place(candidates[at]));
        found.ok_or_else(|| {
            let message = match candidates.len() {
                0 => "the archive holds no graph: it has no file but documents".into(),
                n => format!(
                    "{n} files in the archive may be the graph, {}: extract the one that is meant",
                    members::list(&candidates)
                ),
            };
            input::error(name, message)
        })
    }

    /// The error of an archive, or of what is in it.
    fn damaged(name: &str, what: &str, error: impl std::fmt::Display) -> Error {
        input::error(name, format!("{what} ({error}): fetch or pack it again"))
    }

    pub(super) fn of_tar(name: &str, archive: &[u8]) -> Result<ArchiveMember> {
        let damaged = |error: std::io::Error| {
            damaged(name, "this is no tar archive, or a damaged one", error)
        };
        let mut tar = Archive::new(Cursor::new(archive));
        let (mut paths, mut ranges) = (Vec::new(), Vec::new());
        for entry in tar.entries_with_seek().map_err(damaged)? {
            let entry = entry.map_err(damaged)?;
            let kind = entry.header().entry_type();
            if !kind.is_file() && !kind.is_contiguous() {
                continue;
            }
            let range = usize::try_from(entry.raw_file_position()).ok().and_then(|from| {
                let to = from.checked_add(usize::try_from(entry.size()).ok()?)?;
                (to <= archive.len()).then_some(from..to)
            });
            let cut = || damaged(std::io::ErrorKind::UnexpectedEof.into());
            ranges.push(range.ok_or_else(cut)?);
            paths.push(String::from_utf8_lossy(&entry.path_bytes()).into_owned());
        }
        let at = choose(name, &paths)?;
        Ok((paths.swap_remove(at), archive[ranges.swap_remove(at)].to_vec()))
    }

    /// `matrix` says that the archive is called a sparse matrix.
    pub(super) fn of_zip(archive: &OpenFile, matrix: bool) -> Result<Option<ArchiveMember>> {
        let (name, limit) = (archive.name(), archive.limit);
        let mut zip = match ZipArchive::new(Cursor::new(archive.content())) {
            Ok(zip) => zip,
            Err(_) if matrix => return Ok(None),
            Err(error) => {
                return Err(damaged(name, "this is no zip archive, or a damaged one", error));
            }
        };
        // Some programs write paths as Windows has them.
        let path = |at: usize| {
            let name = zip.name_for_index(at).and_then(std::result::Result::ok);
            name.unwrap_or_default().replace('\\', "/")
        };
        let members = (0..zip.len()).map(|at| (path(at), at));
        let (paths, places): (Vec<String>, Vec<usize>) =
            members.filter(|(path, _)| !path.ends_with('/')).unzip();
        let parts = ["format.npy", "indptr.npy", "indices.npy", "shape.npy"];
        if paths.iter().any(|path| parts.contains(&path.as_str())) {
            return Ok(None);
        }
        let at = match choose(name, &paths) {
            Ok(at) => at,
            // What is missing of a matrix is said by its reader.
            Err(_) if matrix => return Ok(None),
            Err(error) => return Err(error),
        };
        let path = paths[at].clone();
        let damaged = |error: String| {
            let found = input::excerpt(path.as_bytes());
            damaged(name, &format!("{found} in the archive cannot be decompressed"), error)
        };
        let member = zip.by_index(places[at]).map_err(|error| damaged(error.to_string()))?;
        let content = read_member(name, member, limit, limit, damaged)?;
        Ok(Some((path, content)))
    }

    /// The content of a member, of at most `most` bytes where the archive's members may have `limit` together. Memory grows with
    /// what was decompressed, whatever size the archive announces.
    pub(crate) fn read_member(
        name: &str,
        mut member: impl Read,
        most: u64,
        limit: u64,
        damaged: impl Fn(String) -> Error,
    ) -> Result<Vec<u8>> {
        let mut content = Vec::new();
        let read = memory::read_to_end(&mut member, &mut content, most);
        read.map_err(|stopped| match stopped {
            Stopped::TooLong => input::error(name, too_long("archive's", limit)),
            Stopped::NoMemory(refused) => input::no_memory(name, refused),
            Stopped::Io(error) => damaged(error.to_string()),
        })?;
        content.shrink_to_fit();
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_told() {
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let told = |name, head: &[u8]| tell(name, head, false);
        assert_eq!(told("a", &tar), Some(ArchiveKind::Tar));
        assert_eq!(tell("a.bin", &tar, true), None);
        for name in ["a.tar", "a.TAR.gz", "a.tgz", "a.tar.bz2", "a.txz", "x/a.tar.zst"] {
            assert_eq!(told(name, b"name"), Some(ArchiveKind::Tar), "{name}");
        }
        assert_eq!(told("a", b"PK\x03\x04"), Some(ArchiveKind::Zip));
        assert_eq!(tell("a.bin", b"PK\x03\x04", true), None);
        assert_eq!(told("a.zip", b"1 2\n"), None);
        assert_eq!(told("tar", b"1 2\n"), None);
    }
}
