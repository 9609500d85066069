//! Whether ids are integers or names.

use super::super::Options;
use super::super::columns::{self, ChosenColumns};
use super::super::id_kind::IdKind;
use super::super::input::{excerpt, lines};
use super::cut::Row;
use super::dialect::{Ids, Problem};
use super::id::Look;
use crate::{Hint, Message};

/// The ids of a sample that are no integers.
#[derive(Default)]
struct Words {
    ids: usize,
    /// The ends of the first line that has one.
    first: Option<[Vec<u8>; 2]>,
    /// Whether another line has other ends: one that is repeated is a header of parts that were put together.
    several: bool,
    /// Whether one of them is missing, or a number that is no id: signs, fractions, exponents.
    doubtful: bool,
}

impl Words {
    /// The least share of words that makes names of all ids: one word of this many. Fewer may be a line that is none: a
    /// footer, or a header in the middle.
    const LEAST: usize = 20;

    fn add(&mut self, row: &Row, places: [usize; 2], place: usize, look: Look) {
        self.ids += 1;
        let ends = places.map(|place| row.text(place).to_vec());
        match &self.first {
            None => self.first = Some(ends),
            Some(first) => self.several |= *first != ends,
        }
        let text = str::from_utf8(row.text(place));
        self.doubtful |=
            look == Look::TooLarge || text.is_ok_and(|text| text.trim().parse::<f64>().is_ok());
    }

    /// Whether all of them are on lines that name the two ends of an edge.
    fn are_a_header(&self) -> bool {
        let texts = |ends: &[Vec<u8>; 2]| {
            ends.each_ref().map(|end| String::from_utf8_lossy(end).into_owned())
        };
        !self.several
            && self.first.as_ref().is_some_and(|ends| columns::ends(&texts(ends)).is_some())
    }

    /// Whether a column of them and of integers is one of names, as pandas and NetworkX have it.
    fn are_names(&self, all: usize) -> bool {
        !self.doubtful && self.several && Words::LEAST * self.ids >= all
    }
}

/// What the ids of the chosen columns are.
pub(super) fn choose_ids(
    text: &[u8],
    rows: &[Row],
    chosen: &ChosenColumns,
    options: &Options,
    reasons: &mut Vec<String>,
    notes: &mut Vec<String>,
) -> Result<Ids, Problem> {
    match options.ids {
        IdKind::Integers => return Ok(Ids::Integers { padded: true }),
        IdKind::Names => return Ok(Ids::Names { strict: false }),
        IdKind::Auto => {}
    }
    let (mut all, mut integers) = (0usize, 0usize);
    let mut words = Words::default();
    let mut whole = None;
    let mut other: Option<(&Row, usize, Look)> = None;
    for row in rows {
        // A row that is too short is a fault of its own.
        if row.fields.len() <= chosen.places[0].max(chosen.places[1]) {
            continue;
        }
        for place in chosen.places {
            all += 1;
            match row.look(place) {
                Look::Integer(_) => integers += 1,
                Look::Whole(_) => {
                    integers += 1;
                    whole = whole.or(Some((row, place)));
                }
                Look::Missing => words.doubtful = true,
                found => {
                    words.add(row, chosen.places, place, found);
                    other = other.or(Some((row, place, found)));
                }
            }
        }
    }
    let line = |at: usize| 1 + lines(&text[..at]);
    let Some((row, place, found)) = other else {
        if whole.is_some() {
            reasons.push(
                "Ids are integers: those with a fraction have nothing but zeros in it.".into(),
            );
        }
        return Ok(Ids::Integers { padded: false });
    };
    let shown = excerpt(row.text(place));
    let padded = matches!(found, Look::Padded(_));
    // A line that comes again among integers, with the names of two ends, is the header of a part.
    let headers = integers > 0 && words.are_a_header();
    let mostly_integers = 2 * integers >= all || headers;
    if mostly_integers && !padded && !words.are_names(all) {
        // The reader of integers has the words for it.
        return Ok(Ids::Integers { padded: false });
    }
    if let Some((at, at_place)) = whole {
        let message = format!(
            "{shown} on line {} is no integer, and {} could be one or a name",
            line(row.at),
            excerpt(at.text(at_place))
        );
        return Err(Problem {
            at: at.at,
            message: Message::from(message).with_hint(Hint::IntegersOrNames),
        });
    }
    let why = match found {
        Look::Padded(_) => "has a leading zero, which an integer would lose",
        Look::TooLarge => "is above 2^64-1",
        _ => "is no integer",
    };
    reasons.push(format!("Ids are names: {shown} on line {} {why}.", line(row.at)));
    if mostly_integers && !padded {
        notes.push(format!(
            "ids are names, although most are integers: {shown} on line {} {why}, and so are {} of the {all} ids \
             that were looked at",
            line(row.at),
            words.ids
        ));
    }
    if padded {
        notes.push(format!("ids are names: {shown} on line {} {why}", line(row.at)));
    }
    Ok(Ids::Names { strict: true })
}
