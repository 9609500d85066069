//! Files as sources of edges: handed over block by block, where their format allows it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::files::Source;
use super::open_file::OpenFile;
use super::source;
use super::{Options, merge, open, warn};
use crate::Result;
use crate::graph::{EdgeSink, EdgeSource, Visited};

/// A file, or what else a [`Source`] names, whose edges are handed over in blocks: they are in memory a few pieces
/// at a time.
///
/// That goes for edge lists and other tables of text, which may be compressed unless their ids are names, and for
/// Matrix Market and DIMACS files, raw pairs, Parquet and Arrow files that are not compressed as a whole. Of all others, standard
/// input among them, the edges are in memory while they are handed over. Several files are handed over one after the
/// other, where all of them can be and ids are integers.
pub struct FileEdges {
    source: Source,
    name: String,
    options: Options,
    /// Whether what is doubtful of the file was told: it may be visited several times.
    is_told: AtomicBool,
}

impl FileEdges {
    /// The edges of a source.
    pub fn new(source: impl Into<Source>, options: &Options) -> FileEdges {
        let source = source.into();
        let name = source.name();
        FileEdges { source, name, options: options.clone(), is_told: AtomicBool::new(false) }
    }
}

impl EdgeSource for FileEdges {
    fn name(&self) -> &str {
        &self.name
    }

    fn visit(&self, piece: usize, sink: &dyn EdgeSink) -> Result<Visited> {
        let found = self.source.found()?;
        let one = |path: &Path| match source::at_any_place(path, &self.options.cancel)? {
            Some(file) => OpenFile::of(file, &self.options)?.visit(piece, sink),
            None => Ok(None),
        };
        let visited = match &found.files[..] {
            [only] => one(only)?,
            several => merge::visit(&self.name, several, &self.options, one)?,
        };
        let visited = match visited {
            Some(visited) => {
                let visited = Visited { reading: found.noted(visited.reading), ..visited };
                if !self.is_told.swap(true, Relaxed) {
                    warn(&self.name, visited.reading.as_ref());
                }
                Ok(visited)
            }
            None => {
                sink.restart()?;
                let graph = open(self.source.clone(), &self.options)?;
                Ok(Visited { as_a_whole: true, ..(&graph).visit(piece, sink)? })
            }
        };
        self.options.cancel.check()?;
        visited
    }
}
