//! An Arrow stream becomes edges: two columns of integers, or two of names.

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use tribin::read::Columns;
use tribin::{Error, Graph, Result};

use crate::control::Control;
use crate::errors::input;
use crate::names::Names;

/// A graph, the names of its vertices if they have some, and which columns were read, and why.
pub type Read = (Graph, Option<Names>, String);

/// Takes the stream out of its capsule: nobody else can read it after that.
pub fn stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds such a stream; what is left in it is an empty one.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) })
}

/// Reads the two columns that are asked for, or those that reading a file would take, and the column of the
/// weights if there is one.
pub fn read(
    stream: FFI_ArrowArrayStream,
    asked: Option<&Columns>,
    weight: Option<&str>,
    control: &Control,
) -> Result<Read> {
    let failed =
        |error: arrow_schema::ArrowError| input(format!("the Arrow stream fails: {error}"));
    let reader = RecordBatchStreamReader::try_new(stream).map_err(failed)?;
    let schema = reader.schema();
    let header: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let weight = weight.map(|name| weight_place(name, &header)).transpose()?;
    // The column of the weights is no end of an edge.
    let others: Vec<usize> = (0..header.len()).filter(|&place| Some(place) != weight).collect();
    let ends: Vec<String> = others.iter().map(|&place| header[place].clone()).collect();
    let (places, reason) = Columns::choose(asked, &ends)?;
    let places = places.map(|place| others[place]);
    let kinds = places.map(|place| {
        let field = schema.field(place);
        kind(field.data_type()).ok_or_else(|| {
            let (name, kind) = (field.name(), field.data_type());
            input(format!("column `{name}` holds {kind}: vertex ids are integers or texts"))
        })
    });
    let [one, other] = kinds;
    let (kind, other) = (one?, other?);
    let [first, second] = places.map(|place| header[place].as_str());
    if kind != other {
        return Err(input(format!(
            "column `{first}` holds {} and `{second}` {}: both ends of an edge are of one kind",
            kind.name(),
            other.name()
        )));
    }
    let told = format!("columns {first} and {second}: {reason}");
    let mut ends = match kind {
        Kind::Integers => Ends::Integers([Vec::new(), Vec::new()]),
        Kind::Names => Ends::Names([Vec::new(), Vec::new()], Names::default()),
    };
    let mut weights = Vec::new();
    let mut rows = 0;
    for batch in reader {
        control.cancel.check()?;
        let batch = batch.map_err(failed)?;
        for (end, place) in places.into_iter().enumerate() {
            ends.append(end, &batch, place, rows, &header[place])?;
        }
        if let Some(place) = weight {
            append_weights(&mut weights, &batch, place, rows, &header[place])?;
        }
        rows += batch.num_rows();
    }
    let weighted = |graph: Graph| match weight {
        Some(_) => graph.with_weights(weights),
        None => Ok(graph),
    };
    match ends {
        Ends::Integers([one, other]) => {
            let graph = Graph::from_u64_edges(one.into_iter().zip(other))?;
            Ok((weighted(graph)?, None, told))
        }
        Ends::Names([one, other], names) => {
            let edges: Vec<[u32; 2]> = one.into_iter().zip(other).map(|(u, v)| [u, v]).collect();
            let graph = Graph::from_edges(edges).with_vertices(names.len())?;
            Ok((weighted(graph)?, Some(names), told))
        }
    }
}

/// The place of the column with the weights.
fn weight_place(name: &str, header: &[String]) -> Result<usize> {
    header.iter().position(|other| other == name).ok_or_else(|| {
        let columns = header.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let message = format!("there is no column `{name}` of weights; the columns are {columns}");
        Error::Usage(message.into())
    })
}

fn append_weights(
    weights: &mut Vec<f64>,
    batch: &RecordBatch,
    place: usize,
    rows: usize,
    name: &str,
) -> Result<()> {
    let array = batch.column(place);
    if let Some(nulls) = array.logical_nulls()
        && let Some(row) = (0..array.len()).find(|&row| nulls.is_null(row))
    {
        let row = rows + row;
        return Err(input(format!(
            "row {row} (from 0) of column `{name}` is null: every edge has a weight"
        )));
    }
    reserve(weights, array.len())?;
    macro_rules! of {
        ($type:ty) => {
            weights.extend(array.as_primitive::<$type>().values().iter().map(|&value| value as f64))
        };
    }
    match array.data_type() {
        DataType::Float64 => of!(Float64Type),
        DataType::Float32 => of!(Float32Type),
        DataType::Int8 => of!(Int8Type),
        DataType::Int16 => of!(Int16Type),
        DataType::Int32 => of!(Int32Type),
        DataType::Int64 => of!(Int64Type),
        DataType::UInt8 => of!(UInt8Type),
        DataType::UInt16 => of!(UInt16Type),
        DataType::UInt32 => of!(UInt32Type),
        DataType::UInt64 => of!(UInt64Type),
        other => {
            return Err(input(format!("column `{name}` holds {other}: weights are numbers")));
        }
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integers,
    Names,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Integers => "integers",
            Kind::Names => "names",
        }
    }
}

fn kind(data: &DataType) -> Option<Kind> {
    match data {
        data if data.is_integer() => Some(Kind::Integers),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(Kind::Names),
        DataType::Dictionary(_, values) => kind(values),
        _ => None,
    }
}

/// What was read of both columns.
enum Ends {
    Integers([Vec<u64>; 2]),
    Names([Vec<u32>; 2], Names),
}

impl Ends {
    fn append(
        &mut self,
        end: usize,
        batch: &RecordBatch,
        place: usize,
        rows: usize,
        name: &str,
    ) -> Result<()> {
        let array = batch.column(place);
        if let Some(nulls) = array.logical_nulls()
            && let Some(row) = (0..array.len()).find(|&row| nulls.is_null(row))
        {
            let row = rows + row;
            return Err(input(format!(
                "row {row} (from 0) of column `{name}` is null: every edge has two ends"
            )));
        }
        match self {
            Ends::Integers(ends) => integers(array, rows, name, &mut ends[end]),
            Ends::Names(ends, names) => texts(array, names, &mut ends[end]),
        }
    }
}

/// The values and the keys of a dictionary; `None` of other arrays.
fn dictionary(array: &dyn Array) -> Option<(&dyn Array, Vec<usize>)> {
    let dictionary = array.as_any_dictionary_opt()?;
    Some((&**dictionary.values(), dictionary.normalized_keys()))
}

fn integers(array: &dyn Array, rows: usize, name: &str, to: &mut Vec<u64>) -> Result<()> {
    if let Some((values, keys)) = dictionary(array) {
        let mut numbers = Vec::new();
        // Values that no row has may be anything.
        let mut used = vec![false; values.len()];
        keys.iter().for_each(|&key| used[key] = true);
        for (value, used) in used.into_iter().enumerate() {
            match used {
                true => integers(&values.slice(value, 1), rows, name, &mut numbers)?,
                false => numbers.push(0),
            }
        }
        to.extend(keys.into_iter().map(|key| numbers[key]));
        return Ok(());
    }
    fn of<T: ArrowPrimitiveType>(
        array: &dyn Array,
        rows: usize,
        name: &str,
        to: &mut Vec<u64>,
    ) -> Result<()>
    where
        T::Native: Copy + TryInto<u64> + std::fmt::Display,
    {
        reserve(to, array.len())?;
        for (row, &value) in array.as_primitive::<T>().values().iter().enumerate() {
            to.push(value.try_into().map_err(|_| {
                let row = rows + row;
                input(format!(
                    "row {row} (from 0) of column `{name}` is {value}: vertex ids are not negative"
                ))
            })?);
        }
        Ok(())
    }
    match array.data_type() {
        DataType::Int8 => of::<Int8Type>(array, rows, name, to),
        DataType::Int16 => of::<Int16Type>(array, rows, name, to),
        DataType::Int32 => of::<Int32Type>(array, rows, name, to),
        DataType::Int64 => of::<Int64Type>(array, rows, name, to),
        DataType::UInt8 => of::<UInt8Type>(array, rows, name, to),
        DataType::UInt16 => of::<UInt16Type>(array, rows, name, to),
        DataType::UInt32 => of::<UInt32Type>(array, rows, name, to),
        DataType::UInt64 => of::<UInt64Type>(array, rows, name, to),
        other => Err(Error::Usage(format!("{other} is no type of integers").into())),
    }
}

fn texts(array: &dyn Array, names: &mut Names, to: &mut Vec<u32>) -> Result<()> {
    reserve(to, array.len())?;
    if let Some((values, keys)) = dictionary(array) {
        // Values that no row has are no vertices.
        let mut numbers = vec![None; values.len()];
        for key in keys {
            let number = match numbers[key] {
                Some(number) => number,
                None => {
                    let mut one = Vec::new();
                    texts(&values.slice(key, 1), names, &mut one)?;
                    *numbers[key].insert(one[0])
                }
            };
            to.push(number);
        }
        return Ok(());
    }
    let mut push = |text: Option<&str>| {
        to.push(names.number(text.unwrap_or_default())?);
        Ok(())
    };
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().try_for_each(&mut push),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().try_for_each(&mut push),
        DataType::Utf8View => array.as_string_view().iter().try_for_each(&mut push),
        other => Err(Error::Usage(format!("{other} is no type of texts").into())),
    }
}

fn reserve<T>(to: &mut Vec<T>, more: usize) -> Result<()> {
    to.try_reserve(more).map_err(|_| input("there is no memory for the columns"))
}
