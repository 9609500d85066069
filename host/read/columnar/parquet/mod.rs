//! Apache Parquet, by the crate `parquet`.
//!
//! Format: Apache Parquet, `parquet.thrift` and "Encodings".

mod delta;
mod pages;

use std::collections::BTreeMap;

use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, RowGroups};
use parquet::arrow::{
    ProjectionMask, parquet_to_arrow_field_levels, parquet_to_arrow_schema_by_columns,
};
use parquet::column::page::PageIterator;
use parquet::errors::{ParquetError, Result as Decoded};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;

use self::pages::Pages;
use super::super::open_file::OpenFile;
use super::{
    Arrays, BATCH, ColumnKind, ColumnarHead, ColumnarTable, TableColumn, contained, input, values,
};
use crate::{Error, Result};

/// A Parquet file.
pub(super) struct ParquetFile<'a> {
    head: ColumnarHead<'a>,
    metadata: ParquetMetaData,
    limit: u64,
}

impl<'a> ParquetFile<'a> {
    /// Reads the footer.
    pub(super) fn open(input: &'a OpenFile<'_>) -> Result<ParquetFile<'a>> {
        let (mut head, len) = (ColumnarHead::of(&input.file, "Parquet"), input.file.len());
        if len < 12 {
            return Err(head.damaged("a Parquet file has 12 bytes at least"));
        }
        let end = head.read(len - 4, 4)?;
        if end == b"PARE" {
            return Err(encrypted(input.name(), "Parquet file"));
        }
        if end != b"PAR1" {
            return Err(head.damaged("it does not end with `PAR1`"));
        }
        let footer = head.number(len - 8)?;
        if footer > len - 12 {
            return Err(head.damaged("its footer is longer than the file"));
        }
        let footer = head.read(len - 8 - footer, footer)?;
        let metadata = head.decoded(|| ParquetMetaDataReader::decode_metadata(&footer))?;
        let schema = metadata.file_metadata().schema_descr();
        head.columns = (0..schema.num_columns()).map(|place| column(schema, place)).collect();
        for group in metadata.row_groups() {
            let count = u64::try_from(group.num_rows());
            let count = count.map_err(|_| head.damaged("a row group has less than no rows"))?;
            head.rows.push(count);
            if group.num_columns() != schema.num_columns() {
                return Err(head.damaged("a row group has not all columns"));
            }
        }
        // A group that says too few rows would be read in part.
        let announced = u64::try_from(metadata.file_metadata().num_rows()).ok();
        if head.rows.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)) != announced {
            return Err(head.damaged("its row groups have another number of rows than the file"));
        }
        Ok(ParquetFile { head, metadata, limit: input.limit })
    }
}

/// The error for a whole file, or for a column, that is encrypted.
fn encrypted(name: &str, what: &str) -> Error {
    input::error(
        name,
        format!("the {what} is encrypted, which is not read: write it without encryption"),
    )
}

fn column(schema: &SchemaDescriptor, place: usize) -> TableColumn {
    let column = schema.column(place);
    let only = ProjectionMask::leaves(schema, [place]);
    // A column within a list or a struct is one of these, and holds no ids.
    let of_one = contained(|| parquet_to_arrow_schema_by_columns(schema, only, None));
    let kind = match of_one.as_ref().map(|of_one| of_one.fields().first()) {
        Ok(Some(field)) => values::kind(field.data_type()),
        Ok(None) => ColumnKind::Other("list".into()),
        Err(why) => ColumnKind::Other(why.clone()),
    };
    TableColumn { name: column.path().parts().join("."), kind }
}

impl ParquetFile<'_> {
    /// The pages of a column in a row group.
    fn pages(&self, part: usize, column: usize) -> Result<Pages> {
        let group = self.metadata.row_group(part);
        let mut chunk = group.column(column).clone();
        // Some writers name a dictionary where there is none: at byte 0, or behind the first page of values.
        if chunk.dictionary_page_offset().is_some_and(|at| at == 0 || at > chunk.data_page_offset())
        {
            let without = || chunk.into_builder().set_dictionary_page_offset(None).build();
            chunk = self.head.decoded(without)?;
        }
        if chunk.num_values() != group.num_rows() {
            return Err(self.head.damaged("a column has another number of values than rows"));
        }
        if chunk.file_path().is_some_and(|path| !path.is_empty()) {
            return Err(self.head.error(
                "the columns are in other files, which is not read: give the files that hold them",
            ));
        }
        Pages::of(&self.head, column, chunk, self.limit)
    }
}

impl ColumnarTable for ParquetFile<'_> {
    fn head(&self) -> &ColumnarHead<'_> {
        &self.head
    }

    fn arrays(&self, part: usize, columns: &[usize]) -> Result<Arrays<'_>> {
        let pages = columns.iter().map(|&column| Ok((column, self.pages(part, column)?)));
        // The crate has columns in the order of the schema.
        let pages: BTreeMap<usize, Pages> = pages.collect::<Result<_>>()?;
        let columns = columns.to_vec();
        let group = RowGroup { file: self, part, pages };
        let mut reader = self.head.decoded(|| {
            let schema = self.metadata.file_metadata().schema_descr();
            let only = ProjectionMask::leaves(schema, columns.iter().copied());
            let levels = parquet_to_arrow_field_levels(schema, only, None)?;
            ParquetRecordBatchReader::try_new_with_row_groups(&levels, &group, BATCH, None)
        })?;
        Ok(Box::new(std::iter::from_fn(move || {
            let batch = match contained(|| reader.next().transpose()) {
                Ok(batch) => batch?,
                Err(why) => {
                    let known = group.pages.values().find_map(Pages::ended);
                    return Some(Err(known.unwrap_or_else(|| self.head.damaged(&why)).into()));
                }
            };
            let place = |column: &usize| group.pages.keys().position(|other| other == column);
            let in_order = columns.iter().filter_map(place);
            Some(Ok(in_order.map(|place| batch.column(place).clone()).collect()))
        })))
    }
}

/// The one row group, and the columns of it, that a reader is made for.
struct RowGroup<'a> {
    file: &'a ParquetFile<'a>,
    part: usize,
    pages: BTreeMap<usize, Pages>,
}

impl RowGroups for RowGroup<'_> {
    fn num_rows(&self) -> usize {
        self.file.head.rows[self.part] as usize
    }

    fn column_chunks(&self, column: usize) -> Decoded<Box<dyn PageIterator>> {
        let pages = self.pages.get(&column).ok_or(ParquetError::IndexOutOfBound(column, 0))?;
        Ok(Box::new(pages.reader(self.num_rows())?))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.file.metadata.row_group(self.part)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.file.metadata
    }
}
