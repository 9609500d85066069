//! Several files that are one graph: ids mean the same vertex in all of them.

use std::path::{Path, PathBuf};

use super::format::Format;
use super::input::Fault;
use super::open_file::OpenFile;
use super::weights::weighted;
use super::{IdKind, Options, ids, input, memory, names, source};
use crate::graph::{EntryIds, Names, Reading, Visited};
use crate::{Error, Graph, Message, Result, VertexIds, hint};
use tribin_base::par;

/// Reads files as one graph. `open` reads one of them.
pub(super) fn read(
    name: &str,
    files: &[PathBuf],
    options: &Options,
    open: impl Fn(&Path, &Options) -> Result<Graph> + Sync,
) -> Result<Graph> {
    let format = one_format(name, files, options)?;
    // A file at a time for each thread: small ones are not split among threads, large ones are.
    let all = |options: &Options| par::try_map(files, |path| open(path, options));
    let mut graphs = all(options)?;
    let mut readings: Vec<Option<Reading>> =
        graphs.iter().map(|graph| graph.reading().cloned()).collect();
    let named = |graph: &Graph| graph.ids().names().is_some();
    if graphs.iter().any(named) && !graphs.iter().all(named) {
        // What is a number in one file is a name in another. Only as names are both the same vertex, and
        // `007` and `7` are not.
        drop(graphs);
        graphs = all(&Options { ids: IdKind::Names, progress: None, ..options.clone() })?;
        for reading in readings.iter_mut().flatten() {
            reading.ids = IdKind::Names.name();
            reading.reasons.retain(|reason| !reason.starts_with("ids are"));
            reading.reasons.push("ids are names because those of some files are".into());
        }
    }
    if options.columns.is_none() {
        check_columns(files, &readings)?;
    }
    let reading = Some(reading_of_files(format, files, &readings));
    let both_directions = graphs.iter().all(Graph::has_both_directions);
    let weights: Option<Vec<&[f64]>> = graphs.iter().map(Graph::weights).collect();
    let weights = weights.map(|weights| weights.concat());
    let graph = merge(name, graphs).map_err(|fault| fault.of(name))?.with_reading(reading);
    let graph = if both_directions { graph.with_both_directions() } else { graph };
    // Entries stay in the order of the files.
    weighted(graph, weights)
}

/// Hands the entries of files to a sink, as one graph. `visit` does so with one of them, where it can. `None` where
/// some cannot, or not all ids are integers: they are to be read as a whole.
pub(super) fn visit(
    name: &str,
    files: &[PathBuf],
    options: &Options,
    visit: impl Fn(&Path) -> Result<Option<Visited>>,
) -> Result<Option<Visited>> {
    let format = one_format(name, files, options)?;
    let mut readings = Vec::new();
    let (mut from_one, mut both_directions) = (0, true);
    for path in files {
        let Some(visited) = visit(path)? else { return Ok(None) };
        both_directions &= visited.both_directions;
        let Visited { reading, ids, .. } = visited;
        from_one += usize::from(matches!(ids, EntryIds::FromOne { .. }));
        // Each file numbers its names for itself.
        if reading.as_ref().is_some_and(|reading| reading.ids == IdKind::Names.name()) {
            return Ok(None);
        }
        readings.push(reading);
    }
    if options.columns.is_none() {
        check_columns(files, &readings)?;
    }
    let reading = Some(reading_of_files(format, files, &readings));
    let ids = match from_one {
        0 => EntryIds::AsTheyAre,
        all if all == files.len() => EntryIds::FromOne { declared: None },
        // One id of two files would be two vertices.
        _ => return Ok(None),
    };
    Ok(Some(Visited { reading, ids, both_directions, ..Visited::default() }))
}

/// The format of files that are one graph. Files of different formats are refused.
fn one_format(name: &str, files: &[PathBuf], options: &Options) -> Result<Format> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let formats = par::try_map(files, |path| {
        let open = OpenFile::of(source::regular(path, &options.cancel)?, options)?;
        Ok::<Format, Error>(crate::format::tell(&open.file.name, open.content(), None).0)
    })?;
    let Some(other) = formats.iter().position(|&format| format != formats[0]) else {
        return Ok(formats[0]);
    };
    let [first, other] = [0, other].map(|at| {
        let name = files[at].file_name().unwrap_or_default().to_string_lossy();
        format!("{} is {}", input::excerpt(name.as_bytes()), formats[at])
    });
    let message = format!("{first} and {other}: files that are one graph have one format");
    Err(input::error(name, message))
}

/// Refuses files whose columns are not called the same, or that have another number of columns.
fn check_columns(files: &[PathBuf], readings: &[Option<Reading>]) -> Result<()> {
    // Numbers are said or not, depending on what else there is to say.
    let columns = |reading: &Option<Reading>| {
        let columns = reading.iter().flat_map(|reading| &reading.columns).next();
        match columns.filter(|columns| *columns != &["1", "2"]) {
            Some([one, other]) => format!("`{one}` and `{other}`"),
            None => {
                let number = reading.as_ref().and_then(|reading| reading.of_columns);
                format!("the first two of {}", number.unwrap_or(2))
            }
        }
    };
    let first = columns(&readings[0]);
    let mut all = readings.iter().map(columns).enumerate();
    let Some((other, columns)) = all.find(|(_, columns)| *columns != first) else { return Ok(()) };
    let message = format!(
        "the columns of the edges are {columns} here and {first} in {}: files that are one graph have the same columns",
        source::name(&files[0])
    );
    // Numbers are the same in all, whatever their headers say.
    let message = Message::from(message).with_hint(hint::NAME_COLUMNS);
    Err(input::error(&source::name(&files[other]), message))
}

/// Warnings that are told, of all files together.
const MOST_WARNINGS: usize = 8;

/// How the files of one graph were read, from how each was: from the first of them that has something to say, with the warnings of
/// all.
fn reading_of_files(format: Format, files: &[PathBuf], readings: &[Option<Reading>]) -> Reading {
    let first = readings.iter().flatten().next().cloned();
    let mut reading =
        first.unwrap_or_else(|| Reading { table: format.to_string(), ..Reading::default() });
    reading.table = format!("{} files, {}", files.len(), reading.table);
    // A warning that is the same of several files is told once.
    let mut told: Vec<(&String, &PathBuf, usize)> = Vec::new();
    for (path, reading) in files.iter().zip(readings) {
        for warning in reading.iter().flat_map(|reading| &reading.warnings) {
            match told.iter_mut().find(|(other, ..)| *other == warning) {
                Some((.., more)) => *more += 1,
                None => told.push((warning, path, 0)),
            }
        }
    }
    let shown = told.iter().take(MOST_WARNINGS).map(|(warning, path, more)| match more {
        0 => format!("{}: {warning}", source::name(path)),
        more => format!("{} and {more} more: {warning}", source::name(path)),
    });
    reading.warnings = shown.collect();
    let more = told.len().saturating_sub(MOST_WARNINGS);
    reading.warnings.extend((more > 0).then(|| format!("{more} more warnings, of other files")));
    reading
}

/// One graph of several.
fn merge(name: &str, graphs: Vec<Graph>) -> Result<Graph, Fault> {
    if graphs.iter().all(|graph| graph.ids().names().is_some()) {
        return by_name(name, &graphs);
    }
    let one_based = |graph: &Graph| matches!(graph.ids(), VertexIds::OneBased { .. });
    let is_table = |graph: &Graph| matches!(graph.ids(), VertexIds::Table(_));
    let same = graphs.iter().all(|graph| one_based(graph) == one_based(&graphs[0]));
    if !same || graphs.iter().any(is_table) {
        let numbers = |graph: Graph| -> Result<Vec<[u64; 2]>, Fault> {
            let mut part = memory::with_capacity(graph.edges().len())?;
            part.extend(graph.edges().iter().map(|ends| ends.map(|v| graph.ids().number(v))));
            Ok(part)
        };
        let parts = graphs.into_iter().map(numbers).collect::<Result<_, Fault>>()?;
        return Ok(ids::wide(name, parts, None)?);
    }
    let bound = graphs.iter().map(Graph::vertex_bound).max().unwrap_or(0) as u32;
    let ids = match one_based(&graphs[0]) {
        true => VertexIds::OneBased { bound },
        false => VertexIds::Identity { bound },
    };
    let all = graphs.iter().map(|graph| graph.edges().len()).sum();
    let mut edges = memory::with_capacity(all)?;
    graphs.into_iter().for_each(|graph| edges.extend_from_slice(graph.edges()));
    Ok(Graph::from_parts(edges, ids, name.into()))
}

/// One graph of several whose vertices have names.
fn by_name(name: &str, graphs: &[Graph]) -> Result<Graph, Fault> {
    names::graph(name, graphs.len() as u32, false, &|index, block| {
        let graph = &graphs[index as usize];
        let mut numbers = memory::with_capacity(graph.vertex_bound())?;
        for id in graph.ids().names().into_iter().flat_map(Names::iter) {
            numbers.push(block.id(id.as_bytes())?);
        }
        for ends in graph.edges() {
            block.push_numbers(ends.map(|v| numbers[v as usize]), None)?;
        }
        Ok(())
    })
}
