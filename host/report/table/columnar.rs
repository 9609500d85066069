//! Tables as Parquet files, and as Arrow IPC files, which are Feather files of version 2.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::{Column, Table, Values};

/// Writes the table as an Arrow file, a batch for each block, and gives the number of rows. Nothing is compressed: such a file can
/// be mapped into memory.
#[cfg(feature = "arrow")]
pub(super) fn arrow<W: Write + Send>(table: &mut Table, to: &mut W) -> io::Result<u64> {
    let schema = schema(table.columns);
    let mut writer = arrow_ipc::writer::FileWriter::try_new(to, &schema).map_err(of_arrow)?;
    let rows = batches(table, &schema, |batch| writer.write(batch).map_err(of_arrow))?;
    writer.finish().map_err(of_arrow)?;
    Ok(rows)
}

/// Writes the table as a Parquet file, and gives the number of rows.
///
/// Whole numbers are packed as differences, which makes ascending ids small; nothing is compressed.
#[cfg(feature = "parquet")]
pub(super) fn parquet<W: Write + Send>(table: &mut Table, to: &mut W) -> io::Result<u64> {
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_writer::ArrowWriterOptions;
    use parquet::basic::Encoding;
    use parquet::file::properties::WriterProperties;
    use parquet::schema::types::ColumnPath;

    let mut properties = WriterProperties::builder().set_dictionary_enabled(false);
    for column in table.columns {
        let path = ColumnPath::from(column.name());
        properties = match column {
            Column::Whole(_) | Column::Unsigned(_) => {
                properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
            }
            Column::Text(_) => properties.set_column_dictionary_enabled(path, true),
            Column::Double(_) => properties,
        };
    }
    let options = ArrowWriterOptions::new().with_properties(properties.build());
    let (schema, options) = (schema(table.columns), options.with_skip_arrow_metadata(true));
    let mut writer =
        ArrowWriter::try_new_with_options(to, schema.clone(), options).map_err(of_parquet)?;
    let rows = batches(table, &schema, |batch| writer.write(batch).map_err(of_parquet))?;
    writer.close().map_err(of_parquet)?;
    Ok(rows)
}

/// Hands the blocks that have rows to `write`, in their order, and gives the number of rows.
fn batches(
    table: &mut Table,
    schema: &SchemaRef,
    mut write: impl FnMut(&RecordBatch) -> io::Result<()> + Send,
) -> io::Result<u64> {
    let columns = table.columns;
    table.batches(
        |block| {
            let arrays = columns.iter().zip(block).map(|(column, values)| array(column, values));
            RecordBatch::try_new(schema.clone(), arrays.collect()).map_err(of_arrow)
        },
        |batches| {
            batches.into_iter().try_for_each(|batch| match batch? {
                batch if batch.num_rows() == 0 => Ok(()),
                batch => write(&batch),
            })
        },
    )
}

fn schema(columns: &[Column]) -> SchemaRef {
    let field = |column: &Column| {
        let kind = match column {
            Column::Whole(_) => DataType::Int64,
            Column::Unsigned(_) => DataType::UInt64,
            Column::Double(_) => DataType::Float64,
            Column::Text(_) => DataType::Utf8,
        };
        Field::new(column.name(), kind, false)
    };
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
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
fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}

/// The system's own error where there is one.
#[cfg(feature = "parquet")]
fn of_parquet(error: parquet::errors::ParquetError) -> io::Error {
    match error {
        parquet::errors::ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}
