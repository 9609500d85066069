//! `tribin count --labels`: triangles by the labels of their vertices.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use tribin::plan::Task;
use tribin::read::{self, Columns, Format, IdKind};
use tribin::report::OutputFile;
use tribin::report::table::{Column, Values};
use tribin::{Error, LabelledTriangles, PreparedGraph, Result};

use super::arcs::ArcArgs;
use super::args::CountArgs;
use super::count::say_reading;
use super::failure::Failure;
use super::tables::{GraphArgs, TableWork, index};

/// How triangles are told apart.
#[derive(Debug, clap::Args)]
pub struct LabelArgs {
    /// Count triangles by the labels of their three vertices: a table of vertices and labels, a pair in each row, whose vertices
    /// are called as in the graph. With `-o` the extension says how the counts are written: .csv, .tsv, .parquet, .feather
    #[arg(long, value_name = "TABLE", value_hint = ValueHint::FilePath, conflicts_with_all = ["generate", "merge", "ranks", "verify", "dry_run", "engine"])]
    pub labels: Option<PathBuf>,

    /// The columns of the vertices and of the labels, by name or number; by default the first two
    #[arg(long, value_name = "A,B", requires = "labels")]
    label_columns: Option<Columns>,

    /// The label of vertices that the table leaves out; without it such a vertex in a triangle is an error
    #[arg(long, value_name = "LABEL", requires = "labels")]
    unlabelled: Option<String>,
}

/// The labels of a graph's vertices.
struct Labels {
    /// The labels in alphabetical order.
    names: Vec<String>,
    /// The place of each vertex's among them.
    of_vertices: Vec<Option<u32>>,
}

pub fn run(args: &CountArgs, table: &Path) -> Result<(), Failure> {
    let [file] = &args.files[..] else {
        let message = "`--labels` are those of one graph: name one file";
        return Err(Error::Usage(message.into()).into());
    };
    if args.json && args.output.is_some() {
        let message =
            "with `--labels`, `-o` writes a table, and `--json` prints an object: leave one out";
        return Err(Error::Usage(message.into()).into());
    }
    if file == table {
        let message = "the graph and the labels are the same file: name two";
        return Err(Error::Usage(message.into()).into());
    }
    if let Some(output) = &args.output {
        OutputFile::new(output)?.refuse_as([table])?;
    }
    let graph = GraphArgs::of_count(args, file);
    graph.refuse_numpy()?;
    let work = TableWork::begin(&graph, &args.place, &ArcArgs::default(), Task::List)?;
    let Labels { names, of_vertices } = labels(&work.graph, args, table)?;
    let found = work.graph.count_by_labels(&of_vertices)?;
    say_reading(work.graph.name(), work.graph.reading(), args);
    let name = |label: u32| &*names[label as usize];
    if args.json {
        let (summary, selection) = (work.graph.summary(), work.graph.selection());
        let row = |&(labels, triangles): &LabelledTriangles| serde_json::json!({ "labels": labels.map(name), "triangles": triangles });
        let object = serde_json::json!({
            "file": work.graph.name(),
            "labels": table.display().to_string(),
            "vertices": summary.vertices,
            "edges": summary.edges,
            "triangles": found.iter().map(|(_, triangles)| triangles).sum::<u64>(),
            "by_labels": found.iter().map(row).collect::<Vec<_>>(),
            "device": selection.device,
            "version": env!("CARGO_PKG_VERSION"),
        });
        return work.print(true, &object, |_| String::new());
    }
    let column =
        |place: usize| Values::Text(found.iter().map(|(labels, _)| name(labels[place])).collect());
    let triangles = found.iter().map(|(_, triangles)| *triangles).collect();
    work.write_all(vec![
        (Column::Text("label_1"), column(0)),
        (Column::Text("label_2"), column(1)),
        (Column::Text("label_3"), column(2)),
        (Column::Whole("triangles"), Values::Whole(triangles)),
    ])
}

/// Reads the table. Its vertices that the graph does not have are left out.
fn labels(graph: &PreparedGraph, args: &CountArgs, table: &Path) -> Result<Labels> {
    let fault = |message: String| Error::Input {
        file: table.display().to_string(),
        message: message.into(),
    };
    // A table of two columns of names is read as edges are.
    let mut reading = read::Options::default();
    reading.ids = IdKind::Names;
    reading.columns.clone_from(&args.labels.label_columns);
    if reading.columns.is_none() {
        reading.columns = Some(Columns::new("1", "2"));
        // A line of names is one of a vertex that the graph does not have.
        let is_text = table == Path::new("-")
            || read::inspect(table.to_owned(), &reading)?.format == Format::EdgeList;
        reading.header = is_text.then_some(false);
    }
    reading.skip_missing = args.work.reading(None).skip_missing;
    let pairs = read::open(table, &reading)?;
    let text = |index: u32| pairs.ids().names().map_or("", |names| names.get(index));

    let mut of_vertices: Vec<Option<&str>> = vec![None; graph.vertex_bound()];
    for &[vertex, label] in pairs.edges() {
        let (vertex, label) = (text(vertex), text(label));
        let Some(index) = index(graph.ids(), vertex) else { continue };
        match of_vertices[index as usize].replace(label) {
            Some(other) if other != label => {
                return Err(fault(format!(
                    "the vertex `{vertex}` has two labels, `{other}` and `{label}`"
                )));
            }
            _ => {}
        }
    }
    let unlabelled = args.labels.unlabelled.as_deref();
    let mut names: Vec<&str> = of_vertices.iter().copied().flatten().chain(unlabelled).collect();
    names.sort_unstable();
    names.dedup();
    let place = |label: &str| names.partition_point(|name| *name < label) as u32;
    let of_vertices = of_vertices.iter().map(|label| label.or(unlabelled).map(place)).collect();
    Ok(Labels { names: names.iter().map(|name| (*name).to_owned()).collect(), of_vertices })
}
