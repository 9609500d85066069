//! Which two columns of a table are the ends of an edge.
//!
//! [`choose`] takes what is known of the columns, and returns them with the reason:
//!
//! 1. The caller named them.
//! 2. A header has one pair of names for the two ends: `source` and `target`, `from` and `to`, `person1_id` and
//!    `person2_id`, … Of several such pairs one with which the names of all others begin goes before.
//! 3. The first two, attributes by their names (`weight`, `timestamp`, …) left aside.
//!
//! What two columns share of their values ([`doubt`]) is compared with what others share. Where that speaks
//! against the two, the caller is warned or asked.

use std::fmt;
use std::str::FromStr;

use super::end_names::{self, Pair, is_attribute};
use super::overlap::{Doubt, doubt, per_cent};
use super::table::fields::{self, Delimiter};
use super::weights;
use crate::{Error, Message, hint};

/// The two columns that a caller names, each by its name or by its number from 1.
///
/// ```
/// use tribin::read::Columns;
///
/// let columns: Columns = "follower,followee".parse()?;
/// assert_eq!(columns, Columns::new("follower", "followee"));
/// // A name with a comma stands between quotes.
/// let columns: Columns = r#""a,b",3"#.parse()?;
/// assert_eq!(columns, Columns::new("a,b", "3"));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns([String; 2]);

impl Columns {
    /// Two columns by name or number.
    pub fn new(first: impl Into<String>, second: impl Into<String>) -> Columns {
        Columns([first.into(), second.into()])
    }

    /// The two columns that reading takes of a table with these names, by their places from 0, and why these:
    /// those that were asked for, or those whose names are of the two ends of an edge, or those that are left
    /// beside attributes. Between them stands the place of the column `weight`, called by its name or by its number from 1,
    /// if one is asked for. It is none of the two ends.
    ///
    /// ```
    /// use tribin::read::Columns;
    ///
    /// let header = ["weight", "src", "dst"].map(String::from);
    /// let (places, _, reason) = Columns::choose(None, &header, None)?;
    /// assert_eq!(places, [1, 2]);
    /// assert_eq!(reason, "their names are those of the two ends of an edge");
    /// let asked = Columns::new("dst", "weight");
    /// assert_eq!(Columns::choose(Some(&asked), &header, None)?.0, [2, 0]);
    /// assert_eq!(Columns::choose(None, &header, Some("1"))?.1, Some(0));
    /// assert_eq!(
    ///     Columns::choose(None, &header, Some("src")).unwrap_err().to_string(),
    ///     "the column `src` is an end of the edges, and no weight"
    /// );
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] where a column that was asked for is not there, where the names do not tell, and where the column of
    /// the weights is an end.
    pub fn choose(
        asked: Option<&Columns>,
        header: &[String],
        weight: Option<&str>,
    ) -> Result<([usize; 2], Option<usize>, String), Error> {
        let weight = weight.map(|weight| weights::place(weight, header)).transpose();
        let weight = weight.map_err(|message| Error::Usage(message.into()))?;
        let table = TableColumns { weight, ..TableColumns::of_header(header) };
        let chosen = choose(asked, table).map_err(Error::Usage)?;
        Ok((chosen.places, weight, chosen.reason))
    }

    /// The names of the two columns, as they were given.
    pub fn names(&self) -> &[String; 2] {
        &self.0
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |name: &str| match name.contains([',', '"']) {
            true => format!("\"{}\"", name.replace('"', "\"\"")),
            false => name.to_owned(),
        };
        write!(f, "{},{}", quoted(&self.0[0]), quoted(&self.0[1]))
    }
}

impl FromStr for Columns {
    type Err = Error;

    /// Reads two names or numbers with a comma between them.
    fn from_str(text: &str) -> Result<Columns, Error> {
        let fields = fields::split(text.as_bytes(), 0, Delimiter::Byte(b','), false);
        let fields = fields.map_or_else(|_| Vec::new(), |(fields, _)| fields);
        let names: Vec<String> = fields
            .into_iter()
            .map(|field| String::from_utf8_lossy(&field.text).into_owned())
            .collect();
        match <[String; 2]>::try_from(names) {
            Ok(names) if names.iter().all(|name| !name.is_empty()) => Ok(Columns(names)),
            _ => Err(Error::Usage(
                format!(
                    "`{text}` is no pair of columns: give two names or two numbers from 1 with a comma \
                     between them, for example `source,target` or `1,2`"
                )
                .into(),
            )),
        }
    }
}

/// The facts of a table's columns by which two are chosen.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TableColumns<'a> {
    /// The number of columns.
    pub(super) columns: usize,
    /// The names of the columns, where the table has a header.
    pub(super) header: Option<&'a [String]>,
    /// The first values of each column, where they were looked at.
    pub(super) sample: &'a [Vec<String>],
    /// Whether the sample has all values.
    pub(super) is_whole: bool,
    /// The folder of the file that says what one end is of all its edges, as [`end_names::end_folder`] finds it.
    pub(super) folder: Option<&'a str>,
    /// The columns whose types are none of ids, where columns have types.
    pub(super) no_ids: &'a [usize],
    /// The column of the weights, which is no end.
    pub(super) weight: Option<usize>,
    /// Whether the two ends are of different kinds, so that equal ids are two vertices.
    pub(super) bipartite: bool,
    /// Whether it is a table of text: of others the kinds of the two ends cannot be told apart.
    pub(super) is_text: bool,
}

impl<'a> TableColumns<'a> {
    /// A table of which nothing but its header is known.
    pub(super) fn of_header(header: &'a [String]) -> TableColumns<'a> {
        TableColumns { columns: header.len(), header: Some(header), ..TableColumns::default() }
    }

    /// Whether all values of a column that were looked at are integers.
    fn holds_integers(self, place: usize) -> bool {
        self.sample[place].iter().all(|text| text.trim().parse::<u64>().is_ok())
    }

    /// The columns that may be ends: no attributes by their names or types.
    fn candidates(self) -> Vec<usize> {
        let names = self.header.unwrap_or_default();
        let may_be = |place: &usize| {
            let name = names.get(*place).map(|name| name.trim());
            // A letter alone may be the name of an end of two.
            let is_letter = self.columns == 2 && name.is_some_and(|name| name.chars().count() < 2);
            self.weight != Some(*place) && (is_letter || !name.is_some_and(is_attribute))
        };
        let by_name: Vec<usize> = (0..self.columns).filter(may_be).collect();
        let by_type: Vec<usize> =
            by_name.iter().copied().filter(|place| !self.no_ids.contains(place)).collect();
        if by_type.len() < 2 { by_name } else { by_type }
    }

    /// How a column is asked for: by its name if that is short and no other has it, or by its number.
    fn called(self, place: usize) -> String {
        /// Bytes of a name that is easily typed.
        const LONGEST: usize = 48;
        let names = self.header.unwrap_or_default().iter().map(|name| name.trim());
        let is_good = |name: &&str| {
            (1..=LONGEST).contains(&name.len())
                && !name.contains(char::is_control)
                && names.clone().filter(|other| other == name).count() == 1
        };
        let name = names.clone().nth(place).filter(is_good);
        name.map_or_else(|| (place + 1).to_string(), str::to_owned)
    }

    fn pair(self, places: [usize; 2]) -> [String; 2] {
        places.map(|place| self.called(place))
    }

    /// An error that lists the columns, and proposes two of them.
    fn ask(self, problem: &str, proposed: [usize; 2]) -> Message {
        // Messages are a few lines long at most.
        const SHOWN: usize = 24;
        let shown = (0..self.columns.min(SHOWN)).map(|place| format!("`{}`", self.called(place)));
        let mut list = shown.collect::<Vec<_>>().join(", ");
        if self.columns > SHOWN {
            list.push_str(&format!(", … ({} in all)", self.columns));
        }
        Message::from(format!("{problem}; the columns are {list}"))
            .with_hint(name_two(self.pair(proposed)))
    }
}

/// Two columns by their places from 0, and why these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChosenColumns {
    pub(super) places: [usize; 2],
    /// The columns as they are called: by name, or by number from 1.
    pub(super) names: [String; 2],
    pub(super) reason: String,
    /// What speaks against the two columns.
    pub(super) warning: Option<String>,
}

/// The two columns, or what to ask the caller for.
pub(super) fn choose(
    asked: Option<&Columns>,
    table: TableColumns,
) -> Result<ChosenColumns, Message> {
    let chosen = asked.map_or_else(|| likely(table), |asked| named(asked, table))?;
    match table.weight.filter(|weight| chosen.places.contains(weight)) {
        Some(end) => Err(weights::is_an_end(&table.called(end)).into()),
        None => Ok(chosen),
    }
}

/// The two columns that nobody named.
fn likely(table: TableColumns) -> Result<ChosenColumns, Message> {
    let header = table.header.unwrap_or_default();
    // A column that the name of a folder repeats is in the file.
    let is_column = |folder: &str| {
        let key = folder.split('=').next().unwrap_or_default();
        header.iter().any(|name| name.trim().eq_ignore_ascii_case(key))
    };
    if let Some(folder) = table.folder.filter(|folder| !is_column(folder)) {
        return Err(in_folder(folder));
    }
    if table.columns < 2 {
        return Err("there is one column only, and an edge has two ends".into());
    }
    let mut pairs = end_names::pairs(header);
    if pairs.len() > 1 {
        pairs.retain(|pair| table.weight.is_none_or(|weight| !pair.places.contains(&weight)));
    }
    if let Some(first) = pairs.first() {
        let plainest = end_names::plainest(&pairs);
        let problem = "several pairs of columns could be the ends of an edge";
        let pair = plainest.ok_or_else(|| table.ask(problem, first.places))?;
        let warning = warn_of_times(table, pair);
        let reason = "their names are those of the two ends of an edge";
        return found(table, pair.places, reason, warning);
    }
    // A column of signs stands between the ends: `1 -> 2`.
    let is_sign =
        |text: &String| !text.is_empty() && text.bytes().all(|b| b.is_ascii_punctuation());
    if let (None, [_, signs, _, ..]) = (table.header, table.sample)
        && !signs.is_empty()
        && signs.iter().all(is_sign)
    {
        return found(table, [0, 2], "signs stand between them", None);
    }
    let candidates = table.candidates();
    let [first, second, ..] = candidates[..] else {
        let others = (0..table.columns).filter(|place| !candidates.contains(place));
        let proposed: Vec<usize> = candidates.iter().copied().chain(others).take(2).collect();
        let problem = match candidates[..] {
            [only] => format!(
                "column `{}` alone may be an end of an edge by its name",
                table.called(only)
            ),
            _ => "no column may be an end of an edge by its name".into(),
        };
        return Err(table.ask(&problem, [proposed[0], proposed[1]]));
    };
    first_two(table, [first, second], &candidates)
}

/// The warning of ends that may be times, which stand behind two columns that may be ends.
fn warn_of_times(table: TableColumns, pair: &Pair) -> Option<String> {
    let candidates = table.candidates();
    let [one, other, ..] = candidates[..] else { return None };
    if other >= pair.places[0] || !end_names::may_be_times(pair) {
        return None;
    }
    let likely = table.pair([one, other]);
    let [taken, others] = [&table.pair(pair.places), &likely].map(|pair| pair.join(" and "));
    Some(format!(
        "columns {taken} were read as the ends of edges by their names, which times have as well: if the ends are {others}, say \
         `--columns {}`",
        typed(likely)
    ))
}

/// The first two columns that may be ends, unless what columns share of their values speaks against them.
fn first_two(
    table: TableColumns,
    places: [usize; 2],
    candidates: &[usize],
) -> Result<ChosenColumns, Message> {
    let others: Vec<usize> = (0..table.columns).filter(|at| !candidates.contains(at)).collect();
    // Ends of different kinds share nothing.
    let doubt = match table.bipartite {
        true => Doubt::None,
        false => doubt((table.sample, table.is_whole), places, &others),
    };
    let integers = |place: usize| table.holds_integers(place);
    let unknown = "the header does not tell which two columns are the ends of an edge";
    let taken = table.pair(places);
    let warning = match (doubt, table.header) {
        (Doubt::Other { places: other, .. }, Some(_)) => return Err(table.ask(unknown, other)),
        // Sides of two kinds, or nothing is known of the values.
        (Doubt::TwoSides, Some(_))
            if table.columns > 2 && integers(places[0]) != integers(places[1]) =>
        {
            return Err(table.ask(unknown, places));
        }
        (Doubt::None, Some(header)) if candidates.len() > 2 && table.sample.is_empty() => {
            // The first may number the rows.
            let numbers = header[places[0]].trim().eq_ignore_ascii_case("id");
            let proposed = if numbers { [candidates[1], candidates[2]] } else { places };
            return Err(table.ask(unknown, proposed));
        }
        (Doubt::Other { places: other, own, share, is_sure }, None) => {
            // Columns that hold no ids are refused where they are read: what is likely is said before.
            let is_decimal = |&place: &usize| {
                let mut values = table.sample[place].iter();
                !integers(place) && values.all(|text| text.trim().parse::<f64>().is_ok())
            };
            let are_decimals =
                places.iter().any(|place| is_decimal(place) && !other.contains(place));
            let are_few = table.columns <= 3 && (0..table.columns).all(integers);
            let likely = table.pair(other);
            let [own, share] = [own, share].map(per_cent);
            let [these, others] = [&taken, &likely].map(|pair| pair.join(" and "));
            if are_decimals || (is_sure && !are_few) {
                let message = format!(
                    "columns {these} share {own} of their values, and columns {others} share {share}, as the ends of edges do"
                );
                let hint = format!(
                    ": name two with `--columns {}`, or with `--columns {}` if these are the ends all the same",
                    typed(likely),
                    typed(taken)
                );
                return Err(Message::from(message).with_hint(hint));
            }
            Some(format!(
                "columns {these} were read as the ends of edges and share {own} of their values; columns {others} share {share}, \
                 as ends do: if these are the ends, say `--columns {}`",
                typed(likely)
            ))
        }
        (Doubt::TwoSides, _) => Some(format!(
            "columns {} share none of the values that were looked at, as the ends of edges do: each vertex is on one side, and \
             there are no triangles among them",
            taken.join(" and ")
        )),
        (Doubt::None, _) => None,
    };
    let reason = match candidates.len() == table.columns {
        true => "they are the first two",
        false => "they are the first two that are no attributes by their names or types",
    };
    found(table, places, reason, warning)
}

/// The choice of two columns, unless their ids are of different kinds.
fn found(
    table: TableColumns,
    places: [usize; 2],
    reason: &str,
    warning: Option<String>,
) -> Result<ChosenColumns, Message> {
    if let Some(header) = table.header.filter(|_| !table.bipartite) {
        one_kind(header, table, places)?;
    }
    Ok(ChosenColumns { places, names: table.pair(places), reason: reason.into(), warning })
}

/// Refuses two columns whose ids are of different kinds: `:START_ID(Person)` and `:END_ID(Film)` of Neo4j, `userId` and `movieId`,
/// where ids of both are equal.
fn one_kind(header: &[String], table: TableColumns, places: [usize; 2]) -> Result<(), Message> {
    // The group of an end; none is a group, too.
    let group = |place: usize| {
        let name = &header[place];
        let upper = name.to_ascii_uppercase();
        let mut ends = [":START_ID", ":END_ID"].into_iter();
        let end = ends.find_map(|end| upper.find(end).map(|at| at + end.len()))?;
        Some(name[end..].trim())
    };
    let one_group = match places.map(group) {
        [Some(one), Some(other)] => one == other,
        _ => true,
    };
    let [one, other] = places.map(|place| header[place].trim());
    let have_common = || match table.sample {
        [] => true,
        sample => sample[places[0]].iter().any(|id| sample[places[1]].contains(id)),
    };
    if one_group && !(end_names::are_of_two_kinds(one, other) && have_common()) {
        return Ok(());
    }
    let message = format!(
        "the columns `{one}` and `{other}` have ids of different kinds: an id in one is another vertex than the same id in the other"
    );
    let columns = places.map(|place| (place + 1).to_string());
    Err(Message::from(message).with_hint(match table.is_text {
        true => of_one_kind(columns),
        false => name_two(columns),
    }))
}

/// The hint to name two columns, for example these.
pub(super) fn name_two(proposed: [String; 2]) -> String {
    format!(": name two with `--columns`, for example `--columns {}`", typed(proposed))
}

/// The hint to say whether two columns have ids of their own.
pub(super) fn of_one_kind(columns: [String; 2]) -> String {
    let columns = typed(columns);
    format!(": say `--bipartite`, or `--columns {columns}` to take equal ids as one vertex")
}

/// Two columns as they are typed in a shell.
fn typed(columns: [String; 2]) -> String {
    let text = Columns(columns).to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "_,.-+:/@%=".contains(c);
    match text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// What to say of a file in a folder such as `source=0`.
pub(super) fn in_folder(folder: &str) -> Message {
    let message = format!(
        "the folder `{folder}` has one end of the edges in its name, where it is not read: write the parts with both columns \
         of the edges in them, or, if the ends are in the files"
    );
    Message::from(message).with_hint(hint::NAME_COLUMNS)
}

/// The column of this name, in any case of its letters if no other has it, or of this number from 1.
pub(super) fn find(name: &str, header: &[String], columns: usize) -> Result<usize, String> {
    let name = name.trim();
    let with = |same: &dyn Fn(&str) -> bool| {
        (0..header.len()).filter(|&place| same(header[place].trim())).collect::<Vec<_>>()
    };
    let number = || name.parse::<usize>().ok().filter(|number| (1..=columns).contains(number));
    match (&with(&|other| other == name)[..], &with(&|other| other.eq_ignore_ascii_case(name))[..])
    {
        ([place], _) | ([], [place]) => Ok(*place),
        ([], _) => number().map(|n| n - 1).ok_or_else(|| format!("there is no column `{name}`")),
        _ => Err(format!("two columns are called `{name}`: give their numbers")),
    }
}

/// The columns that a caller named.
fn named(asked: &Columns, table: TableColumns) -> Result<ChosenColumns, Message> {
    let place = |name: &String| find(name, table.header.unwrap_or_default(), table.columns);
    let unknown =
        |problem: String| table.ask(&problem, [0, 1.min(table.columns.saturating_sub(1))]);
    let [first, second] = asked.names();
    let places = [place(first).map_err(unknown)?, place(second).map_err(unknown)?];
    if places[0] == places[1] {
        return Err(unknown(format!("`{first}` and `{second}` are one column")));
    }
    let (names, reason) = (table.pair(places), "they were asked for".into());
    Ok(ChosenColumns { places, names, reason, warning: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_were_asked_for() {
        let places = |asked: &str, header: &str| {
            let header: Vec<String> = header.split(',').map(str::to_owned).collect();
            let asked = asked.parse().unwrap();
            let chosen = choose(Some(&asked), TableColumns::of_header(&header));
            chosen.map(|chosen| chosen.places).map_err(|message| message.to_string())
        };
        assert_eq!(places("b,a", "a,b,c"), Ok([1, 0]));
        assert_eq!(places("3,1", "a,b,c"), Ok([2, 0]));
        assert_eq!(places("C,a", "a,b,c"), Ok([2, 0]));
        // A name of digits goes before a number.
        assert_eq!(places("0,1", "0,1,2"), Ok([0, 1]));
        let error = places("a,d", "a,b,c").unwrap_err();
        let expected = "there is no column `d`; the columns are `a`, `b`, `c`: ";
        assert!(error.starts_with(expected), "{error}");
        let error = places("a,a", "a,b").unwrap_err();
        assert!(error.starts_with("`a` and `a` are one column; "), "{error}");
        let error = places("a,b", "a,a,b").unwrap_err();
        assert!(error.starts_with("two columns are called `a`: give their numbers"), "{error}");
        assert_eq!(places("2,3", "a,a,b"), Ok([1, 2]));
        for text in ["", "a", "a,", ",b", "a,b,c"] {
            assert!(text.parse::<Columns>().is_err(), "{text}");
        }
        let odd = Columns::new("a,\"b", "c");
        assert_eq!(odd.to_string().parse::<Columns>().unwrap(), odd);
    }
}
