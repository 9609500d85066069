//! NumPy arrays of shape (m, 2), or (2, m) as PyTorch Geometric has them: integers, or floats that are whole, as
//! `numpy.loadtxt` makes of them.
//!
//! An array of shape (2, 2) is taken as two rows of one edge each, and a warning says so.
//!
//! Format: NumPy Enhancement Proposal 1, versions 1.0 to 3.0.

use super::Options;
use super::entries::LARGEST;
use super::format::{About, Format, Reader, is_raw};
use super::ids;
use super::input::{Input, excerpt};
use super::inspect::{Content, Entries};
use super::memory::{self, NoMemory};
use crate::{Error, Graph, Message, Result};
use tribin_base::par;

/// What the header declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Head {
    /// Rows: entries.
    rows: u64,
    element: Element,
    /// All first ends before all second ones.
    by_columns: bool,
    /// Whether the shape is (2, 2), which may be either.
    doubtful: bool,
    /// Where the data begin.
    data: usize,
}

/// How the elements of an array are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Element {
    /// NumPy's letter for the byte order: `<`, `>`, or `|` where there is none.
    order: u8,
    /// NumPy's letter for the kind: `i`, `u`, `f` or `b`.
    kind: u8,
    bytes: usize,
}

/// The array's data.
struct Array<'a> {
    data: &'a [u8],
    rows: usize,
    element: Element,
    by_columns: bool,
}

/// Rows that one task reads.
const BLOCK: usize = 1 << 16;

/// The format.
pub(super) struct Npy;

impl Reader for Npy {
    fn about(&self) -> About {
        About::of(Format::Npy)
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        // Raw pairs may begin so by chance: there, more of the header has to be right.
        head.starts_with(b"\x93NUMPY") && (!is_raw(named) || has_dictionary(head))
    }

    fn sizes(&self, content: &Content, _: &Options) -> Result<(Option<u64>, Entries)> {
        Ok((None, Entries::Declared(head(&content.input)?.rows)))
    }

    fn parse(&self, input: &Input, _: &Options) -> Result<Graph> {
        let head = head(input)?;
        if head.doubtful {
            tracing::warn!(
                "{}: the shape (2, 2) may be two edges as rows or as columns: read as rows; transpose the \
                 array if its columns are the edges",
                input.name
            );
        }
        let data = &input.content[head.data..];
        let announced = u128::from(head.rows) * 2 * head.element.bytes as u128;
        if announced != data.len() as u128 {
            return Err(input.at_byte(
                head.data,
                format!(
                    "the header announces {announced} bytes of data and {} follow: the file is cut off \
                     or damaged, save the array again",
                    data.len()
                ),
            ));
        }
        // As many rows as the data hold.
        let rows = head.rows as usize;
        let array = Array { data, rows, element: head.element, by_columns: head.by_columns };
        let max = largest(&array).map_err(|(row, column, message)| {
            input.at_byte(head.data + array.index(row, column) * head.element.bytes, message)
        })?;
        input.meter.finish();
        let no_memory = |refused| input.no_memory(refused);
        if max > LARGEST {
            return ids::wide(input.name, array.parts().map_err(no_memory)?, 0);
        }
        let mut edges = memory::zeroed::<[u32; 2]>(rows).map_err(no_memory)?;
        par::fill(&mut edges, |row| array.row(row).map(|id| id as u32));
        ids::graph(input.name, edges, max, None)
    }
}

/// Whether a file begins with a version that there is and a dictionary.
fn has_dictionary(head: &[u8]) -> bool {
    match head.get(6..8) {
        Some([1, 0]) => head.get(10) == Some(&b'{'),
        Some([2 | 3, 0]) => head.get(12) == Some(&b'{'),
        _ => false,
    }
}

/// A row and a column, and why no id stands there.
type NoId = (usize, usize, Message);

/// The largest id; or where the first element is that is none, and why.
fn largest(array: &Array) -> Result<u64, NoId> {
    let largest = par::try_map(par::blocks(array.rows, BLOCK), |rows| {
        let mut max = 0;
        for row in rows {
            for column in 0..2 {
                let id = array.id(row, column);
                max = max.max(id.map_err(|message| (row, column, message))?);
            }
        }
        Ok(max)
    });
    Ok(largest?.into_iter().max().unwrap_or(0))
}

impl Array<'_> {
    fn index(&self, row: usize, column: usize) -> usize {
        if self.by_columns { column * self.rows + row } else { 2 * row + column }
    }

    /// The id at a place, or why there is none.
    #[inline]
    fn id(&self, row: usize, column: usize) -> Result<u64, Message> {
        let place = self.index(row, column);
        if self.element.kind == b'f' {
            let value = self.element.float(self.data, place);
            return ids::of_float(value).map_err(|message| match value < 0.0 {
                true => negative(row, value),
                false => message.map_problem(|problem| format!("row {row}: {problem}")),
            });
        }
        let value = self.element.integer(self.data, place);
        u64::try_from(value).map_err(|_| negative(row, value))
    }

    /// A row whose elements are known to be ids.
    #[inline]
    fn row(&self, row: usize) -> [u64; 2] {
        [0, 1].map(|column| {
            let place = self.index(row, column);
            match self.element.kind {
                b'f' => self.element.float(self.data, place) as u64,
                _ => self.element.integer(self.data, place) as u64,
            }
        })
    }

    /// All rows, in parts that follow one another.
    fn parts(&self) -> Result<Vec<Vec<[u64; 2]>>, NoMemory> {
        par::try_map(par::blocks(self.rows, BLOCK), |rows| {
            let mut part = memory::with_capacity(rows.len())?;
            part.extend(rows.map(|row| self.row(row)));
            Ok(part)
        })
    }
}

/// What is wrong with a negative number.
#[cold]
fn negative(row: usize, value: impl std::fmt::Display) -> Message {
    format!(
        "the vertex id {value} in row {row} is negative: ids are integers from 0 on, renumber the \
         vertices"
    )
    .into()
}

impl Element {
    /// The type of this name, for example `<i4`.
    fn of(name: &str) -> Option<Element> {
        let &[order, kind @ (b'i' | b'u' | b'f' | b'b'), ..] = name.as_bytes() else { return None };
        let bytes = name.get(2..)?.parse().ok().filter(|bytes| (1..=16).contains(bytes))?;
        Some(Element { order, kind, bytes })
    }

    /// The integer or the truth value at a place of an array.
    #[inline]
    fn integer(self, data: &[u8], place: usize) -> i128 {
        let Element { kind, bytes, .. } = self;
        let element = &data[place * bytes..];
        let word = element.first_chunk().copied().unwrap_or_else(|| {
            let mut word = [0; 8];
            word[..bytes].copy_from_slice(&element[..bytes]);
            word
        });
        // The element's sign bit moves to the word's, and back with its copies. What stands behind the element falls out.
        let shift = 64 - 8 * bytes as u32;
        let word = u64::from_le_bytes(word) << shift;
        if kind == b'i' { i128::from((word as i64) >> shift) } else { i128::from(word >> shift) }
    }

    /// The float at a place of an array.
    #[inline]
    fn float(self, data: &[u8], place: usize) -> f64 {
        let element = &data[place * self.bytes..];
        match self.bytes {
            4 => element.first_chunk().map_or(0.0, |&bytes| f32::from_le_bytes(bytes).into()),
            _ => element.first_chunk().map_or(0.0, |&bytes| f64::from_le_bytes(bytes)),
        }
    }
}

/// Reads the header of an array of shape (m, 2) or (2, m).
fn head(input: &Input) -> Result<Head> {
    let Header { text, start, data } = header(input)?;
    let complain = |message: String| input.at_byte(start, message);
    let element = element_of(&text, b"iuf", complain)?;
    let fortran = match value(&text, "fortran_order") {
        Some(flag) if flag.starts_with("False") => false,
        Some(flag) if flag.starts_with("True") => true,
        _ => {
            return Err(complain("the header has no `fortran_order`: save the array again".into()));
        }
    };
    let (rows, transposed) = rows(value(&text, "shape").unwrap_or(""), complain)?;
    let doubtful = rows == 2;
    Ok(Head { rows, element, by_columns: fortran != transposed, doubtful, data })
}

/// The numbers of a one-dimensional array, where they are.
pub(super) struct List<'a> {
    data: &'a [u8],
    element: Element,
}

impl List<'_> {
    pub(super) fn len(&self) -> usize {
        self.data.len() / self.element.bytes
    }

    /// An integer that is not negative.
    #[inline]
    pub(super) fn at(&self, place: usize) -> u64 {
        self.element.integer(self.data, place) as u64
    }
}

/// A one-dimensional array of some `kinds` of numbers, and where its data begin.
fn list<'a>(input: &Input<'a>, kinds: &[u8]) -> Result<(List<'a>, usize)> {
    let Header { text, start, data } = header(input)?;
    let complain = |message: String| input.at_byte(start, message);
    let element = element_of(&text, kinds, complain)?;
    let shape = value(&text, "shape").unwrap_or("");
    let Some(&[length]) = lengths(shape).as_deref() else {
        let shape = excerpt(format!("({})", inside(shape).unwrap_or("")).as_bytes());
        return Err(complain(format!("the shape {shape} is not that of a list of numbers")));
    };
    let bytes = &input.content[data..];
    if u128::from(length) * element.bytes as u128 != bytes.len() as u128 {
        return Err(input.at_byte(
            data,
            format!(
                "the header announces {length} numbers and {} bytes follow: the file is damaged, \
                 save the matrix again",
                bytes.len()
            ),
        ));
    }
    Ok((List { data: bytes, element }, data))
}

/// The integers of a one-dimensional array. A negative one is an error.
pub(super) fn integers<'a>(input: &Input<'a>) -> Result<List<'a>> {
    let (list, data) = list(input, b"iu")?;
    let value = |place| list.element.integer(list.data, place);
    let negative = par::find_map_first(par::blocks(list.len(), BLOCK), |mut block| {
        block.find(|&place| value(place) < 0)
    });
    match negative {
        None => Ok(list),
        Some(place) => Err(input.at_byte(
            data + place * list.element.bytes,
            format!("{} is negative: save the matrix again", value(place)),
        )),
    }
}

/// The numbers of a one-dimensional array as doubles.
pub(super) fn doubles(input: &Input) -> Result<Vec<f64>> {
    let (list, _) = list(input, b"iufb")?;
    let List { data, element } = list;
    let mut doubles =
        memory::with_capacity(list.len()).map_err(|refused| input.no_memory(refused))?;
    doubles.extend((0..list.len()).map(|place| match element.kind {
        b'f' => element.float(data, place),
        _ => element.integer(data, place) as f64,
    }));
    Ok(doubles)
}

/// How many of the first `entries` of a list of real numbers are 0, in any order of their bytes; `None` where it is none, or shorter.
pub(super) fn zeros(input: &Input, entries: usize) -> Option<u64> {
    let Header { text, data, .. } = header(input).ok()?;
    let Element { order, kind, bytes } = Element::of(type_name(value(&text, "descr")?)?)?;
    let values = input.content[data..].chunks_exact(bytes);
    // The bit of a float's sign may be set.
    let sign = if order == b'>' { 0 } else { bytes - 1 };
    let is_zero = |at: usize, byte: u8| byte == 0 || (kind == b'f' && at == sign && byte == 0x80);
    let are_zero = |value: &&[u8]| value.iter().enumerate().all(|(at, &byte)| is_zero(at, byte));
    (values.len() >= entries).then(|| values.take(entries).filter(are_zero).count() as u64)
}

/// The length of a one-dimensional array, from its header alone.
pub(super) fn length(input: &Input) -> Option<u64> {
    let Header { text, .. } = header(input).ok()?;
    let &[length] = lengths(value(&text, "shape")?).as_deref()? else { return None };
    Some(length)
}

/// The text of an array of shape ().
pub(super) fn string<'a>(input: &Input<'a>) -> Result<&'a [u8]> {
    Ok(&input.content[header(input)?.data..])
}

/// A header: a Python dictionary.
struct Header {
    text: String,
    /// Where the dictionary begins.
    start: usize,
    /// Where the data begin.
    data: usize,
}

fn header(input: &Input) -> Result<Header> {
    let bytes = input.content;
    let wrong = |at, message: &str| Err(input.at_byte(at, message));
    if !bytes.starts_with(b"\x93NUMPY") {
        let found = excerpt(&bytes[..bytes.len().min(6)]);
        return Err(input.at_byte(
            0,
            format!("{found} is not the beginning of a .npy file (`\\x93NUMPY`): use numpy.save"),
        ));
    }
    let cut = "the file ends inside its header: it is cut off, save the array again";
    let Some(&version) = bytes.get(6) else { return wrong(6, cut) };
    let (length, start) = match version {
        1 => match bytes.get(8..10) {
            Some(field) => (usize::from(field[0]) | usize::from(field[1]) << 8, 10),
            None => return wrong(bytes.len(), cut),
        },
        2 | 3 => match bytes.get(8..).and_then(|field| field.first_chunk::<4>()) {
            Some(field) => (u32::from_le_bytes(*field) as usize, 12),
            None => return wrong(bytes.len(), cut),
        },
        _ => {
            return Err(input.at_byte(
                6,
                format!(
                    "version {version} of the .npy format is unknown: versions 1 to 3 are read"
                ),
            ));
        }
    };
    let Some(text) = bytes[start..].get(..length) else { return wrong(bytes.len(), cut) };
    let text = String::from_utf8_lossy(text).into_owned();
    Ok(Header { text, start, data: start + length })
}

/// What follows `'key':` in a header, which is a literal Python dictionary.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let at = quoted.iter().find_map(|key| text.find(key).map(|at| at + key.len()))?;
    text[at..].trim_start().strip_prefix(':').map(str::trim_start)
}

/// The name of a type between quotes. A list names the fields of records, and what they are called is no type.
fn type_name(descr: &str) -> Option<&str> {
    let quote = descr.chars().next().filter(|&first| first == '\'' || first == '"')?;
    descr[1..].split(quote).next()
}

/// The type of an array's elements, which is one of some `kinds`.
fn element_of(text: &str, kinds: &[u8], complain: impl Fn(String) -> Error) -> Result<Element> {
    let advice = "save the array with `.astype('<u4')` or another little-endian integer type";
    let descr = value(text, "descr").unwrap_or("");
    let Some(name) = type_name(descr) else {
        return Err(complain(match descr.starts_with('[') {
            true => format!("the array holds records, not integers: {advice}"),
            false => "the header has no `descr` that is a type: save the array again".into(),
        }));
    };
    let is_read = |element: &Element| {
        kinds.contains(&element.kind)
            && match element.kind {
                b'f' => matches!(element.bytes, 4 | 8),
                b'b' => element.bytes == 1,
                _ => matches!(element.bytes, 1 | 2 | 4 | 8),
            }
    };
    let called = excerpt(name.as_bytes());
    Err(complain(match Element::of(name).filter(is_read) {
        Some(element) if matches!(element.order, b'<' | b'|') => return Ok(element),
        Some(element) if element.order == b'>' => {
            format!("the type {called} is big-endian: {advice}")
        }
        Some(_) => format!("the type {called} is unknown: {advice}"),
        None => format!("the type {called} is no integer: {advice}"),
    }))
}

/// The number of edges, and whether they are the columns.
fn rows(shape: &str, complain: impl Fn(String) -> Error) -> Result<(u64, bool)> {
    match lengths(shape).as_deref() {
        Some(&[rows, 2]) => Ok((rows, false)),
        Some(&[2, columns]) => Ok((columns, true)),
        Some(_) => Err(complain(format!(
            "the array's shape is {}: edges are an array of shape (m, 2), one row for each, or \
             (2, m)",
            excerpt(format!("({})", inside(shape).unwrap_or("")).as_bytes())
        ))),
        None => Err(complain("the header has no valid `shape`: save the array again".into())),
    }
}

/// What stands between the parentheses of a shape.
fn inside(shape: &str) -> Option<&str> {
    shape.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside)
}

fn lengths(shape: &str) -> Option<Vec<u64>> {
    let parts = inside(shape)?.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.trim_end_matches('L').parse().ok()).collect()
}
