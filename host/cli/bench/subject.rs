//! What is measured: files, and generated graphs by kind and scale.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use tribin::generate::{
    self, Affiliation, BarabasiAlbert, Clustered, Communities, ErdosRenyi, GRAPH500, GapKron,
    GapUrand, Geometric, Hub, Hyperbolic, Ids, PowerLaw, Probability, Rmat, Road, WattsStrogatz,
    Web,
};
use tribin::read;
use tribin::write::EdgeBlocks;
use tribin::{Error, Graph, Result};

/// Entries for each vertex of a generated graph.
const EDGE_FACTOR: u64 = 16;

const KINDS: [&str; 14] = [
    "rmat",
    "erdos-renyi",
    "barabasi-albert",
    "watts-strogatz",
    "geometric",
    "clustered",
    "web",
    "road",
    "affiliation",
    "communities",
    "hub",
    "hyperbolic",
    "gap-kron",
    "gap-urand",
];

/// The probability of a road's diagonal.
const ROAD_DIAGONALS: Probability = Probability::per_mille(125);

/// The scale of a kind that is named without one.
const SCALE: u32 = 16;

/// A graph to measure on.
#[derive(Debug, PartialEq, Eq)]
pub enum Subject {
    File(String),
    Generated { kind: &'static str, scale: u32 },
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

/// What the arguments name. A kind without a scale is one graph for each of `scales`.
pub fn all(names: &[String], scales: Option<&Scales>) -> Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    let mut used = false;
    for name in names {
        let bare = name.trim_end_matches(|last: char| last.is_ascii_digit());
        let digits = &name[bare.len()..];
        match KINDS.into_iter().find(|kind| *kind == bare) {
            None => subjects.push(Subject::File(name.clone())),
            Some(kind) if digits.is_empty() => {
                let scales = scales.map_or(vec![SCALE], |Scales(scales)| scales.clone());
                used = true;
                let graphs = scales.into_iter().map(|scale| Subject::Generated { kind, scale });
                subjects.extend(graphs);
            }
            Some(kind) => {
                match digits.parse() {
                    Ok(scale) if scale <= 31 => subjects.push(Subject::Generated { kind, scale }),
                    _ => {
                        return Err(Error::Usage(format!(
                        "`{name}`: the scale is at most 31 (a file of this name is `./{name}`)"
                    ).into()));
                    }
                }
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

impl Subject {
    /// The kind, of a generated graph.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Subject::File(_) => None,
            Subject::Generated { kind, .. } => Some(kind),
        }
    }

    /// Reads or makes the graph, on the current rayon pool.
    pub fn load(&self, seed: u64, options: &read::Options) -> Result<Graph> {
        match self {
            Subject::File(path) => read::open(Path::new(path), options),
            Subject::Generated { kind, scale } => {
                Ok(generate::graph(&*model(kind, *scale, seed)?, &self.to_string()))
            }
        }
    }
}

/// What makes a generated graph. It may be asked for from several threads.
///
/// # Errors
/// Of the model, for a scale that it cannot have.
pub fn model(kind: &str, scale: u32, seed: u64) -> Result<Box<dyn EdgeBlocks + Send>> {
    let (n, m) = (1 << scale, EDGE_FACTOR << scale);
    let model: Box<dyn EdgeBlocks + Send> = match kind {
        "rmat" => Box::new(Rmat::new(scale, EDGE_FACTOR, GRAPH500, seed)?),
        "erdos-renyi" => Box::new(ErdosRenyi::new(n, m, seed)?),
        "barabasi-albert" => Box::new(BarabasiAlbert::new(n, EDGE_FACTOR, seed)?),
        "watts-strogatz" => {
            Box::new(WattsStrogatz::new(n, EDGE_FACTOR, Probability::per_mille(100), seed)?)
        }
        "geometric" => Box::new(Geometric::new(n, 2 * EDGE_FACTOR, seed)?),
        "clustered" => {
            // Four points a cell; a scale below 6 has less than three rows and is refused.
            let [rows, columns] = sides(scale.saturating_sub(2));
            Box::new(Clustered::new(rows, columns, Ids::Shuffled, seed)?)
        }
        "web" => Box::new(Web::new(n, EDGE_FACTOR, Probability::per_mille(700), seed)?),
        "road" => {
            let [rows, columns] = sides(scale);
            Box::new(Road::new(rows, columns, ROAD_DIAGONALS, Ids::Shuffled, seed)?)
        }
        "affiliation" => {
            // A group of these sizes has 60 pairs on average.
            let sizes = PowerLaw::new(3, 100, 2.5)?;
            Box::new(Affiliation::new(n, n / 4, sizes, seed)?)
        }
        "communities" => {
            // A vertex' community has 215 vertices on average.
            let (sizes, inside) = (PowerLaw::new(10, 1000, 2.0)?, Probability::per_mille(100));
            Box::new(Communities::new(n, sizes, inside, 5 * n, seed)?)
        }
        "hub" => Box::new(Hub::new(n, m - n, seed)?),
        "hyperbolic" => Box::new(Hyperbolic::new(n, 2 * EDGE_FACTOR, 2.5, seed)?),
        "gap-kron" => Box::new(GapKron::new(scale, EDGE_FACTOR, seed)?),
        _ => Box::new(GapUrand::new(scale, EDGE_FACTOR)?),
    };
    Ok(model)
}

/// The sides of a rectangle of 2^`scale`, as near to a square as can be.
fn sides(scale: u32) -> [u64; 2] {
    [1 << (scale / 2), 1 << scale.div_ceil(2)]
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
        all(&names, scales.as_ref())
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
        let file = all(&["rmats".into()], None).unwrap();
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
