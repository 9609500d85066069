//! Which two columns of a table are the ends of an edge.
//!
//! [`choose`] takes what is known of the columns, and returns them with the reason. The first rule that applies
//! decides:
//!
//! 1. The caller named them.
//! 2. A header has one pair of names for the two ends: `source` and `target`, `from` and `to`, `person1_id` and
//!    `person2_id`, … Of several such pairs one of single words goes before.
//! 3. There are two columns, an index column and columns of attributes (`weight`, `timestamp`, …) left aside.
//! 4. There is no header: the first two.
//!
//! Otherwise the caller has to name them.

use std::fmt;
use std::str::FromStr;

use super::table::is_moment;
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
        let sample = vec![Vec::new(); header.len()];
        let (columns, header) = (header.len(), Some(header));
        let table = Table { columns, header, sample: &sample, folders: &[] };
        let ChosenColumns { places, reason, .. } = choose(asked, table).map_err(Error::Usage)?;
        Ok((places, reason))
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
        let sample = vec![Vec::new(); header.len()];
        let columns = header.len();
        let table = Table { columns, header: Some(header), sample: &sample, folders: &[] };
        let ChosenColumns { places, reason, .. } =
            choose_with_weight(asked, table, place).map_err(Error::Usage)?;
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
#[derive(Debug, Clone, Copy)]
pub(super) struct Table<'a> {
    /// The number of columns.
    pub(super) columns: usize,
    /// Their names, where the table has a header.
    pub(super) header: Option<&'a [String]>,
    /// What was looked at of each column, where it was: the values from the top.
    pub(super) sample: &'a [Vec<String>],
    /// The folders of the file that say what one end is of all its edges, as [`ends_folders`] finds them.
    pub(super) folders: &'a [&'a str],
}

/// Two columns by their places from 0, and why these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChosenColumns {
    pub(super) places: [usize; 2],
    /// The columns as they are called: by name, or by number from 1.
    pub(super) names: [String; 2],
    /// A whole sentence.
    pub(super) reason: String,
    /// What a user should be told: of an index column that was left out, or of one that may be one.
    pub(super) note: Option<String>,
}

impl fmt::Display for ChosenColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "columns {} and {}: {}", self.names[0], self.names[1], self.reason)
    }
}

/// The two columns, or what to ask the caller for.
pub(super) fn choose(asked: Option<&Columns>, table: Table) -> Result<ChosenColumns, Message> {
    if let Some(asked) = asked {
        return named(asked, table);
    }
    if table.columns < 2 {
        if let Some(folder) = table.folders.first() {
            return Err(both_columns(folder));
        }
        return Err(Message::from("there is one column only, and an edge has two ends"));
    }
    let index = index_column(table);
    let left: Vec<usize> = (0..table.columns).filter(|&place| index != Some(place)).collect();
    let left_out = |chosen: &[usize; 2]| match index {
        Some(place) if !chosen.contains(&place) => Some(format!(
            "{} counts the rows (0, 1, 2, …) and was left out",
            described(table, place)
        )),
        _ => None,
    };
    let chosen = |places: [usize; 2], reason: String| {
        let names = places.map(|place| called(table, place));
        Ok(ChosenColumns { places, names, reason, note: left_out(&places) })
    };
    if let Some(header) = table.header {
        if let Some(folder) = end_in_folders(header, &left, table.folders) {
            return Err(in_folders(folder));
        }
        let pairs = pairs(header, &left);
        let plain = pairs.iter().filter(|pair| pair.words == 1).count();
        match pairs.first() {
            Some(pair) if pairs.len() == 1 || (pair.words == 1 && plain == 1) => {
                two_groups(header, pair.places)?;
                return chosen(
                    pair.places,
                    "their names are those of the two ends of an edge".into(),
                );
            }
            Some(pair) => {
                return Err(ask(
                    table,
                    "several pairs of columns could be the ends of an edge",
                    pair.places,
                ));
            }
            None => {}
        }
    }
    if let Some(folder) = table.folders.first() {
        return Err(in_folders(folder));
    }
    if let Some(vertex) = only_vertex(table, &left) {
        let message = format!(
            "{} names a vertex, and the others are attributes by their names, as in a table of vertices: read the table of the \
             edges, or, if these are both ends",
            described(table, vertex)
        );
        let proposed = [left[0], left[1]].map(|place| called(table, place));
        return Err(Message::from(message).with_hint(Hint::Columns { proposed }));
    }
    if let Some([end, other]) = only_end(table, &left) {
        let message = format!(
            "{} is one end of an edge by its name, and {} is no end: write the table with both ends, or, if these are both",
            described(table, end),
            described(table, other)
        );
        let proposed = [left[0], left[1]].map(|place| called(table, place));
        return Err(Message::from(message).with_hint(Hint::Columns { proposed }));
    }
    let ends: Vec<usize> =
        left.iter().copied().filter(|&place| !is_attribute(table, place)).collect();
    for (places, reason) in
        [(&left, "there are no others"), (&ends, "the others are attributes by their names")]
    {
        if let [first, second] = places[..] {
            return chosen([first, second], reason.into());
        }
    }
    if table.header.is_some() {
        // A column that counts the rows has a name of its own here, so that it is not left out; but few edges end
        // at its numbers, or at dates and times.
        let uncounted: Vec<usize> = ends
            .iter()
            .copied()
            .filter(|&place| {
                let column = table.sample.get(place);
                !column.is_some_and(|column| counts(column) || are_moments(column))
            })
            .collect();
        let proposed = match (&uncounted[..], &ends[..], &left[..]) {
            ([first, second, ..], _, _)
            | (_, [first, second, ..], _)
            | (_, _, [first, second, ..]) => [*first, *second],
            _ => [0, 1],
        };
        return Err(ask(
            table,
            "the header does not tell which two columns are the ends of an edge",
            proposed,
        ));
    }
    let [first, second] = [left[0], left[1]];
    const MANY: usize = 8;
    let is_index = table.columns > 2 && index.is_none() && may_be_index(table);
    if is_index && table.sample[0].len() >= MANY {
        let problem = format!(
            "column 1 counts the rows ({}, …), as an index does, and there is no header",
            table.sample[0][..3].join(", ")
        );
        let message = Message::from(format!("{problem}; the columns are {}", listed(table)));
        let likely = [1, 2].map(|place| called(table, place));
        return Err(message.with_hint(Hint::OtherColumns { likely }));
    }
    let mut found =
        chosen([first, second], "they are the first two, and there is no header".into())?;
    if is_index {
        found.note = Some(format!(
            "column 1 counts the rows ({}, …), as an index does: if it is one, read columns 2 and 3",
            table.sample[0][..3].join(", ")
        ));
    }
    Ok(found)
}

/// The two columns of a table that has the weights in the column `weight`, which is no end of an edge, whatever it is called.
/// Where the others do not tell the ends, the names of all may say that it is one.
pub(super) fn choose_with_weight(
    asked: Option<&Columns>,
    table: Table,
    weight: usize,
) -> Result<ChosenColumns, Message> {
    let (None, Some(header)) = (asked, table.header) else { return choose(asked, table) };
    let by_names = pairs(header, &(0..header.len()).collect::<Vec<_>>());
    // Of a pair of names that says all, neither is left for the weights.
    if let [only] = &by_names[..]
        && only.places.contains(&weight)
    {
        return choose(None, table);
    }
    let mut renamed = header.to_vec();
    renamed[weight] = "weight".into();
    choose(None, Table { header: Some(&renamed), ..table }).or_else(|_| choose(None, table))
}

/// Refuses two columns of Neo4j whose ids are of different groups: `:START_ID(Person)` and `:END_ID(Film)`.
fn two_groups(header: &[String], places: [usize; 2]) -> Result<(), Message> {
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
    let [Some(one), Some(other)] = places.map(group) else { return Ok(()) };
    if one == other {
        return Ok(());
    }
    let message = format!(
        "the columns `{}` and `{}` have ids of different groups: an id in one is another vertex than the same id in the \
         other, and only columns that are asked for are read as if it were one",
        header[places[0]].trim(),
        header[places[1]].trim()
    );
    let proposed = places.map(|place| (place + 1).to_string());
    Err(Message::from(message).with_hint(Hint::Columns { proposed }))
}

/// What to say of a file in a folder such as `source=0`.
fn in_folders(folder: &str) -> Message {
    both_columns(folder)
        .map_problem(|problem| format!("{problem}, or, if the ends are in the files"))
        .with_hint(Hint::Columns { proposed: ["1", "2"].map(String::from) })
}

/// What to say of a file in a folder such as `source=0` where the file cannot have both ends.
pub(super) fn both_columns(folder: &str) -> Message {
    Message::from(format!(
        "the folder `{folder}` has one end of the edges in its name, where it is not read: write the parts with both \
         columns of the edges in them"
    ))
}

/// The folders in a file's path that are called as one end of an edge and have a value, as Hive and Spark partition a table
/// by a column: `source=0`.
pub(super) fn ends_folders(file: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = file.split(['/', '\\', ':']).collect();
    parts.pop();
    parts.retain(|part| part.split_once('=').is_some_and(|(key, _)| is_end(key)));
    parts
}

/// The folder that has an end of the edges in its name, where the other end is a column of the file or in the name of another
/// folder. Columns that the names of folders repeat are in the file.
fn end_in_folders<'a>(header: &[String], among: &[usize], folders: &[&'a str]) -> Option<&'a str> {
    fn key(folder: &str) -> &str {
        folder.split_once('=').map_or(folder, |(key, _)| key)
    }
    let is_column =
        |name: &str| header.iter().any(|column| column.trim().eq_ignore_ascii_case(name));
    let partitions: Vec<&str> =
        folders.iter().copied().filter(|folder| !is_column(key(folder))).collect();
    let is_with =
        |folder: &str, other: &str| are_ends(&words(key(folder)), &words(other)).is_some();
    let columns = || among.iter().filter_map(|&place| header.get(place));
    partitions.iter().copied().find(|folder| {
        columns().any(|name| is_with(folder, name))
            || folders.iter().any(|other| is_with(folder, key(other)))
    })
}

/// Whether a name alone is that of one end of an edge: `source`, `target_id`.
fn is_end(name: &str) -> bool {
    let mut words = words(name);
    words.retain(|word| !["id", "node", "vertex"].contains(&word.as_str()));
    let [word] = &words[..] else { return false };
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    !is_number && ENDS.iter().flatten().any(|end| end == word)
}

/// What columns of a table of vertices are called beside attributes of edges.
const OF_VERTICES: [&str; 19] = [
    "name",
    "degree",
    "indegree",
    "outdegree",
    "triangles",
    "clustering",
    "community",
    "cluster",
    "component",
    "membership",
    "partition",
    "modularity_class",
    "group",
    "class",
    "pagerank",
    "centrality",
    "core",
    "color",
    "labels",
];

/// The one column that names a vertex, where all others are attributes, and the one that Neo4j has ids of nodes in.
fn only_vertex(table: Table, columns: &[usize]) -> Option<usize> {
    let header = table.header?;
    let name = |place: usize| header.get(place).map_or("", |name| name.trim());
    let is_of_nodes = |place: &usize| {
        let upper = name(*place).to_ascii_uppercase();
        let id = upper.rsplit_once(':').map_or("", |(_, kind)| kind);
        id == "ID" || id.starts_with("ID(")
    };
    if let Some(place) = columns.iter().copied().find(is_of_nodes) {
        return Some(place);
    }
    let is_vertex = |place: usize| {
        let words = words(name(place));
        !words.is_empty()
            && words.iter().all(|word| ["id", "node", "vertex"].contains(&word.as_str()))
    };
    let is_other = |place: usize| {
        let name = name(place).to_ascii_lowercase();
        is_attribute(table, place) && name.chars().count() > 1 || OF_VERTICES.contains(&&*name)
    };
    let mut vertices = columns.iter().copied().filter(|&place| is_vertex(place));
    let (vertex, None) = (vertices.next()?, vertices.next()) else { return None };
    columns.iter().all(|&place| place == vertex || is_other(place)).then_some(vertex)
}

/// The one end of two columns, and the other, which is an attribute.
fn only_end(table: Table, columns: &[usize]) -> Option<[usize; 2]> {
    let [one, other] = columns[..] else { return None };
    let header = table.header?;
    // A vertex may be called `w`.
    let is_attribute =
        |place: usize| is_attribute(table, place) && header[place].trim().chars().count() > 1;
    let is = |[end, other]: &[usize; 2]| is_end(&header[*end]) && is_attribute(*other);
    [[one, other], [other, one]].into_iter().find(is)
}

/// Whether two columns may be the ends of an edge for all that their names and the file's folder say.
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(super) fn may_be_ends(table: Table, places: [usize; 2]) -> bool {
    let one_group = table.header.is_none_or(|header| two_groups(header, places).is_ok());
    let is_of_edges = only_end(table, &places).is_none() && only_vertex(table, &places).is_none();
    table.folders.is_empty() && is_of_edges && one_group
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
    Ok(ChosenColumns { places, names, reason: "they were asked for".into(), note: None })
}

fn ask(table: Table, problem: &str, proposed: [usize; 2]) -> Message {
    let proposed = proposed.map(|place| called(table, place));
    Message::from(format!("{problem}; the columns are {}", listed(table)))
        .with_hint(Hint::Columns { proposed })
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

fn described(table: Table, place: usize) -> String {
    let name = called(table, place);
    let number = (place + 1).to_string();
    if name == number {
        format!("column {number}, which has no name,")
    } else {
        format!("column `{name}`")
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

/// Names that programs give to a column that numbers the rows.
const INDEX_NAMES: [&str; 8] =
    ["", "unnamed: 0", "index", "rownames", "row_names", "rowid", "x", "..1"];

/// The first column, if it only numbers the rows: it counts from 0 or 1, and has no name or one that programs
/// give to such columns.
fn index_column(table: Table) -> Option<usize> {
    let name = table.header?.first()?.trim().to_ascii_lowercase();
    (INDEX_NAMES.contains(&&*name) && counts(table.sample.first()?)).then_some(0)
}

/// Whether a first column without a name may be an index: it counts, and the third could be an end as well.
fn may_be_index(table: Table) -> bool {
    let [first, _, third, ..] = table.sample else { return false };
    let integers = |column: &[String]| column.iter().all(|v| v.bytes().all(|b| b.is_ascii_digit()));
    let constant = |column: &[String]| column.windows(2).all(|two| two[0] == two[1]);
    first.len() >= 3 && counts(first) && integers(third) && !constant(third)
}

/// Whether values are 0, 1, 2, … or 1, 2, 3, …
fn counts(values: &[String]) -> bool {
    let Some(first) = values.first().and_then(|value| value.trim().parse::<u64>().ok()) else {
        return false;
    };
    first <= 1
        && values.iter().zip(first..).all(|(value, number)| value.trim().parse() == Ok(number))
}

/// Whether values are dates or times.
pub(super) fn are_moments(values: &[String]) -> bool {
    !values.is_empty() && values.iter().all(|text| is_moment(text))
}

/// Names of columns that are no ends of edges.
const ATTRIBUTES: [&str; 29] = [
    "weight",
    "weights",
    "w",
    "value",
    "val",
    "count",
    "n",
    "score",
    "sign",
    "rating",
    "distance",
    "dist",
    "cost",
    "length",
    "capacity",
    "timestamp",
    "time",
    "ts",
    "date",
    "datetime",
    "year",
    "since",
    "type",
    "label",
    "kind",
    "relation",
    "relationship",
    "predicate",
    "directed",
];

/// Attributes that tribin and others write beside edges.
const MORE_ATTRIBUTES: [&str; 6] =
    ["support", "trussness", "key", "edge_type", "interaction", "prob"];

fn is_attribute(table: Table, place: usize) -> bool {
    let Some(name) = table.header.and_then(|header| header.get(place)) else { return false };
    let name = name.trim().trim_start_matches(':').to_ascii_lowercase();
    ATTRIBUTES.contains(&&*name) || MORE_ATTRIBUTES.contains(&&*name)
}

/// What the two ends of an edge are called: words that differ where the names of the columns agree otherwise.
const ENDS: [[&str; 2]; 47] = [
    ["source", "target"],
    ["source", "destination"],
    ["source", "dest"],
    ["source", "sink"],
    ["src", "dst"],
    ["src", "dest"],
    ["src", "tgt"],
    ["src", "trg"],
    ["from", "to"],
    ["start", "end"],
    ["head", "tail"],
    ["tail", "head"],
    ["u", "v"],
    ["i", "j"],
    ["a", "b"],
    ["1", "2"],
    ["0", "1"],
    ["one", "two"],
    ["first", "second"],
    ["left", "right"],
    ["lhs", "rhs"],
    ["row", "col"],
    ["row", "column"],
    ["rows", "cols"],
    ["origin", "destination"],
    ["orig", "dest"],
    ["follower", "followee"],
    ["follower", "followed"],
    ["follower", "following"],
    ["followee", "follower"],
    ["following", "follower"],
    ["sender", "receiver"],
    ["sender", "recipient"],
    ["caller", "callee"],
    ["citing", "cited"],
    ["truster", "trustee"],
    ["trustor", "trustee"],
    ["rater", "ratee"],
    ["buyer", "seller"],
    ["payer", "payee"],
    ["parent", "child"],
    ["subject", "object"],
    ["ego", "alter"],
    ["outgoing", "incoming"],
    ["out", "in"],
    ["x1", "x2"],
    ["s", "t"],
];

/// The first two columns whose names are those of the ends of an edge.
pub(super) fn ends(header: &[String]) -> Option<[usize; 2]> {
    let all: Vec<usize> = (0..header.len()).collect();
    pairs(header, &all).first().map(|pair| pair.places)
}

/// Whether the names of columns are those of a table of edges, and not of vertices that are called `a`, `b`, `c`. They are if one of
/// the two ends has a name of more than two letters, or if there are attributes beside them.
pub(super) fn are_edges(header: &[String]) -> bool {
    let Some(ends) = ends(header) else { return false };
    let table = Table { columns: header.len(), header: Some(header), sample: &[], folders: &[] };
    ends.iter().any(|&end| header[end].trim().chars().count() > 2)
        || (0..header.len()).any(|place| !ends.contains(&place) && is_attribute(table, place))
}

/// Two columns that are the ends of an edge by their names.
struct Pair {
    places: [usize; 2],
    /// Words of the names: one in `source`, two in `source_id`.
    words: usize,
}

/// Every such pair among some columns; those of fewer words first, then from the left.
fn pairs(header: &[String], among: &[usize]) -> Vec<Pair> {
    let words: Vec<Vec<String>> = header.iter().map(|name| words(name)).collect();
    let mut found = Vec::new();
    // Pairs of a wide table are looked for among the first columns: each with each is a square.
    let among = &among[..among.len().min(256)];
    for (at, &first) in among.iter().enumerate() {
        for &second in &among[at + 1..] {
            // A header may have fewer names than there are columns.
            let (Some(one), Some(other)) = (words.get(first), words.get(second)) else { continue };
            if let Some(order) = are_ends(one, other) {
                let places = if order { [first, second] } else { [second, first] };
                found.push(Pair { places, words: one.len() });
            }
        }
    }
    found.sort_by_key(|pair| pair.words);
    found
}

/// Whether two names differ in one word, and there as the two ends of an edge do: `Some(true)` in this order,
/// `Some(false)` in the other.
fn are_ends(one: &[String], other: &[String]) -> Option<bool> {
    // `1` and `2` are the ends of `person1` and `person2`; alone they are numbers.
    let is_number =
        |words: &[String]| words.iter().all(|word| word.bytes().all(|b| b.is_ascii_digit()));
    if one.len() != other.len() || is_number(one) {
        return None;
    }
    let mut differing = one.iter().zip(other).filter(|(a, b)| a != b);
    let (Some((a, b)), None) = (differing.next(), differing.next()) else { return None };
    let is = |first: &str, second: &str| ENDS.contains(&[first, second]);
    if is(a, b) {
        Some(true)
    } else if is(b, a) {
        Some(false)
    } else {
        None
    }
}

/// The words of a name, in lower case: `FromNodeId`, `from_node_id` and `from node id` have three, `:START_ID(Person)`
/// two, `person1` two.
fn words(name: &str) -> Vec<String> {
    // Neo4j's types and groups say nothing of the ends.
    let name = name.trim();
    let name = name.split_once('(').map_or(name, |(before, _)| before);
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for c in name.chars() {
        let kind = match c {
            c if c.is_ascii_digit() => Some(Kind::Digit),
            c if c.is_uppercase() => Some(Kind::Upper),
            c if c.is_alphanumeric() => Some(Kind::Lower),
            _ => None,
        };
        let begins = match (before, kind) {
            (_, None) => false,
            (Some(Kind::Upper), Some(Kind::Lower)) => false,
            (before, kind) => before != kind,
        };
        if begins {
            words.push(String::new());
        }
        if kind.is_some()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = kind;
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digit,
    Upper,
    Lower,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(values: &[&str]) -> Vec<String> {
        values.iter().map(|&value| value.to_owned()).collect()
    }

    fn of_header(
        asked: Option<&str>,
        header: &str,
        first: &[&str],
    ) -> Result<ChosenColumns, String> {
        let names = strings(&header.split(',').collect::<Vec<_>>());
        let mut sample = vec![Vec::new(); names.len()];
        sample[0] = strings(first);
        let asked = asked.map(|asked| asked.parse().unwrap());
        let table =
            Table { columns: names.len(), header: Some(&names), sample: &sample, folders: &[] };
        choose(asked.as_ref(), table).map_err(|message| message.to_string())
    }

    #[test]
    fn headers_that_tell() {
        for (header, places) in [
            ("source,target", [0, 1]),
            ("Source,Target,Type,Id,Label,timeset,Weight", [0, 1]),
            ("weight,src,dst", [1, 2]),
            ("to,from", [1, 0]),
            ("FromNodeId,ToNodeId", [0, 1]),
            ("from_id,to_id,since", [0, 1]),
            (":START_ID(Person),since:int,:END_ID(Person),:TYPE", [0, 2]),
            (":START_ID,:END_ID,:TYPE", [0, 1]),
            ("person1_id,person2_id", [0, 1]),
            ("Person1Id,Person2Id,CreationDate", [0, 1]),
            ("creationDate,Person1Id,Person2Id", [1, 2]),
            ("id1,id2,kind", [0, 1]),
            ("node_1,node_2", [0, 1]),
            ("node1,node2,w", [0, 1]),
            ("numeric_id_1,numeric_id_2", [0, 1]),
            ("followee,follower", [0, 1]),
            ("u,v,trussness", [0, 1]),
            ("i,j,x", [0, 1]),
            ("userA,userB,rating", [0, 1]),
            ("a,b", [0, 1]),
            ("row,col,value", [0, 1]),
            ("node,friend", [0, 1]),
            ("node,friend,weight", [0, 1]),
            ("source,target,source_name,target_name", [0, 1]),
            ("SENDER,RECEIVER,AMOUNT", [0, 1]),
            ("_start,_end,_type", [0, 1]),
        ] {
            let found = of_header(None, header, &["5", "9"]);
            assert_eq!(found.map(|chosen| chosen.places), Ok(places), "{header}");
        }
    }

    #[test]
    fn a_header_that_does_not_tell_is_asked_about() {
        let error = of_header(None, "person,friend,met", &["5", "9"]).unwrap_err();
        assert_eq!(
            error,
            "the header does not tell which two columns are the ends of an edge; the columns are \
             `person`, `friend`, `met` (name two columns, for example `person` and `friend`)"
        );
        let error = of_header(None, "from_id,to_id,from_name,to_name", &["5"]).unwrap_err();
        assert!(error.starts_with("several pairs of columns could be the ends"), "{error}");
        assert!(error.ends_with("for example `from_id` and `to_id`)"), "{error}");
        // A column of row numbers is not proposed, whatever it is called.
        let header = ["id", "von", "nach"].map(String::from);
        let column = |values: [&str; 3]| values.map(String::from).to_vec();
        let sample = [["0", "1", "2"], ["7", "7", "9"], ["8", "9", "7"]].map(column);
        let table = Table { columns: 3, header: Some(&header), sample: &sample, folders: &[] };
        let error = choose(None, table).unwrap_err().to_string();
        assert!(error.ends_with("for example `von` and `nach`)"), "{error}");
        let error = of_header(None, "a", &["5"]).unwrap_err();
        assert!(error.starts_with("there is one column only"), "{error}");
    }

    #[test]
    fn an_index_column_is_left_out_and_told() {
        let chosen = of_header(None, ",person,friend", &["0", "1", "2"]).unwrap();
        assert_eq!(chosen.places, [1, 2]);
        let note = "column 1, which has no name, counts the rows (0, 1, 2, …) and was left out";
        assert_eq!(chosen.note.as_deref(), Some(note));
        let chosen = of_header(None, "Unnamed: 0,source,target", &["0", "1", "2"]).unwrap();
        assert_eq!(chosen.places, [1, 2]);
        assert!(chosen.note.unwrap().starts_with("column `Unnamed: 0` counts"));
        // It does not count.
        let chosen = of_header(None, ",friend", &["0", "2"]).unwrap();
        assert_eq!((chosen.places, chosen.note), ([0, 1], None));
        let chosen = of_header(None, ",a", &["0", "1"]);
        assert!(chosen.is_err(), "{chosen:?}");
    }

    #[test]
    fn without_a_header_the_first_two() {
        let sample = [["0", "1", "2"], ["5", "5", "6"], ["6", "7", "7"]];
        let sample = sample.map(|column| strings(&column));
        let of = |columns: usize| {
            choose(None, Table { columns, header: None, sample: &sample[..columns], folders: &[] })
                .unwrap()
        };
        assert_eq!((of(2).places, of(2).note), ([0, 1], None));
        assert_eq!(of(3).places, [0, 1]);
        assert!(of(3).note.unwrap().starts_with("column 1 counts the rows (0, 1, 2, …)"));
        assert_eq!(of(3).names, ["1", "2"]);
    }

    #[test]
    fn columns_that_were_asked_for() {
        let places = |asked, header| of_header(Some(asked), header, &[]).map(|c| c.places);
        assert_eq!(places("b,a", "a,b,c"), Ok([1, 0]));
        assert_eq!(places("3,1", "a,b,c"), Ok([2, 0]));
        assert_eq!(places("C,a", "a,b,c"), Ok([2, 0]));
        // A name of digits goes before a number.
        assert_eq!(places("0,1", "0,1,2"), Ok([0, 1]));
        let error = places("a,d", "a,b,c").unwrap_err();
        let expected = "there is no column `d`; the columns are `a`, `b`, `c` ";
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
