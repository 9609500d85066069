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
    kind: Kind,
    /// All first ends before all second ones.
    by_columns: bool,
    /// Whether the shape is (2, 2), which may be either.
    doubtful: bool,
    /// Where the data begin.
    data: usize,
}

/// The type of an edge's ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer(Integer),
    Float(Float),
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Kind::Integer(integer) => integer.bytes,
            Kind::Float(float) => float.bytes(),
        }
    }
}

/// A floating-point element's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Float {
    Single,
    Double,
}

/// An integer element's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Integer {
    signed: bool,
    bytes: usize,
}

/// The array's data.
struct Array<'a> {
    data: &'a [u8],
    rows: usize,
    kind: Kind,
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
        let announced = u128::from(head.rows) * 2 * head.kind.bytes() as u128;
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
        let array = Array { data, rows, kind: head.kind, by_columns: head.by_columns };
        let max = largest(&array).map_err(|(row, column, message)| {
            input.at_byte(head.data + array.index(row, column) * head.kind.bytes(), message)
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
        match self.kind {
            Kind::Integer(integer) => {
                let value = integer.at(self.data, place);
                u64::try_from(value).map_err(|_| negative(row, value))
            }
            Kind::Float(float) => {
                let value = float.at(self.data, place);
                ids::of_float(value).map_err(|message| match value < 0.0 {
                    true => negative(row, value),
                    false => message.map_problem(|problem| format!("row {row}: {problem}")),
                })
            }
        }
    }

    /// A row whose elements are known to be ids.
    #[inline]
    fn row(&self, row: usize) -> [u64; 2] {
        [0, 1].map(|column| {
            let place = self.index(row, column);
            match self.kind {
                Kind::Integer(integer) => integer.at(self.data, place) as u64,
                Kind::Float(float) => float.at(self.data, place) as u64,
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

impl Float {
    /// The type that a header names, if it is one.
    fn of(descr: &str) -> Option<Float> {
        let name = descr.get(1..4)?;
        let quote = descr.starts_with(['\'', '"']) && descr[4..].starts_with(&descr[..1]);
        match name {
            "<f4" if quote => Some(Float::Single),
            "<f8" if quote => Some(Float::Double),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Float::Single => size_of::<f32>(),
            Float::Double => size_of::<f64>(),
        }
    }

    /// The element at a place of an array.
    #[inline]
    fn at(self, data: &[u8], place: usize) -> f64 {
        let at = place * self.bytes();
        match self {
            Float::Single => {
                let mut word = [0; size_of::<f32>()];
                word.copy_from_slice(&data[at..at + size_of::<f32>()]);
                f32::from_le_bytes(word).into()
            }
            Float::Double => {
                let mut word = [0; size_of::<f64>()];
                word.copy_from_slice(&data[at..at + size_of::<f64>()]);
                f64::from_le_bytes(word)
            }
        }
    }
}

impl Integer {
    /// The element at a place of an array.
    #[inline]
    fn at(self, data: &[u8], place: usize) -> i128 {
        let Integer { signed, bytes } = self;
        let at = place * bytes;
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(&data[at..at + bytes]);
        let value = u64::from_le_bytes(word);
        if signed {
            // The element's sign bit moves to the word's, and back with its copies.
            let shift = 64 - 8 * bytes as u32;
            i128::from(((value << shift) as i64) >> shift)
        } else {
            i128::from(value)
        }
    }
}

/// Reads the header of an array of shape (m, 2) or (2, m).
fn head(input: &Input) -> Result<Head> {
    let Header { text, start, data } = header(input)?;
    let complain = |message: String| input.at_byte(start, message);
    let descr = value(&text, "descr").unwrap_or("");
    let kind = match Float::of(descr) {
        Some(float) => Kind::Float(float),
        None => Kind::Integer(integer(descr, complain)?),
    };
    let fortran = match value(&text, "fortran_order") {
        Some(flag) if flag.starts_with("False") => false,
        Some(flag) if flag.starts_with("True") => true,
        _ => {
            return Err(complain("the header has no `fortran_order`: save the array again".into()));
        }
    };
    let (rows, transposed) = rows(value(&text, "shape").unwrap_or(""), complain)?;
    let doubtful = rows == 2;
    Ok(Head { rows, kind, by_columns: fortran != transposed, doubtful, data })
}

/// The integers of a one-dimensional array, none of them negative.
#[cfg(feature = "archives")]
pub(super) struct List<'a> {
    data: &'a [u8],
    integer: Integer,
}

#[cfg(feature = "archives")]
impl List<'_> {
    pub(super) fn len(&self) -> usize {
        self.data.len() / self.integer.bytes
    }

    #[inline]
    pub(super) fn at(&self, place: usize) -> u64 {
        // Not negative, as was checked.
        self.integer.at(self.data, place) as u64
    }
}

/// The integers of a one-dimensional array, where they are. A negative one is an error.
#[cfg(feature = "archives")]
pub(super) fn integers<'a>(input: &Input<'a>) -> Result<List<'a>> {
    let Header { text, start, data } = header(input)?;
    let complain = |message: String| input.at_byte(start, message);
    let integer = integer(value(&text, "descr").unwrap_or(""), complain)?;
    let shape = value(&text, "shape").unwrap_or("");
    let Some(&[length]) = lengths(shape).as_deref() else {
        let shape = excerpt(format!("({})", inside(shape).unwrap_or("")).as_bytes());
        return Err(complain(format!("the shape {shape} is not that of a list of numbers")));
    };
    let bytes = &input.content[data..];
    if u128::from(length) * integer.bytes as u128 != bytes.len() as u128 {
        return Err(input.at_byte(
            data,
            format!(
                "the header announces {length} numbers and {} bytes follow: the file is damaged, \
                 save the matrix again",
                bytes.len()
            ),
        ));
    }
    let list = List { data: bytes, integer };
    let negative = par::find_map_first(par::blocks(list.len(), BLOCK), |mut block| {
        block.find(|&i| integer.at(bytes, i) < 0)
    });
    match negative {
        None => Ok(list),
        Some(i) => Err(input.at_byte(
            data + i * integer.bytes,
            format!("{} is negative: save the matrix again", integer.at(bytes, i)),
        )),
    }
}

/// How the elements of an array of numbers are kept.
#[cfg(feature = "archives")]
pub(super) struct Element {
    pub(super) bytes: usize,
    /// Where the sign of a float is, which zeros may have.
    sign: Option<usize>,
}

#[cfg(feature = "archives")]
impl Element {
    pub(super) fn is_zero(&self, value: &[u8]) -> bool {
        let is_sign = |at: usize| self.sign == Some(at) && value[at] == 0x80;
        value.iter().enumerate().all(|(at, &byte)| byte == 0 || is_sign(at))
    }
}

/// Where the data of an array of real numbers begin, and what their elements are.
#[cfg(feature = "archives")]
pub(super) fn element(input: &Input) -> Option<(usize, Element)> {
    let Header { text, data, .. } = header(input).ok()?;
    let descr = value(&text, "descr")?.get(1..)?.split(['\'', '"']).next()?;
    let order = descr.bytes().next()?;
    let bytes: usize = descr.get(2..)?.parse().ok().filter(|bytes| (1..=16).contains(bytes))?;
    let sign = match descr.as_bytes()[1] {
        b'f' if order == b'>' => Some(0),
        b'f' => Some(bytes - 1),
        b'i' | b'u' | b'b' => None,
        _ => return None,
    };
    Some((data, Element { bytes, sign }))
}

/// The length of a one-dimensional array, from its header alone.
#[cfg(feature = "archives")]
pub(super) fn length(input: &Input) -> Option<u64> {
    let Header { text, .. } = header(input).ok()?;
    let &[length] = lengths(value(&text, "shape")?).as_deref()? else { return None };
    Some(length)
}

/// The numbers of a one-dimensional array as doubles.
#[cfg(feature = "archives")]
pub(super) fn doubles(input: &Input) -> Result<Vec<f64>> {
    let Header { text, start, data } = header(input)?;
    let complain = |message: String| input.at_byte(start, message);
    let bytes = &input.content[data..];
    let wide: fn(&[u8]) -> f64 = match value(&text, "descr").unwrap_or("") {
        descr if descr.contains("<f8") => {
            |item| f64::from_le_bytes(item.try_into().unwrap_or_default())
        }
        descr if descr.contains("<f4") => {
            |item| f32::from_le_bytes(item.try_into().unwrap_or_default()).into()
        }
        descr if descr.contains("|b1") => |item| item[0].into(),
        descr => {
            let integer = integer(descr, complain)?;
            let places = 0..bytes.len() / integer.bytes;
            return Ok(places.map(|place| integer.at(bytes, place) as f64).collect());
        }
    };
    let size = match value(&text, "descr").unwrap_or("") {
        descr if descr.contains("f8") => 8,
        descr if descr.contains("f4") => 4,
        _ => 1,
    };
    let Some(&[length]) = lengths(value(&text, "shape").unwrap_or("")).as_deref() else {
        return Err(complain("the weights are no list of numbers: save the matrix again".into()));
    };
    if u128::from(length) * size as u128 != bytes.len() as u128 {
        let have = bytes.len();
        let message = format!(
            "the header announces {length} numbers and {have} bytes follow: the file is damaged, save the \
             matrix again"
        );
        return Err(input.at_byte(data, message));
    }
    let mut doubles =
        memory::with_capacity(bytes.len() / size).map_err(|refused| input.no_memory(refused))?;
    doubles.extend(bytes.chunks_exact(size).map(wide));
    Ok(doubles)
}

/// The text of an array of shape ().
#[cfg(feature = "archives")]
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

fn integer(descr: &str, complain: impl Fn(String) -> Error) -> Result<Integer> {
    let advice = "save the array with `.astype('<u4')` or another little-endian integer type";
    // A list names the fields of records, and what they are called is no type.
    let quote = descr.chars().next().filter(|&first| first == '\'' || first == '"');
    let Some(name) = quote.and_then(|quote| descr[1..].split(quote).next()) else {
        return Err(complain(match descr.starts_with('[') {
            true => format!("the array holds records, not integers: {advice}"),
            false => "the header has no `descr` that is a type: save the array again".into(),
        }));
    };
    let bytes = match name.get(2..) {
        Some("1") => 1,
        Some("2") => 2,
        Some("4") => 4,
        Some("8") => 8,
        _ => 0,
    };
    match name.as_bytes() {
        [order, kind @ (b'i' | b'u'), ..] if bytes > 0 => match order {
            b'<' | b'|' => Ok(Integer { signed: *kind == b'i', bytes }),
            b'>' => Err(complain(format!("the type `{name}` is big-endian: {advice}"))),
            _ => {
                Err(complain(format!("the type {} is unknown: {advice}", excerpt(name.as_bytes()))))
            }
        },
        _ => {
            Err(complain(format!("the type {} is no integer: {advice}", excerpt(name.as_bytes()))))
        }
    }
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
