//! What the commands share that write a table of one graph.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueHint;
use serde::Serialize;
use tribin::plan::{Explanation, Task};
use tribin::report::table::{
    Column, Table, TableFormat, TableTarget, TakeBlocks, Values, values_of_blocks,
};
use tribin::report::{OutputFile, human};
use tribin::{Error, Phase, PreparedGraph, Result, VertexIds};

use super::arcs::ArcArgs;
use super::args::{CountArgs, PlaceArgs, WorkArgs};
use super::failure::Failure;
use super::output::print;
use super::progress::Display;
use super::reports::{print_as, text};
use super::stderr;

/// How tables are written, for the help of the commands that write one.
pub fn formats() -> String {
    const NUMPY: &str = "
  .npy                a NumPy array: one column a number, or one record a row
                      where the columns are of several kinds";
    formats_with(NUMPY) + "\nVertices are called as in FILE.\n"
}

/// How tables with columns of text are written, which no NumPy array holds, and without vertices.
pub fn formats_with_text() -> String {
    formats_with("")
}

fn formats_with(numpy: &str) -> String {
    format!(
        "\
The extension of OUT says how the table is written:
  .csv .tsv .txt      commas or tabs, the column names in the first line; so is
                      standard output, with tabs. With .gz or .zst compressed{numpy}
  .parquet            Apache Parquet
  .feather .arrow     Apache Arrow IPC
"
    )
}

/// The graph, and how to work on it.
#[derive(Debug, clap::Args)]
pub struct GraphArgs {
    /// The graph; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The file to write: whole under its name, or not there; `-` is standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// How to write it, where it is not what the extension says: csv, tsv.gz, npy, …
    #[arg(long, value_name = "FORMAT", value_parser = str::parse::<TableTarget>)]
    to_format: Option<TableTarget>,

    /// Say what was decided and why, and what each step was predicted to take and took: in the report, or else on standard error
    #[arg(long, conflicts_with = "dry_run")]
    explain: bool,

    #[command(flatten)]
    pub work: WorkArgs,
}

/// A graph, and where to work on it.
#[derive(Debug, clap::Args)]
pub struct TableArgs {
    #[command(flatten)]
    pub graph: GraphArgs,

    #[command(flatten)]
    pub place: PlaceArgs,

    /// Say what would happen, without counting
    #[arg(long)]
    dry_run: bool,
}

/// Rows of the tables whose values are all there before they are written.
const BLOCK: usize = 1 << 16;

impl GraphArgs {
    /// The graph that `tribin count` is given.
    pub fn of_count(args: &CountArgs, file: &Path) -> GraphArgs {
        let (file, output) = (file.to_owned(), args.output.clone());
        let (explain, work) = (args.explain, args.work.clone());
        GraphArgs { file, output, to_format: None, explain, work }
    }

    /// Whether a place or a format is named for the table.
    pub fn names_output(&self) -> bool {
        self.output.is_some() || self.to_format.is_some()
    }

    /// Where the table goes, and how it is written.
    fn target(&self) -> Result<(OutputFile, TableTarget)> {
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        let output = OutputFile::new(path)?;
        output.refuse_as([&self.file])?;
        let target = match self.to_format {
            Some(target) => target,
            None => match TableTarget::of_name(&output.name()) {
                Err(_) if !output.is_file() => TableTarget::TEXT,
                target => target?,
            },
        };
        Ok((output, target))
    }

    /// Refuses a NumPy array for a table that has columns of text.
    pub fn refuse_numpy(&self) -> Result<()> {
        let (output, target) = self.target()?;
        if target.format() != TableFormat::Npy {
            return Ok(());
        }
        let message = format!(
            "{}: the table has a column of text, which NumPy arrays do not hold: write .csv, .tsv, .parquet or .feather",
            output.name()
        );
        Err(Error::Usage(message.into()))
    }
}

/// Takes blocks of what was found, and says whether more are wanted.
pub type TakeFound<'a, B> = dyn FnMut(Vec<B>) -> Result<bool> + Send + 'a;

/// A prepared graph, wherever its edges are, and where its table goes.
pub struct TableWork<'a> {
    args: &'a GraphArgs,
    output: OutputFile,
    target: TableTarget,
    display: Display,
    pub graph: PreparedGraph,
    task: Task,
    start: Instant,
}

impl TableArgs {
    /// Reads and prepares the graph for a task, with the directions and weights that are asked for. A dry run prints the plan of
    /// that, and the command ends here.
    pub fn begin(&self, arcs: &ArcArgs, task: Task) -> Result<TableWork<'_>, Failure> {
        self.begin_at(&self.place, arcs, task, false)
    }

    /// As [`begin`](Self::begin), in another place, or for a command whose reports may be JSON.
    pub fn begin_at(
        &self,
        place: &PlaceArgs,
        arcs: &ArcArgs,
        task: Task,
        json: bool,
    ) -> Result<TableWork<'_>, Failure> {
        if !self.dry_run {
            return Ok(TableWork::begin(&self.graph, place, arcs, task)?);
        }
        self.graph.target()?;
        let GraphArgs { file, work, .. } = &self.graph;
        let (display, session, mut reading) = place.open(work)?;
        arcs.read(&mut reading);
        display.begin(file);
        let plan = session.plan(arcs.input(file, &reading).for_task(task));
        display.end();
        print_as(json, &plan?, human::plan)?;
        Err(Failure::Said(0))
    }

    /// Prints what `find` finds for a task, or writes it as a table with columns of text where a place or a format is named for that.
    pub fn report<T: Serialize>(
        &self,
        (arcs, task, json): (&ArcArgs, Task, bool),
        find: impl FnOnce(&PreparedGraph) -> Result<T>,
        for_people: impl Fn(&T) -> String,
        columns: impl FnOnce(&TableWork, &T) -> Result<Vec<(Column, Values<'static>)>>,
    ) -> Result<(), Failure> {
        self.graph.refuse_numpy()?;
        let work = self.begin_at(&self.place, arcs, task, json)?;
        let found = find(&work.graph)?;
        if self.graph.names_output() {
            return work.write_all(columns(&work, &found)?);
        }
        work.print(json, &found, for_people)
    }
}

impl<'a> TableWork<'a> {
    /// Reads and prepares a graph for a task, with the directions and weights that are asked for.
    pub fn begin(
        args: &'a GraphArgs,
        place: &PlaceArgs,
        arcs: &ArcArgs,
        task: Task,
    ) -> Result<TableWork<'a>> {
        // What can be checked before the work is.
        let (output, target) = args.target()?;
        let (display, session, mut reading) = place.open(&args.work)?;
        arcs.read(&mut reading);
        display.begin(&args.file);
        let input = arcs.input(&args.file, &reading).for_task(task);
        let graph = session.prepare(input).inspect_err(|_| display.end())?;
        Ok(TableWork { args, output, target, display, graph, task, start: Instant::now() })
    }

    /// Writes a table of `rows` rows, made a range at a time.
    pub fn write_rows<'v>(
        &self,
        columns: &[Column],
        rows: usize,
        make: impl Fn(Range<usize>) -> Vec<Values<'v>> + Send + Sync,
    ) -> Result<(), Failure> {
        let found = self.start.elapsed();
        self.display.say(Phase::Write);
        let (work, threads) = (self.display.work(), self.graph.session().threads());
        work.begin(rows.div_ceil(BLOCK) as u64);
        let blocks = (0..rows).step_by(BLOCK).map(|start| start..rows.min(start + BLOCK));
        let blocks: Vec<_> = blocks.collect();
        let find = |take: &mut TakeFound<'_, Range<usize>>| {
            // Memory is that of a few blocks.
            for batch in blocks.chunks(2 * threads) {
                if !take(batch.to_vec())? {
                    break;
                }
            }
            Ok(())
        };
        let values = |rows| {
            work.add(1);
            make(rows)
        };
        self.written((columns, rows as u64), find, values, |_| found)
    }

    /// Writes a table whose values are all there.
    pub fn write_all(&self, columns: Vec<(Column, Values<'_>)>) -> Result<(), Failure> {
        let found = self.start.elapsed();
        self.display.say(Phase::Write);
        let (heads, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let rows = values[0].rows() as u64;
        let find = |take: &mut TakeFound<'_, _>| take(vec![values]).map(drop);
        self.written((&heads, rows), find, |values| values, |_| found)
    }

    /// Writes a table whose rows are found one after the other: `find` hands blocks of them over until it is told `false`,
    /// and `values` makes a block's columns.
    pub fn write_found<'v, B: Send>(
        &self,
        head: (&[Column], u64),
        find: impl FnOnce(&mut TakeFound<'_, B>) -> Result<()> + Send,
        values: impl Fn(B) -> Vec<Values<'v>> + Send + Sync,
    ) -> Result<(), Failure> {
        self.written(head, find, values, |all| all)
    }

    /// Writes a table. Prints the report on it, unless it goes to standard output or nobody wants one; `found` is the time of
    /// all until everything was found.
    fn written<'v, B: Send>(
        &self,
        (columns, rows): (&[Column], u64),
        find: impl FnOnce(&mut TakeFound<'_, B>) -> Result<()> + Send,
        values: impl Fn(B) -> Vec<Values<'v>> + Send + Sync,
        found: impl FnOnce(Duration) -> Duration,
    ) -> Result<(), Failure> {
        let mut find = Some(find);
        let mut stream = |to: &mut TakeBlocks<'_, 'v>| {
            let Some(find) = find.take() else { return Ok(()) };
            let mut failed = None;
            let found = find(&mut |blocks| {
                Ok(to(values_of_blocks(blocks, &values)).unwrap_or_else(|error| {
                    failed = Some(error);
                    false
                }))
            });
            found.map_err(io::Error::other)?;
            failed.map_or(Ok(()), Err)
        };
        let table = Table { columns, rows, stream: &mut stream };
        let write = || self.output.write_with(|to| table.write(self.target, to));
        let written = self.graph.session().install(write);
        self.display.end();
        let written = written?;
        let all = self.start.elapsed();
        let found = found(all);
        let seconds = [found, all - found].map(|time| time.as_secs_f64());
        let explanation = self.explanation(seconds[0]).as_ref().map(human::explanation);
        let explanation = explanation.unwrap_or_default();
        if self.args.work.quiet || !self.output.is_file() {
            explanation.lines().for_each(|line| stderr::line(format_args!("{line}")));
            return Ok(());
        }
        let report = human::table(&self.graph, &self.output.name(), &written, seconds);
        print(&(report + &explanation))
    }

    /// Prints what was found, with its explanation where that is wanted.
    pub fn print<T: Serialize>(
        &self,
        json: bool,
        found: &T,
        for_people: impl Fn(&T) -> String,
    ) -> Result<(), Failure> {
        let explanation = self.explanation(self.end());
        print(&text(json, found, explanation, for_people))
    }

    /// How what was found came about, if that is wanted. Finding it took `found` seconds.
    fn explanation(&self, found: f64) -> Option<Explanation> {
        self.args.explain.then(|| self.graph.explanation(self.task, found))
    }

    /// A number as it stands in a column. `what` says what there are as many of.
    ///
    /// # Errors
    /// For a number that no column holds.
    pub fn whole(&self, number: u128, what: &str) -> Result<u64> {
        i64::try_from(number).map(i64::cast_unsigned).map_err(|_| Error::Input {
            file: self.graph.name().to_owned(),
            message: format!(
                "{number} {what}: columns hold numbers below 2^63, and `--json` any number"
            )
            .into(),
        })
    }

    /// Says something of what was written, unless nobody wants notes.
    pub fn note(&self, text: &str) {
        if !self.args.work.quiet {
            stderr::line(format_args!("note: {}: {text}", self.graph.name()));
        }
    }

    /// Seconds since the graph was prepared; nothing is shown of the work any more.
    pub fn end(&self) -> f64 {
        self.display.end();
        self.start.elapsed().as_secs_f64()
    }

    /// The vertex that the file calls so, if one is named.
    pub fn vertex(&self, id: Option<&str>) -> Result<Option<u32>> {
        let Some(id) = id else { return Ok(None) };
        self.graph.check_named()?;
        let found = index(self.graph.ids(), id);
        found.map(Some).ok_or_else(|| Error::Input {
            file: self.graph.name().to_owned(),
            message: format!("there is no vertex `{id}`").into(),
        })
    }
}

/// The vertex that a text calls so, if there is one.
pub fn index(ids: &VertexIds, id: &str) -> Option<u32> {
    match ids.names() {
        Some(_) => ids.index(id),
        None => id.parse::<u64>().ok().and_then(|id| ids.index(id)),
    }
}

/// Columns of ids: the first `corners` vertices of each row.
pub fn corners<'v, const N: usize>(
    ids: &'v VertexIds,
    rows: &[[u32; N]],
    corners: usize,
) -> Vec<Values<'v>> {
    let corner = |place: usize| Values::of_ids(ids, rows.iter().map(|row| row[place]));
    (0..corners).map(corner).collect()
}

/// The columns of the ends of edges.
pub fn end_columns(graph: &PreparedGraph) -> [Column; 2] {
    ["u", "v"].map(|name| Column::of_ids(name, graph.ids()))
}
