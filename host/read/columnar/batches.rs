//! Record batches in memory: what Polars, DataFusion, arrow-rs and others hand over.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field};

use super::super::input;
use super::super::progress::Meter;
use super::values::{self, LONGEST_BINARY, Role, Texts, Values};
use super::{Column, Fault, Kind, Reader, Stored, Table, graph};
use crate::Options;
use crate::graph::IN_MEMORY as NAME;
use crate::{Graph, Message, Result};

/// A graph from two columns of Arrow record batches, each row an edge. [`Options::columns`] names the two; without it they
/// are found by their names, such as `source` and `target`, or are the only two that can be ids. [`Options::weight`] names
/// a column of weights: integers, decimals without digits behind the point, or floats.
///
/// Integers of any width, decimals without digits behind the point, and floats that are whole are ids; texts,
/// binary and UUIDs are names. Dictionaries of all of them are read, too. [`Graph::reading`] says which columns were
/// taken and why. The batches are read in parallel, and nothing is copied but the ids. O(m) for m rows.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
/// use tribin::read;
///
/// let column = |names: [&str; 3]| Arc::new(StringArray::from(names.to_vec())) as ArrayRef;
/// let batch = RecordBatch::try_from_iter([
///     ("person", column(["Ann", "Bo", "Cy"])),
///     ("friend", column(["Bo", "Cy", "Ann"])),
///     ("cost", Arc::new(Float64Array::from(vec![0.5, 2.0, 1.5]))),
/// ])?;
/// let mut options = read::Options::default();
/// options.columns = Some("person,friend".parse()?);
/// options.weight = Some("cost".into());
/// let graph = read::from_record_batches(&[batch], &options)?;
/// assert_eq!(graph.edges(), [[0, 1], [1, 2], [2, 0]]);
/// assert_eq!(graph.ids().names().and_then(|names| names.iter().nth(2)), Some("Cy"));
/// assert_eq!(graph.weights(), Some(&[0.5, 2.0, 1.5][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Input`](crate::Error::Input) where the columns are not found, or hold no ids or no weights, where batches
/// differ in their columns, and where there is no memory; [`Error::Malformed`](crate::Error::Malformed) with the row of a
/// value that is missing or cannot be an id.
pub fn from_record_batches(batches: &[RecordBatch], options: &Options) -> Result<Graph> {
    let Some(first) = batches.first() else {
        return Ok(Graph::from_edges(Vec::<[u32; 2]>::new()));
    };
    let schema = first.schema();
    if let Some(other) = batches.iter().position(|batch| batch.schema().fields() != schema.fields())
    {
        let message = format!("batch {other} has other columns than batch 0");
        return Err(input::error(NAME, message));
    }
    let meter = Meter::none();
    let table = Batches {
        stored: Stored::memory(NAME, &[], &meter),
        batches,
        columns: schema.fields().iter().map(|field| column(field)).collect(),
        rows: batches.iter().map(|batch| batch.num_rows() as u64).collect(),
    };
    graph(&table, options, super::Rows::of(&table, 0), u64::MAX)
}

struct Batches<'a> {
    stored: Stored<'a>,
    batches: &'a [RecordBatch],
    columns: Vec<Column>,
    rows: Vec<u64>,
}

impl Table for Batches<'_> {
    fn stored(&self) -> &Stored<'_> {
        &self.stored
    }

    fn called(&self) -> &'static str {
        "Arrow record batches"
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> &[u64] {
        &self.rows
    }

    fn believed(&self) -> u64 {
        u64::MAX
    }

    fn reader(&self, part: usize, column: usize, role: Role) -> Result<Box<dyn Reader + '_>> {
        let batch = &self.batches[part];
        let uuid = is_uuid(batch.schema_ref().field(column));
        Ok(Box::new(Rows::new(batch.column(column), As { role, uuid })))
    }
}

fn column(field: &Field) -> Column {
    Column { name: field.name().clone(), kind: kind(field.data_type()) }
}

fn kind(data: &DataType) -> Kind {
    match data {
        data if data.is_integer() => Kind::Integer,
        DataType::Decimal32(_, 0) | DataType::Decimal64(_, 0) | DataType::Decimal128(_, 0) => {
            Kind::Integer
        }
        DataType::Float32 | DataType::Float64 => Kind::Float,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Kind::Text,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Kind::Text,
        DataType::FixedSizeBinary(bytes) if (1..=LONGEST_BINARY as i32).contains(bytes) => {
            Kind::Text
        }
        DataType::Null => Kind::Nothing,
        DataType::Dictionary(_, values) if !matches!(**values, DataType::Dictionary(..)) => {
            kind(values)
        }
        other => Kind::Other(other.to_string()),
    }
}

fn is_uuid(field: &Field) -> bool {
    field.metadata().get("ARROW:extension:name").is_some_and(|name| name == "arrow.uuid")
}

/// What the values of an array are for, and whether they are UUIDs.
#[derive(Clone, Copy)]
struct As {
    role: Role,
    uuid: bool,
}

/// An array, from a row on.
struct Rows<'a> {
    array: &'a dyn Array,
    how: As,
    at: usize,
    /// The entries of its dictionary, where it has one.
    entries: Option<Entries>,
}

/// The entries of a dictionary.
struct Entries {
    values: Arc<Values>,
    /// Entries that are no ids, and why.
    bad: BTreeMap<usize, Message>,
}

impl<'a> Rows<'a> {
    fn new(array: &'a dyn Array, how: As) -> Rows<'a> {
        let entries = array.as_any_dictionary_opt().map(|coded| Entries::of(coded.values(), how));
        Rows { array, how, at: 0, entries }
    }
}

impl Reader for Rows<'_> {
    fn next(&mut self, most: usize, _: Values) -> std::result::Result<Values, Fault> {
        let rows = most.min(self.array.len() - self.at);
        let (at, array) = (self.at, self.array.slice(self.at, rows));
        self.at += rows;
        let found = match &self.entries {
            Some(entries) => entries.codes(&array, self.how.role),
            None => values_of(&array, self.how),
        };
        found.map_err(|(row, message)| Fault::Value((at + row) as u64, message))
    }
}

impl Entries {
    fn of(all: &dyn Array, how: As) -> Entries {
        let mut bad = BTreeMap::new();
        let (mut numbers, mut texts) = (Vec::new(), Texts::default());
        // One by one: a bad entry that no row names does no harm.
        for place in 0..all.len() {
            match values_of(&all.slice(place, 1), how) {
                Ok(Values::Numbers(found)) => numbers.extend(found),
                Ok(Values::Texts(found)) => {
                    texts.bytes.extend_from_slice(found.get(0));
                    texts.ends.push(texts.bytes.len());
                }
                Ok(_) => unreachable!("an entry is a number or a text"),
                Err((_, message)) => {
                    bad.insert(place, message);
                    // Nobody reads what stands in its place.
                    numbers.push(0);
                    texts.ends.push(texts.bytes.len());
                }
            }
        }
        let are_texts = texts.ends.len() == all.len();
        let values = if are_texts { Values::Texts(texts) } else { Values::Numbers(numbers) };
        Entries { values: Arc::new(values), bad }
    }

    /// The rows of an array as places among the entries.
    fn codes(&self, array: &dyn Array, role: Role) -> Result<Values, (usize, Message)> {
        let coded = array.as_any_dictionary();
        if let Some(row) = first_missing(coded.keys()) {
            return Err((row, role.missing()));
        }
        let places = coded.normalized_keys();
        if let Some(row) = places.iter().position(|place| self.bad.contains_key(place)) {
            let message = &self.bad[&places[row]];
            return Err((row, message.problem().to_owned().into()));
        }
        let codes = places.into_iter().map(|place| place as u32).collect();
        Ok(Values::Coded(Arc::clone(&self.values), codes))
    }
}

fn first_missing(array: &dyn Array) -> Option<usize> {
    if *array.data_type() == DataType::Null {
        return (!array.is_empty()).then_some(0);
    }
    array.nulls().and_then(|nulls| nulls.iter().position(|is_there| !is_there))
}

/// All values of an array; or the row of one that is no id, and why.
fn values_of(array: &dyn Array, how: As) -> Result<Values, (usize, Message)> {
    let As { role, uuid } = how;
    if let Some(row) = first_missing(array) {
        return Err((row, role.missing()));
    }
    match array.data_type() {
        DataType::Int8 => numbers::<Int8Type>(array, |value| role.signed(value.into())),
        DataType::Int16 => numbers::<Int16Type>(array, |value| role.signed(value.into())),
        DataType::Int32 => numbers::<Int32Type>(array, |value| role.signed(value.into())),
        DataType::Int64 => numbers::<Int64Type>(array, |value| role.signed(value)),
        DataType::UInt8 => numbers::<UInt8Type>(array, |value| role.unsigned(value.into())),
        DataType::UInt16 => numbers::<UInt16Type>(array, |value| role.unsigned(value.into())),
        DataType::UInt32 => numbers::<UInt32Type>(array, |value| role.unsigned(value.into())),
        DataType::UInt64 => numbers::<UInt64Type>(array, |value| role.unsigned(value)),
        DataType::Decimal32(..) => {
            numbers::<Decimal32Type>(array, |value| role.signed(value.into()))
        }
        DataType::Decimal64(..) => numbers::<Decimal64Type>(array, |value| role.signed(value)),
        DataType::Decimal128(..) => numbers::<Decimal128Type>(array, |value| role.large(value)),
        DataType::Float32 => numbers::<Float32Type>(array, |value| role.float(value.into())),
        DataType::Float64 => numbers::<Float64Type>(array, |value| role.float(value)),
        DataType::Utf8 => Ok(texts(array.as_string::<i32>().iter().flatten().map(str::as_bytes))),
        DataType::LargeUtf8 => {
            Ok(texts(array.as_string::<i64>().iter().flatten().map(str::as_bytes)))
        }
        DataType::Utf8View => Ok(texts(array.as_string_view().iter().flatten().map(str::as_bytes))),
        DataType::Binary => Ok(texts(array.as_binary::<i32>().iter().flatten())),
        DataType::LargeBinary => Ok(texts(array.as_binary::<i64>().iter().flatten())),
        DataType::BinaryView => Ok(texts(array.as_binary_view().iter().flatten())),
        DataType::FixedSizeBinary(_) => {
            let mut found = Texts::default();
            for bytes in array.as_fixed_size_binary().iter().flatten() {
                values::push_binary(&mut found, bytes, uuid);
            }
            Ok(Values::Texts(found))
        }
        // Of which there are no values, as none is there.
        DataType::Null => Ok(Values::Numbers(Vec::new())),
        // Columns of other types are refused before.
        other => Err((0, Message::from(format!("a value of the type {other} is no id")))),
    }
}

fn numbers<T: ArrowPrimitiveType>(
    array: &dyn Array,
    id: impl Fn(T::Native) -> Result<u64, Message>,
) -> Result<Values, (usize, Message)> {
    let rows = array.as_primitive::<T>().values().iter().enumerate();
    let ids = rows.map(|(row, &value)| id(value).map_err(|message| (row, message)));
    Ok(Values::Numbers(ids.collect::<Result<_, _>>()?))
}

fn texts<'a>(rows: impl Iterator<Item = &'a [u8]>) -> Values {
    let mut found = Texts::default();
    for text in rows {
        found.bytes.extend_from_slice(text);
        found.ends.push(found.bytes.len());
    }
    Values::Texts(found)
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int8Type;
    use arrow_array::{
        ArrayRef, DictionaryArray, FixedSizeBinaryArray, Float64Array, Int8Array, Int32Array,
        Int64Array, StringArray, StringViewArray, UInt64Array,
    };

    use super::*;

    fn batch(columns: [(&str, ArrayRef); 2]) -> RecordBatch {
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn read(source: ArrayRef, target: ArrayRef) -> Result<Graph> {
        from_record_batches(&[batch([("source", source), ("target", target)])], &Options::default())
    }

    #[test]
    fn integers_of_every_width_are_ids() {
        let small: ArrayRef = Arc::new(Int8Array::from(vec![0, 1, 2]));
        let same: [ArrayRef; 4] = [
            Arc::new(Int32Array::from(vec![1, 2, 0])),
            Arc::new(Int64Array::from(vec![1, 2, 0])),
            Arc::new(UInt64Array::from(vec![1, 2, 0])),
            Arc::new(Float64Array::from(vec![1.0, 2.0, 0.0])),
        ];
        for target in same {
            let graph = read(small.clone(), target).unwrap();
            assert_eq!(graph.edges(), [[0, 1], [1, 2], [2, 0]]);
        }
        let far = read(small, Arc::new(UInt64Array::from(vec![u64::MAX, 2, 0]))).unwrap();
        assert_eq!((far.ids().number(3), far.edges()[0]), (u64::MAX, [0, 3]));
    }

    #[test]
    fn texts_and_dictionaries_are_names() {
        let plain: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
        let views: ArrayRef = Arc::new(StringViewArray::from(vec!["b", "c", "a"]));
        // The unused entry is missing.
        let entries: ArrayRef =
            Arc::new(StringArray::from(vec![Some("c"), None, Some("a"), Some("b")]));
        let keys = Int8Array::from(vec![3, 0, 2]);
        let coded: ArrayRef =
            Arc::new(DictionaryArray::<Int8Type>::try_new(keys, entries).unwrap());
        for target in [views, coded] {
            let graph = read(plain.clone(), target).unwrap();
            assert_eq!(graph.edges(), [[0, 1], [1, 2], [2, 0]]);
            let names: Vec<_> = graph.ids().names().unwrap().iter().collect();
            assert_eq!(names, ["a", "b", "c"]);
        }
        let binary = FixedSizeBinaryArray::try_from_iter([[0xab, 1], [2, 3]].into_iter()).unwrap();
        let other = Arc::new(StringArray::from(vec!["0203", "ab01"]));
        assert_eq!(read(Arc::new(binary), other).unwrap().edges(), [[0, 1], [1, 0]]);
    }

    #[test]
    fn faults_name_the_row_and_the_column() {
        let fine: ArrayRef = Arc::new(Int64Array::from(vec![0, 1, 2]));
        let failing: [(ArrayRef, &str); 4] = [
            (Arc::new(Int64Array::from(vec![0, -1, 2])), "the vertex id -1 is negative"),
            (Arc::new(Int64Array::from(vec![Some(0), None, Some(2)])), "a value is missing"),
            (Arc::new(Float64Array::from(vec![0.0, 1.5, 2.0])), "1.5"),
            (Arc::new(StringArray::from(vec![Some("a"), None, Some("b")])), "a value is missing"),
        ];
        let names: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
        for (target, problem) in failing {
            let is_text = *target.data_type() == DataType::Utf8;
            let source = if is_text { names.clone() } else { fine.clone() };
            let error = read(source, target).unwrap_err().to_string();
            assert!(error.contains("row 1") && error.contains(problem), "{error}");
            assert!(error.contains("`target`"), "{error}");
        }
        let booleans = Arc::new(arrow_array::BooleanArray::from(vec![true, false, true]));
        let error = read(fine.clone(), booleans).unwrap_err().to_string();
        assert!(error.contains("Boolean"), "{error}");
        let one = batch([("source", fine.clone()), ("target", fine.clone())]);
        let other = batch([("source", fine.clone()), ("to", fine)]);
        let error =
            from_record_batches(&[one, other], &Options::default()).unwrap_err().to_string();
        assert_eq!(error, "(memory): batch 1 has other columns than batch 0");
    }

    #[test]
    fn columns_without_a_type_hold_nothing() {
        let nothing = |rows| -> ArrayRef { Arc::new(arrow_array::NullArray::new(rows)) };
        let none: [ArrayRef; 3] = [
            nothing(0),
            Arc::new(Int64Array::from(Vec::<i64>::new())),
            Arc::new(StringArray::from(Vec::<&str>::new())),
        ];
        for column in none {
            assert!(read(nothing(0), column.clone()).unwrap().edges().is_empty());
            assert!(read(column, nothing(0)).unwrap().edges().is_empty());
        }
        let error =
            read(Arc::new(Int64Array::from(vec![1, 2])), nothing(2)).unwrap_err().to_string();
        assert!(error.contains("row 0") && error.contains("a value is missing"), "{error}");
        assert!(error.contains("`target`"), "{error}");
    }

    #[test]
    fn batches_follow_one_another() {
        let column =
            |from: i32| -> ArrayRef { Arc::new(Int32Array::from_iter(from..from + 40_000)) };
        let batches: Vec<RecordBatch> = (0..3)
            .map(|part| batch([("from", column(part * 40_000)), ("to", column(part * 40_000 + 1))]))
            .collect();
        let graph = from_record_batches(
            &batches,
            &Options { columns: Some(crate::Columns::new("to", "from")), ..Options::default() },
        )
        .unwrap();
        assert!(graph.edges().iter().zip(0u32..).all(|(edge, v)| *edge == [v + 1, v]));
        assert_eq!(graph.edges().len(), 120_000);
        assert!(from_record_batches(&[], &Options::default()).unwrap().edges().is_empty());
    }
}
