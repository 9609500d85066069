//! `tribin truss`.

use std::str::FromStr;

use tribin::analytics::WantedTruss;
use tribin::plan::Task;
use tribin::report::human;
use tribin::report::table::{Column, Values};

use super::arcs::ArcArgs;
use super::edges::{EachEdge, EdgeStream, Wanted};
use super::failure::Failure;
use super::tables::{TableArgs, TakeFound, corners, end_columns, formats};

/// The column of the trussness.
const NUMBER: &str = "trussness";

#[derive(Debug, clap::Args)]
#[command(after_help = formats())]
pub struct TrussArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Write the edges of the K-truss alone: a number from 2, or `max` for the largest K that has any
    #[arg(short, long, value_name = "K", value_parser = str::parse::<K>)]
    k: Option<K>,

    /// Write the N edges of the largest trussness only, those of the largest first
    #[arg(long, value_name = "N", conflicts_with = "k")]
    top: Option<usize>,

    /// Write the edges of one vertex only
    #[arg(long, value_name = "ID", allow_hyphen_values = true, conflicts_with = "k")]
    vertex: Option<String>,
}

/// Which truss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum K {
    At(u32),
    Max,
}

impl FromStr for K {
    type Err = String;

    fn from_str(text: &str) -> Result<K, String> {
        match text.parse() {
            Ok(k) if k >= 2 => Ok(K::At(k)),
            _ if text == "max" => Ok(K::Max),
            _ => Err(format!("`{text}` is no truss: use a number from 2, or `max`")),
        }
    }
}

pub fn run(args: &TrussArgs) -> Result<(), Failure> {
    let work = args.table.begin(&ArcArgs::default(), Task::Trusses)?;
    let vertex = work.vertex(args.vertex.as_deref())?;
    let graph = &work.graph;
    // One level of peeling is enough for one truss, and tells no other.
    let trusses = match args.k {
        Some(K::At(k)) => WantedTruss::One(k),
        _ => WantedTruss::All,
    };
    // Found once for all that is asked of them, where memory holds the graph.
    let held = match graph.out_of_core_decision() {
        None => Some(graph.trusses(trusses)?),
        Some(_) => None,
    };
    let each = |take: &mut TakeFound<'_, _>| match &held {
        Some(found) => found.each_block(take),
        None => graph.each_trussness(trusses, take),
    };
    let wanted = Wanted { vertex, top: args.top, ..Wanted::default() };
    let stream = EdgeStream { work: &work, each: &each, wanted };
    let [u, v] = end_columns(graph);
    let rows_of = |rows: &[[u32; 3]]| {
        let mut values = corners(graph.ids(), rows, 2);
        values.push(Values::Whole(rows.iter().map(|row| row[2].into()).collect()));
        values
    };
    let truss = |k: u32, each: &EachEdge<'_>| {
        let wanted = Wanted { least: Some(k.into()), ..Wanted::default() };
        let stream = EdgeStream { work: &work, each, wanted };
        stream.write(&[u, v], |rows| corners(graph.ids(), rows, 2))
    };
    let is_table = args.table.graph.names_output() || args.top.is_some() || args.vertex.is_some();
    match args.k {
        None if is_table => stream.write(&[u, v, Column::Whole(NUMBER)], rows_of),
        Some(K::At(k)) => truss(k, &each),
        Some(K::Max) => {
            let largest = stream.histogram()?.last_key_value().map(|(&k, _)| k);
            let k = largest.unwrap_or(2);
            match &held {
                Some(_) => truss(k, &each)?,
                None => truss(k, &|take| graph.each_trussness(WantedTruss::One(k), take))?,
            }
            work.note(&match largest {
                Some(k) => format!("the largest k is {k}"),
                None => "no truss has any edges".to_owned(),
            });
            Ok(())
        }
        None => {
            let counts = stream.histogram()?;
            let seconds = work.end();
            work.print(false, &counts, |counts| human::trusses(graph, counts, seconds))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_from_2_or_the_largest() {
        assert_eq!("2".parse(), Ok(K::At(2)));
        assert_eq!("max".parse(), Ok(K::Max));
        for text in ["1", "0", "-3", "MAX", "", "2.5", "4294967296"] {
            let message = text.parse::<K>().unwrap_err();
            assert_eq!(message, format!("`{text}` is no truss: use a number from 2, or `max`"));
        }
    }
}
