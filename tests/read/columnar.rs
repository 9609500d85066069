//! Parquet and Arrow: files as programs write them, damaged in every way that random edits find. A reader that
//! believed a length would ask for more memory than the allocator in `main.rs` has.

use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use tribin::VertexIds;
use tribin::read::{self, IdKind, Options};

use crate::fuzz::{apply, edit};
use crate::samples::{answers, read};

/// The files of a folder of `tests/as-found/binary`.
fn found(kind: &str) -> Vec<(String, Vec<u8>)> {
    let folder = testkit::places::root().join("tests/as-found/binary").join(kind);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    };
    files.into_iter().map(named).collect()
}

fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (kind, built) in
        [("parquet", cfg!(feature = "parquet")), ("arrow", cfg!(feature = "arrow"))]
    {
        if built {
            // Two million rows take too long, many times.
            seeds.extend(found(kind).into_iter().filter(|(name, _)| name != "repeated.parquet"));
        }
    }
    seeds
}

/// Reads what may be damaged: an answer whose edges are below the bound, or one line.
fn check(name: &str, bytes: &[u8], ids: IdKind) {
    let mut options = Options::default();
    options.ids = ids;
    // What repetitions make of few bytes is limited by this alone.
    options.decompressed_limit = Some(64 << 20);
    answers(name, bytes, &options);
}

#[test]
fn columns_by_name_by_number_and_without_rows() {
    for (name, bytes) in seeds() {
        let mut options = Options::default();
        options.columns = Some("target,source".parse().unwrap());
        let Ok(turned) = read::from_bytes(&name, &bytes, &options) else { continue };
        let plain = read(&name, &bytes).unwrap();
        if let (VertexIds::Identity { .. }, VertexIds::Identity { .. }) =
            (plain.ids(), turned.ids())
        {
            let back: Vec<[u32; 2]> = turned.edges().iter().map(|&[u, v]| [v, u]).collect();
            assert_eq!(plain.edges(), back, "{name}");
        }
        let mut options = Options::default();
        options.ids = IdKind::Names;
        let names = read::from_bytes(&name, &bytes, &options).unwrap();
        let called = |v: u32| names.ids().names().unwrap().get(v).to_owned();
        for (ends, by_name) in plain.edges().iter().zip(names.edges()) {
            let numbers = ends.map(|v| plain.ids().id(v).to_string());
            assert_eq!(numbers, by_name.map(called), "{name}");
        }
    }
}

/// Two million rows in a kilobyte or so: memory follows the rows, which the limit holds for.
#[cfg(feature = "parquet")]
#[test]
fn rows_of_almost_no_bytes_stop_at_the_limit() {
    let (name, bytes) =
        found("parquet").into_iter().find(|(n, _)| n == "repeated.parquet").unwrap();
    assert!(bytes.len() < 1 << 15, "{} bytes", bytes.len());
    let mut options = Options::default();
    options.decompressed_limit = Some(16_000_000);
    assert_eq!(read::from_bytes(&name, &bytes, &options).unwrap().edges().len(), 2_000_000);
    options.decompressed_limit = Some(15_999_999);
    assert_eq!(
        read::from_bytes(&name, &bytes, &options).unwrap_err().to_string(),
        "repeated.parquet: the file announces 2000000 rows, whose edges take more than 15999999 bytes: if the \
         file can be trusted and the memory suffices, allow more with `decompressed_limit`"
    );
}

/// Every byte of a small file of each format, changed in several ways.
#[test]
fn every_byte_of_some_files() {
    for (name, bytes) in seeds() {
        let small =
            ["pages-2.0.parquet", "names-delta_byte_array.parquet", "delta.arrows", "views.arrow"];
        if !small.contains(&name.as_str()) {
            continue;
        }
        let mut damaged = bytes.clone();
        for at in 0..bytes.len() {
            for value in [0, 0xff, bytes[at] ^ 0x80, bytes[at].wrapping_add(1)] {
                damaged[at] = value;
                check(&name, &damaged, IdKind::Auto);
            }
            damaged[at] = bytes[at];
        }
        for end in (0..bytes.len()).step_by(7) {
            check(&name, &bytes[..end], IdKind::Auto);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::effort::cases(3000), ..ProptestConfig::default() })]

    #[test]
    fn edited_tables(sample in any::<Index>(), edits in vec(edit(), 1..6), names in any::<bool>()) {
        let seeds = SEEDS.with(Clone::clone);
        if !seeds.is_empty() {
            let (name, mut bytes) = sample.get(&seeds).clone();
            for edit in &edits {
                apply(&mut bytes, edit);
            }
            check(&name, &bytes, if names { IdKind::Names } else { IdKind::Auto });
        }
    }
}

thread_local! {
    static SEEDS: std::sync::Arc<Vec<(String, Vec<u8>)>> = std::sync::Arc::new(seeds());
}

/// A page that was changed behind its writer's back was read as it stood. pyarrow wrote the file, with
/// `write_page_checksum=True`.
#[cfg(feature = "parquet")]
#[test]
fn checksums_of_pages_are_compared() {
    let path = testkit::places::root().join("tests/data/checksums.parquet");
    let mut bytes = std::fs::read(path).unwrap();
    let good = read("a.parquet", bytes.clone()).unwrap();
    assert_eq!(good.edges(), [[0, 1], [1, 2], [2, 0], [2, 3]]);
    // The last two sources.
    let twice: Vec<u8> = [2u64, 2].iter().flat_map(|id| id.to_le_bytes()).collect();
    let place = bytes.windows(16).position(|window| window == twice).unwrap();
    bytes[place] = 3;
    let message = read("a.parquet", bytes).unwrap_err().to_string();
    assert!(message.contains("Page CRC checksum mismatch"), "{message}");
}

/// Files that pyarrow wrote with a footer that is only signed, and with columns that are encrypted: their pages were damaged ones.
#[cfg(feature = "parquet")]
#[test]
fn encrypted_columns_behind_a_plain_footer() {
    let file =
        |name: &str| std::fs::read(testkit::places::root().join("tests/data").join(name)).unwrap();
    let (ends, weights) = (file("encrypted-ends.parquet"), file("encrypted-weights.parquet"));
    assert_eq!(
        read("a.parquet", ends).unwrap_err().to_string(),
        "a.parquet: the column `source` is encrypted, which is not read: write it without encryption"
    );
    assert_eq!(read("a.parquet", &weights).unwrap().edges(), [[0, 1], [1, 2], [2, 0]]);
    let mut options = Options::default();
    options.weight = Some("w".into());
    assert_eq!(
        read::from_bytes("a.parquet", &weights, &options).unwrap_err().to_string(),
        "a.parquet: the column `w` is encrypted, which is not read: write it without encryption"
    );
}

/// A batch whose head says nothing of its columns was taken for one without rows: 0 edges, exit code 0.
#[cfg(feature = "arrow")]
#[test]
fn batch_without_columns() {
    let path = testkit::places::root().join("tests/data/batch-without-columns.arrow");
    let message = read("a.arrow", std::fs::read(path).unwrap()).unwrap_err().to_string();
    assert!(message.contains("a record batch and its columns differ in their rows"), "{message}");
}

/// A file whose footer gives a message's head another length than the message itself: its numbers were read from behind their
/// place. pyarrow wrote the file, with two columns of one byte; the footer's length was changed.
#[cfg(feature = "arrow")]
#[test]
fn a_message_itself_says_how_long_its_head_is() {
    let path = testkit::places::root().join("tests/data/two-lengths-of-a-head.arrow");
    assert_eq!(read("a.arrow", std::fs::read(path).unwrap()).unwrap().edges(), [[3, 3]]);
}

/// A column's name that holds the end of a line came into the message as it was: two lines.
#[cfg(feature = "arrow")]
#[test]
fn a_line_end_in_the_name_of_a_column() {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Float64Array, RecordBatch};

    let column = |values| Arc::new(Float64Array::from(vec![0.0, values])) as ArrayRef;
    let batch =
        RecordBatch::try_from_iter([("sour\n\u{1b}e", column(1.5)), ("target", column(1.0))]);
    let message =
        read::from_record_batches(&[batch.unwrap()], &Options::default()).unwrap_err().to_string();
    assert!(message.contains(r"in the column `sour\n\u{1b}e`"), "{message}");
}

/// The two bytes that fill up the mark at the beginning say nothing; such files were read as streams.
#[cfg(feature = "arrow")]
#[test]
fn bytes_behind_the_mark() {
    let files = found("arrow").into_iter().filter(|(_, bytes)| bytes.starts_with(b"ARROW1"));
    let mut seen = 0;
    for (name, mut bytes) in files {
        let expected = read(&name, bytes.clone()).map(|graph| graph.edges().to_vec());
        bytes[7] = 0x80;
        let graph = read(&name, bytes).map(|graph| graph.edges().to_vec());
        assert_eq!(graph.map_err(|e| e.to_string()), expected.map_err(|e| e.to_string()), "{name}");
        seen += 1;
    }
    assert!(seen > 0);
}

/// The integer 1 and the text `1` were one vertex.
#[cfg(feature = "arrow")]
#[test]
fn ends_of_two_kinds_are_refused() {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
    use arrow_ipc::writer::StreamWriter;

    let of = |source: ArrayRef| {
        let target = Arc::new(StringArray::from(vec!["1", "2", "0"])) as ArrayRef;
        RecordBatch::try_from_iter([("source", source), ("target", target)]).unwrap()
    };
    let integers = of(Arc::new(Int64Array::from(vec![0, 1, 2])));
    let mut writer = StreamWriter::try_new(Vec::new(), &integers.schema()).unwrap();
    writer.write(&integers).unwrap();
    let stream = writer.into_inner().unwrap();
    let problem = "the column `source` holds integers and `target` holds texts: both ends of an edge are of one kind, write \
                   both as integers or both as texts (say `ids integers` or `ids names`)";
    let error = read("a.arrows", &stream).unwrap_err().to_string();
    assert_eq!(error, format!("a.arrows: {problem}"));
    let error =
        read::from_record_batches(&[integers], &Options::default()).unwrap_err().to_string();
    assert_eq!(error, format!("(memory): {problem}"));
    let floats = of(Arc::new(Float64Array::from(vec![0.0, 1.0, 2.0])));
    let error = read::from_record_batches(&[floats], &Options::default()).unwrap_err().to_string();
    assert!(error.contains("`source` holds floats and `target` holds texts"), "{error}");
    for ids in [IdKind::Integers, IdKind::Names] {
        let mut options = Options::default();
        options.ids = ids;
        let graph = read::from_bytes("a.arrows", &stream, &options).unwrap();
        assert_eq!(graph.edges().len(), 3);
        assert_eq!(graph.ids().names().is_some(), ids == IdKind::Names);
    }
}

/// Ids that are names in one of several files were said to be names because that was asked for.
#[cfg(feature = "arrow")]
#[test]
fn integers_beside_a_file_of_names_are_names() {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use arrow_ipc::writer::StreamWriter;

    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, [source, target]: [ArrayRef; 2]| {
        let batch = RecordBatch::try_from_iter([("source", source), ("target", target)]).unwrap();
        let file = std::fs::File::create(folder.path().join(name)).unwrap();
        let mut writer = StreamWriter::try_new(file, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    };
    write("a.arrows", [vec![0, 1], vec![1, 2]].map(|ids| Arc::new(Int64Array::from(ids)) as _));
    write("b.arrows", [vec!["0"], vec!["x"]].map(|ids| Arc::new(StringArray::from(ids)) as _));
    let reasons = |options: &Options| {
        let graph = read::open(folder.path(), options).unwrap();
        assert!(graph.ids().names().is_some());
        graph.reading().unwrap().reasons[1].clone()
    };
    let mut options = Options::default();
    assert_eq!(reasons(&options), "ids are names because those of some files are");
    options.ids = IdKind::Names;
    assert_eq!(reasons(&options), "ids are names because that was asked for");
}

/// The column of the weights was called `weight` in messages, and another column took the place of an end.
#[cfg(feature = "arrow")]
#[test]
fn weights_that_are_an_end() {
    use std::sync::Arc;

    use arrow_array::types::Int8Type;
    use arrow_array::{ArrayRef, Decimal128Array, DictionaryArray, Int64Array, RecordBatch};
    let weighted = |column: &str| {
        let mut options = Options::default();
        options.weight = Some(column.into());
        options
    };

    let column = || Arc::new(Int64Array::from(vec![1, 2, 3])) as ArrayRef;
    let of = |names: &[&str]| {
        RecordBatch::try_from_iter(names.iter().map(|&name| (name, column()))).unwrap()
    };
    for names in [&["source", "target", "w"][..], &["source", "target"]] {
        for asked in ["source", "1"] {
            assert_eq!(
                read::from_record_batches(&[of(names)], &weighted(asked)).unwrap_err().to_string(),
                "(memory): the column `source` is an end of the edges, and no weight"
            );
        }
    }
    assert_eq!(
        read::from_record_batches(&[of(&["a", "b"])], &weighted("c")).unwrap_err().to_string(),
        "(memory): there is no column `c` of weights; the columns are `a`, `b`"
    );
    // Where the names say nothing, weights are none of the ends.
    let graph = read::from_record_batches(&[of(&["x", "y", "z"])], &weighted("2")).unwrap();
    let reading = graph.reading().unwrap();
    assert_eq!(reading.columns, Some(["x", "z"].map(String::from)));
    assert_eq!(graph.weights(), Some(&[1.0, 2.0, 3.0][..]));
    let decimals: ArrayRef =
        Arc::new(Decimal128Array::from(vec![-5i128, 6, 7]).with_precision_and_scale(9, 0).unwrap());
    let keys = arrow_array::Int8Array::from(vec![2, 0, 0]);
    let coded: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(keys, column()));
    for (weights, expected) in [(decimals, [-5.0, 6.0, 7.0]), (coded, [3.0, 1.0, 1.0])] {
        let columns = [("source", column()), ("target", column()), ("w", weights)];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let graph = read::from_record_batches(&[batch], &weighted("w")).unwrap();
        assert_eq!(graph.weights(), Some(&expected[..]));
    }
}

/// The buffers of the ends are found behind those of columns of every type, which are not read.
#[cfg(feature = "arrow")]
#[test]
fn columns_of_every_type_before_the_ends() {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringViewArray, new_null_array};
    use arrow_ipc::writer::StreamWriter;
    use arrow_schema::{DataType, Field, Fields, UnionFields, UnionMode};

    let within = |data| Arc::new(Field::new("item", data, true));
    let pair = Fields::from(vec![
        Field::new("keys", DataType::Utf8, false),
        Field::new("values", DataType::List(within(DataType::Utf8View)), true),
    ]);
    let entries = Field::new("entries", DataType::Struct(pair.clone()), false);
    let union = |mode| {
        let fields = UnionFields::try_new(vec![0, 1], pair.iter().cloned()).unwrap();
        DataType::Union(fields, mode)
    };
    let types = [
        DataType::Null,
        DataType::Boolean,
        DataType::Decimal256(40, 2),
        DataType::FixedSizeBinary(3),
        DataType::Binary,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::List(within(DataType::Int8)),
        DataType::LargeList(within(DataType::Utf8)),
        DataType::ListView(within(DataType::Int64)),
        DataType::FixedSizeList(within(DataType::Float32), 2),
        DataType::Map(Arc::new(entries), false),
        DataType::Struct(pair.clone()),
        DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8)),
        union(UnionMode::Dense),
        union(UnionMode::Sparse),
        DataType::RunEndEncoded(
            Arc::new(Field::new("run_ends", DataType::Int32, false)),
            Arc::new(Field::new("values", DataType::Utf8, true)),
        ),
    ];
    let views = ["a text of more than twelve bytes", "b", "another text that is not in its view"];
    let mut columns: Vec<(String, ArrayRef)> = types
        .iter()
        .enumerate()
        .map(|(place, data)| (format!("c{place}"), new_null_array(data, 3)))
        .collect();
    columns.push(("views".into(), Arc::new(StringViewArray::from(views.to_vec()))));
    columns.push(("source".into(), Arc::new(Int64Array::from(vec![1, 2, 3]))));
    columns.push(("target".into(), Arc::new(Int64Array::from(vec![2, 3, 1]))));
    for behind in 0..=types.len() {
        let batch = RecordBatch::try_from_iter(columns[behind..].to_vec()).unwrap();
        let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        let stream = writer.into_inner().unwrap();
        assert_eq!(
            read("a.arrows", &stream).unwrap().edges(),
            [[1, 2], [2, 3], [3, 1]],
            "{behind}"
        );
    }
}

/// Columns that lack one end of the edges, and columns whose values are no ids.
#[cfg(feature = "arrow")]
#[test]
fn columns_that_are_no_two_ends() {
    use std::sync::Arc;

    use arrow_array::types::Int64Type;
    use arrow_array::{ArrayRef, Int64Array, ListArray, RecordBatch};
    use arrow_ipc::writer::StreamWriter;

    let stream = |columns: Vec<(&str, ArrayRef)>| {
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    };
    let integers = || Arc::new(Int64Array::from(vec![1, 2, 3])) as ArrayRef;
    let error = |name: &str, bytes: &[u8]| read(name, bytes).unwrap_err().to_string();
    let part = stream(vec![("target", integers()), ("weight", integers())]);
    assert_eq!(
        error("part.arrows", &part),
        "part.arrows: column `target` alone may be an end of an edge by its name; the columns are `target`, `weight`: name two with `columns`, for example `columns target,weight`"
    );
    assert_eq!(
        error("H/source=0/part.arrows", &part),
        "H/source=0/part.arrows: the folder `source=0` has one end of the edges in its name, where it is not read: write \
         the parts with both columns of the edges in them, or, if the ends are in the files: name two with `columns`, for example `columns 1,2`"
    );
    // Two other columns that may be ends do not take the place of the one in the name.
    let part = stream(vec![("target", integers()), ("u", integers()), ("v", integers())]);
    assert!(error("H/source=0/part.arrows", &part).contains("the folder `source=0` has one end"));
    assert_eq!(read("H/year=0/part.arrows", &part).unwrap().edges().len(), 3);
    let whole = stream(vec![("source", integers()), ("target", integers())]);
    assert_eq!(read("H/source=0/part.arrows", &whole).unwrap().edges(), [[1, 1], [2, 2], [3, 3]]);
    let groups = stream(vec![(":START_ID(A)", integers()), (":END_ID(B)", integers())]);
    assert!(error("a.arrows", &groups).contains("have ids of different kinds"));
    let lists =
        ListArray::from_iter_primitive::<Int64Type, _, _>([1, 2, 3].map(|v| Some([Some(v)])));
    let lists = stream(vec![("source", Arc::new(lists)), ("target", integers())]);
    let message = error("a.arrows", &lists);
    assert!(
        message.starts_with("a.arrows: the column `source` holds values of the type "),
        "{message}"
    );
    assert!(
        message.ends_with(", which are no ids: write two columns with an id in each row"),
        "{message}"
    );
    let mut options = Options::default();
    options.skip = 1;
    assert_eq!(
        read::from_bytes("a.arrows", &whole, &options).unwrap_err().to_string(),
        "a.arrows: the format is `arrow`, and one of the options is of tables of text only: leave out `skip`"
    );
}
