//! What a file is written as: a pure decision, by its name and what was asked for.

use std::str::FromStr;

use super::{FormatWriter, WAYS};
use crate::read::{Compression, Format};
use crate::report::OutputFile;
use crate::{Error, Message, Result, hint};

/// The format, compression and separator that a file is written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    pub(super) format: Format,
    pub(super) compression: Compression,
    /// Between the columns of an edge list.
    pub(super) separator: u8,
}

/// A format that was asked for by its name or an extension. Of the edge lists, `csv` and `tsv` say which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedFormat {
    format: Format,
    separator: Option<u8>,
}

impl From<Format> for NamedFormat {
    fn from(format: Format) -> NamedFormat {
        NamedFormat { format, separator: None }
    }
}

impl FromStr for NamedFormat {
    type Err = Error;

    /// Takes the name of every format and every extension.
    fn from_str(name: &str) -> Result<NamedFormat> {
        Ok(NamedFormat { format: name.parse()?, separator: separator(name) })
    }
}

impl Target {
    /// The target that the extensions of a file's name say; `asked` goes before.
    ///
    /// ```
    /// use tribin::read::Format;
    /// use tribin::write::Target;
    ///
    /// assert_eq!(Target::of_name("a.mtx.gz", None)?.format(), Format::MatrixMarket);
    /// assert_eq!(Target::of_name("a.dat", Some(Format::Npy.into()))?.format(), Format::Npy);
    /// assert!(Target::of_name("a.graphml", None).is_err());
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] where the extension is of no format and none is asked for, and for formats and
    /// compressions that are only read.
    pub fn of_name(name: &str, asked: Option<NamedFormat>) -> Result<Target> {
        Self::told(name, asked).ok_or_else(|| unknown(name))?.checked(name)
    }

    /// The target that the name of an output says: standard output, pipes and devices whose names say nothing get an edge list.
    ///
    /// # Errors
    /// As [`of_name`](Self::of_name).
    pub fn of_output(output: &OutputFile, asked: Option<NamedFormat>) -> Result<Target> {
        let by_default = || (!output.is_file()).then(|| Format::EdgeList.into());
        let name = output.name();
        let told = Self::told(&name, asked).or_else(|| Self::told(&name, by_default()));
        told.ok_or_else(|| unknown(&name))?.checked(&name)
    }

    fn checked(self, name: &str) -> Result<Target> {
        let Target { format, compression, .. } = self;
        let refuse = |what: String| Err(Error::Usage(format!("{name}: {what}").into()));
        if !compression.is_written() {
            return refuse(format!(
                "files compressed with {compression} are read and not written: use .gz or .zst"
            ));
        }
        if self.way().is_none() {
            let written = WAYS.map(|(format, _)| format.name()).join(", ");
            return refuse(format!("the format {format} is read and not written: write {written}"));
        }
        Ok(self)
    }

    fn told(name: &str, asked: Option<NamedFormat>) -> Option<Target> {
        let (stem, compression) = Compression::of_name(name);
        let by_name = crate::read::format_of_name(name).map(|(format, _)| format);
        let format = asked.map(|asked| asked.format).or(by_name)?;
        let by_stem = || stem.rsplit_once('.').and_then(|(_, extension)| separator(extension));
        let separator = asked.and_then(|asked| asked.separator).or_else(by_stem).unwrap_or(b' ');
        Some(Target { format, compression, separator })
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The way in which the format is written; `None` of a format that is only read.
    pub(super) fn way(&self) -> Option<FormatWriter> {
        WAYS.into_iter().find(|(format, _)| *format == self.format).map(|(_, way)| way)
    }

    /// Whether what is written is the simple graph: each edge once, and vertices numbered by index. Otherwise every entry is written
    /// as it stands, and vertices have their ids.
    pub fn is_simple(&self) -> bool {
        !matches!(self.way(), Some(FormatWriter::Entries))
    }
}

/// The separator that an extension says of the columns of an edge list.
fn separator(extension: &str) -> Option<u8> {
    match extension.to_ascii_lowercase().as_str() {
        "csv" => Some(b','),
        "tsv" => Some(b'\t'),
        _ => None,
    }
}

fn unknown(name: &str) -> Error {
    let extensions = WAYS.into_iter().flat_map(|(format, _)| format.extensions());
    let known: Vec<String> = extensions.map(|extension| format!(".{extension}")).collect();
    let message = format!(
        "{name}: the extension says how a graph is written: use {}, also with .gz or .zst",
        known.join(", ")
    );
    Error::Usage(Message::from(message).with_hint(hint::NAME_OUTPUT_FORMAT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_what_was_asked_for() {
        let of = |name, asked: Option<&str>| {
            let asked = asked.map(|asked| asked.parse().unwrap());
            let Target { format, compression, separator } = Target::of_name(name, asked).unwrap();
            (format, compression, separator)
        };
        for (name, asked, expected) in [
            ("a.mtx.gz", None, (Format::MatrixMarket, Compression::Gzip, b' ')),
            ("a.csv", None, (Format::EdgeList, Compression::None, b',')),
            ("a.CSV", None, (Format::EdgeList, Compression::None, b',')),
            ("a.tsv.zst", None, (Format::EdgeList, Compression::Zstd, b'\t')),
            ("a.bin", Some("npy"), (Format::Npy, Compression::None, b' ')),
            ("a", Some("mtx"), (Format::MatrixMarket, Compression::None, b' ')),
            ("a", Some("csv"), (Format::EdgeList, Compression::None, b',')),
            ("a.csv", Some("edge-list"), (Format::EdgeList, Compression::None, b',')),
            ("a.csv", Some("tsv"), (Format::EdgeList, Compression::None, b'\t')),
            ("a.dat.gz", Some("edge-list"), (Format::EdgeList, Compression::Gzip, b' ')),
        ] {
            assert_eq!(of(name, asked), expected, "{name} {asked:?}");
        }
    }

    #[test]
    fn other_names_are_refused_with_the_known_extensions() {
        for name in ["c.gexf", "c", "c.gz", ".csv.", "folder.csv/c"] {
            let error = Target::of_name(name, None).unwrap_err();
            assert!(matches!(error, Error::Usage(_)), "{error:?}");
            let text = error.to_string();
            assert!(text.starts_with(&format!("{name}: the extension says ")), "{text}");
            assert!(text.contains(" .txt, .el, .tsv, .csv, "), "{text}");
            assert!(text.contains(" .sg, also with .gz or .zst"), "{text}");
        }
    }
}
