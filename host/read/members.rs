//! Which of several files is the graph: in an archive, or in a folder as it was unpacked.

use super::format;

/// Names of files that stand beside graphs and are none.
const BESIDE: [&str; 8] =
    ["readme", "license", "licence", "copying", "citation", "notice", "thumbs", "desktop"];

/// Extensions of documents that stand beside a graph.
const DOCUMENTS: [&str; 21] = [
    "md", "rst", "pdf", "html", "htm", "doc", "docx", "bib", "tex", "png", "jpg", "jpeg", "svg",
    "gif", "py", "r", "m", "ipynb", "crc", "md5", "sha256",
];

/// Whether a file, by its path in an archive or a folder, is none of the graph's: what is hidden, the marks and
/// checksums that Spark and Hadoop leave, what macOS adds to archives, and documents.
pub(super) fn is_beside(path: &str) -> bool {
    let mut parts = path.split('/').filter(|part| !part.is_empty() && *part != ".");
    let hidden = |part: &str| part.starts_with('.') || part == "__MACOSX";
    // What ends so is a folder.
    if path.ends_with('/') || parts.clone().any(hidden) {
        return true;
    }
    let Some(name) = parts.next_back() else { return true };
    if is_backup(name) {
        return true;
    }
    let name = name.to_ascii_lowercase();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
    // KONECT calls its documents `README.NAME` and `meta.NAME`.
    let first = name.split(['.', '_', '-']).next().unwrap_or_default();
    name.starts_with('_')
        || DOCUMENTS.contains(&extension)
        || extension == "properties"
        || BESIDE.contains(&stem)
        || ["changelog", "copyright"].contains(&stem)
        || first == "readme"
        || (name.starts_with("meta.") && format::of_name(&name).is_none())
}

/// Whether a file is what an editor keeps of an older version: `edges.csv~`, `#edges.csv#`, `edges.csv.bak`.
fn is_backup(name: &str) -> bool {
    ["~", ".bak", ".orig", ".swp", ".swo"].iter().any(|end| name.ends_with(end))
        || (name.starts_with('#') && name.ends_with('#'))
}

/// Whether a file that is left out of a folder may be missed there: what is hidden, and what an editor keeps. Checksums are not
/// missed.
pub(super) fn may_be_missed(path: &str) -> bool {
    let name = file_name(path);
    is_backup(name) || (name.starts_with('.') && !name.ends_with(".crc"))
}

/// What OGB, Netzschleuder, PyTorch Geometric and others keep beside the edges, in lower case and without extensions.
const NODES: [&str; 12] = [
    "node", "nodes", "vertices", "num", "edge", "gprops", "x", "y", "feat", "features", "label",
    "labels",
];

/// The one file among several that is the graph; `paths` are those that are not [beside](is_beside) it.
/// `None` where nothing tells.
pub(super) fn graph_among(paths: &[&str]) -> Option<usize> {
    if paths.len() == 1 {
        return Some(0);
    }
    by_layout(paths).or_else(|| {
        // The only one with the extension of a graph.
        only(paths.len(), |at| {
            let format = format::of_name(paths[at]);
            format.is_some_and(|(format, _)| format::reader(format).about().is_graph_by_name)
        })
    })
}

/// The one file among several that is the graph, by the layouts of publishers alone, where all other files
/// are what they keep beside the graph.
pub(super) fn by_layout(paths: &[&str]) -> Option<usize> {
    let names: Vec<&str> = paths.iter().map(|path| file_name(path)).collect();
    let stems: Vec<&str> = names.iter().map(|name| stem(name)).collect();
    let others = |at: usize| (0..paths.len()).filter(move |&other| other != at);
    let begins = |name: &str, words: &[&str]| words.iter().any(|word| name.starts_with(word));
    // SuiteSparse: `NAME.mtx` among `NAME_b.mtx`, `NAME_coord.mtx` and others.
    let suite_sparse = only(paths.len(), |at| {
        let before = format!("{}_", stems[at]);
        names.iter().all(|name| name.to_ascii_lowercase().contains(".mtx"))
            && others(at).all(|other| stems[other].starts_with(&before))
    });
    // KONECT: `out.NAME` beside `meta.NAME` and `ent.NAME…`.
    let konect = only(paths.len(), |at| names[at].starts_with("out.")).filter(|&at| {
        others(at).all(|other| begins(names[other], &["ent.", "rel.", "meta.", "feat."]))
    });
    // OGB: `edge.csv` beside the features and labels of nodes.
    let ogb = only(paths.len(), |at| ["edge", "edge_index", "edges"].contains(&stems[at]));
    let is_beside = |stem: &str| NODES.contains(&stem.split(['-', '_']).next().unwrap_or_default());
    let ogb = ogb.filter(|&at| others(at).all(|other| is_beside(stems[other])));
    suite_sparse.or(konect).or(ogb)
}

/// The one place below `places` for which `is` holds; `None` where there is none, or more than one.
fn only(places: usize, is: impl Fn(usize) -> bool) -> Option<usize> {
    let mut found = (0..places).filter(|&at| is(at));
    found.next().filter(|_| found.next().is_none())
}

/// The last part of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A file's name without the extensions of its format and its compression.
fn stem(name: &str) -> &str {
    let (name, _) = super::Compression::of_name(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Some paths for a message.
pub(super) fn list(paths: &[&str]) -> String {
    const SHOWN: usize = 6;
    let mut shown: Vec<String> =
        paths.iter().take(SHOWN).map(|path| crate::input::excerpt(path.as_bytes())).collect();
    if paths.len() > SHOWN {
        shown.push(format!("{} more", paths.len() - SHOWN));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen<'a>(paths: &[&'a str]) -> Option<&'a str> {
        let kept: Vec<&str> = paths.iter().copied().filter(|path| !is_beside(path)).collect();
        graph_among(&kept).map(|at| kept[at])
    }

    #[test]
    fn one_member_is_the_graph() {
        for (paths, expected) in [
            (&["g.mtx"][..], Some("g.mtx")),
            (
                &["g/", "g/g.txt", "g/README.txt", "__MACOSX/g/._g.txt", "g/.DS_Store"],
                Some("g/g.txt"),
            ),
            (
                &["bcsstk/bcsstk.mtx", "bcsstk/bcsstk_b.mtx", "bcsstk/bcsstk_coord.mtx"],
                Some("bcsstk/bcsstk.mtx"),
            ),
            (&["g/README.g", "g/meta.g", "g/out.g"], Some("g/out.g")),
            (&["g/README.g", "g/meta.g", "g/out.g", "g/ent.g.person.name"], Some("g/out.g")),
            (
                &[
                    "arxiv/raw/edge.csv.gz",
                    "arxiv/raw/num-node-list.csv.gz",
                    "arxiv/raw/node-feat.csv.gz",
                ],
                Some("arxiv/raw/edge.csv.gz"),
            ),
            (&["edge_index.npy", "node_feat.npy"], Some("edge_index.npy")),
            (&["edge_attr.npy", "edge_index.npy", "x.npy", "y.npy"], Some("edge_index.npy")),
            (&["edges.npy", "xyz.npy"], None),
            (&["edges.csv", "gprops.txt", "nodes.csv"], Some("edges.csv")),
            (&["edges.csv", "edges_2.csv"], None),
            (&["net.edges", "net.node_labels", "readme.html"], Some("net.edges")),
            (&["a.mtx", "b.mtx"], None),
            (&["a/a.txt", "a/a_notes.txt"], None),
            (&["out.a", "out.b"], None),
            (&["out.a", "other.txt", "third.csv"], None),
            (&["README.md", "_SUCCESS", ".hidden"], None),
        ] {
            assert_eq!(chosen(paths), expected, "{paths:?}");
        }
    }

    #[test]
    fn files_beside_a_graph() {
        for path in [
            "_SUCCESS",
            "a/.part-0.csv.crc",
            "part-0.csv.crc",
            "README",
            "readme.txt",
            "meta.g",
            "a/",
            "",
            "edges.csv~",
            "#edges.csv#",
            "edges.csv.bak",
            ".edges.csv.swp",
            ".edges.mtx",
        ] {
            assert!(is_beside(path), "{path}");
        }
        for path in [
            "part-00000-a.snappy.parquet",
            "a=1/b=2/x.csv",
            "metadata_edges.csv",
            "meta.csv",
            "edges.csv",
            "edges",
        ] {
            assert!(!is_beside(path), "{path}");
        }
    }
}
