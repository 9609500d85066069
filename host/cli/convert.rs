//! `tribin convert IN OUT`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueHint;
use tribin::read::{self, Format, IdKind};
use tribin::report::{OutputFile, counted};
use tribin::write::{self, Adjacency, NamedFormat, Target};
use tribin::{Error, Graph, Phase, Result, VertexIds};

use super::args::{ReadArgs, format, named, output_format};
use super::failure::Failure;
use super::progress::Display;
use super::{stderr, threads};

const ABOUT: &str = "\
Edge lists, .bin and .npy hold vertex ids as they stand in IN. The other formats
number vertices: by index, from 1 in .mtx and .graph, from 0 in .npz and .sg.
Where the ids of IN have wide gaps their order is the index. Where they are names
it is the order in which IN mentions them first. `--ids` writes which id each
index has. .bin and .npy cannot hold names.

.mtx, .graph, .npz and .sg hold the simple graph; the others all entries of IN,
unless `--simple` is given.
";

#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub struct ConvertArgs {
    /// The graph to read; `-` is standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    from: PathBuf,

    /// The file to write, its format and compression told by its extensions; whole, or not there. `-` is
    /// standard output
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath, required_unless_present = "output")]
    to: Option<PathBuf>,

    /// OUT, as other commands name their output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "to")]
    output: Option<PathBuf>,

    /// The format of IN, where it is not what extension and first bytes say
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    from_format: Option<Format>,

    #[command(flatten)]
    read: ReadArgs,

    /// What vertices of IN are called by: integers, names, or whatever a table's beginning shows
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = named::<IdKind>(IdKind::ALL.map(IdKind::name)))]
    from_ids: IdKind,

    /// The format of OUT, where it is not what its extension says
    #[arg(long, value_name = "FORMAT", value_parser = output_format())]
    to_format: Option<NamedFormat>,

    /// Drop self-loops and duplicates; each edge once, the smaller end first, in ascending order
    #[arg(long)]
    simple: bool,

    /// Also write the id of every vertex, one a line, in the order of their indexes
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    ids: Option<PathBuf>,

    /// CPU threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = threads::at_least_one)]
    threads: Option<NonZeroUsize>,

    /// No progress bars and no notes: only warnings and errors go to stderr
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let Some(to) = args.to.as_ref().or(args.output.as_ref()) else {
        return Err(Error::Usage("name the file to write".into()).into());
    };
    let output = OutputFile::new(to)?;
    let ids_output = args.ids.as_ref().map(OutputFile::new).transpose()?;
    output.refuse_as([&args.from])?;
    if let (Some(ids), Some(path)) = (&ids_output, &args.ids) {
        ids.refuse_as([&args.from])?;
        output.refuse_as([path])?;
        output.refuse_both_to_standard_output(ids)?;
    }
    let target = Target::of_output(&output, args.to_format)?;
    let display = Display::new(args.quiet);
    let options = args.read.options(args.from_format, args.from_ids, Some(display.on_bytes()));
    display.begin(&args.from);
    let converted = threads::on(args.threads, || -> Result<(Graph, u64, u64)> {
        let mut graph = read::open(&args.from, &options)?;
        let entries = graph.edges().len() as u64;
        if args.simple {
            graph = Adjacency::of(&graph).to_graph(graph.ids().clone(), graph.name());
        }
        if let Some(ids) = &ids_output {
            write::ids(graph.ids(), ids)?;
        }
        display.say(Phase::Write);
        let written = write::write(&graph, graph.ids(), target, &output, display.work())?;
        Ok((graph, entries, written))
    });
    display.end();
    let (graph, entries, written) = converted??;
    if args.quiet {
        return Ok(());
    }
    let what = match args.simple || target.is_simple() {
        true => format!(
            "{} of {}",
            counted(written, "edge", "edges"),
            counted(entries, "entry", "entries")
        ),
        false => counted(written, "entry", "entries"),
    };
    let bound = graph.vertex_bound() as u64;
    let vertices = counted(bound, "vertex", "vertices");
    stderr::line(format_args!(
        "note: {}: {vertices} and {what} written as {}",
        output.name(),
        target.format()
    ));
    match &ids_output {
        Some(ids) => {
            let written = counted(bound, "id", "ids");
            stderr::line(format_args!("note: {}: {written} written", ids.name()));
        }
        None if matches!(graph.ids(), VertexIds::Table(_) | VertexIds::Names(_))
            && target.is_simple() =>
        {
            stderr::line(format_args!(
                "note: {}: vertices are numbered in the order of their {} in {}; `--ids FILE` writes the ids",
                output.name(),
                if graph.ids().names().is_some() { "first mentions" } else { "ids" },
                graph.name()
            ));
        }
        None => {}
    }
    Ok(())
}
