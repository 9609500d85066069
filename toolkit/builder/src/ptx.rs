//! A PTX file of this project: a header of comment lines, then the module.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;

use crate::Error;

const TITLE: &str = "// tribin kernels";

/// Kernels that may have a stack frame or spill, because they run once over little data.
pub const COLD_KERNELS: [&str; 0] = [];

/// A PTX module, and what it was made of and with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ptx {
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
            let value = line.strip_prefix(start).ok_or_else(|| {
                format!("expected a line that starts with `{start}`, not {line:?}")
            })?;
            rest = after;
            Ok::<_, String>(value.trim().to_owned())
        };
        next(TITLE)?;
        let source_hash = next("// source-hash:")?;
        let rustc = next("// rustc:")?;
        let flags = next("// flags:")?;
        Ok(Ptx { source_hash, rustc, flags, code: rest.to_owned() })
    }

    /// Reads a file that [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// If it cannot be read, or its header is not one.
    pub fn read(path: &Path) -> Result<Ptx, Error> {
        let text = fs::read_to_string(path).map_err(Error::io(path))?;
        Ptx::parse(&text).map_err(|what| Error::BadPtx {
            path: path.to_owned(),
            what: format!("{what}; run `cargo xtask ptx`"),
        })
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
        self.code.lines().filter_map(entry).collect()
    }

    /// What no kernel may contain, one sentence each: a trap or a call of a panic (bounds,
    /// overflow and division checks end there), or a stack frame (an array that is indexed by a
    /// variable, or taken by reference) outside [`COLD_KERNELS`].
    pub fn defects(&self) -> Vec<String> {
        let mut defects = BTreeSet::new();
        let mut owner = "a function";
        for line in self.code.lines() {
            owner = entry(line).unwrap_or(owner);
            if line.starts_with(".func") || line.starts_with(".visible .func") {
                owner = "a function";
            }
            let instruction = line.split("//").next().unwrap_or_default().trim();
            if instruction.ends_with("trap;") {
                defects.insert(format!("{owner}: contains a trap (a panic of Rust ends there)"));
            }
            if instruction.contains("panic") {
                defects.insert(format!("{owner}: contains a call of a panic: {instruction}"));
            }
            if instruction.starts_with(".local ") && !COLD_KERNELS.contains(&owner) {
                defects.insert(format!("{owner}: has a stack frame: {instruction}"));
            }
        }
        defects.into_iter().collect()
    }
}

impl fmt::Display for Ptx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        writeln!(f, "// source-hash: {}", self.source_hash)?;
        writeln!(f, "// rustc: {}", self.rustc)?;
        writeln!(f, "// flags: {}", self.flags)?;
        f.write_str(&self.code)
    }
}

fn entry(line: &str) -> Option<&str> {
    line.strip_prefix(".visible .entry ")?.split('(').next()
}
