//! Rows of a table whose columns, delimiter and quotes were decided: integers, or names.

use std::borrow::Cow;

use super::super::entries::{Fault, Rule, two};
use super::super::input::{BYTE_ORDER_MARK, ends_line, excerpt, is_blank, next_line, skip_blanks};
use super::super::number::number;
use super::super::{Missing, weights};
use super::cut::{is_mark, is_spaced};
use super::decide::{Decision, Ids, WeightColumn};
use super::dropped::Dropped;
use super::fields::{self, BadQuote, Delimiter, Field};
use super::id::{Look, is_missing, look};
use super::shape::uneven_line;
use crate::{Hint, Message};

/// How rows are cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowCutter<'a> {
    delimiter: Delimiter,
    places: [usize; 2],
    /// The number of columns that each row must have; 0 for any.
    columns: usize,
    ids: Ids,
    /// Whether rows of which an end is missing are left out.
    skips_missing: bool,
    dropped: &'a Dropped<'a>,
    dressed: bool,
    /// Whether the two ends are in the first two columns, so that most lines are two numbers and what stands between them.
    plain: bool,
    /// Whether any columns may follow the two, quotes without an end among them.
    forced: bool,
    /// Whether a quoted field may hold line ends: only where the text is read in one piece.
    over_lines: bool,
}

/// The names of a row, if it holds any, and the start of the next line.
type TwoNames<'a> = (Option<[Cow<'a, [u8]>; 2]>, usize);

/// The ends of an edge, and the start of the next line.
type Ends<'a> = (Option<[Field<'a>; 2]>, usize);

impl<'r> RowCutter<'r> {
    pub(super) fn new(
        decision: &Decision,
        over_lines: bool,
        dropped: &'r Dropped<'r>,
    ) -> RowCutter<'r> {
        RowCutter {
            delimiter: decision.delimiter,
            places: decision.places,
            columns: decision.columns.unwrap_or(0),
            ids: decision.ids,
            skips_missing: decision.missing == Missing::Skip,
            dropped,
            dressed: decision.dressed,
            plain: decision.places == [0, 1] && !decision.dressed,
            forced: decision.is_forced,
            over_lines,
        }
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
        let expected = if self.columns == 0 { 2 } else { self.columns };
        Fault::line(at, uneven_line(self.delimiter, line, columns, expected))
    }

    /// The field that begins at a place.
    fn field(self, text: &[u8], at: usize) -> Result<Field<'_>, Fault> {
        let field = fields::field(text, at, self.delimiter, self.over_lines);
        field.map_err(|bad| self.quote(at, bad))
    }

    /// Where the first field of a line begins; `None` for a line without fields.
    #[inline]
    fn first(self, text: &[u8], at: usize) -> Option<usize> {
        let first = skip_blanks(text, at);
        let rest = &text[first..];
        let is_empty = |&byte: &u8| {
            ends_line(byte)
                || (self.delimiter.is(byte) && fields::is_empty_row(text, first, self.delimiter))
        };
        if rest.first().is_none_or(is_empty) {
            return None;
        }
        // Where the first column is an end that is an integer, a mark begins no row.
        let is_comment = is_mark(rest)
            && (is_spaced(rest)
                || (matches!(self.ids, Ids::Integers { .. }) && self.places.contains(&0)));
        if is_comment {
            self.dropped.comment();
            return None;
        }
        Some(if self.delimiter == Delimiter::Byte(b'\t') { at } else { first })
    }

    /// The weight of a row, if the line holds an entry, and the start of the next line.
    pub(super) fn weight(
        self,
        text: &[u8],
        at: usize,
        WeightColumn { place, has_comma }: WeightColumn,
    ) -> Result<(Option<f64>, usize), Fault> {
        let Some(mut from) = self.first(text, at) else {
            return Ok((None, next_line(text, skip_blanks(text, at))));
        };
        // The rows that were no entries have no weights.
        if (self.skips_missing || self.dropped.has_header())
            && let (Some(ends), next) = self.ends(text, at)?
            && self.is_dropped(&ends)
        {
            return Ok((None, next));
        }
        let mut weight = None;
        for column in 0.. {
            let field = match self.delimiter.has_attributes_at(text, from) {
                true => fields::to_line_end(text, from),
                false => self.field(text, from)?,
            };
            let end = field.end;
            if column == place {
                let number = if has_comma { weights::number_with_comma } else { weights::number };
                weight = Some(number(&field.text).map_err(|message| Fault::line(at, message))?);
                if memchr::memchr(b'"', &text[end..next_line(text, end)]).is_none() {
                    return Ok((weight, next_line(text, end)));
                }
            }
            from = end;
            match fields::next(text, end, self.delimiter) {
                Some(next) => from = next,
                None => break,
            }
        }
        let missing = || Fault::line(at, format!("there is no weight in column {}", place + 1));
        Ok((Some(weight.ok_or_else(missing)?), next_line(text, from)))
    }

    /// Whether a row is left out: an end is missing, or it has the names of the columns once more.
    fn is_dropped(self, ends: &[Field; 2]) -> bool {
        if self.skips_missing && ends.iter().any(|end| !end.quoted && is_missing(&end.text)) {
            self.dropped.missing();
            return true;
        }
        self.dropped.is_header([&ends[0].text, &ends[1].text])
    }

    /// A row's two fields.
    fn ends(self, text: &[u8], at: usize) -> Result<Ends<'_>, Fault> {
        let Some(mut from) = self.first(text, at) else {
            return Ok((None, next_line(text, skip_blanks(text, at))));
        };
        let last = self.places[0].max(self.places[1]);
        let mut found = [None, None];
        for place in 0.. {
            let field = self.field(text, from)?;
            let end = field.end;
            for (own, found) in self.places.iter().zip(&mut found) {
                if *own == place {
                    *found = Some(Field { end: from, ..field.clone() });
                }
            }
            if place == last {
                from = end;
                break;
            }
            let next = fields::next(text, end, self.delimiter);
            from = next.ok_or_else(|| self.uneven(text, at, place + 1))?;
        }
        let next = self.tail(text, at, from, last)?;
        match found {
            [Some(first), Some(second)] => Ok((Some([first, second]), next)),
            _ => unreachable!("the last place is one of the two"),
        }
    }

    /// Checks what stands behind the last field that is read, and finds the next line.
    #[inline]
    fn tail(self, text: &[u8], at: usize, end: usize, last: usize) -> Result<usize, Fault> {
        // Most rows end with what is read.
        if text.get(end) == Some(&b'\n') && (self.columns == 0 || self.columns == last + 1) {
            return Ok(end + 1);
        }
        let next = next_line(text, end);
        if self.forced {
            return Ok(next);
        }
        if memchr::memchr(b'"', &text[end..next]).is_some() {
            return self.quoted_tail(text, at, end, last);
        }
        if self.columns == 0 {
            return Ok(next);
        }
        self.check(text, at, last + fields::count_from(text, end, next, self.delimiter), next)
    }

    #[cold]
    fn quoted_tail(self, text: &[u8], at: usize, end: usize, last: usize) -> Result<usize, Fault> {
        let (mut end, mut columns) = (end, last + 1);
        while let Some(from) = fields::next(text, end, self.delimiter) {
            columns += 1;
            if self.delimiter.has_attributes_at(text, from) {
                return self.check(text, at, columns, next_line(text, from));
            }
            end = self.field(text, from)?.end;
        }
        self.check(text, at, columns, next_line(text, end))
    }

    fn check(self, text: &[u8], at: usize, columns: usize, next: usize) -> Result<usize, Fault> {
        // Some edges between integers may have a weight and others none.
        let is_short = |columns: usize| (2..=3).contains(&columns);
        let weights =
            matches!(self.ids, Ids::Integers { .. }) && is_short(columns) && is_short(self.columns);
        match self.columns == 0 || self.columns == columns || weights {
            true => Ok(next),
            false => Err(self.uneven(text, at, columns)),
        }
    }

    /// A row of two integers in the first columns, as most are, and where the second ends.
    #[inline(always)]
    fn pair(self, text: &[u8], at: usize) -> Option<(u64, u64, usize)> {
        let ids = two(text, at)?;
        let zero = |at: usize| text[at] == b'0' && text.get(at + 1).is_some_and(u8::is_ascii_digit);
        let ends = text.get(ids.end).is_some_and(|&b| b == b'\n' || self.separates(b));
        let is = self.plain
            && ends
            && self.separates(text[ids.second - 1])
            && !zero(at)
            && !zero(ids.second);
        is.then_some((ids.u, ids.v, ids.end))
    }

    /// A row of integers without quotes; `None` where it is anything else.
    #[inline(always)]
    fn bare(self, text: &[u8], at: usize) -> Option<(u64, u64, usize)> {
        if self.dressed {
            return None;
        }
        // A first column that is an end has to be a number, which no comment begins with.
        if !self.places.contains(&0) && is_mark(&text[skip_blanks(text, at)..]) {
            return None;
        }
        let last = self.places[0].max(self.places[1]);
        let mut ids = [0; 2];
        let mut from = at;
        for place in 0..=last {
            let mut end = from;
            if place == self.places[0] || place == self.places[1] {
                let (id, after) = number(text, from).ok()?;
                if text[from] == b'0' && after > from + 1 {
                    return None;
                }
                ids[usize::from(place == self.places[1])] = id;
                end = after;
            } else {
                let rest = &text[from..];
                end += rest.iter().position(|&b| b == b'"' || ends_line(b) || self.separates(b))?;
                if text[end] == b'"' {
                    return None;
                }
            }
            if place < last {
                if !self.separates(*text.get(end)?) {
                    return None;
                }
                end += 1;
                if self.delimiter == Delimiter::Blanks {
                    end = skip_blanks(text, end);
                }
            } else if text.get(end).is_some_and(|&b| !self.separates(b) && !ends_line(b)) {
                return None;
            }
            from = end;
        }
        Some((ids[0], ids[1], from))
    }

    #[inline(always)]
    fn separates(self, byte: u8) -> bool {
        match self.delimiter {
            Delimiter::Byte(delimiter) => byte == delimiter,
            Delimiter::Blanks => is_blank(byte),
        }
    }

    /// The first two fields of a row without quotes, blanks around them or missing values, and where the second
    /// ends; `None` where it is anything else.
    #[inline(always)]
    fn bare_names(self, text: &[u8], at: usize) -> Option<([&[u8]; 2], usize)> {
        if self.places != [0, 1] {
            return None;
        }
        let ends = |byte: u8| self.separates(byte) || ends_line(byte);
        let first = &text[at..];
        let middle = first.iter().position(|&byte| ends(byte))?;
        let (u, rest) = first.split_at(middle);
        let second = rest.get(1..).filter(|_| self.separates(rest[0]))?;
        let end = second.iter().position(|&byte| ends(byte)).unwrap_or(second.len());
        let v = &second[..end];
        let plain = |name: &[u8]| {
            let [first, ..] = *name else { return false };
            let last = name[name.len() - 1];
            // A byte order mark begins with 0xef.
            !matches!(first, b'"' | b' ' | b'\t' | 0xef)
                && !matches!(last, b' ' | b'\t')
                && !is_missing(name)
        };
        let is_plain = plain(u) && plain(v) && !is_mark(u) && !self.dropped.has_names([u, v]);
        is_plain.then_some(([u, v], at + middle + 1 + end))
    }

    /// The two names of a row, and the start of the next line.
    #[inline]
    pub(super) fn names(self, text: &[u8], at: usize) -> Result<TwoNames<'_>, Fault> {
        if let Some((names, end)) = self.bare_names(text, at) {
            return Ok((Some(names.map(Cow::Borrowed)), self.tail(text, at, end, 1)?));
        }
        let (ends, next) = self.ends(text, at)?;
        let Some(ends) = ends.filter(|ends| !self.is_dropped(ends)) else {
            return Ok((None, next));
        };
        let strict = matches!(self.ids, Ids::Names { strict: true });
        for end in &ends {
            let nothing = end.text.is_empty() && (strict || !end.quoted);
            let marked = end.text.starts_with(BYTE_ORDER_MARK);
            if nothing || marked || (strict && !end.quoted && is_missing(&end.text)) {
                return Err(Fault::line(at, no_id(&end.text)));
            }
        }
        Ok((Some(ends.map(|end| end.text)), next))
    }

    fn integer(self, field: &Field, at: usize) -> Result<u64, Fault> {
        let padded = matches!(self.ids, Ids::Integers { padded: true });
        match look(&field.text) {
            Look::Integer(id) | Look::Whole(id) => Ok(id),
            Look::Padded(id) if padded => Ok(id),
            Look::Padded(_) => {
                let message = format!(
                    "the vertex id {} has a leading zero: it is the same as without it if ids are integers, and another one if \
                     they are names",
                    excerpt(&field.text)
                );
                Err(Fault::line(at, Message::from(message).with_hint(Hint::IntegersOrNames)))
            }
            _ => Err(Fault::line(at, no_id(&field.text))),
        }
    }

    /// The entry of any line, and the start of the next.
    fn any(self, text: &[u8], at: usize) -> Result<(Option<[u64; 2]>, usize), Fault> {
        if let Some((u, v, end)) = self.bare(text, at) {
            let last = self.places[0].max(self.places[1]);
            return Ok((Some([u, v]), self.tail(text, at, end, last)?));
        }
        let (ends, next) = self.ends(text, at)?;
        let Some([first, second]) = ends.filter(|ends| !self.is_dropped(ends)) else {
            return Ok((None, next));
        };
        Ok((Some([self.integer(&first, at)?, self.integer(&second, at)?]), next))
    }
}

impl Rule for RowCutter<'_> {
    #[inline(always)]
    fn line(
        self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u64, u64),
    ) -> Result<usize, Fault> {
        let (pair, next) = match self.pair(text, at) {
            Some((u, v, end)) => {
                let next = match text[end] {
                    b'\n' if self.columns <= 3 => end + 1,
                    _ => self.tail(text, at, end, 1)?,
                };
                (Some([u, v]), next)
            }
            None => self.any(text, at)?,
        };
        if let Some([u, v]) = pair {
            found(u, v);
        }
        Ok(next)
    }

    fn between(self) -> Option<[u8; 2]> {
        let between = match self.delimiter {
            Delimiter::Byte(delimiter) => [delimiter; 2],
            Delimiter::Blanks => [b' ', b'\t'],
        };
        (self.plain && self.columns <= 2).then_some(between)
    }

    fn restart(self) {
        self.dropped.restart();
    }
}

/// What to say of an id that is none, or is not there.
fn no_id(found: &[u8]) -> Message {
    let shown = excerpt(found);
    match found {
        [] => Message::from("a column is empty where a vertex id was expected").with_hint(Hint::Missing),
        found if is_missing(found) => {
            let message = format!("a value is missing, {shown}, where a vertex id was expected");
            Message::from(message).with_hint(Hint::Missing)
        }
        found if found.starts_with(BYTE_ORDER_MARK) => format!(
            "{shown} begins with a byte order mark, as where texts that begin with one were put one after the other: take it out"
        )
        .into(),
        _ => {
            let message = format!("{shown} is not a vertex id: ids here are integers from 0 to 2^64-1");
            let has_blank = found.iter().any(|&byte| is_blank(byte));
            Message::from(message).with_hint(if has_blank { Hint::Delimiter } else { Hint::NamesAsIds })
        }
    }
}
