//! An Arrow stream becomes edges: its batches are read as a file's columns are.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{ArrayRef, NullArray, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use tribin::read::{self, Columns};
use tribin::{Error, Graph, Result};

use crate::control::Control;
use crate::errors::{EDGES, input, of_edges};

/// Takes the stream out of its capsule: nobody else can read it after that.
pub fn stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds such a stream; what is left in it is an empty one.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) })
}

/// The columns and weights that are asked of a stream.
pub struct StreamColumns {
    /// The two ends; those that reading a file would take without it.
    pub columns: Option<Columns>,
    /// The column of the weights.
    pub weight: Option<String>,
    /// The number of vertices. Ids are integers below it then, and all are vertices.
    pub vertices: Option<usize>,
    /// Columns that hold nothing, whatever their type says.
    pub nothing: Vec<usize>,
}

impl StreamColumns {
    fn graph(&self, batches: &[RecordBatch]) -> Result<Graph> {
        let mut options = read::Options::default();
        options.columns.clone_from(&self.columns);
        options.weight.clone_from(&self.weight);
        read::from_record_batches(batches, &options)
    }

    /// The two ends by their names, and the column of the weights.
    fn places(&self, header: &[String]) -> Result<([usize; 2], Option<usize>)> {
        let (columns, weight) = (self.columns.as_ref(), self.weight.as_deref());
        Columns::choose(columns, header, weight).map(|(places, weight, _)| (places, weight))
    }
}

/// Reads the columns.
pub fn read(
    stream: FFI_ArrowArrayStream,
    asked: &StreamColumns,
    control: &Control,
) -> Result<Graph> {
    let failed = |error: ArrowError| input(format!("the Arrow stream fails: {error}"));
    let reader = RecordBatchStreamReader::try_new(stream).map_err(|error| {
        let advice = "cast the columns of the ends, for example to integers of 64 bits, and leave others out";
        input(match error {
            ArrowError::CDataInterface(what) if what.contains("as a Schema") => {
                "the Arrow stream is one column, and an edge has two ends: give a table, or a series of pairs as a list".into()
            }
            ArrowError::CDataInterface(what) => {
                format!("the columns of the Arrow stream are of no type that is known ({what}): {advice}")
            }
            error => format!("the Arrow stream fails: {error}"),
        })
    })?;
    let schema = typed(&reader.schema(), |place| !asked.nothing.contains(&place));
    let header: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let chosen = asked.places(&header);
    // What is wrong with the columns themselves is known before any row is.
    let empty = RecordBatch::new_empty(Arc::clone(&schema));
    if let Err(error) = asked.graph(&[empty]) {
        return Err(match (chosen, error) {
            // What is asked for and not there is no fault of the table.
            (Err(Error::Usage(asked)), Error::Input { message, .. })
                if asked.problem() == message.problem() =>
            {
                Error::Usage(asked)
            }
            (_, error) => of_edges(error),
        });
    }
    let kept = Kept::new(&schema, chosen.ok(), &asked.nothing);
    let mut batches = vec![RecordBatch::new_empty(Arc::clone(&kept.schema))];
    for batch in reader {
        control.cancel.check()?;
        batches.push(batch.and_then(|batch| kept.of(batch)).map_err(failed)?);
    }
    let graph = asked.graph(&batches).map_err(of_edges)?.with_name(EDGES.into());
    match asked.vertices {
        Some(_) if graph.ids().names().is_some() => {
            let message =
                "`vertices` goes with integers only: here vertices are known by their names";
            Err(Error::Usage(message.into()))
        }
        Some(vertices) => graph.with_vertices(vertices).map_err(of_edges),
        None => Ok(graph),
    }
}

/// A schema in which all columns but some have no type.
fn typed(schema: &Schema, is_kept: impl Fn(usize) -> bool) -> Arc<Schema> {
    let field = |(place, field): (usize, &Arc<Field>)| match is_kept(place) {
        true => Arc::clone(field),
        false => Arc::new(Field::new(field.name(), DataType::Null, true)),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().enumerate().map(field).collect();
    Arc::new(Schema::new(fields))
}

/// The columns of a stream that are kept until all of it is there. Of the others nothing is left but their names.
struct Kept {
    places: BTreeSet<usize>,
    schema: Arc<Schema>,
}

impl Kept {
    /// The ends and the weights, where the names of columns tell them; of other tables all columns.
    fn new(
        schema: &Schema,
        chosen: Option<([usize; 2], Option<usize>)>,
        nothing: &[usize],
    ) -> Kept {
        let all = schema.fields().len();
        let mut places: BTreeSet<usize> = match chosen {
            // By the first three columns the library knows the tables that it wrote.
            Some((ends, weight)) => (0..all.min(3)).chain(ends).chain(weight).collect(),
            None => (0..all).collect(),
        };
        places.retain(|place| !nothing.contains(place));
        let schema = typed(schema, |place| places.contains(&place));
        Kept { places, schema }
    }

    fn of(&self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        let rows = batch.num_rows();
        let column = |(place, column): (usize, &ArrayRef)| match self.places.contains(&place) {
            true => Arc::clone(column),
            false => Arc::new(NullArray::new(rows)),
        };
        let columns = batch.columns().iter().enumerate().map(column).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}
