//! Values of a column: from an array to ids, names and weights.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Decimal128Type, Float32Type, Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayAccessor, ArrayRef, PrimitiveArray, StringArray, downcast_integer_array,
};
use arrow_schema::DataType;

use super::super::ids::{missing, negative, of_float};
use super::super::input::excerpt;
use super::super::number::whole;
use super::ColumnKind;
use crate::{Message, hint};

/// The longest binary of fixed length that can be an id.
const LONGEST_BINARY: i32 = 1 << 10;

/// The row of a value that cannot be what it is for, and why.
pub(super) type Bad = (usize, Message);

/// What the values of a type are.
pub(super) fn kind(data: &DataType) -> ColumnKind {
    match data {
        data if data.is_integer() => ColumnKind::Integer,
        DataType::Decimal128(_, 0) => ColumnKind::Integer,
        DataType::Float32 | DataType::Float64 => ColumnKind::Float,
        data if is_text(data) => ColumnKind::Text,
        DataType::FixedSizeBinary(1..=LONGEST_BINARY) => ColumnKind::Text,
        DataType::Null => ColumnKind::Nothing,
        DataType::Dictionary(_, values) if !matches!(**values, DataType::Dictionary(..)) => {
            kind(values)
        }
        other => ColumnKind::Other(other.to_string()),
    }
}

fn is_text(data: &DataType) -> bool {
    data.is_string() || data.is_binary()
}

/// The role of a column: what its values are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The end of an edge.
    End,
    /// The weight of an edge: numbers are the bits of floats of 64 bits.
    Weight,
}

impl Role {
    fn integer(self, value: i128) -> Result<u64, Message> {
        match self {
            Role::End => u64::try_from(value).map_err(|_| match value < 0 {
                true => negative(value),
                false => too_large(),
            }),
            Role::Weight => Ok((value as f64).to_bits()),
        }
    }

    fn float(self, value: f64) -> Result<u64, Message> {
        match self {
            Role::End => of_float(value),
            Role::Weight if value.is_finite() => Ok(value.to_bits()),
            Role::Weight => Err(format!("{value} is no weight: weights are finite numbers").into()),
        }
    }

    /// The message for a value that is missing.
    fn missing(self) -> Message {
        match self {
            Role::End => missing(),
            Role::Weight => {
                "a weight is missing (every edge has one: fill it in, as `df.fillna` does)".into()
            }
        }
    }
}

fn too_large() -> Message {
    "the number is too large (ids go up to 2^64-1)".into()
}

/// The first row of an array whose value is not there.
fn first_missing(array: &dyn Array) -> Option<usize> {
    let nulls = array.logical_nulls()?;
    if nulls.null_count() == 0 { None } else { nulls.iter().position(|is_there| !is_there) }
}

/// All values of an array as numbers.
pub(super) fn numbers(array: &dyn Array, role: Role) -> Result<Cow<'_, [u64]>, Bad> {
    if let Some(integers) = array.as_primitive_opt::<Int64Type>() {
        let values = &integers.values()[..];
        // The sign of all together, without a question for each.
        let signs = values.iter().fold(0, |signs, &value| signs | value);
        if role == Role::End && signs >= 0 && array.null_count() == 0 {
            return Ok(Cow::Borrowed(bytemuck::cast_slice(values)));
        }
    }
    let float = |value: f64| role.float(value);
    Ok(Cow::Owned(downcast_integer_array!(
        array => integers(array, role)?,
        DataType::Decimal128(..) => integers::<Decimal128Type>(array.as_primitive(), role)?,
        DataType::Float32 => {
            each::<Float32Type>(array.as_primitive(), role, |value| float(value.into()))?
        }
        DataType::Float64 => each::<Float64Type>(array.as_primitive(), role, float)?,
        DataType::Dictionary(..) => numbers(&plain(array)?, role)?.into_owned(),
        DataType::Null if array.is_empty() => Vec::new(),
        DataType::Null => return Err((0, role.missing())),
        _ => digits(&spelled(&array.slice(0, array.len()))?)?
    )))
}

fn integers<T>(array: &PrimitiveArray<T>, role: Role) -> Result<Vec<u64>, Bad>
where
    T: ArrowPrimitiveType<Native: Into<i128>>,
{
    each(array, role, |value| role.integer(value.into()))
}

/// What `number` makes of each value, up to the first that is missing or of which it makes nothing.
fn each<T: ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    role: Role,
    number: impl Fn(T::Native) -> Result<u64, Message>,
) -> Result<Vec<u64>, Bad> {
    let missing = first_missing(array);
    let values = &array.values()[..missing.unwrap_or(array.len())];
    let mut numbers = Vec::with_capacity(values.len());
    for (row, &value) in values.iter().enumerate() {
        numbers.push(number(value).map_err(|message| (row, message))?);
    }
    missing.map_or(Ok(numbers), |row| Err((row, role.missing())))
}

/// The rows of a dictionary array, each with its value.
fn plain(array: &dyn Array) -> Result<ArrayRef, Bad> {
    let coded = array.as_any_dictionary();
    arrow_select::take::take(coded.values(), coded.keys(), None)
        .map_err(|error| (0, error.to_string().into()))
}

/// Texts of digits as numbers.
fn digits(texts: &ArrayRef) -> Result<Vec<u64>, Bad> {
    let text = text(texts);
    let number = |row| {
        whole(text(row)).ok_or_else(|| {
            let message = Message::from(format!("{} is no integer", excerpt(text(row))));
            (row, message.with_hint(hint::NAMES_AS_IDS))
        })
    };
    (0..texts.len()).map(number).collect()
}

/// An array with a text for each row: numbers are written as digits, binary of fixed length as hexadecimal digits.
pub(super) fn spelled(array: &ArrayRef) -> Result<ArrayRef, Bad> {
    if array.as_any_dictionary_opt().is_some() {
        return spelled(&plain(array)?);
    }
    let binary = array.as_fixed_size_binary_opt();
    let is_text = is_text(array.data_type());
    if let Some(row) = first_missing(array).filter(|_| is_text || binary.is_some()) {
        return Err((row, missing()));
    }
    let spelled: StringArray = match binary {
        Some(binary) => StringArray::from_iter_values(binary.iter().flatten().map(hex)),
        None if is_text => return Ok(array.clone()),
        None => StringArray::from_iter_values(
            numbers(array, Role::End)?.iter().map(|number| number.to_string()),
        ),
    };
    Ok(Arc::new(spelled))
}

/// The values of an array as texts.
pub(super) fn strings(array: &ArrayRef) -> Result<Vec<String>, Bad> {
    let texts = spelled(array)?;
    let text = text(&texts);
    Ok((0..texts.len()).map(|row| String::from_utf8_lossy(text(row)).into_owned()).collect())
}

/// Bytes as hexadecimal digits; 16 as a UUID is written.
fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for (place, byte) in bytes.iter().enumerate() {
        if bytes.len() == 16 && matches!(place, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        write!(text, "{byte:02x}").expect("a string takes all");
    }
    text
}

/// A row's text.
type ColumnText<'a> = Box<dyn Fn(usize) -> &'a [u8] + 'a>;

/// The texts of an array that holds texts.
pub(super) fn text(array: &dyn Array) -> ColumnText<'_> {
    fn of<'a, T: AsRef<[u8]> + ?Sized + 'a>(
        array: impl ArrayAccessor<Item = &'a T> + 'a,
    ) -> ColumnText<'a> {
        Box::new(move |row| array.value(row).as_ref())
    }
    match array.data_type() {
        DataType::Utf8 => of(array.as_string::<i32>()),
        DataType::LargeUtf8 => of(array.as_string::<i64>()),
        DataType::Utf8View => of(array.as_string_view()),
        DataType::Binary => of(array.as_binary::<i32>()),
        DataType::LargeBinary => of(array.as_binary::<i64>()),
        _ => of(array.as_binary_view()),
    }
}
