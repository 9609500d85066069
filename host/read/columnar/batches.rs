//! Record batches in memory: what Polars, DataFusion, arrow-rs and others hand over.

use arrow_array::RecordBatch;
use arrow_schema::Field;

use super::super::source::RegularFile;
use super::{Arrays, ColumnarHead, ColumnarTable, TableColumn, graph, input, slices, values};
use crate::graph::IN_MEMORY as NAME;
use crate::{Graph, Options, Result};

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
    let file = RegularFile::memory(NAME, &[]);
    let mut head = ColumnarHead::of(&file, "Arrow record batches");
    head.columns = schema.fields().iter().map(|field| column(field)).collect();
    head.rows = batches.iter().map(|batch| batch.num_rows() as u64).collect();
    graph(&RecordBatches { head, batches }, options, u64::MAX).map_err(|fault| fault.of(NAME))
}

struct RecordBatches<'a> {
    head: ColumnarHead<'a>,
    batches: &'a [RecordBatch],
}

impl ColumnarTable for RecordBatches<'_> {
    fn head(&self) -> &ColumnarHead<'_> {
        &self.head
    }

    fn arrays(&self, part: usize, columns: &[usize]) -> Result<Arrays<'_>> {
        let batch = self.batches[part].project(columns);
        Ok(slices(batch.map_err(|error| self.head.error(error.to_string()))?))
    }
}

/// The column of a field of the schema.
pub(super) fn column(field: &Field) -> TableColumn {
    TableColumn { name: field.name().clone(), kind: values::kind(field.data_type()) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int8Type;
    use arrow_array::{
        Array, ArrayRef, DictionaryArray, FixedSizeBinaryArray, Float64Array, Int8Array,
        Int32Array, Int64Array, StringArray, StringViewArray,
    };

    use arrow_schema::DataType;

    use super::*;

    fn batch(columns: [(&str, ArrayRef); 2]) -> RecordBatch {
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn read(source: ArrayRef, target: ArrayRef) -> Result<Graph> {
        from_record_batches(&[batch([("source", source), ("target", target)])], &Options::default())
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
        let failing: [(ArrayRef, &str); 5] = [
            (Arc::new(Int64Array::from(vec![0, -1, 2])), "the vertex id -1 is negative"),
            (Arc::new(Int64Array::from(vec![Some(0), None, Some(2)])), "a value is missing"),
            (Arc::new(Float64Array::from(vec![0.0, 1.5, 2.0])), "1.5"),
            (Arc::new(StringArray::from(vec![Some("a"), None, Some("b")])), "a value is missing"),
            (Arc::new(StringArray::from(vec!["a", "", "b"])), "a text is empty"),
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
