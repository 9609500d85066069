//! NumPy arrays of shape (m, 2), or (2, m) as PyTorch Geometric has them: integers, or floats that are whole, as
//! `numpy.loadtxt` makes of them.
//!
//! An array of shape (2, 2) is taken as two rows of one edge each, and a warning says so.
//!
//! Format: NumPy Enhancement Proposal 1, versions 1.0 to 3.0.

use std::ops::Range;

use super::entries::LARGEST;
use super::format::{About, Format, Reader, is_raw};
use super::ids;
use super::input::{Fault, excerpt};
use super::inspect::Foretold;
use super::memory::{self, NoMemory};
use super::open_file::OpenFile;
use crate::{Graph, Message, Result};
use tribin_base::par;

/// Rows that one task reads.
const BLOCK: usize = 1 << 16;

/// The format.
pub(super) struct Npy;

impl Reader for Npy {
    fn about(&self) -> About {
        About::of(Format::Npy)
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        // Raw pairs may begin so by chance: there, the header's dictionary has to be there too.
        let has_dictionary = || [10, 12].iter().any(|&at| head.get(at) == Some(&b'{'));
        let is_array = head.starts_with(b"\x93NUMPY") && matches!(head.get(6), Some(1..=3));
        is_array && (!is_raw(named) || has_dictionary())
    }

    fn sizes(&self, input: &OpenFile) -> Result<Option<Foretold>> {
        let array = NumpyArray::head(input, b"iuf")?;
        Ok(Some(Foretold::declared(array.edges(input)?, None)))
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        let array = NumpyArray::whole(input, b"iuf")?;
        let rows = array.edges(input)?;
        let by_columns = array.has_columns();
        if rows == 2 {
            tracing::warn!(
                "{}: the shape (2, 2) may be two edges as rows or as columns: read as rows; transpose the \
                 array if its columns are the edges",
                input.name()
            );
        }
        // As many rows as the data hold.
        let rows = rows as usize;
        let place = |row: usize, column: usize| match by_columns {
            true => column * rows + row,
            false => 2 * row + column,
        };
        let largest = par::try_map(par::blocks(rows, BLOCK), |rows| -> Result<u64> {
            let mut max = 0;
            for row in rows {
                for place in [0, 1].map(|column| place(row, column)) {
                    let id = array.id(place).map_err(|message| {
                        let message =
                            message.map_problem(|problem| format!("row {row}: {problem}"));
                        input.at_byte(array.data_at + place * array.bytes, message)
                    });
                    max = max.max(id?);
                }
            }
            Ok(max)
        })?;
        let max = largest.into_iter().max().unwrap_or(0);
        let row = |row| [0, 1].map(|column| array.id(place(row, column)).unwrap_or_default());
        if max > LARGEST {
            let parts = par::try_map(par::blocks(rows, BLOCK), |rows| {
                let mut part = memory::with_capacity(rows.len())?;
                part.extend(rows.map(row));
                Ok::<_, NoMemory>(part)
            });
            return Ok(ids::wide(input.name(), parts?, None)?);
        }
        let mut graph = memory::zeroed::<[u32; 2]>(rows)?;
        par::fill(&mut graph, |place| row(place).map(|id| id as u32));
        Ok(ids::graph(input.name(), graph, max, None)?)
    }
}

/// Numbers of an array, where they stand in its file.
pub(super) struct NumpyArray<'a> {
    pub(super) shape: Vec<u64>,
    /// The shape for a message.
    shown: String,
    is_fortran: bool,
    /// Whether the first byte of an element is the highest.
    is_big: bool,
    /// NumPy's letter for the kind of elements: `i`, `u`, `f` or `b`.
    kind: u8,
    /// Bytes of an element.
    bytes: usize,
    data: &'a [u8],
    /// Where the dictionary begins, and where the data.
    start: usize,
    data_at: usize,
}

impl<'a> NumpyArray<'a> {
    /// The number of edges in the array.
    fn edges(&self, input: &OpenFile) -> Result<u64> {
        match self.shape[..] {
            [edges, 2] | [2, edges] => Ok(edges),
            _ => {
                let message = format!(
                    "the array's shape is {}: edges are an array of shape (m, 2), one row for each, or (2, m)",
                    self.shown
                );
                Err(input.at_byte(self.start, message))
            }
        }
    }

    /// Whether all first ends of edges stand before all second ones.
    fn has_columns(&self) -> bool {
        self.is_fortran == (self.shape.last() == Some(&2))
    }

    /// An array of some `kinds` of numbers, whose data are all there.
    pub(super) fn whole(input: &'a OpenFile<'_>, kinds: &[u8]) -> Result<NumpyArray<'a>> {
        let array = NumpyArray::head(input, kinds)?;
        let elements =
            array.shape.iter().fold(1u128, |all, &length| all.saturating_mul(length.into()));
        let announced = elements.saturating_mul(array.bytes as u128);
        if announced != array.data.len() as u128 {
            let message = format!(
                "the header announces {announced} bytes of data and {} follow: the file is cut off or damaged, save the \
                 array again",
                array.data.len()
            );
            return Err(input.at_byte(array.data_at, message));
        }
        Ok(array)
    }

    /// What the header of an array of some `kinds` of numbers says.
    pub(super) fn head(input: &'a OpenFile<'_>, kinds: &[u8]) -> Result<NumpyArray<'a>> {
        let (text, Range { start, end: data_at }) = header(input)?;
        let complain = |message: String| input.at_byte(start, message);
        let descr = value(&text, "descr").unwrap_or_default();
        // The name of a type stands between quotes; a list names the fields of records.
        let quote = descr.chars().next().filter(|first| "'\"".contains(*first));
        let name = quote.and_then(|quote| descr[1..].split(quote).next()).unwrap_or(descr);
        let ElementType { kind, bytes } =
            element(name).filter(|element| kinds.contains(&element.kind)).ok_or_else(|| {
                let what = match descr.starts_with('[') {
                    true => "the array holds records, not numbers".into(),
                    false => format!("the type {} is not read here", excerpt(name.as_bytes())),
                };
                complain(format!(
                    "{what}: save the array with `.astype('<u4')` or another integer type"
                ))
            })?;
        let is_fortran = value(&text, "fortran_order").and_then(|flag| match flag {
            flag if flag.starts_with("False") => Some(false),
            flag => flag.starts_with("True").then_some(true),
        });
        let inside = value(&text, "shape").and_then(|shape| shape.strip_prefix('('));
        let inside = inside.and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside);
        let lengths = inside.and_then(|inside| {
            let parts = inside.split(',').map(str::trim).filter(|part| !part.is_empty());
            parts.map(|part| part.trim_end_matches('L').parse().ok()).collect()
        });
        let (Some(is_fortran), Some(shape)) = (is_fortran, lengths) else {
            return Err(complain(
                "the header has no valid `shape` or `fortran_order`: save the array again".into(),
            ));
        };
        let shown = excerpt(format!("({})", inside.unwrap_or_default()).as_bytes());
        let data = &input.content()[data_at..];
        Ok(NumpyArray {
            shape,
            shown,
            is_fortran,
            is_big: name.starts_with('>'),
            kind,
            bytes,
            data,
            start,
            data_at,
        })
    }

    /// The numbers of an array of one dimension, of some `kinds`.
    pub(super) fn list(input: &'a OpenFile<'_>, kinds: &[u8]) -> Result<NumpyArray<'a>> {
        let list = NumpyArray::whole(input, kinds)?;
        match list.shape.len() {
            1 => Ok(list),
            _ => Err(input.at_byte(
                list.start,
                format!("the shape {} is not that of a list of numbers", list.shown),
            )),
        }
    }

    /// The integers of an array of one dimension. A negative one is an error.
    pub(super) fn integers(input: &'a OpenFile<'_>) -> Result<NumpyArray<'a>> {
        let list = NumpyArray::list(input, b"iu")?;
        let negative = par::find_map_first(par::blocks(list.len(), BLOCK), |mut block| {
            block.find(|&place| list.integer(place) < 0)
        });
        match negative {
            None => Ok(list),
            Some(place) => Err(input.at_byte(
                list.data_at + place * list.bytes,
                format!("{} is negative: save the matrix again", list.integer(place)),
            )),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.data.len() / self.bytes
    }

    /// An integer that is not negative.
    #[inline]
    pub(super) fn at(&self, place: usize) -> u64 {
        self.integer(place) as u64
    }

    /// The first numbers, as doubles.
    pub(super) fn doubles(&self, most: usize) -> Result<Vec<f64>, NoMemory> {
        let count = self.len().min(most);
        let mut doubles = memory::with_capacity(count)?;
        doubles.extend((0..count).map(|place| match self.kind {
            b'f' => self.float(place),
            _ => self.integer(place) as f64,
        }));
        Ok(doubles)
    }

    /// The id at a place, or why there is none.
    #[inline]
    fn id(&self, place: usize) -> Result<u64, Message> {
        if self.kind == b'f' {
            return ids::of_float(self.float(place));
        }
        let value = self.integer(place);
        u64::try_from(value).map_err(|_| ids::negative(value))
    }

    /// The bits of the element at a place.
    #[inline]
    fn bits(&self, place: usize) -> u64 {
        let element = &self.data[place * self.bytes..];
        let mut word = [0; 8];
        match element.first_chunk() {
            Some(chunk) => word = *chunk,
            None => word[..self.bytes].copy_from_slice(&element[..self.bytes]),
        }
        // What stands behind the element falls out.
        let shift = 64 - 8 * self.bytes as u32;
        match self.is_big {
            true => u64::from_be_bytes(word) >> shift,
            false => u64::from_le_bytes(word) << shift >> shift,
        }
    }

    /// The integer or the truth value at a place.
    #[inline]
    fn integer(&self, place: usize) -> i128 {
        let bits = self.bits(place);
        // The element's sign bit moves to the word's, and back with its copies.
        let shift = 64 - 8 * self.bytes as u32;
        if self.kind == b'i' { ((bits << shift) as i64 >> shift).into() } else { bits.into() }
    }

    /// The float at a place.
    #[inline]
    fn float(&self, place: usize) -> f64 {
        match self.bytes {
            4 => f32::from_bits(self.bits(place) as u32).into(),
            _ => f64::from_bits(self.bits(place)),
        }
    }
}

/// The text of an array of shape (), of bytes or of characters of 32 bits.
pub(super) fn string(input: &OpenFile) -> Result<Vec<u8>> {
    let text = &input.content()[header(input)?.1.end..];
    Ok(text.iter().copied().filter(|&byte| byte != 0).collect())
}

/// The type of an array's elements.
struct ElementType {
    /// `i`, `u`, `f` or `b`.
    kind: u8,
    bytes: usize,
}

/// The elements of a type such as `<i4`, if they are numbers that are read.
fn element(name: &str) -> Option<ElementType> {
    let &[b'<' | b'>' | b'|', kind, ref digits @ ..] = name.as_bytes() else { return None };
    let is_integer = matches!((kind, digits), (b'i' | b'u', b"1" | b"2" | b"4" | b"8"));
    let is_read = is_integer || matches!((kind, digits), (b'f', b"4" | b"8") | (b'b', b"1"));
    is_read.then(|| ElementType { kind, bytes: usize::from(digits[0] - b'0') })
}

/// The header, a literal Python dictionary, and where it is; the data are behind it.
fn header(input: &OpenFile) -> Result<(String, Range<usize>)> {
    let bytes = input.content();
    if !bytes.starts_with(b"\x93NUMPY") {
        let found = excerpt(&bytes[..bytes.len().min(6)]);
        let message =
            format!("{found} is not the beginning of a .npy file (`\\x93NUMPY`): use numpy.save");
        return Err(input.at_byte(0, message));
    }
    // The length of the dictionary takes two bytes, or four.
    let start = match bytes.get(6) {
        None | Some(1) => 10,
        Some(2 | 3) => 12,
        Some(version) => {
            let message = format!(
                "version {version} of the .npy format is unknown: versions 1 to 3 are read"
            );
            return Err(input.at_byte(6, message));
        }
    };
    let length = bytes.get(8..start).map(|field| {
        field.iter().rev().fold(0usize, |length, &byte| length << 8 | usize::from(byte))
    });
    let place = length.and_then(|length| Some(start..start.checked_add(length)?));
    let text = place.and_then(|place| Some((bytes.get(place.clone())?, place)));
    let (text, place) = text.ok_or_else(|| {
        let cut = "the file ends inside its header: it is cut off, save the array again";
        input.at_byte(bytes.len(), cut)
    })?;
    Ok((String::from_utf8_lossy(text).into_owned(), place))
}

/// What follows `'key':` in a dictionary.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let at = quoted.iter().find_map(|key| text.find(key).map(|at| at + key.len()))?;
    text[at..].trim_start().strip_prefix(':').map(str::trim_start)
}
