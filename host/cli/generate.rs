//! `tribin generate KIND`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueHint;
use tribin::generate::command::ModelKind;
use tribin::report::{OutputFile, counted};
use tribin::write::{self, NamedFormat, Target};
use tribin::{Error, Phase, Result, VertexIds};

use super::args::output_format;
use super::failure::Failure;
use super::progress::Display;
use super::{stderr, threads};

const EXAMPLES: &str = "\
Examples:
  tribin generate rmat --scale 22 -o rmat22.bin
  tribin generate watts-strogatz --vertices 1000000 --half-degree 25 -o world.txt
  tribin generate grid --rows 100 --columns 100 -o - --format mtx
";

/// The part of the help that names the models that this build lacks.
#[cfg(feature = "models")]
const LEFT_OUT: &str = "";
#[cfg(not(feature = "models"))]
const LEFT_OUT: &str = "
This build lacks the feature `models`, which adds theory, geometric, hyperbolic,
gap-kron, gap-urand, clustered, web, road, affiliation, communities, hub and
mycielskian.
";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}{LEFT_OUT}"))]
pub struct GenerateArgs {
    #[command(subcommand)]
    kind: ModelKind,

    /// The file to write, its format and compression told by its extensions; whole, or not there. `-` is
    /// standard output
    #[arg(short, long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Another seed is another graph of the same kind
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// CPU threads; the graph does not depend on them. By default one for each core
    #[arg(long, global = true, value_name = "N", value_parser = threads::at_least_one)]
    threads: Option<NonZeroUsize>,

    /// The file's format, where it is not what its extension says
    #[arg(
        long,
        alias = "to-format",
        global = true,
        value_name = "FORMAT",
        value_parser = output_format()
    )]
    format: Option<NamedFormat>,

    /// No note of what was written
    #[arg(short, long, global = true)]
    quiet: bool,
}

pub fn run(args: &GenerateArgs) -> Result<(), Failure> {
    args.kind.check()?;
    let Some(path) = &args.output else {
        let message = "name the file to write with `--output FILE`";
        return Err(Error::Usage(message.into()).into());
    };
    let output = OutputFile::new(path)?;
    let target = Target::of_output(&output, args.format)?;
    let start = Instant::now();
    let display = Display::new(args.quiet);
    display.begin_named(&output.name(), Phase::Write.name());
    let written = threads::on(args.threads, || -> Result<_> {
        let model = args.kind.model(args.seed)?;
        // Models have less than 2³² vertices.
        let ids = VertexIds::Identity { bound: model.vertices() as u32 };
        Ok((model.vertices(), write::write(&*model, &ids, target, &output, display.work())?))
    });
    display.end();
    let (vertices, entries) = written??;
    if !args.quiet {
        let seconds = start.elapsed().as_secs_f64();
        let entries_of = if target.is_simple() { ("edge", "edges") } else { ("entry", "entries") };
        stderr::line(format_args!(
            "note: {}: {} and {} in {seconds:.3} s, {:.1} million/s",
            output.name(),
            counted(vertices, "vertex", "vertices"),
            counted(entries, entries_of.0, entries_of.1),
            entries as f64 / seconds / 1e6
        ));
    }
    Ok(())
}
