use super::*;

const COLUMNS: [Column; 2] = [Column::Unsigned("vertex"), Column::Double("clustering")];

/// A table whose blocks are made some at a time.
struct Blocks<'a, 'v> {
    columns: &'a [Column],
    rows: u64,
    blocks: usize,
    block: &'a (dyn Fn(usize) -> io::Result<Vec<Values<'v>>> + Sync),
}

impl<'v> Blocks<'_, 'v> {
    fn write(&self, target: TableTarget, to: &mut (dyn Write + Send)) -> io::Result<Written> {
        self.write_to(target, &mut Destination::Stream(to))
    }

    fn write_to(&self, target: TableTarget, to: &mut Destination) -> io::Result<Written> {
        let Blocks { columns, rows, blocks, block } = *self;
        let mut stream = |take: &mut TakeBlocks<'_, 'v>| {
            let mut next = 0;
            while next < blocks {
                let batch = next..blocks.min(next + 2 * par::threads());
                next = batch.end;
                if !take(par::try_map(batch, block)?)? {
                    break;
                }
            }
            Ok(())
        };
        Table { columns, rows, stream: &mut stream }.write(target, to)
    }
}

fn target(format: TableFormat) -> TableTarget {
    TableTarget { format, compression: Compression::None }
}

/// Blocks of `sizes` rows: row i is (2⁶⁴ - 1 - i, i / 4).
fn blocks(sizes: &[usize]) -> impl Fn(usize) -> io::Result<Vec<Values<'static>>> + Sync + use<> {
    let sizes = sizes.to_vec();
    move |block| {
        let start = sizes[..block].iter().sum::<usize>() as u64;
        let rows = start..start + sizes[block] as u64;
        Ok(vec![
            Values::Whole(rows.clone().map(|i| u64::MAX - i).collect()),
            Values::Double(rows.map(|i| i as f64 / 4.0).collect()),
        ])
    }
}

fn write(format: TableFormat, sizes: &[usize], rows: u64) -> (Vec<u8>, Written) {
    let block = blocks(sizes);
    let table = Blocks { columns: &COLUMNS, rows, blocks: sizes.len(), block: &block };
    let mut bytes = Vec::new();
    let written = table.write(target(format), &mut bytes).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    (bytes, written)
}

fn text(format: TableFormat, sizes: &[usize], rows: u64) -> String {
    String::from_utf8(write(format, sizes, rows).0).unwrap()
}

#[test]
fn text_has_all_digits_and_the_names() {
    assert_eq!(
        text(TableFormat::Csv, &[1, 0, 2], 3),
        "vertex,clustering\n18446744073709551615,0.0\n18446744073709551614,0.25\n\
         18446744073709551613,0.5\n"
    );
    assert_eq!(text(TableFormat::Tsv, &[1], 1), "vertex\tclustering\n18446744073709551615\t0.0\n");
    assert_eq!(text(TableFormat::Csv, &[], 0), "vertex,clustering\n");
}

#[test]
fn a_limit_cuts_within_a_block_and_over_many_batches() {
    let sizes = [3; 400];
    let whole = text(TableFormat::Csv, &sizes, u64::MAX);
    assert_eq!(whole.lines().count(), 1201);
    for limit in [0, 1, 2, 3, 4, 599, 600, 601, 1200, 1201] {
        let cut: Vec<&str> = whole.lines().take(limit as usize + 1).collect();
        let (bytes, written) = write(TableFormat::Csv, &sizes, limit);
        assert_eq!(String::from_utf8(bytes).unwrap(), cut.join("\n") + "\n", "limit {limit}");
        assert_eq!(written.rows, limit.min(1200));
    }
}

#[test]
fn a_block_that_fails_ends_the_table_with_its_error() {
    for format in [TableFormat::Csv, TableFormat::Npy] {
        let block = |block| match block {
            0..20 => Ok(vec![Values::Whole(vec![7; 10])]),
            _ => Err(io::Error::other(crate::Error::Cancelled)),
        };
        let table =
            Blocks { columns: &[Column::Whole("a")], rows: 1_000, blocks: 100, block: &block };
        let error = table.write(target(format), &mut Vec::new()).unwrap_err();
        assert!(matches!(error.downcast(), Ok(crate::Error::Cancelled)));
    }
}

#[test]
fn no_block_past_the_limit_s_batch_is_made() {
    let made = std::sync::atomic::AtomicUsize::new(0);
    let block = |_| {
        made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(vec![Values::Whole(vec![7; 10])])
    };
    let table =
        Blocks { columns: &[Column::Whole("a")], rows: 5, blocks: 1_000_000, block: &block };
    assert_eq!(table.write(TableTarget::TEXT, &mut Vec::new()).unwrap().rows, 5);
    assert!(made.into_inner() <= 2 * tribin_base::par::threads());
}

#[test]
fn npy_of_mixed_columns_is_an_array_of_records() {
    let (bytes, _) = write(TableFormat::Npy, &[2, 1], 3);
    let header = "{'descr': [('vertex', '<u8'), ('clustering', '<f8')], 'fortran_order': False, \
                  'shape': (3,), }";
    assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
    assert_eq!(std::str::from_utf8(&bytes[10..128]).unwrap().trim_end(), header);
    assert_eq!(bytes[127], b'\n');
    let words: Vec<u64> =
        bytes[128..].chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
    let rows = [(u64::MAX, 0.0f64), (u64::MAX - 1, 0.25), (u64::MAX - 2, 0.5)];
    assert_eq!(words, rows.map(|(whole, double)| [whole, double.to_bits()]).concat());
}

#[test]
fn npy_of_whole_numbers_is_what_tribin_reads() {
    let edges = [[1u64, 2], [2, 3], [3, 1], [1 << 40, 1]];
    let block = |i: usize| Ok([0, 1].map(|end| Values::Whole(vec![edges[i][end]])).to_vec());
    let columns = [Column::Whole("u"), Column::Whole("v")];
    // A file and a stream alike: neither knows the number of rows before.
    let table = Blocks { columns: &columns, rows: u64::MAX, blocks: 4, block: &block };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edges.npy");
    let mut file = std::fs::File::create(&path).unwrap();
    let written = table.write_to(target(TableFormat::Npy), &mut Destination::File(&mut file));
    let mut streamed = Vec::new();
    assert_eq!(written.unwrap(), table.write(target(TableFormat::Npy), &mut streamed).unwrap());
    assert!(std::fs::read(&path).unwrap() == streamed);
    let graph = tribin_read::open(path.as_path(), &tribin_read::Options::default()).unwrap();
    let found: Vec<[u64; 2]> =
        graph.edges().iter().map(|edge| edge.map(|v| graph.ids().number(v))).collect();
    assert_eq!(found, edges);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_rows_and_the_kinds() {
    use ::parquet::basic::LogicalType;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;
    for sizes in [vec![], vec![0], vec![2, 0, 5], vec![1 << 18; 5]] {
        let rows = sizes.iter().sum::<usize>() as u64;
        let (bytes, written) = write(TableFormat::Parquet, &sizes, u64::MAX);
        assert_eq!(written.rows, rows);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        std::fs::write(&path, bytes).unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr().clone();
        let kind = LogicalType::integer(64, false);
        assert_eq!(schema.column(0).logical_type_ref(), Some(&kind));
        assert_eq!(schema.column(0).name(), "vertex");
        let mut next = 0;
        for row in reader.get_row_iter(None).unwrap() {
            let fields: Vec<_> = row.unwrap().into_columns().into_iter().collect();
            assert_eq!(fields[0].1, Field::ULong(u64::MAX - next));
            assert_eq!(fields[1].1, Field::Double(next as f64 / 4.0));
            next += 1;
        }
        assert_eq!(next, rows);
    }
}

#[test]
fn extensions() {
    use Compression::{Gzip, None, Zstd};
    for (name, format, compression) in [
        ("a.csv", TableFormat::Csv, None),
        ("a.b.TSV", TableFormat::Tsv, None),
        ("folder.csv/a.txt", TableFormat::Tsv, None),
        ("a.npy", TableFormat::Npy, None),
        ("a.csv.gz", TableFormat::Csv, Gzip),
        ("a.tsv.ZST", TableFormat::Tsv, Zstd),
    ] {
        if compression == None || cfg!(feature = "formats") {
            assert_eq!(TableTarget::of_name(name).unwrap(), TableTarget { format, compression });
        }
    }
    for name in ["a", "a.json", "csv", ".csv", "a.gz", "folder.csv/a"] {
        let error = TableTarget::of_name(name).unwrap_err();
        assert!(matches!(error, Error::Usage(_)));
        assert!(error.to_string().starts_with(&format!("{name}: the extension says")), "{error}");
    }
    let error = TableTarget::of_name("a.npy.gz").unwrap_err().to_string();
    assert!(
        error.starts_with("a.npy.gz: of tables only text is compressed: use .csv, "),
        "{error}"
    );
    assert_eq!("csv".parse::<TableTarget>().unwrap().format(), TableFormat::Csv);
    let error = "json".parse::<TableTarget>().unwrap_err().to_string();
    assert!(error.starts_with("`json` is no format of tables: use one of .csv, "), "{error}");
}

/// Differences of unsigned columns wrapped.
#[test]
fn whole_numbers_are_signed_but_for_ids_that_need_all_bits() {
    let of = |ids: &VertexIds| Column::of_ids("u", ids);
    assert_eq!(of(&VertexIds::OneBased { bound: 3 }), Column::Whole("u"));
    assert_eq!(of(&VertexIds::Table(vec![1, i64::MAX as u64])), Column::Whole("u"));
    assert_eq!(of(&VertexIds::Table(vec![1, 1 << 63])), Column::Unsigned("u"));
    let described = |columns: &[Column]| {
        let block = |_| Ok(columns.iter().map(|_| Values::Whole(vec![1])).collect());
        let table = Blocks { columns, rows: 1, blocks: 1, block: &block };
        let mut bytes = Vec::new();
        table.write(target(TableFormat::Npy), &mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[10..]).split(", 'fortran").next().unwrap().to_owned()
    };
    let (signed, unsigned) = (Column::Whole("a"), Column::Unsigned("b"));
    assert_eq!(described(&[signed, signed]), "{'descr': '<i8'");
    assert_eq!(described(&[unsigned, unsigned]), "{'descr': '<u8'");
    assert_eq!(described(&[unsigned, signed]), "{'descr': [('b', '<u8'), ('a', '<i8')]");
}

#[cfg(feature = "formats")]
#[test]
fn compressed_text_holds_the_same() {
    let sizes = [1000; 40];
    let plain = write(TableFormat::Csv, &sizes, u64::MAX).0;
    let block = blocks(&sizes);
    let table = Blocks { columns: &COLUMNS, rows: u64::MAX, blocks: sizes.len(), block: &block };
    let compressed = |extension: &str| {
        let mut bytes = Vec::new();
        table.write(extension.parse().unwrap(), &mut bytes).unwrap();
        bytes
    };
    let mut content = Vec::new();
    let gzip = compressed("csv.gz");
    io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&gzip[..]), &mut content).unwrap();
    assert!(content == plain);
    // One frame: there are readers that stop after the first.
    let zstd = compressed("csv.zst");
    let mut frame = zstd::stream::read::Decoder::new(&zstd[..]).unwrap().single_frame();
    content.clear();
    io::Read::read_to_end(&mut frame, &mut content).unwrap();
    assert!(content == plain);
}

#[cfg(feature = "arrow")]
#[test]
fn arrow_has_the_rows_and_the_kinds() {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, UInt64Type};
    use arrow_schema::DataType;
    for sizes in [vec![], vec![0], vec![2, 0, 5]] {
        let rows = sizes.iter().sum::<usize>() as u64;
        let (bytes, written) = write(TableFormat::Arrow, &sizes, u64::MAX);
        assert_eq!(written.rows, rows);
        let reader = arrow_ipc::reader::FileReader::try_new(io::Cursor::new(bytes), None).unwrap();
        let kinds: Vec<_> =
            reader.schema().fields().iter().map(|field| field.data_type().clone()).collect();
        assert_eq!(kinds, [DataType::UInt64, DataType::Float64]);
        let mut next = 0;
        for batch in reader {
            let batch = batch.unwrap();
            let (ids, doubles) = (
                batch.column(0).as_primitive::<UInt64Type>(),
                batch.column(1).as_primitive::<Float64Type>(),
            );
            for (&id, &double) in ids.values().iter().zip(doubles.values()) {
                assert_eq!((id, double), (u64::MAX - next, next as f64 / 4.0));
                next += 1;
            }
        }
        assert_eq!(next, rows);
    }
}

#[test]
fn a_writer_s_error_is_passed_on() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let sizes = [1000; 50];
    let block = blocks(&sizes);
    let table = Blocks { columns: &COLUMNS, rows: 50_000, blocks: 50, block: &block };
    let formats = [TableFormat::Csv, TableFormat::Npy];
    #[cfg(feature = "parquet")]
    let formats = [formats[0], formats[1], TableFormat::Parquet];
    for format in formats {
        for room in [0, 10, 5000] {
            let error = table.write(target(format), &mut Full(room)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{format:?} {room}");
        }
    }
}

/// A table of two named edges.
fn named(format: TableFormat) -> io::Result<Vec<u8>> {
    let ids = VertexIds::Names(crate::graph::Names::distinct(["a b", "7", "x,\"y\""]).unwrap());
    let edges = [[0, 1], [1, 2]];
    let end = |end: usize| Values::of_ids(&ids, edges.iter().map(|edge| edge[end]));
    let columns = ["u", "v"].map(|name| Column::of_ids(name, &ids));
    let table =
        Blocks { columns: &columns, rows: 2, blocks: 1, block: &|_| Ok(vec![end(0), end(1)]) };
    let mut bytes = Vec::new();
    table.write(target(format), &mut bytes)?;
    Ok(bytes)
}

#[test]
fn names_are_quoted_where_they_could_be_split() {
    let text = |format| String::from_utf8(named(format).unwrap()).unwrap();
    assert_eq!(text(TableFormat::Csv), "u,v\n\"a b\",7\n7,\"x,\"\"y\"\"\"\n");
    let tabs = text(TableFormat::Tsv);
    assert!(tabs.ends_with("\"a b\"\t7\n7\t\"x,\"\"y\"\"\"\n"), "{tabs}");
    let error = named(TableFormat::Npy).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    assert!(error.to_string().contains("use .csv, .tsv, .parquet or .feather"), "{error}");
}

#[cfg(feature = "parquet")]
#[test]
fn names_in_parquet_are_strings() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    std::fs::write(&path, named(TableFormat::Parquet).unwrap()).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    let cells: Vec<Field> =
        rows.flat_map(|row| row.unwrap().into_columns()).map(|(_, cell)| cell).collect();
    assert_eq!(cells, ["a b", "7", "7", "x,\"y\""].map(|name| Field::Str(name.into())));
}
