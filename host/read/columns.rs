//! Which two columns of a table are the ends of an edge.
//!
//! [`choose`] takes what is known of the columns, and returns them with the reason. The first rule that applies
//! decides:
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

use super::end_names::{self, is_attribute};
use super::overlap::{Doubt, doubt, per_cent};
use super::weights;
use crate::{Error, Hint, Message};

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
    /// beside attributes.
    ///
    /// ```
    /// use tribin::read::Columns;
    ///
    /// let header = ["weight", "src", "dst"].map(String::from);
    /// let (places, reason) = Columns::choose(None, &header)?;
    /// assert_eq!(places, [1, 2]);
    /// assert_eq!(reason, "their names are those of the two ends of an edge");
    /// let asked = Columns::new("dst", "weight");
    /// assert_eq!(Columns::choose(Some(&asked), &header)?.0, [2, 0]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] where a column that was asked for is not there, and where the names do not tell.
    pub fn choose(
        asked: Option<&Columns>,
        header: &[String],
    ) -> Result<([usize; 2], String), Error> {
        let chosen = choose(asked, Table::of_header(header)).map_err(Error::Usage)?;
        Ok((chosen.places, chosen.reason))
    }

    /// The two columns that reading takes of a table that has weights in the column `weight`, called by its name or by its
    /// number from 1, and the place of that column. It is none of the two ends.
    ///
    /// ```
    /// use tribin::read::Columns;
    ///
    /// let header = ["source", "target", "cost"].map(String::from);
    /// let (places, weight, _) = Columns::choose_beside(None, &header, "cost")?;
    /// assert_eq!((places, weight), ([0, 1], 2));
    /// assert_eq!(Columns::choose_beside(None, &header, "3")?.1, 2);
    /// assert_eq!(
    ///     Columns::choose_beside(None, &header, "source").unwrap_err().to_string(),
    ///     "the column `source` is an end of the edges, and no weight"
    /// );
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] as [`choose`](Self::choose), and where there is no such column, or it is an end.
    pub fn choose_beside(
        asked: Option<&Columns>,
        header: &[String],
        weight: &str,
    ) -> Result<([usize; 2], usize, String), Error> {
        let place = weights::place(weight, header)
            .ok_or_else(|| Error::Usage(weights::no_column(weight, header).into()))?;
        let table = Table { weight: Some(place), ..Table::of_header(header) };
        let ChosenColumns { places, reason, .. } = choose(asked, table).map_err(Error::Usage)?;
        match places.contains(&place) {
            true => Err(Error::Usage(weights::is_an_end(&header[place]).into())),
            false => Ok((places, place, reason)),
        }
    }

    /// The two, as they were named.
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

    /// Two names or numbers with a comma between them.
    fn from_str(text: &str) -> Result<Columns, Error> {
        let mut names = vec![String::new()];
        let mut quoted = false;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => {
                    chars.next();
                    names.last_mut().expect("one at least").push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => names.push(String::new()),
                c => names.last_mut().expect("one at least").push(c),
            }
        }
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

/// What is known of a table's columns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Table<'a> {
    /// The number of columns.
    pub(super) columns: usize,
    /// Their names, where the table has a header.
    pub(super) header: Option<&'a [String]>,
    /// What was looked at of each column, where it was: the values from the top.
    pub(super) sample: &'a [Vec<String>],
    /// Whether these are all values.
    pub(super) is_whole: bool,
    /// The folder of the file that says what one end is of all its edges, as [`end_names::end_folder`] finds it.
    pub(super) folder: Option<&'a str>,
    /// The columns whose types are none of ids, where columns have types.
    pub(super) no_ids: &'a [usize],
    /// The column of the weights, which is no end.
    pub(super) weight: Option<usize>,
    /// Whether the two ends are of different kinds, so that equal ids are two vertices.
    pub(super) bipartite: bool,
}

impl<'a> Table<'a> {
    /// A table of which nothing but its header is known.
    pub(super) fn of_header(header: &'a [String]) -> Table<'a> {
        Table { columns: header.len(), header: Some(header), ..Table::default() }
    }

    /// What the values of all columns say of two that are taken for the ends, those that are `left_out` being none.
    fn doubt(self, places: [usize; 2], left_out: &[usize]) -> Doubt {
        doubt((self.sample, self.is_whole), places, left_out)
    }

    /// Whether all values of a column that were looked at are integers.
    fn holds_integers(self, place: usize) -> bool {
        self.sample[place].iter().all(|text| text.trim().parse::<u64>().is_ok())
    }

    /// The columns that are no ends. A letter alone may be the name of an end of two.
    fn attributes(self) -> Vec<usize> {
        let is_end = |name: &str| self.columns == 2 && name.trim().chars().count() <= 1;
        // Neo4j's ids of nodes.
        let is_of_nodes = |name: &str| {
            let upper = name.trim().to_ascii_uppercase();
            upper.rsplit_once(':').is_some_and(|(_, kind)| kind == "ID" || kind.starts_with("ID("))
        };
        let by_name = |place: &usize| {
            self.header
                .and_then(|header| header.get(*place))
                .is_some_and(|name| is_of_nodes(name) || (is_attribute(name) && !is_end(name)))
        };
        let mut places: Vec<usize> = (0..self.columns).filter(by_name).collect();
        places.extend(self.weight);
        let left = |place: &usize| !places.contains(place) && !self.no_ids.contains(place);
        if (0..self.columns).filter(left).count() >= 2 {
            places.extend(self.no_ids);
        }
        places
    }
}

/// Two columns by their places from 0, and why these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChosenColumns {
    pub(super) places: [usize; 2],
    /// The columns as they are called: by name, or by number from 1.
    pub(super) names: [String; 2],
    /// A whole sentence.
    pub(super) reason: String,
    /// What speaks against them.
    pub(super) warning: Option<String>,
}

/// The two columns, or what to ask the caller for.
pub(super) fn choose(asked: Option<&Columns>, table: Table) -> Result<ChosenColumns, Message> {
    if let Some(asked) = asked {
        return named(asked, table);
    }
    // A column that the name of a folder repeats is in the file.
    let is_column = |folder: &str| {
        let key = folder.split('=').next().unwrap_or_default();
        let mut names = table.header.unwrap_or_default().iter();
        names.any(|name| name.trim().eq_ignore_ascii_case(key))
    };
    if let Some(folder) = table.folder.filter(|folder| !is_column(folder)) {
        return Err(in_folder(folder, table.columns));
    }
    if table.columns < 2 {
        return Err("there is one column only, and an edge has two ends".into());
    }
    match table.header {
        Some(header) => by_names(header, table),
        None => without_names(table),
    }
}

/// The two columns of a table with a header.
fn by_names(header: &[String], table: Table) -> Result<ChosenColumns, Message> {
    let attributes = table.attributes();
    let mut pairs = end_names::pairs(header);
    if pairs.len() > 1 {
        pairs.retain(|pair| table.weight.is_none_or(|weight| !pair.places.contains(&weight)));
    }
    let known = match &pairs[..] {
        [] => None,
        [only] => Some(*only),
        [first, ..] => Some(end_names::plainest(header, &pairs).ok_or_else(|| {
            ask(table, "several pairs of columns could be the ends of an edge", first.places)
        })?),
    };
    if let Some(pair) = known {
        return found(
            table,
            pair.places,
            "their names are those of the two ends of an edge".into(),
            None,
        );
    }
    let left: Vec<usize> = (0..table.columns).filter(|place| !attributes.contains(place)).collect();
    let [first, second, ref more @ ..] = left[..] else {
        let what = match left[..] {
            [only] => format!(
                "column `{}` alone may be an end of an edge by its name",
                called(table, only)
            ),
            _ => "no column may be an end of an edge by its name".into(),
        };
        let first: Vec<usize> = left.iter().copied().chain(attributes).take(2).collect();
        let message = format!(
            "{what}, and the others are attributes: read the table of the edges, if this is one of vertices"
        );
        return Err(ask(table, &message, [first[0], first[1]]));
    };
    let places = [first, second];
    let all_others = if table.columns == 2 {
        "there are no others"
    } else {
        "the others are attributes by their names or types"
    };
    let reason = if more.is_empty() {
        all_others
    } else {
        "they are the first two that are no attributes by their names or types"
    };
    let unknown = "the header does not tell which two columns are the ends of an edge";
    match table.doubt(places, &attributes) {
        Doubt::Other { places: other, .. } | Doubt::Overwhelming { places: other, .. } => {
            Err(ask(table, unknown, other))
        }
        Doubt::TwoSides
            if table.columns > 2 && table.holds_integers(first) != table.holds_integers(second) =>
        {
            Err(ask(table, unknown, places))
        }
        // Nothing is known of the values.
        Doubt::None if !more.is_empty() && table.sample.is_empty() => {
            Err(ask(table, unknown, places))
        }
        doubt => found(table, places, reason.into(), warning(table, places, &doubt)),
    }
}

/// The two columns of a table without a header.
fn without_names(table: Table) -> Result<ChosenColumns, Message> {
    // A column of signs stands between the ends: `1 -> 2`.
    if let [_, signs, _, ..] = table.sample
        && !signs.is_empty()
        && signs
            .iter()
            .all(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_punctuation()))
    {
        return found(table, [0, 2], format!("the column between them is `{}`", signs[0]), None);
    }
    let places = [0, 1];
    let doubt = table.doubt(places, table.weight.as_slice());
    if let Doubt::Overwhelming { places: other, own, share } = doubt
        && !(table.columns <= 3 && (0..table.columns).all(|place| table.holds_integers(place)))
    {
        let problem = format!(
            "columns 1 and 2 share {} of their values, and columns {} share {}, as the ends of edges do",
            per_cent(own),
            pair_of(table, other),
            per_cent(share)
        );
        return Err(ask_between(problem, table, other, places));
    }
    // Columns that hold no ids are refused where they are read: what is likely is said before.
    let are_decimals = |place: usize| {
        let column = &table.sample[place];
        column.iter().all(|text| text.trim().parse::<f64>().is_ok())
            && !table.holds_integers(place)
            && !column.is_empty()
    };
    if let Doubt::Other { places: other, .. } = doubt
        && places.iter().any(|&place| are_decimals(place) && !other.contains(&place))
    {
        let problem = format!(
            "the first two columns hold decimal numbers, and columns {} share their values, as ends do",
            pair_of(table, other)
        );
        return Err(ask_between(problem, table, other, places));
    }
    // A row of features stands behind the name of each vertex.
    if doubt == Doubt::TwoSides && table.columns > table.sample[0].len() {
        let problem = "there are more columns than rows, and the first two share no values, as the ends of edges do";
        return Err(ask(table, problem, places));
    }
    let reason = "they are the first two, and there is no header".into();
    found(table, places, reason, warning(table, places, &doubt))
}

/// These two columns, unless the ids of the two are of different kinds.
fn found(
    table: Table,
    places: [usize; 2],
    reason: String,
    warning: Option<String>,
) -> Result<ChosenColumns, Message> {
    if let Some(header) = table.header.filter(|_| !table.bipartite) {
        one_kind(header, table, places)?;
    }
    let names = places.map(|place| called(table, place));
    Ok(ChosenColumns { places, names, reason, warning })
}

/// What to warn of.
fn warning(table: Table, places: [usize; 2], doubt: &Doubt) -> Option<String> {
    let columns = pair_of(table, places);
    match doubt {
        Doubt::None => None,
        Doubt::Other { places: other, own, share }
        | Doubt::Overwhelming { places: other, own, share } => Some(format!(
            "columns {columns} were read as the ends of edges and share {} of their values; columns {} share {}, as ends \
                 do: if these are the ends, say `--columns {}`",
            per_cent(*own),
            pair_of(table, *other),
            per_cent(*share),
            Columns(other.map(|place| called(table, place)))
        )),
        Doubt::TwoSides => Some(format!(
            "columns {columns} share none of the values that were looked at, as the ends of edges do: each vertex is on one \
             side, and there are no triangles among them"
        )),
    }
}

/// Refuses two columns whose ids are of different kinds: `:START_ID(Person)` and `:END_ID(Film)` of Neo4j, `userId` and `movieId`,
/// where ids of both are equal.
fn one_kind(header: &[String], table: Table, places: [usize; 2]) -> Result<(), Message> {
    // The group of an end; none is a group, too.
    let group = |place: usize| {
        let name = &header[place];
        let upper = name.to_ascii_uppercase();
        let end = [":START_ID", ":END_ID"]
            .into_iter()
            .find_map(|end| upper.find(end).map(|at| at + end.len()))?;
        let group = name[end..].strip_prefix('(').and_then(|rest| rest.split_once(')'));
        Some(group.map(|(group, _)| group.trim()))
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
    Err(Message::from(message)
        .with_hint(Hint::Bipartite { columns: places.map(|place| (place + 1).to_string()) }))
}

/// What to say of a file of that many columns in a folder such as `source=0`.
pub(super) fn in_folder(folder: &str, columns: usize) -> Message {
    let message = format!(
        "the folder `{folder}` has one end of the edges in its name, where it is not read: write the parts with both columns \
         of the edges in them"
    );
    match columns {
        0 | 1 => message.into(),
        _ => Message::from(format!("{message}, or, if the ends are in the files"))
            .with_hint(Hint::Columns { proposed: ["1", "2"].map(String::from) }),
    }
}

/// The columns that a caller named.
fn named(asked: &Columns, table: Table) -> Result<ChosenColumns, Message> {
    let place = |name: &str| {
        let header = table.header.unwrap_or_default();
        let trimmed = name.trim();
        let with = |same: &dyn Fn(&str) -> bool| {
            let mut found = (0..header.len()).filter(|&place| same(header[place].trim()));
            (found.next(), found.next())
        };
        let number = || {
            trimmed.parse::<usize>().ok().filter(|&n| n >= 1 && n <= table.columns).map(|n| n - 1)
        };
        match with(&|other| other == trimmed) {
            (Some(_), Some(_)) => {
                Err(format!("two columns are called `{name}`: give their numbers"))
            }
            (Some(place), None) => Ok(place),
            (None, _) => match with(&|other| other.eq_ignore_ascii_case(trimmed)) {
                (Some(place), None) => Ok(place),
                _ => number().ok_or_else(|| format!("there is no column `{name}`")),
            },
        }
    };
    let [first, second] = asked.names();
    let unknown = |problem: String| {
        Message::from(format!("{problem}; the columns are {}", listed(table))).with_hint(
            Hint::Columns { proposed: [0, 1].map(|place| called(table, place)).map(String::from) },
        )
    };
    let places = [place(first).map_err(unknown)?, place(second).map_err(unknown)?];
    if places[0] == places[1] {
        return Err(unknown(format!("`{first}` and `{second}` are one column")));
    }
    let names = places.map(|place| called(table, place));
    Ok(ChosenColumns { places, names, reason: "they were asked for".into(), warning: None })
}

fn ask(table: Table, problem: &str, proposed: [usize; 2]) -> Message {
    let proposed = proposed.map(|place| called(table, place));
    Message::from(format!("{problem}; the columns are {}", listed(table)))
        .with_hint(Hint::Columns { proposed })
}

/// What to say where two columns are likely, and two others were taken for the ends.
fn ask_between(problem: String, table: Table, likely: [usize; 2], taken: [usize; 2]) -> Message {
    let [likely, taken] = [likely, taken].map(|places| places.map(|place| called(table, place)));
    Message::from(problem).with_hint(Hint::OtherColumns { likely, taken })
}

/// Two columns in a sentence.
fn pair_of(table: Table, places: [usize; 2]) -> String {
    let [one, other] = places.map(|place| called(table, place));
    format!("{one} and {other}")
}

/// Bytes of a name that is easily typed.
const LONGEST: usize = 48;

/// How a column is asked for: by its name if that is short and no other has it, or by its number.
fn called(table: Table, place: usize) -> String {
    let header = table.header.unwrap_or_default();
    match header.get(place).map(|name| name.trim()) {
        Some(name)
            if !name.is_empty()
                && name.len() <= LONGEST
                && !name.chars().any(char::is_control)
                && header.iter().filter(|other| other.trim() == name).count() == 1 =>
        {
            name.to_owned()
        }
        _ => (place + 1).to_string(),
    }
}

/// The columns, for a message.
fn listed(table: Table) -> String {
    // Messages are a few lines long at most.
    const SHOWN: usize = 200;
    let mut list = String::new();
    for place in 0..table.columns {
        if list.len() > SHOWN {
            list.push_str(&format!(", … ({} in all)", table.columns));
            break;
        }
        let comma = if place == 0 { "" } else { ", " };
        list.push_str(&format!("{comma}`{}`", called(table, place)));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(values: &[&str]) -> Vec<String> {
        values.iter().map(|&value| value.to_owned()).collect()
    }

    /// What is chosen of a table with these rows, whose first is its header.
    fn of(asked: Option<&str>, rows: &[&str]) -> Result<ChosenColumns, String> {
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| strings(&row.split(',').collect::<Vec<_>>())).collect();
        let sample: Vec<Vec<String>> = (0..rows[0].len())
            .map(|place| rows[1..].iter().map(|row| row[place].clone()).collect())
            .collect();
        let asked = asked.map(|asked| asked.parse().unwrap());
        let table = Table { sample: &sample, ..Table::of_header(&rows[0]) };
        choose(asked.as_ref(), table).map_err(|message| message.to_string())
    }

    #[test]
    fn names_go_before_the_first_two() {
        for (header, row, places) in [
            ("weight,src,dst", "1,2,3", [1, 2]),
            ("node,friend,weight", "1,2,3", [0, 1]),
            (",p,q", "0,1,2", [1, 2]),
            ("Id,Source,Target,Type", "0,1,2,x", [1, 2]),
            ("u,w", "0,1", [0, 1]),
        ] {
            assert_eq!(
                of(None, &[header, row]).map(|chosen| chosen.places),
                Ok(places),
                "{header}"
            );
        }
    }

    #[test]
    fn an_index_is_asked_about() {
        let rows: Vec<String> =
            (0..40).map(|i| format!("{i},a{},a{}", i % 9, (i + 1) % 9)).collect();
        let mut table = vec!["edge,p,q"];
        table.extend(rows.iter().map(String::as_str));
        assert_eq!(
            of(None, &table).unwrap_err(),
            "the header does not tell which two columns are the ends of an edge; the columns are `edge`, `p`, `q`: name two with `columns`, for example `columns p,q`"
        );
        assert_eq!(of(Some("p,q"), &table).unwrap().places, [1, 2]);
        // A header without values says nothing of the others.
        let names = strings(&["edge", "p", "q"]);
        assert!(Columns::choose(None, &names).is_err());
    }

    #[test]
    fn columns_of_two_kinds_are_asked_about() {
        let error = of(None, &["userId,movieId", "1,2", "2,1"]).unwrap_err();
        assert!(error.contains("`userId` and `movieId` have ids of different kinds"), "{error}");
        assert!(of(None, &["userId,movieId", "u1,m2", "u2,m1"]).is_ok());
        let error = of(None, &[":START_ID(Person),:END_ID(Film)", "1,2"]).unwrap_err();
        assert!(error.contains("different kinds"), "{error}");
        assert!(of(None, &[":START_ID(Person),:END_ID(Person)", "1,2"]).is_ok());
    }

    #[test]
    fn a_table_of_vertices_is_asked_about() {
        let error = of(None, &["Id,Label,timeset,modularity_class", "0,a,,1"]).unwrap_err();
        assert!(
            error.starts_with("column `Id` alone may be an end of an edge by its name"),
            "{error}"
        );
        assert!(of(None, &["source,weight", "1,2"]).is_err());
        let error = of(None, &["a", "1"]).unwrap_err();
        assert!(error.starts_with("there is one column only"), "{error}");
    }

    #[test]
    fn columns_that_were_asked_for() {
        let places = |asked, header| of(Some(asked), &[header]).map(|c| c.places);
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
