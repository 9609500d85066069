//! What is measured: files, and generated graphs by kind and scale.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use tribin_base::{Error, Result};
use tribin_generate::command::{self, KINDS};
use tribin_graph::Graph;
use tribin_read as read;

/// A graph to measure on.
#[derive(Debug, PartialEq, Eq)]
pub enum Subject {
    /// A file, by its path.
    File(String),
    /// A generated graph.
    Generated {
        /// The kind of the model.
        kind: &'static str,
        /// About the logarithm of the number of vertices.
        scale: u32,
    },
}

/// Scales: `14..18`, both included, or `14,16,18`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scales(Vec<u32>);

impl FromStr for Scales {
    type Err = String;

    fn from_str(text: &str) -> Result<Scales, String> {
        let wrong = || format!("`{text}` is no list of scales: use 14..18 or 14,16,18, 31 at most");
        let scale = |text: &str| text.parse::<u32>().ok().filter(|scale| *scale <= 31);
        let scales: Option<Vec<u32>> = match text.split_once("..") {
            Some((first, last)) => scale(first).zip(scale(last)).map(|(a, b)| (a..=b).collect()),
            None => text.split(',').map(scale).collect(),
        };
        // A scale that is named twice is one graph.
        let mut named = HashSet::new();
        let scales =
            scales.map(|scales| scales.into_iter().filter(|&scale| named.insert(scale)).collect());
        scales.filter(|scales: &Vec<u32>| !scales.is_empty()).map(Scales).ok_or_else(wrong)
    }
}

/// The graphs that arguments name. A kind without a scale is one graph for each of `scales`.
///
/// # Errors
/// [`Error::Usage`] for a scale above 31, for a name that is a kind and a file, and for scales that no kind takes.
pub fn subjects(names: &[String], scales: Option<&Scales>) -> Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    let mut used = false;
    for name in names {
        let named = command::named(name)?;
        if let Some((kind, scale)) = named
            && Path::new(name).exists()
        {
            return Err(Error::Usage(is_file_too(name, kind, scale).into()));
        }
        match named {
            None => subjects.push(Subject::File(name.clone())),
            Some((kind, Some(scale))) => subjects.push(Subject::Generated { kind, scale }),
            Some((kind, None)) => {
                let scales = scales.map_or(vec![command::SCALE], |Scales(scales)| scales.clone());
                used = true;
                let graphs = scales.into_iter().map(|scale| Subject::Generated { kind, scale });
                subjects.extend(graphs);
            }
        }
    }
    if scales.is_some() && !used {
        return Err(Error::Usage(
            format!("`--scales` is for kinds that are named without a scale: {}", KINDS.join(", "))
                .into(),
        ));
    }
    Ok(subjects)
}

/// What to say of a name that is a kind and a file.
fn is_file_too(name: &str, kind: &str, scale: Option<u32>) -> String {
    let scale = scale.unwrap_or(command::SCALE);
    let graph =
        format!("the file is `./{name}`, and the generated graph `{kind} --scales {scale}`");
    format!("`{name}` is a generated graph, and a file of this name is there, too: {graph}")
}

impl Subject {
    /// The kind, of a generated graph.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Subject::File(_) => None,
            Subject::Generated { kind, .. } => Some(kind),
        }
    }

    /// Reads or makes the graph, on the current rayon pool.
    ///
    /// # Errors
    /// Of the reader, and of the model.
    pub fn load(&self, seed: u64, options: &read::Options) -> Result<Graph> {
        match self {
            Subject::File(path) => read::open(Path::new(path), options),
            Subject::Generated { kind, scale } => {
                Ok(tribin_generate::graph(&*command::model(kind, *scale, seed)?, &self.to_string()))
            }
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::File(path) => f.write_str(path),
            Subject::Generated { kind, scale } => write!(f, "{kind}{scale}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str], scales: Option<&str>) -> Result<Vec<String>, String> {
        let scales = scales.map(str::parse::<Scales>).transpose()?;
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        subjects(&names, scales.as_ref())
            .map(|subjects| subjects.iter().map(Subject::to_string).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn kinds_scales_and_files() {
        assert_eq!(named(&["rmat", "a.mtx"], None).unwrap(), ["rmat16", "a.mtx"]);
        assert_eq!(
            named(&["rmat", "geometric9", "./rmat3"], Some("4..6")).unwrap(),
            ["rmat4", "rmat5", "rmat6", "geometric9", "./rmat3"]
        );
        assert_eq!(
            named(&["watts-strogatz"], Some("5,3")).unwrap(),
            ["watts-strogatz5", "watts-strogatz3"]
        );
        let file = subjects(&["rmats".into()], None).unwrap();
        assert_eq!(file, [Subject::File("rmats".into())]);
        assert_eq!(file[0].kind(), None);
    }

    #[test]
    fn what_is_refused() {
        for scales in ["", "a", "6..4", "1..32", "-1", "3,", "1..2..3"] {
            let message = named(&["rmat"], Some(scales)).unwrap_err();
            assert!(message.starts_with(&format!("`{scales}` is no list of scales")), "{message}");
        }
        assert_eq!(
            named(&["rmat32"], None).unwrap_err(),
            "`rmat32`: the scale is at most 31 (a file of this name is `./rmat32`)"
        );
        assert_eq!(
            named(&["a.mtx", "rmat3"], Some("3")).unwrap_err(),
            "`--scales` is for kinds that are named without a scale: rmat, erdos-renyi, \
             barabasi-albert, watts-strogatz, geometric, clustered, web, road, affiliation, \
             communities, hub, hyperbolic, gap-kron, gap-urand"
        );
    }
}
