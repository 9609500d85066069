//! The options, as clap has them.

#[cfg(not(all(feature = "bench", feature = "manual")))]
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueHint};
use tribin::count::{CountOptions, EngineChoice, On};
use tribin::features;
use tribin::papers::PaperEngine;
use tribin::read::{self, Columns, Format, IdKind, Progress};
use tribin::write::NamedFormat;
use tribin::{DeviceChoice, Error, Options, Result, Session};

#[cfg(feature = "bench")]
use super::bench::BenchArgs;
use super::census::CensusArgs;
use super::cliques::CliquesArgs;
use super::convert::ConvertArgs;
use super::estimate::EstimateArgs;
use super::generate::GenerateArgs;
use super::labels::LabelArgs;
use super::list::ListArgs;
use super::local::LocalArgs;
use super::motifs::MotifsArgs;
use super::progress::Display;
use super::report::ReportArgs;
use super::similar::SimilarArgs;
use super::stats::StatsArgs;
use super::support::SupportArgs;
use super::truss::TrussArgs;
use super::{size, threads};

const EXAMPLES: &str = "\
Examples:
  tribin count graph.mtx                       the exact count, with a short report
  tribin count --json *.el.gz > counts.jsonl   one JSON object a line
  zcat edges.gz | tribin count -               an edge list from standard input
  tribin count --device cpu --threads 4 g.bin  on four CPU threads
  tribin count --device gpu:1 --verify g.npy   on a GPU, checked by the CPU
  tribin count --dry-run huge.txt              what would happen, without counting
  tribin stats graph.mtx                       degrees, clustering, degeneracy, …
  tribin local graph.mtx -o local.csv          every vertex's triangles and clustering
  tribin truss -k max graph.mtx | head         the edges of the innermost truss
  tribin generate rmat --scale 20 -o r20.bin   the same graph on every machine
  tribin convert graph.txt.gz graph.mtx        to and from METIS, GAP, NumPy, …
  tribin doctor                                what this machine has, and lacks
";

const COUNT_EXIT: &str = "\
Formats are told by the first bytes and the extension; .gz is decompressed.
The feature `archives` adds .zst, .bz2 and .xz, and the graph in a .tar or .zip archive:
  edge-list      .txt .el .tsv .csv .edgelist .edges, and what is not known
  matrix-market  .mtx
  metis          .graph .metis
  bin            .bin (pairs of little-endian u32)
  npy            .npy (integers of shape (m, 2) or (2, m))
  npz            .npz (SciPy's sparse matrices; needs the feature `archives`)
  sg             .sg (GAP's serialized graphs)
  dimacs         .gr .col .clq .dimacs
  adjacency      .adjlist (a vertex and its neighbours a line)
  graphml        .graphml
  gml            .gml
  pajek          .net .paj
  json           .json .jsonl .ndjson .cyjs (nodes and links, lists of edges or neighbours)
  parquet        .parquet .pq (needs the feature `parquet`)
  arrow          .arrow .feather .ipc .arrows (needs the feature `arrow`)
The feature `remote` adds files at https://, http://, s3://, gs:// and az://.

Exit codes: 0 all counted, 1 something failed (one line on stderr for each file),
2 wrong usage.
";

/// Counts the triangles of large graphs, exactly.
#[derive(Debug, Parser)]
#[command(name = "tribin", version, long_version = long_version(), propagate_version = true, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Args {
    /// Say on stderr where the time goes (-vv: more); the variable TRIBIN_LOG sets levels of modules, as in `tribin::read=debug`
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    #[command(subcommand)]
    pub command: Command,
}

/// The version, the features that this build has, and those that it has not.
fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = env!("CARGO_PKG_VERSION").to_owned();
        for (label, are_there) in [("features", true), ("left out", false)] {
            let names = features::names(are_there);
            if !names.is_empty() {
                text += &format!("\n{label}: {}", names.join(", "));
            }
        }
        text
    });
    &TEXT
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count the triangles of graphs
    Count(CountArgs),
    /// Degrees, wedges, triangles, transitivity, clustering and degeneracy of graphs
    Stats(StatsArgs),
    /// Every vertex's degree, triangles and local clustering coefficient
    Local(LocalArgs),
    /// How many triples of vertices of a directed graph are of each of 16 classes, and its reciprocity
    Census(CensusArgs),
    /// The number of triangles on every edge
    Support(SupportArgs),
    /// How many edges each k-truss has, every edge's trussness, or the edges of one k-truss
    Truss(TrussArgs),
    /// Every triangle once
    List(ListArgs),
    /// The number of cliques of K vertices, in all, at every vertex and on every edge, or every clique once
    Cliques(CliquesArgs),
    /// How often each connected graph of three and four vertices occurs, induced and as a subgraph
    Motifs(MotifsArgs),
    /// Triangles, transitivity and mean clustering, each with an interval, from wedges that are drawn at random
    Estimate(EstimateArgs),
    /// Pairs of vertices that share neighbours: the most similar ones of each vertex, all, or those of a file
    Similar(SimilarArgs),
    /// A page of HTML on a graph: its figures, distributions as plots, and what comes first by each result
    Report(ReportArgs),
    /// Make a graph of a model, the same on every machine
    Generate(GenerateArgs),
    /// Write a graph in another format
    Convert(ConvertArgs),
    /// Measure engines side by side, in a table, as JSON and as a picture
    #[cfg(feature = "bench")]
    Bench(BenchArgs),
    /// Measure engines side by side: this build lacks it (feature `bench`)
    #[cfg(not(feature = "bench"))]
    Bench(MissingCommand),
    /// Say which GPUs, driver and kernels there are, and what is missing
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    #[cfg(feature = "manual")]
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them
    #[cfg(feature = "manual")]
    Man(ManArgs),
    /// Shell completions and manual pages, which this build lacks
    #[cfg(not(feature = "manual"))]
    #[command(name = "completions", alias = "man", hide = true)]
    Manual(MissingCommand),
}

/// A command that is not in this build, with whatever follows it.
#[derive(Debug, clap::Args)]
#[cfg(not(all(feature = "bench", feature = "manual")))]
pub struct MissingCommand {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _arguments: Vec<OsString>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = COUNT_EXIT)]
pub struct CountArgs {
    /// Files to count, each a graph of its own, or folders of files that are one graph; `-` is standard input
    #[arg(required_unless_present = "generate", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub labels: LabelArgs,

    /// Count a generated graph instead, by its kind and scale as `tribin bench` has them: rmat28, erdos-renyi20, …
    #[arg(long, value_name = "KIND", conflicts_with_all = ["files", "merge", "format", "dry_run"])]
    pub generate: Option<String>,

    /// The seed of the generated graph, 1 by default
    #[arg(long, value_name = "N", requires = "generate", conflicts_with = "files")]
    pub seed: Option<u64>,

    /// Take all files as parts of one graph
    #[arg(long)]
    pub merge: bool,

    /// Print one JSON object for each file, on a line of its own
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,

    /// How to count
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine())]
    pub engine: NamedEngine,

    #[command(flatten)]
    pub work: WorkArgs,

    /// Count again with an independent engine and compare every figure
    #[arg(long, conflicts_with = "dry_run")]
    pub verify: bool,

    /// Count together with the other processes of a job, which torchrun, srun, mpirun or a shell started: this one's
    /// number and where they meet are in the environment (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT, …). Each reads all
    /// files and counts some groups of edges, on its CPU or with `--device gpu` on a GPU
    #[arg(long, value_name = "env", value_parser = ["env"], conflicts_with_all = ["scratch", "dry_run", "explain"])]
    pub ranks: Option<String>,

    /// Prepare the graph in this many parts on GPUs, for tests and measurements
    #[arg(long, value_name = "N", hide = true, value_parser = clap::value_parser!(u32).range(1..=32))]
    pub parts: Option<u32>,

    /// Say what was decided and why, what each step was predicted to take, and what it took
    #[arg(long, conflicts_with = "dry_run")]
    pub explain: bool,

    /// Say what would happen, without counting
    #[arg(long)]
    pub dry_run: bool,

    /// Write the report to a file: complete under its name, or not there. Nothing is written if any
    /// of the files fails
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

impl CountArgs {
    /// What to run on.
    pub fn session_options(&self) -> Options {
        Options { parts: self.parts, ..self.place.options(self.work.threads) }
    }

    /// How to count.
    pub fn options(&self) -> CountOptions {
        let mut options = CountOptions::default();
        if let NamedEngine::Own(engine) = self.engine {
            options.engine = engine;
        }
        options.verify = self.verify;
        options.explain = self.explain;
        options
    }
}

/// How files are read, whatever is done with them.
#[derive(Debug, Clone, clap::Args)]
pub struct ReadArgs {
    /// What compressed files may decompress to at most, for example 24G; by default half of the free memory
    #[arg(long, value_name = "BYTES", value_parser = size::parse)]
    decompressed_limit: Option<u64>,

    /// The two columns of a table that are an edge, by name or number: `source,target` or `1,2`
    #[arg(long, value_name = "A,B", value_parser = str::parse::<Columns>)]
    columns: Option<Columns>,

    /// Whether a table's first line names the columns; by default it is found out
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no())]
    header: Option<bool>,

    /// What stands between a table's columns: comma, tab, semicolon, pipe, blank or other characters, as `::` or `->`
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = read::delimiter)]
    delimiter: Option<String>,

    /// What becomes of a table's rows of which an end is missing: `skip` leaves them out and says how many
    #[arg(long, value_name = "error|skip", default_value = "error", hide_default_value = true, value_parser = missing(), action = clap::ArgAction::Set)]
    missing: bool,

    /// The two columns of a table have ids of their own: users and films
    #[arg(long)]
    bipartite: bool,

    /// Leave out the first N lines of a table of text
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    skip: u64,
}

/// How graphs are read, by how many threads, and what is said meanwhile.
#[derive(Debug, Clone, clap::Args)]
pub struct WorkArgs {
    /// CPU threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = threads::at_least_one)]
    pub threads: Option<NonZeroUsize>,

    /// The graph's format, where it is not what extension and first bytes say
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,

    #[command(flatten)]
    read: ReadArgs,

    /// What vertices are called by: integers, names, or whatever a table's beginning shows
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = named::<IdKind>(IdKind::ALL.map(IdKind::name)))]
    ids: IdKind,

    /// No progress bars, no notes and no report on a written table: only warnings and errors go to stderr
    #[arg(short, long)]
    pub quiet: bool,
}

impl WorkArgs {
    /// The library's options.
    pub fn reading(&self, progress: Option<Progress>) -> read::Options {
        self.read.options(self.format, self.ids, progress)
    }
}

/// Where to work on a graph, which memory may not hold.
#[derive(Debug, Clone, clap::Args)]
pub struct PlaceArgs {
    /// Where to find what is asked for: auto, cpu, gpu, gpu:N, gpu:all, or several GPUs such as gpu:0-3 or gpu:0,2,5
    #[arg(long, value_name = "DEVICE", default_value = "auto", value_parser = str::parse::<DeviceChoice>)]
    pub device: DeviceChoice,

    /// Memory that may be used at most, for example 24G. The edges of a graph that takes more are in scratch files, where
    /// that is possible. With `--device gpu` it is device memory, unless that has `--device-memory`
    #[arg(long, value_name = "BYTES", value_parser = size::parse)]
    pub memory: Option<u64>,

    /// Device memory that may be used at most, where it is not `--memory`
    #[arg(long, value_name = "BYTES", value_parser = size::parse)]
    pub device_memory: Option<u64>,

    /// The folder for scratch files, which are removed at the end; by default one of the system's that has room
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub scratch: Option<PathBuf>,
}

impl PlaceArgs {
    /// What to run on.
    pub fn options(&self, threads: Option<NonZeroUsize>) -> Options {
        let mut options = Options::default();
        options.device = self.device;
        size::limit(&mut options, self.memory, self.device_memory);
        options.scratch.clone_from(&self.scratch);
        options.threads = threads;
        options
    }

    /// Opens what a command runs on: what shows the work, the session that does it, and how it reads graphs.
    pub fn open(&self, work: &WorkArgs) -> Result<(Display, Session, read::Options)> {
        let display = Display::new(work.quiet);
        let reading = work.reading(Some(display.on_bytes()));
        let options = Options { open_later: true, ..self.options(work.threads) };
        let (cancel, work) = (options.cancel.clone(), display.work().clone());
        let session = Session::open(options)?.with_control(cancel, work, display.on_phase());
        self.check(&session)?;
        Ok((display, session, reading))
    }

    /// Refuses a limit of device memory where the CPU is asked for, and warns of one that limits nothing. That the CPU stands in
    /// for a GPU, the session says itself.
    ///
    /// # Errors
    /// [`Error::Usage`] with `--device cpu`.
    pub fn check(&self, session: &Session) -> Result<()> {
        // A limit is no reason to choose a device: none is opened for the question.
        let is_cpu = session.known_selection().is_some_and(|selection| selection.on == On::Cpu);
        if self.device_memory.is_none() || !is_cpu {
            return Ok(());
        }
        const WHAT: &str = "`--device-memory` limits the memory of a GPU";
        if self.device == DeviceChoice::Cpu {
            let message = format!("{WHAT}, and `--device cpu` uses none: leave out one of the two");
            return Err(Error::Usage(message.into()));
        }
        tracing::warn!("{WHAT}, and the CPU is used: it has no effect");
        Ok(())
    }
}

impl ReadArgs {
    /// The library's options.
    pub fn options(
        &self,
        format: Option<Format>,
        ids: IdKind,
        progress: Option<Progress>,
    ) -> read::Options {
        let mut options = read::Options::default();
        options.format = format;
        options.progress = progress;
        options.decompressed_limit = self.decompressed_limit;
        options.columns = self.columns.clone();
        options.header = self.header;
        options.delimiter = self.delimiter.clone();
        options.skip_missing = self.missing;
        options.bipartite = self.bipartite;
        options.skip = self.skip;
        options.ids = ids;
        options
    }
}

/// What `--engine` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedEngine {
    /// One that the session has, wherever it counts.
    Own(EngineChoice),
    /// One of a paper, which is a session's only engine.
    Paper(PaperEngine),
}

impl NamedEngine {
    /// All that can be named.
    pub fn all() -> impl Iterator<Item = NamedEngine> {
        let papers = PaperEngine::ALL.into_iter().map(NamedEngine::Paper);
        EngineChoice::ALL.into_iter().map(NamedEngine::Own).chain(papers)
    }

    fn name(self) -> &'static str {
        match self {
            NamedEngine::Own(engine) => engine.name(),
            NamedEngine::Paper(engine) => engine.name(),
        }
    }

    /// A session on this engine.
    pub fn session(self, mut options: Options) -> Result<Session> {
        if let NamedEngine::Paper(engine) = self {
            options.engine = Some(engine.open(&options)?);
        }
        Session::open(options)
    }
}

pub fn engine() -> impl TypedValueParser<Value = NamedEngine> {
    PossibleValuesParser::new(NamedEngine::all().map(NamedEngine::name)).map(|name| {
        let mut all = NamedEngine::all();
        all.find(|engine| engine.name() == name).expect("a name of the list")
    })
}

/// One of some things by its name.
pub fn named<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = Error> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

fn missing() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["error", "skip"]).map(|name| name == "skip")
}

fn yes_or_no() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["yes", "no"]).map(|answer| answer == "yes")
}

/// A format by its name; an extension is an alias.
pub fn format() -> impl TypedValueParser<Value = Format> {
    formats().try_map(|name| name.parse::<Format>())
}

/// A format of a file that is written, by its name: `csv` and `tsv` are two kinds of edge list.
pub fn output_format() -> impl TypedValueParser<Value = NamedFormat> {
    formats().try_map(|name| name.parse::<NamedFormat>())
}

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.map(|format| {
        PossibleValue::new(format.name()).aliases(format.extensions().iter().copied())
    }))
}

#[derive(Debug, clap::Args)]
pub struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[cfg(feature = "manual")]
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[cfg(feature = "manual")]
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The page of a subcommand, instead of the whole command's
    pub subcommand: Option<String>,

    /// Write the pages of the command and of all subcommands to this folder
    #[arg(short, long, value_name = "DIR", conflicts_with = "subcommand", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        super::Args::command().debug_assert();
    }
}
