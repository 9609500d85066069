//! Files as programs write them: each gives what NetworkX counts, or one message that names the option that makes
//! it work, and works with it. `tests/as-found/README.md` says what the columns of the manifest mean.

use std::fs;
use std::thread;

use testkit::places;

use crate::as_found_binary::{self, folder};

/// The count, or the error's only line.
fn count(file: &str, options: &[&str]) -> Result<u64, String> {
    let report = as_found_binary::count(&format!("files/{file}"), options)?;
    Ok(report["triangles"].as_u64().unwrap())
}

/// What is wrong with a line of the manifest.
fn check(line: &str) -> Option<String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [file, triangles, message, options, then] = columns[..] else {
        return Some(format!("{line:?} has {} columns", columns.len()));
    };
    let options: Vec<&str> = match options {
        "-" => Vec::new(),
        options => options.split(' ').collect(),
    };
    if triangles != "error" {
        let found = count(file, &options);
        let same = found.as_ref().is_ok_and(|found| found.to_string() == triangles);
        return (!same).then(|| format!("{file} {options:?}: {found:?}, not {triangles}"));
    }
    let error = match count(file, &[]) {
        Ok(found) => return Some(format!("{file}: {found} triangles, and no error")),
        Err(error) => error,
    };
    if !error.contains(message) {
        return Some(format!("{file}: `{message}` is not in: {error}"));
    }
    let first = options.first()?;
    if !error.contains(first) {
        return Some(format!("{file}: `{first}` is not in: {error}"));
    }
    let found = count(file, &options);
    let same = found.as_ref().is_ok_and(|found| found.to_string() == then);
    (!same).then(|| format!("{file} {options:?}: {found:?}, not {then}"))
}

#[test]
fn files_as_programs_write_them() {
    let manifest = fs::read_to_string(folder().join("manifest.tsv")).unwrap();
    let lines: Vec<&str> = manifest.lines().skip(1).collect();
    assert!(lines.len() >= 150, "{} files", lines.len());
    let each = lines.len().div_ceil(4);
    let wrong: Vec<String> = thread::scope(|scope| {
        let parts: Vec<_> = lines
            .chunks(each)
            .map(|part| scope.spawn(|| part.iter().filter_map(|line| check(line)).collect()))
            .collect();
        parts.into_iter().flat_map(|part| -> Vec<String> { part.join().unwrap() }).collect()
    });
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

/// No file of the folder is forgotten, and none of the manifest is missing.
#[test]
fn the_manifest_is_complete() {
    let manifest = fs::read_to_string(folder().join("manifest.tsv")).unwrap();
    let mut named: Vec<String> =
        manifest.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect();
    let mut found = Vec::new();
    let files = folder().join("files");
    for program in fs::read_dir(&files).unwrap() {
        let program = program.unwrap();
        for file in fs::read_dir(program.path()).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            found.push(format!("{}/{name}", program.file_name().into_string().unwrap()));
        }
    }
    named.sort();
    found.sort();
    assert_eq!(named, found);
}

/// The commands of the guide by the heading that they stand under, each with a file that stands for the one it names,
/// and its count.
const GUIDE: [(&str, &str, &str, u64); 32] = [
    ("pandas", "count edges.csv", "files/pandas/karate-index.csv", 45),
    ("pandas", "count --columns person,friend edges.csv", "files/pandas/which-columns.csv", 4),
    ("pandas", "count edges.parquet", "binary/parquet/pandas.parquet", 45),
    ("polars", "count edges.csv", "files/polars/miserables.csv", 467),
    ("DuckDB", "count edges.csv", "files/duckdb/gnp.csv", 59),
    ("DuckDB", "count edges/", "binary/folders/duckdb-hive", 45),
    ("Spark, Dask and Hive", "count edges/", "binary/folders/spark-csv", 45),
    ("R", "count edges.csv", "files/r/write-names.csv", 4),
    ("R", "count --ids names edges.csv", "files/ids/r-exponents.csv", 4),
    ("a SQL export", "count edges.csv", "files/sql/postgres.csv", 4),
    ("a SQL export", "count edges.tsv", "files/sql/mysql.tsv", 4),
    ("Excel", "count edges.csv", "files/excel/sep.csv", 4),
    ("Neo4j, Neptune and ArangoDB", "count relationships.csv", "files/neo4j/groups.csv", 4),
    ("Gephi and Cytoscape", "count edges.csv", "files/gephi/names.csv", 4),
    ("Gephi and Cytoscape", "count --columns 1,3 network.sif", "files/cytoscape/network.sif", 4),
    ("Gephi and Cytoscape", "count --format adjacency lists.csv", "files/adjacency/gephi.csv", 4),
    ("NetworkX", "count graph.edgelist", "files/networkx/families.edgelist", 3),
    ("NetworkX", "count graph.adjlist", "files/networkx/adjlist.adjlist", 45),
    ("igraph", "count graph.txt", "files/r/igraph.txt", 45),
    ("igraph", "count graph.ncol", "files/igraph/ncol.ncol", 4),
    ("OGB and PyTorch Geometric", "count raw/", "binary/folders/ogb-raw", 45),
    ("OGB and PyTorch Geometric", "count edge_index.npy", "binary/formats/edge_index.npy", 45),
    ("SuiteSparse", "count karate.mtx", "files/suitesparse/karate.mtx", 45),
    ("SuiteSparse", "count karate.tar.gz", "binary/archives/suitesparse.tar.gz", 45),
    ("SNAP", "count ca-GrQc.txt", "files/snap/karate.txt", 45),
    ("KONECT", "count out.moreno_health_health", "files/konect/out.karate", 45),
    ("KONECT", "count download.tsv.moreno_health.tar.bz2", "binary/archives/konect.tar.bz2", 45),
    (
        "the Network Repository",
        "count soc-karate.edges",
        "files/networkrepository/karate.edges",
        45,
    ),
    (
        "the Network Repository",
        "count soc-karate.zip",
        "binary/archives/network-repository.zip",
        45,
    ),
    ("Neo4j, Neptune and ArangoDB", "", "files/databases/neptune.csv", 4),
    ("Neo4j, Neptune and ArangoDB", "", "files/databases/arango.csv", 4),
    ("R", "", "files/r/write-csv2.csv", 4),
];

#[test]
fn every_command_of_the_guide_works() {
    let path = places::root().join("docs/from-other-programs.md");
    let guide = fs::read_to_string(path).unwrap();
    let (mut heading, mut commands) = ("", Vec::new());
    for line in guide.lines() {
        heading = line.strip_prefix("## From ").unwrap_or(heading);
        commands.extend(line.strip_prefix("$ tribin ").map(|command| (heading, command)));
    }
    let known: Vec<_> = GUIDE.iter().map(|&(heading, command, ..)| (heading, command)).collect();
    for command in &commands {
        assert!(known.contains(command), "no file stands for {command:?}");
    }
    let written = known.iter().filter(|(_, command)| !command.is_empty());
    assert!(written.clone().all(|command| commands.contains(command)), "{commands:?}");
    for (heading, command, file, triangles) in GUIDE {
        let parquet = file.ends_with(".parquet") || file.contains("duckdb-hive");
        if parquet && !cfg!(feature = "parquet") {
            continue;
        }
        let options: Vec<&str> = command.split(' ').collect();
        let options = if options.len() > 2 { &options[1..options.len() - 1] } else { &[] };
        let found = count(&format!("../{file}"), options);
        assert_eq!(found, Ok(triangles), "{heading}: {command} on {file}");
    }
}
