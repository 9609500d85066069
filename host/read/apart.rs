//! Files beside each other that are no parts of one graph, as their names say.
//!
//! Gephi and Neo4j write a file of vertices beside that of the edges. Neo4j may also write a header to a file of its own.

use std::path::{Path, PathBuf};

use super::{Compression, input};
use crate::Error;

/// What a file has by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Has {
    Vertices,
    Edges,
    Other,
}

/// What is wrong with files that could not be read as one graph, if their names say it.
pub(super) fn explain(name: &str, files: &[PathBuf]) -> Option<Error> {
    let of = |what: Has| move |path: &&PathBuf| has(&stem(path)) == what && body(path).is_none();
    let edges = files.iter().find(of(Has::Edges));
    // That of the edges first.
    let headed = edges.into_iter().chain(files).find_map(|path| {
        let header = files.iter().find(|file| is_header_of(file, path))?;
        Some((header, path))
    });
    if let Some((header, path)) = headed {
        let message = format!(
            "{} has the header of {} by its name: put it before that file, for example with `cat {} {} > all.csv`, and read \
             what comes out",
            shown(header),
            shown(path),
            header.display(),
            path.display()
        );
        return Some(input::error(name, message));
    }
    let (edges, vertices) = (edges?, files.iter().find(of(Has::Vertices))?);
    let message = format!(
        "{} has vertices by its name, and {} edges: read {} alone",
        shown(vertices),
        shown(edges),
        edges.display()
    );
    Some(input::error(name, message))
}

fn shown(path: &Path) -> String {
    input::excerpt(path.file_name().unwrap_or_default().to_string_lossy().as_bytes())
}

/// A file's name in lower case, without extensions.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let (name, _) = Compression::of_name(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

fn has(stem: &str) -> Has {
    let words: Vec<&str> = stem.split(|c: char| !c.is_alphabetic()).collect();
    let any = |of: &[&str]| words.iter().any(|word| of.contains(word));
    match (
        any(&["node", "nodes", "vertex", "vertices"]),
        any(&["edge", "edges", "link", "links", "relationship", "relationships", "rels"]),
    ) {
        (true, false) => Has::Vertices,
        (false, true) => Has::Edges,
        _ => Has::Other,
    }
}

/// What a file that is called a header is the header of.
fn body(path: &Path) -> Option<String> {
    let stem = stem(path);
    let body = stem.strip_suffix("header").or_else(|| stem.strip_suffix("headers"))?;
    Some(body.trim_end_matches(['-', '_', '.', ' ']).to_owned())
}

fn is_header_of(header: &Path, path: &Path) -> bool {
    header.parent() == path.parent()
        && body(header).is_some_and(|body| !body.is_empty() && body == stem(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_files_have() {
        let told = |names: &[&str]| {
            let files: Vec<PathBuf> = names.iter().map(|name| Path::new("d").join(name)).collect();
            explain("d", &files).map(|error| error.to_string())
        };
        let alone = |vertices: &str, edges: &str| {
            format!(
                "d: `{vertices}` has vertices by its name, and `{edges}` edges: read d/{edges} alone"
            )
        };
        assert_eq!(told(&["edges.csv", "nodes.csv"]), Some(alone("nodes.csv", "edges.csv")));
        assert_eq!(
            told(&["my [Nodes].csv.gz", "my [Edges].csv.gz"]),
            Some(alone("my [Nodes].csv.gz", "my [Edges].csv.gz"))
        );
        let header = "d: `edges-header.csv` has the header of `edges.csv` by its name: put it before that file, for \
                      example with `cat d/edges-header.csv d/edges.csv > all.csv`, and read what comes out";
        assert_eq!(told(&["edges-header.csv", "edges.csv"]).as_deref(), Some(header));
        let all = ["nodes-header.csv", "nodes.csv", "edges-header.csv", "edges.csv"];
        assert_eq!(told(&all).as_deref(), Some(header));
        for names in [
            &["part-0.csv", "part-1.csv"][..],
            &["edges-0.csv", "edges-1.csv"],
            &["a", "header.csv"],
        ] {
            assert_eq!(told(names), None, "{names:?}");
        }
    }
}
