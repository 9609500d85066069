//! Tables as Arrow IPC files, which are Feather files of version 2.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::{Column, Table, Values};

/// Writes the table, a batch for each block, and gives the number of rows. Nothing is compressed: such a file can
/// be mapped into memory.
pub(super) fn write<W: Write + Send>(table: &mut Table, to: &mut W) -> io::Result<u64> {
    let columns = table.columns;
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let schema = Arc::new(Schema::new(fields));
    let mut writer = FileWriter::try_new(to, &schema).map_err(into_io)?;
    let rows = table.batches(
        |block| {
            let arrays = columns.iter().zip(block).map(|(column, values)| array(column, values));
            RecordBatch::try_new(schema.clone(), arrays.collect())
        },
        |batches| {
            batches.into_iter().try_for_each(|batch| {
                let batch = batch.map_err(into_io)?;
                match batch.num_rows() {
                    0 => Ok(()),
                    _ => writer.write(&batch).map_err(into_io),
                }
            })
        },
    )?;
    writer.finish().map_err(into_io)?;
    Ok(rows)
}

fn field(column: &Column) -> Field {
    let kind = match column {
        Column::Whole(_) => DataType::Int64,
        Column::Unsigned(_) => DataType::UInt64,
        Column::Double(_) => DataType::Float64,
        Column::Text(_) => DataType::Utf8,
    };
    Field::new(column.name(), kind, false)
}

fn array(column: &Column, values: &Values) -> ArrayRef {
    match values {
        Values::Whole(values) if matches!(column, Column::Whole(_)) => {
            // Below 2⁶³, as the column says.
            Arc::new(Int64Array::from_iter_values(values.iter().map(|&value| value as i64)))
        }
        Values::Whole(values) => Arc::new(UInt64Array::from(values.clone())),
        Values::Signed(values) => Arc::new(Int64Array::from(values.clone())),
        Values::Double(values) => Arc::new(Float64Array::from(values.clone())),
        Values::Text(values) => Arc::new(StringArray::from_iter_values(values)),
    }
}

/// The system's own error where there is one.
fn into_io(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}
