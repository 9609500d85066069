//! Rows of a table whose columns, delimiter and quotes were decided: integers, or names.

use std::borrow::Cow;

use super::super::entries::Rule;
use super::super::input::{
    BYTE_ORDER_MARK, Fault, ends_line, excerpt, is_blank, next_line, skip_blanks,
};
use super::super::number::{Number, number};
use super::cut::{is_mark, is_spaced};
use super::decide::{Ids, TableDecision};
use super::dropped::WhyDropped;
use super::fields::{self, BadQuote, Delimiter, Field, Fields};
use super::id::{IdNotation, is_missing, look};
use super::shape::uneven_line;
use crate::graph::Reading;
use crate::{Message, hint};

/// What cuts rows, as it was decided.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowCutter<'a> {
    pub(super) decision: &'a TableDecision,
    /// Whether a quoted field may hold line ends: only where the text is read in one piece.
    over_lines: bool,
}

/// A row that holds an edge: its two ends, and the weight if it is read.
pub(super) struct EdgeRow<T> {
    pub(super) ends: [T; 2],
    pub(super) weight: Option<f64>,
}

/// What a line holds, if it holds an edge, and the start of the next line.
type LineResult<T> = Result<(Option<EdgeRow<T>>, usize), Fault>;

impl<'r> RowCutter<'r> {
    pub(super) fn new(decision: &'r TableDecision, over_lines: bool) -> RowCutter<'r> {
        RowCutter { decision, over_lines }
    }

    /// The number of columns that each row must have; 0 for any.
    #[inline(always)]
    fn columns(self) -> usize {
        self.decision.columns.unwrap_or(0)
    }

    /// Whether most lines are two integers and what stands between them.
    #[inline(always)]
    fn is_plain(self) -> bool {
        self.decision.places == [0, 1] && self.decision.weight.is_none()
    }

    /// A line whose quotes do not match, or go on in the next.
    #[cold]
    fn quote(self, at: usize, bad: BadQuote) -> Fault {
        match bad {
            BadQuote::Open if !self.over_lines => Fault::OpenQuote,
            bad => Fault::line(at, bad.message()),
        }
    }

    /// A line that has another number of columns than the others.
    #[cold]
    fn uneven(self, text: &[u8], at: usize, columns: usize) -> Fault {
        let line = &text[at..next_line(text, at)];
        let [one, other] = self.decision.places;
        let expected = match self.columns() {
            0 => format!("the ends of edges are in columns {} and {}", one + 1, other + 1),
            most => format!("most lines have {most}"),
        };
        Fault::line(at, uneven_line(self.decision.delimiter, line, (columns, &expected), false))
    }

    /// Where the first field of a line begins; `None` for a line without fields.
    #[inline]
    fn first(self, text: &[u8], at: usize) -> Option<usize> {
        let first = skip_blanks(text, at);
        let rest = &text[first..];
        let is_empty = |&byte: &u8| {
            ends_line(byte)
                || (self.decision.delimiter.is(byte)
                    && fields::is_empty_row(text, first, self.decision.delimiter))
        };
        if rest.first().is_none_or(is_empty) {
            return None;
        }
        // Where the first column is an end that is an integer, a mark begins no row.
        let is_comment = is_mark(rest)
            && (is_spaced(rest)
                || (matches!(self.decision.ids, Ids::Integers { .. })
                    && self.decision.places.contains(&0)));
        if is_comment {
            self.decision.dropped.count(WhyDropped::Comment);
            return None;
        }
        Some(if self.decision.delimiter.is_tab() { at } else { first })
    }

    /// Whether a row is left out: an end is missing, or it has the names of the columns once more.
    #[inline]
    fn is_dropped(self, ends: [&Field; 2]) -> bool {
        let is_none = |end: &&Field| end.text.is_empty() || !end.quoted && is_missing(&end.text);
        if self.decision.skip_missing && ends.iter().any(is_none) {
            self.decision.dropped.count(WhyDropped::Missing);
            return true;
        }
        // Columns may have numbers for names, and integers are ids all the same.
        let is = |(name, end): (&String, &Field)| {
            name.as_bytes() == &*end.text && look(&end.text).value().is_none()
        };
        let Reading { columns, header, .. } = &self.decision.reading;
        let is_header = *header && columns.iter().flatten().zip(ends).all(is);
        if is_header {
            self.decision.dropped.count(WhyDropped::Header);
        }
        is_header
    }

    /// The two ends of any row that is not left out, as `of_field` makes them, and the start of the next line.
    #[inline(always)]
    fn row<'t, T>(
        self,
        text: &'t [u8],
        at: usize,
        of_field: impl Fn(Field<'t>) -> Result<T, Message>,
    ) -> LineResult<T> {
        let Some(from) = self.first(text, at) else {
            return Ok((None, next_line(text, skip_blanks(text, at))));
        };
        let TableDecision { places, weight: column, .. } = self.decision;
        let wanted = column.map_or(0, |weight| weight.place).max(places[0].max(places[1]));
        let mut fields = Fields::of(text, from, self.decision.delimiter, self.over_lines);
        let (mut one, mut other, mut weight, mut columns) = (None, None, None, 0);
        while columns <= wanted
            && let Some(field) = fields.next()
        {
            let field = field.map_err(|bad| self.quote(at, bad))?;
            if columns == places[0] {
                one = Some(field);
            } else if columns == places[1] {
                other = Some(field);
            } else if column.is_some_and(|weight| weight.place == columns) {
                weight = Some(field);
            }
            columns += 1;
        }
        let Some(ends) = one.zip(other) else {
            // Names may begin as comments do, but this has no ends.
            if is_mark(&text[from..]) {
                self.decision.dropped.count(WhyDropped::Comment);
                return Ok((None, next_line(text, from)));
            }
            return Err(self.uneven(text, at, columns));
        };
        let next = self.tail(text, at, fields.end, columns)?;
        if self.is_dropped([&ends.0, &ends.1]) {
            return Ok((None, next));
        }
        let weight = column.map(|column| column.number(weight.as_ref()));
        let problem = |message| Fault::Line(at, message);
        let weight = weight.transpose().map_err(problem)?;
        let end = |field| of_field(field).map_err(problem);
        Ok((Some(EdgeRow { ends: [end(ends.0)?, end(ends.1)?], weight }), next))
    }

    /// Checks what stands behind the first `columns`, of which the last ends at `end`, and finds the next line.
    #[inline]
    fn tail(self, text: &[u8], at: usize, end: usize, columns: usize) -> Result<usize, Fault> {
        // Most rows end with what is read.
        if text.get(end) == Some(&b'\n') && (self.columns() == 0 || self.columns() == columns) {
            return Ok(end + 1);
        }
        if self.decision.is_forced {
            return Ok(next_line(text, end));
        }
        let mut fields = Fields::behind(text, end, self.decision.delimiter, self.over_lines);
        let more = fields.by_ref().try_fold(0, |more, field| field.map(|_| more + 1));
        let columns = columns + more.map_err(|bad| self.quote(at, bad))?;
        // Some edges between integers may have a weight and others none.
        let is_short = |columns: usize| (2..=3).contains(&columns);
        let weights = matches!(self.decision.ids, Ids::Integers { .. })
            && is_short(columns)
            && is_short(self.columns());
        match self.columns() == 0 || self.columns() == columns || weights {
            true => Ok(next_line(text, fields.end)),
            false => Err(self.uneven(text, at, columns)),
        }
    }

    /// The integers of a row that begins with two, as most do.
    #[inline(always)]
    fn pair(self, text: &[u8], at: usize) -> Option<[Number; 2]> {
        if !self.is_plain() {
            return None;
        }
        let u = number(text, at).ok()?;
        if !self.decision.delimiter.is(*text.get(u.end)?) {
            return None;
        }
        let v = number(text, u.end + 1).ok()?;
        let zero = |at: usize| text[at] == b'0' && text.get(at + 1).is_some_and(u8::is_ascii_digit);
        let ends = text.get(v.end).is_some_and(|&b| b == b'\n' || self.decision.delimiter.is(b));
        (ends && !zero(at) && !zero(u.end + 1)).then_some([u, v])
    }

    /// The two names of a row, and the start of the next line.
    #[inline]
    pub(super) fn names(self, text: &[u8], at: usize) -> LineResult<Cow<'_, [u8]>> {
        let strict = matches!(self.decision.ids, Ids::Names { strict: true });
        self.row(text, at, |Field { text, quoted }| {
            let nothing = text.is_empty() && (strict || !quoted);
            let is_none = nothing || (strict && !quoted && is_missing(&text));
            match is_none || text.starts_with(BYTE_ORDER_MARK) {
                true => Err(no_id(&text)),
                false => Ok(text),
            }
        })
    }

    /// The two integers of any row, and the start of the next line.
    fn integers(self, text: &[u8], at: usize) -> LineResult<u64> {
        let padded = matches!(self.decision.ids, Ids::Integers { padded: true });
        self.row(text, at, |field| match look(&field.text) {
            IdNotation::Integer(id) | IdNotation::Whole(id) => Ok(id),
            IdNotation::Padded(id) if padded => Ok(id),
            IdNotation::Padded(_) => {
                let message = format!(
                    "the vertex id {} has a leading zero: it is the same as without it if ids are integers, and another one if \
                     they are names",
                    excerpt(&field.text)
                );
                Err(Message::from(message).with_hint(hint::INTEGERS_OR_NAMES))
            }
            _ => Err(no_id(&field.text)),
        })
    }
}

impl Rule for RowCutter<'_> {
    #[inline(always)]
    fn line(
        &mut self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u64, u64, f64),
    ) -> Result<usize, Fault> {
        if let Some([u, v]) = self.pair(text, at) {
            found(u.value, v.value, 1.0);
            return self.tail(text, at, v.end, 2);
        }
        let (row, next) = self.integers(text, at)?;
        if let Some(EdgeRow { ends: [u, v], weight }) = row {
            found(u, v, weight.unwrap_or(1.0));
        }
        Ok(next)
    }

    fn is_weighted(self) -> bool {
        self.decision.weight.is_some()
    }

    fn between(self) -> Option<[u8; 2]> {
        let between = match self.decision.delimiter {
            Delimiter::Byte(delimiter) => [delimiter; 2],
            Delimiter::BareTabs => [b'\t'; 2],
            Delimiter::Blanks => [b' ', b'\t'],
        };
        (self.is_plain() && self.columns() <= 2).then_some(between)
    }

    fn restart(self) {
        self.decision.dropped.restart();
    }
}

/// The message for an id that is none, or is not there.
fn no_id(found: &[u8]) -> Message {
    let shown = excerpt(found);
    match found {
        [] => Message::from("a column is empty where a vertex id was expected")
            .with_hint(" (`--missing skip` leaves such lines out)"),
        found if is_missing(found) => {
            let message = format!("a value is missing, {shown}, where a vertex id was expected");
            Message::from(message).with_hint(hint::MISSING)
        }
        found if found.starts_with(BYTE_ORDER_MARK) => format!(
            "{shown} begins with a byte order mark, as where texts that begin with one were put one after the other: take it out"
        )
        .into(),
        _ => {
            let message = format!("{shown} is not a vertex id: ids here are integers from 0 to 2^64-1");
            let has_blank = found.iter().any(|&byte| is_blank(byte));
            Message::from(message).with_hint(if has_blank { hint::DELIMITER } else { hint::NAMES_AS_IDS })
        }
    }
}
