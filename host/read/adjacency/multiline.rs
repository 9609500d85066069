//! Multi-line adjacency lists: a line with a vertex and a number, and as many lines below it, each a neighbour and its
//! attributes between braces.

use super::super::input::{Input, ends_line, excerpt};
use super::super::lines::{Fault, Lines};
use super::super::names;
use super::super::number::whole;
use super::each_line;
use super::lists::vertex;
use crate::{Graph, Result};

/// A line, by its first id.
enum Line<'a> {
    Vertex(&'a [u8]),
    Neighbour(&'a [u8]),
}

/// Whether a text is of this kind: the first vertex with neighbours has braces on the line below it.
pub(crate) fn is_multiline(text: &[u8]) -> bool {
    let mut found = None;
    let mut below = false;
    // The line that shows it ends the walk.
    let _ = each_line(text, 0, |_, ids| {
        if below {
            found = Some(ids.get(1).is_some_and(|id| id.starts_with(b"{")));
            return Err(());
        }
        match ids {
            [_, degree] => match whole(degree) {
                Some(0) => {}
                Some(_) => below = true,
                None => return Err(()),
            },
            _ => return Err(()),
        }
        Ok(())
    });
    found.unwrap_or(false)
}

/// Calls `each` with each line, and where it begins. `error` is what becomes of a fault.
fn walk<'a, E>(
    text: &'a [u8],
    start: usize,
    error: impl Fn(Fault) -> E,
    mut each: impl FnMut(usize, Line<'a>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let (mut left, mut above) = (0, (start, 0));
    each_line(text, start, |at, ids| {
        let fault = |message: String| Err(error(Fault { at, message: message.into() }));
        if left == 0 {
            let degree = ids.get(1).and_then(|degree| whole(degree)).filter(|_| ids.len() == 2);
            let Some(degree) = degree else {
                return fault(format!(
                    "a vertex and the number of its neighbours are expected here, as in `{} 3`",
                    String::from_utf8_lossy(&ids[0][..ids[0].len().min(20)])
                ));
            };
            (left, above) = (degree, (at, degree));
            return each(at, Line::Vertex(ids[0]));
        }
        if ids.get(1).is_some_and(|id| !id.starts_with(b"{")) {
            return fault(format!(
                "{} stands where the attributes of a neighbour are expected, as in `{{}}`: {} more lines of \
                 neighbours were announced above",
                excerpt(ids[1]),
                left
            ));
        }
        left -= 1;
        each(at, Line::Neighbour(ids[0]))
    })?;
    let (at, announced) = above;
    let message = || {
        let found = announced - left;
        format!("{announced} neighbours are announced here and {found} follow: the file is cut off")
    };
    if left > 0 { Err(error(Fault { at, message: message().into() })) } else { Ok(()) }
}

/// The graph of lists whose ids are names.
pub(super) fn by_names(input: &Input, start: usize) -> Result<Graph> {
    names::graph(input.name, 1, &|_, pairs| {
        input.meter.add(input.content.len());
        let mut from = 0;
        let error = |fault: Fault| input.at_line_of(fault.at, fault.message);
        let refused = |refused| names::error(input.name, refused);
        walk(input.content, start, error, |_, line| {
            match line {
                Line::Vertex(id) => from = pairs.number(id).map_err(refused)?,
                Line::Neighbour(id) => {
                    let to = pairs.number(id).map_err(refused)?;
                    pairs.push_numbers([from, to]).map_err(refused)?;
                }
            }
            Ok(())
        })
    })
}

/// Multi-line adjacency lists whose ids are integers.
pub(super) struct Multiline;

impl Lines for Multiline {
    fn room(&self, text: &[u8]) -> usize {
        text.iter().filter(|&&byte| ends_line(byte)).count() + 1
    }

    fn read(
        &self,
        text: &[u8],
        start: usize,
        mut found: impl FnMut(u64, u64),
    ) -> std::result::Result<u64, Fault> {
        let (mut max, mut from) = (0, 0);
        walk(
            text,
            start,
            |fault| fault,
            |at, line| {
                let (Line::Vertex(id) | Line::Neighbour(id)) = line;
                let (value, _) = vertex(id, 0, false).map_err(|fault| Fault { at, ..fault })?;
                max = max.max(value);
                match line {
                    Line::Vertex(_) => from = value,
                    Line::Neighbour(_) => found(from, value),
                }
                Ok(())
            },
        )?;
        Ok(max)
    }
}
