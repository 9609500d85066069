//! What a sample of a large file tells: pieces spread evenly through it, without reading the rest.

use std::path::Path;

use super::compression::{Compression, decompress_head};
use super::format::{self, About};
use super::inspect::{Foretold, scale};
use super::open_file::OpenFile;
use super::pairs::PAIR;
use super::source::{self, RegularFile};
use super::{HEAD, Options, Source, from_bytes, ids, input};
use crate::{Graph, Result, VertexIds};

/// Files up to this size can be read whole in a fraction of a second; compressed ones up to an eighth of it.
pub const SMALL: u64 = 64 << 20;

/// Pieces of a sample, the first and the last among them.
const PIECES: u64 = 64;

/// Bytes of a piece.
const PIECE: u64 = 1 << 17;

/// Bytes of a compressed file that are decompressed, from its front: there is no other place to begin.
const FRONT: u64 = 4 << 20;

/// Bytes that are decompressed of bzip2 and xz, which are slow.
const SLOW_FRONT: u64 = 1 << 20;

/// Bytes that the front of a compressed file may have for each of its own.
const MOST_COMPRESSED: u64 = 32;

/// The size that a sample of a file tells; `None` where the file is of a kind that has to be read as a whole: anything but edge
/// lists and raw pairs. These may be compressed. A file of at most 8 MiB that is not compressed is read whole. Of several files all are
/// sampled where they have at most [`SMALL`] bytes together, else none.
///
/// The error holds in 95 of 100 files whose pieces differ so much. Of a compressed file the front alone is looked at, so that it
/// is how much the lines and the compression differ within it. Vertices are told from the largest id of the sample, or from how
/// many ids occur once and twice in it (Chao 1984), which is rather too few than too many.
///
/// # Errors
/// What the system reports. Faults of the content are left to whoever reads all of it.
pub fn sample(source: &Source, options: &Options) -> Result<Option<Foretold>> {
    let files = source.files()?;
    if let [only] = &files[..] {
        return of_file(only, options);
    }
    let bytes: Option<u64> = files.iter().map(|path| source::len(path)).sum();
    if bytes.is_none_or(|bytes| bytes > SMALL) {
        return Ok(None);
    }
    let each = files.iter().map(|path| of_file(path, options).transpose());
    let each = each.collect::<Option<Result<Vec<_>>>>().transpose()?;
    Ok(each.and_then(|each| each.into_iter().reduce(|all, next| all.and(&next))))
}

fn of_file(path: &Path, options: &Options) -> Result<Option<Foretold>> {
    let Some(file) = source::at_any_place(path, &options.cancel)? else { return Ok(None) };
    let OpenFile { file, compression, is_archive, .. } = OpenFile::of(file, options)?;
    if is_archive {
        return Ok(None);
    }
    let len = file.len();
    let found = match compression {
        Compression::None if len <= PIECES * PIECE => of_pieces(&file, options, 1, len, len)?,
        Compression::None => of_pieces(&file, options, PIECES, PIECE, len)?,
        Compression::Gzip | Compression::Zstd => of_front(&file, compression, options, FRONT)?,
        _ => of_front(&file, compression, options, SLOW_FRONT)?,
    };
    file.check_unchanged()?;
    Ok(found)
}

/// Pieces of what the `front` first bytes of a compressed file decompress to.
fn of_front(
    file: &RegularFile,
    compression: Compression,
    options: &Options,
    front: u64,
) -> Result<Option<Foretold>> {
    let front = file.head(front)?;
    let decompressed = |front: &[u8]| {
        let most = MOST_COMPRESSED * front.len() as u64;
        let content = decompress_head(&file.name, front, compression, most);
        content.ok().filter(|content| (content.len() as u64) < most)
    };
    let Some(content) = decompressed(&front) else { return Ok(None) };
    let Some(half) = decompressed(&front[..front.len() / 2]) else { return Ok(None) };
    let ratio = content.len() as f64 / front.len() as f64;
    let drift = (2.0 * half.len() as f64 / content.len() as f64 - 1.0).abs();
    let whole = (file.len() as f64 * ratio) as u64;
    let content = RegularFile::memory(Compression::of_name(&file.name).0, content);
    let sample = of_pieces(&content, options, PIECES, PIECE, whole.max(content.len()))?;
    Ok(sample.map(|sample| Foretold { error: sample.error + 2.0 * drift, ..sample }))
}

/// The sample of pieces of `piece` bytes spread evenly through a file, for one of `whole` bytes of such content.
fn of_pieces(
    file: &RegularFile,
    options: &Options,
    pieces: u64,
    piece: u64,
    whole: u64,
) -> Result<Option<Foretold>> {
    let (name, len, head) = (&file.name, file.len(), file.head(HEAD)?);
    let reader = format::reader(format::tell(name, &head, options.format).0);
    let About { is_text_table: are_lines, is_raw: are_pairs, .. } = reader.about();
    if !are_lines && !are_pairs {
        return Ok(None);
    }
    let mut content = Vec::new();
    let mut shares = Vec::new();
    let mut buffer = vec![0; len.min(piece) as usize];
    for i in 0..pieces {
        let last = len - buffer.len() as u64;
        let at = (u128::from(last) * u128::from(i) / u128::from((pieces - 1).max(1))) as u64;
        let at = if are_pairs { at / PAIR as u64 * PAIR as u64 } else { at };
        file.read_at(&mut buffer, at)?;
        // The front of a longer content may end within a line.
        let is_last = at + buffer.len() as u64 == len && whole == len;
        let part = match are_pairs {
            true => Some(&buffer[..buffer.len() / PAIR * PAIR]),
            false => whole_lines(&buffer, at == 0, is_last),
        };
        let Some(part) = part.filter(|part| !part.is_empty()) else { return Ok(None) };
        if are_lines && !content.is_empty() && !content.ends_with(b"\n") {
            content.push(b'\n');
        }
        content.extend_from_slice(part);
        let entries = if are_pairs { part.len() / PAIR } else { input::lines(part) };
        shares.push(entries as f64 / part.len() as f64);
    }
    let quiet = Options { progress: None, ..options.clone() };
    // Where a piece cannot be read, all of the file says why, and in which line.
    let Ok(graph) = from_bytes(name, &content, &quiet) else { return Ok(None) };
    let found = graph.edges().len() as u64;
    let entries = scale(found, whole, content.len() as u64);
    let error = match whole == len {
        true => error(&shares),
        false => error(&shares).max(spread(&shares)),
    };
    let kept = kept_vertices(&graph, entries);
    let vertices = kept.unwrap_or_else(|| match entries > found {
        true => distinct(&graph).min(2 * entries),
        false => graph.vertex_bound() as u64,
    });
    Ok(Some(Foretold {
        entries,
        vertices: Some(vertices),
        error,
        is_sampled: entries > found,
        is_numbered: kept.is_none(),
        reading: graph.reading().cloned(),
    }))
}

/// The whole lines of a piece, which may be the first or the last of all.
fn whole_lines(piece: &[u8], is_first: bool, is_last: bool) -> Option<&[u8]> {
    let begin = if is_first { 0 } else { memchr::memchr2(b'\n', b'\r', piece)? + 1 };
    let end = if is_last { piece.len() } else { memchr::memrchr2(b'\n', b'\r', piece)? + 1 };
    piece.get(begin..end)
}

/// Twice the standard error of the mean, as a share of the mean.
fn error(shares: &[f64]) -> f64 {
    let pieces = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / pieces;
    let squares: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
    let deviation = (squares / (pieces - 1.0).max(1.0)).sqrt();
    if mean > 0.0 { 2.0 * deviation / pieces.sqrt() / mean } else { 0.0 }
}

/// How far the mean of one half is from that of the other, as a share of the whole mean: what goes on so behind the
/// front is off by as much.
fn spread(shares: &[f64]) -> f64 {
    let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    let (one, other) = shares.split_at(shares.len() / 2);
    let all = mean(shares);
    if all > 0.0 { (mean(one) - mean(other)).abs() / all } else { 0.0 }
}

/// The number of vertex indexes of a file of `entries` entries; `None` where they are numbered anew.
fn kept_vertices(graph: &Graph, entries: u64) -> Option<u64> {
    let largest = match graph.ids() {
        VertexIds::Identity { bound } => return Some(u64::from(*bound)),
        VertexIds::Table(table) => table.last().copied(),
        _ => None,
    };
    // The ids of a sample are further apart than those of the file.
    ids::kept_bound(largest?, entries).map(u64::from)
}

/// The number of distinct ids of which the sample shows some (Chao, "Nonparametric estimation of the number of
/// classes in a population", 1984).
fn distinct(graph: &Graph) -> u64 {
    let mut times = vec![0u8; graph.vertex_bound()];
    for &v in graph.edges().as_flattened() {
        times[v as usize] = times[v as usize].saturating_add(1);
    }
    let of = |wanted: u8| times.iter().filter(|&&times| times == wanted).count() as u64;
    let (once, twice, seen) = (of(1), of(2), times.len() as u64 - of(0));
    let unseen =
        u128::from(once) * u128::from(once.saturating_sub(1)) / (2 * u128::from(twice) + 2);
    seen.saturating_add(u64::try_from(unseen).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::oracle;
    use super::*;

    fn of(text: &[u8], pieces: u64, piece: u64) -> Option<Foretold> {
        oracle::with_file(text, |file| {
            of_pieces(&file, &Options::default(), pieces, piece, file.len()).unwrap()
        })
    }

    /// Lines of ids that get longer through the file, as those of sorted edge lists do.
    #[test]
    fn entries_and_vertices_are_near_the_truth() {
        let mut text = String::from("# a comment\n");
        let mut random = 1u64;
        for u in 0..200_000u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(&format!("{u} {}\n", (random >> 40) % 200_000));
        }
        let sample = of(text.as_bytes(), 64, 1 << 12).unwrap();
        let off = (sample.entries as f64 / 200_000.0 - 1.0).abs();
        assert!(off <= sample.error, "{off} {}", sample.error);
        assert!(sample.error < 0.02, "{}", sample.error);
        assert_eq!((sample.vertices, sample.is_numbered), (Some(200_000), false));
    }

    #[test]
    fn ids_with_gaps_are_counted_from_how_often_they_occur() {
        let mut text = String::new();
        let mut random = 1u64;
        let mut id = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 40) % 10_000 * 1_000_000_007
        };
        for _ in 0..100_000 {
            text.push_str(&format!("{} {}\n", id(), id()));
        }
        let sample = of(text.as_bytes(), 64, 1 << 12).unwrap();
        assert!(sample.is_numbered);
        let vertices = sample.vertices.unwrap();
        assert!((8_000..12_000).contains(&vertices), "{vertices}");
    }

    /// The front of a compressed file tells the figures, and how much they can be off by.
    #[cfg(feature = "formats")]
    #[test]
    fn the_front_of_a_compressed_file_tells() {
        use std::io::Write as _;

        let mut text = String::new();
        let mut random = 1u64;
        let mut id = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 40) % 20_000
        };
        const LINES: u64 = 200_000;
        for _ in 0..LINES {
            text.push_str(&format!("{} {}\n", id(), id()));
        }
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        let packed = encoder.finish().unwrap();
        assert!(packed.len() > 1 << 19);
        let sample = oracle::with_file(&packed, |file| {
            of_front(&file, Compression::Gzip, &Options::default(), 1 << 18).unwrap().unwrap()
        });
        let off = (sample.entries as f64 / LINES as f64 - 1.0).abs();
        assert!(off <= sample.error, "{off} {}", sample.error);
        assert!(sample.error < 0.05, "{}", sample.error);
        assert_eq!((sample.vertices, sample.is_numbered), (Some(20_000), false));
    }

    /// Ids with gaps, that occur once, and a last line without its end.
    #[test]
    fn the_sample_of_a_small_file_is_exact() {
        let lines: Vec<String> =
            (0..1_000u64).map(|i| format!("{} {}", i << 40, (i + 1) << 40)).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.txt");
        for text in [lines.join("\n"), lines.join("\n") + "\n"] {
            std::fs::write(&path, text).unwrap();
            let source = Source::from(&path);
            let found = sample(&source, &Options::default()).unwrap().unwrap();
            assert_eq!((found.entries, found.vertices), (1_000, Some(1_001)));
            assert_eq!((found.error, found.is_sampled, found.is_numbered), (0.0, false, true));
        }
    }

    #[test]
    fn what_has_to_be_read_whole_has_no_sample() {
        assert!(of("1 2\n".repeat(100).as_bytes(), 4, 40).is_some());
        // A fault, a line longer than a piece, and a format whose header says it all.
        assert!(of(format!("{}x\n{0}", "1 2\n".repeat(10)).as_bytes(), 4, 60).is_none());
        assert!(of(&[b'1'; 1000], 4, 40).is_none());
        assert!(
            of(b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", 4, 40).is_none()
        );
    }
}
