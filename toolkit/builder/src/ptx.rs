//! A PTX file of this crate: a header of comment lines, then the module.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;

use crate::Error;

const TITLE: &str = "// kernels of ";
const HASH: &str = "// source-hash: ";
const RUSTC: &str = "// rustc: ";
const FLAGS: &str = "// flags: ";

/// What a file begins with that has no PTX: the reason follows.
pub const WITHOUT: &str = "// no PTX: ";

/// A PTX module, and what it was made of and with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ptx {
    /// The crate whose kernels it holds.
    pub title: String,
    /// The [hash](crate::source::Sources::hash) of the sources.
    pub source_hash: String,
    /// The compiler's version and its LLVM's.
    pub rustc: String,
    /// The flags that decide the generated code.
    pub flags: String,
    /// The module.
    pub code: String,
}

impl Ptx {
    /// The file's header and module.
    ///
    /// # Errors
    /// The first header line that is not what it should be.
    pub fn parse(text: &str) -> Result<Ptx, String> {
        let text = text.replace("\r\n", "\n");
        let mut rest = text.as_str();
        let mut next = |start: &str| {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            let value = line.strip_prefix(start.trim_end()).ok_or_else(|| {
                format!("expected a line that starts with `{}`, not {line:?}", start.trim_end())
            })?;
            rest = after;
            Ok::<_, String>(value.trim().to_owned())
        };
        let (title, source_hash) = (next(TITLE)?, next(HASH)?);
        let (rustc, flags) = (next(RUSTC)?, next(FLAGS)?);
        Ok(Ptx { title, source_hash, rustc, flags, code: rest.to_owned() })
    }

    /// Reads a file that [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// If it cannot be read, or its header is not one.
    pub fn read(path: &Path) -> Result<Ptx, Error> {
        let text = fs::read_to_string(path).map_err(Error::io(path))?;
        Ptx::parse(&text).map_err(Error::bad(path))
    }

    /// Writes header and module; the file is whole under its name or was not touched.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let partial = path.with_extension("ptx.partial");
        fs::write(&partial, self.to_string()).map_err(Error::io(&partial))?;
        fs::rename(&partial, path).map_err(Error::io(path))
    }

    /// The names of the module's kernels.
    pub fn kernels(&self) -> BTreeSet<&str> {
        self.code.lines().filter_map(kernel_name).collect()
    }
}

/// The kernel that a line of PTX begins.
pub(crate) fn kernel_name(line: &str) -> Option<&str> {
    line.strip_prefix(".visible .entry ")?.split('(').next()
}

impl fmt::Display for Ptx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}{}", self.title)?;
        writeln!(f, "{HASH}{}", self.source_hash)?;
        writeln!(f, "{RUSTC}{}", self.rustc)?;
        writeln!(f, "{FLAGS}{}", self.flags)?;
        f.write_str(&self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::Ptx;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let ptx = Ptx {
            title: "own".into(),
            source_hash: "ab".repeat(32),
            rustc: "rustc 1.96.0 (x), LLVM 22.1.8".to_owned(),
            flags: "-Ca -Cb".to_owned(),
            code: ".version 7.1\n.visible .entry add(\n)\n.visible .entry sub(\n)\n".to_owned(),
        };
        let text = ptx.to_string();
        assert_eq!(text.lines().next(), Some("// kernels of own"));
        let hash = format!("// source-hash: {}", "ab".repeat(32));
        assert_eq!(text.lines().nth(1), Some(hash.as_str()));
        assert_eq!(Ptx::parse(&text).unwrap(), ptx);
        assert_eq!(Ptx::parse(&text.replace('\n', "\r\n")).unwrap(), ptx);
        assert_eq!(ptx.kernels().into_iter().collect::<Vec<_>>(), ["add", "sub"]);
        assert_eq!(
            Ptx::parse("// kernels of own\n.version 7.1\n").unwrap_err(),
            "expected a line that starts with `// source-hash:`, not \".version 7.1\""
        );
    }
}
