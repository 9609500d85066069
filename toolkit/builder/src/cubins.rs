//! The machine code that is committed beside the PTX, and whether it is of that PTX.
//!
//! A driver compiles PTX when a program with it first starts, which takes seconds where there are many kernels. Machine
//! code, a cubin for each generation of chips, is loaded as it is. It may be missing or stale: the PTX runs everywhere.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::kernels::KernelPackage;
use crate::ptx::Ptx;
use crate::source::digest;

/// The folder of the machine code, beside that of the committed PTX.
const FOLDER: &str = "cubin";
/// The file that says what the machine code was made of and with.
const MADE_OF: &str = "made-of.txt";
const PTX: &str = "ptx: ";
const ASSEMBLER: &str = "ptxas: ";

/// Machine code for a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cubin {
    /// The chip's compute capability: `[9, 0]` is `sm_90`.
    pub chip: [u32; 2],
    /// The file.
    pub path: PathBuf,
}

/// Where the machine code of a package's kernels is committed.
pub fn folder(kernels: &KernelPackage) -> PathBuf {
    kernels.committed_folder().with_file_name(FOLDER)
}

/// The compute capability of a chip such as `sm_90`.
pub fn capability(chip: &str) -> Option<[u32; 2]> {
    let number: u32 = chip.strip_prefix("sm_")?.parse().ok()?;
    Some([number / 10, number % 10])
}

/// The committed machine code if it was made of this PTX, one file a chip, sorted by chip; nothing where there is none.
///
/// # Errors
/// If the folder cannot be read.
pub fn of(kernels: &KernelPackage, ptx: &Ptx) -> Result<Vec<Cubin>, Error> {
    if made_of(kernels).is_none_or(|(hash, _)| hash != hash_of(ptx)) {
        return Ok(Vec::new());
    }
    let folder = folder(kernels);
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
        let path = entry.map_err(Error::io(&folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(chip) = name.strip_suffix(".cubin").and_then(capability) {
            found.push(Cubin { chip, path });
        }
    }
    found.sort_by_key(|cubin| cubin.chip);
    Ok(found)
}

/// Puts machine code in the place of what is committed: a file for each chip. `assembler` says what made it.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    kernels: &KernelPackage,
    ptx: &Ptx,
    assembler: &str,
    made: &[(String, PathBuf)],
) -> Result<(), Error> {
    let folder = folder(kernels);
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(Error::io(&folder))?;
    }
    fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    for (chip, from) in made {
        let to = folder.join(format!("{chip}.cubin"));
        fs::copy(from, &to).map_err(Error::io(&to))?;
    }
    let text = format!("{PTX}{}\n{ASSEMBLER}{assembler}\n", hash_of(ptx));
    let path = folder.join(MADE_OF);
    fs::write(&path, text).map_err(Error::io(&path))
}

/// Why the committed machine code is not what an assembler just made of the PTX, or `None` if it is. Another assembler's
/// bytes may differ: there the PTX and the chips decide.
///
/// # Errors
/// If a file cannot be read.
pub fn difference(
    kernels: &KernelPackage,
    ptx: &Ptx,
    assembler: &str,
    made: &[(String, PathBuf)],
) -> Result<Option<String>, Error> {
    let Some((hash, committed)) = made_of(kernels) else {
        return Ok(Some("there is none".into()));
    };
    if hash != hash_of(ptx) {
        return Ok(Some("it was made of other PTX".into()));
    }
    let read = |path: &Path| fs::read(path).map_err(Error::io(path));
    let old = of(kernels, ptx)?;
    for (chip, path) in made {
        let Some(of_chip) = old.iter().find(|old| Some(old.chip) == capability(chip)) else {
            return Ok(Some(format!("there is none for {chip}")));
        };
        if committed == assembler && read(&of_chip.path)? != read(path)? {
            return Ok(Some(format!("the same assembler makes other bytes for {chip}")));
        }
    }
    Ok((old.len() > made.len()).then(|| "there is some for other chips".into()))
}

/// An expression of Rust for a build to include: a slice of compute capabilities and bytes.
pub(crate) fn expression(cubins: &[Cubin]) -> String {
    let mut text = String::from("&[\n");
    for Cubin { chip, path } in cubins {
        let path = path.to_string_lossy();
        writeln!(text, "    ({chip:?}, include_bytes!({path:?}) as &[u8]),")
            .expect("a string takes everything");
    }
    text + "]\n"
}

/// The hash of the PTX and the assembler that the committed machine code was made of and with.
fn made_of(kernels: &KernelPackage) -> Option<(String, String)> {
    let text = fs::read_to_string(folder(kernels).join(MADE_OF)).ok()?;
    let mut lines = text.lines();
    let hash = lines.next()?.strip_prefix(PTX)?.to_owned();
    Some((hash, lines.next()?.strip_prefix(ASSEMBLER)?.to_owned()))
}

fn hash_of(ptx: &Ptx) -> String {
    digest(std::iter::once(ptx.code.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_code_is_taken_where_it_is_of_the_ptx() {
        let folder = tempfile::tempdir().unwrap();
        let kernels = KernelPackage::new("kernels", "own", folder.path());
        let ptx = |code: &str| Ptx {
            title: "own".into(),
            source_hash: String::new(),
            rustc: String::new(),
            flags: String::new(),
            code: code.into(),
        };
        let (one, other) = (ptx("add"), ptx("sub"));
        assert_eq!(of(&kernels, &one).unwrap(), []);
        let made = ["sm_100", "sm_80"].map(|chip| {
            let path = folder.path().join(chip);
            fs::write(&path, chip).unwrap();
            (chip.to_owned(), path)
        });
        let none = difference(&kernels, &one, "12.9", &made).unwrap();
        assert_eq!(none.as_deref(), Some("there is none"));
        write(&kernels, &one, "12.9", &made).unwrap();
        let found = of(&kernels, &one).unwrap();
        assert_eq!(found.iter().map(|cubin| cubin.chip).collect::<Vec<_>>(), [[8, 0], [10, 0]]);
        assert_eq!(difference(&kernels, &one, "12.9", &made).unwrap(), None);
        assert_eq!(of(&kernels, &other).unwrap(), []);
        let stale = difference(&kernels, &other, "12.9", &made).unwrap();
        assert_eq!(stale.as_deref(), Some("it was made of other PTX"));
        let more = difference(&kernels, &one, "12.9", &made[..1]).unwrap();
        assert_eq!(more.as_deref(), Some("there is some for other chips"));
        fs::write(&made[0].1, "other").unwrap();
        let bytes = difference(&kernels, &one, "12.9", &made).unwrap();
        assert_eq!(bytes.as_deref(), Some("the same assembler makes other bytes for sm_100"));
        assert_eq!(difference(&kernels, &one, "13.0", &made).unwrap(), None);
    }

    #[test]
    fn machine_code_is_included_by_an_expression() {
        let cubin = Cubin { chip: [9, 0], path: "a \"b\".cubin".into() };
        let text = "&[\n    ([9, 0], include_bytes!(\"a \\\"b\\\".cubin\") as &[u8]),\n]\n";
        assert_eq!(expression(&[cubin]), text);
        assert_eq!(expression(&[]), "&[\n]\n");
    }
}
