//! Tables as Parquet files.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Encoding, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

use super::{Column, Table, Values};

/// Rows of a row group, at least: a reader's unit of work.
const GROUP: usize = 1 << 20;

type Writer<'a, W> = SerializedFileWriter<&'a mut W>;

/// Writes the table and gives the number of rows.
///
/// Whole numbers are packed as differences, which makes ascending ids small; nothing is compressed.
pub(super) fn write<W: Write + Send>(table: &mut Table, to: &mut W) -> io::Result<u64> {
    let mut writer = open(table.columns, to).map_err(into_io)?;
    let mut waiting: Vec<Vec<Values>> = Vec::new();
    let rows = table.batches(
        |block| block.to_vec(),
        |blocks| {
            waiting.extend(blocks);
            if waiting.iter().map(|block| block[0].len()).sum::<usize>() >= GROUP {
                group(&mut writer, &std::mem::take(&mut waiting)).map_err(into_io)?;
            }
            Ok(())
        },
    )?;
    if waiting.iter().any(|block| block[0].len() > 0) {
        group(&mut writer, &waiting).map_err(into_io)?;
    }
    writer.close().map_err(into_io)?;
    Ok(rows)
}

fn open<'a, W: Write + Send>(
    columns: &[Column],
    to: &'a mut W,
) -> Result<Writer<'a, W>, ParquetError> {
    let mut properties = WriterProperties::builder().set_dictionary_enabled(false);
    let mut fields = Vec::new();
    for column in columns {
        let field = match column {
            Column::Whole(name) | Column::Unsigned(name) => {
                properties = properties
                    .set_column_encoding(ColumnPath::from(*name), Encoding::DELTA_BINARY_PACKED);
                let signed = matches!(column, Column::Whole(_));
                Type::primitive_type_builder(name, Physical::INT64)
                    .with_logical_type(Some(LogicalType::integer(64, signed)))
            }
            Column::Double(name) => Type::primitive_type_builder(name, Physical::DOUBLE),
            Column::Text(name) => {
                let path = ColumnPath::from(*name);
                properties = properties.set_column_dictionary_enabled(path, true);
                Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                    .with_logical_type(Some(LogicalType::String))
            }
        };
        fields.push(Arc::new(field.with_repetition(Repetition::REQUIRED).build()?));
    }
    let schema = Type::group_type_builder("table").with_fields(fields).build()?;
    SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties.build()))
}

fn group<W: Write + Send>(
    writer: &mut Writer<W>,
    blocks: &[Vec<Values>],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    let mut place = 0;
    while let Some(mut column) = group.next_column()? {
        for block in blocks {
            match &block[place] {
                Values::Whole(values) => {
                    // Parquet's unsigned numbers are the same bits, called signed.
                    let bits: &[i64] = bytemuck::cast_slice(values);
                    column.typed::<Int64Type>().write_batch(bits, None, None)?;
                }
                Values::Signed(values) => {
                    column.typed::<Int64Type>().write_batch(values, None, None)?;
                }
                Values::Text(values) => {
                    let texts: Vec<ByteArray> = values
                        .iter()
                        .map(|name| ByteArray::from(name.as_bytes().to_vec()))
                        .collect();
                    column.typed::<ByteArrayType>().write_batch(&texts, None, None)?;
                }
                Values::Double(values) => {
                    column.typed::<DoubleType>().write_batch(values, None, None)?;
                }
            }
        }
        column.close()?;
        place += 1;
    }
    group.close()?;
    Ok(())
}

/// The system's own error where there is one.
fn into_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}
