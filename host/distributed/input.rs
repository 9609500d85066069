//! Read: each rank its share of every file that can be cut, and in turns those that cannot.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::control::memory;
use crate::graph::{EdgeSink, Entries, Reading};
use crate::ranks::Ranks;
use crate::read::{self, Share, Shared};
use crate::{Error, Hint, Message, Result};

/// Bytes of a file that a task reads at a time.
const PIECE: usize = 1 << 20;

/// Entries in blocks, in no order.
pub(super) type Blocks<T> = Vec<Vec<[T; 2]>>;

/// The entries that a rank has read.
pub(super) struct Input {
    /// Entries in blocks, self-loops gone.
    pub narrow: Blocks<u32>,
    /// Entries of which an id takes more than 32 bits, in blocks, self-loops gone.
    pub wide: Blocks<u64>,
    /// How many self-loops there were.
    pub self_loops: u64,
    /// The largest id; `None` without an entry.
    pub largest: Option<u64>,
    /// How a table was read, where this rank knows.
    pub reading: Option<Reading>,
    /// The files that one rank has read alone, each with that rank.
    pub alone: Vec<(String, u32)>,
}

/// Entries in blocks, and figures of those that were dropped.
struct Kept<T> {
    /// Entries that are no self-loops.
    blocks: Blocks<T>,
    /// How many self-loops there were.
    loops: u64,
    /// The largest id of what is in the blocks.
    largest: Option<T>,
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept { blocks: Vec::new(), loops: 0, largest: None }
    }
}

impl<T: Copy + Ord> Kept<T> {
    /// Copies a block in one pass.
    fn of(block: &[[T; 2]]) -> Result<Kept<T>> {
        let mut entries = memory::with_capacity(block.len())?;
        let mut largest = None;
        for &[u, v] in block {
            if u != v {
                entries.push([u, v]);
                largest = largest.max(Some(u.max(v)));
            }
        }
        let loops = (block.len() - entries.len()) as u64;
        Ok(Kept { blocks: vec![entries], loops, largest })
    }

    fn add(&mut self, mut more: Kept<T>) {
        self.blocks.append(&mut more.blocks);
        self.loops += more.loops;
        self.largest = self.largest.max(more.largest);
    }
}

/// Who keeps the entries of a file.
#[derive(Default)]
struct Taken {
    narrow: Mutex<Kept<u32>>,
    wide: Mutex<Kept<u64>>,
}

impl EdgeSink for Taken {
    fn take(&self, entries: Entries) -> Result<()> {
        fn keep<T: Copy + Ord>(kept: &Mutex<Kept<T>>, block: &[[T; 2]]) -> Result<()> {
            let more = Kept::of(block)?;
            kept.lock().unwrap_or_else(PoisonError::into_inner).add(more);
            Ok(())
        }
        match entries {
            Entries::Narrow(block) => keep(&self.narrow, block),
            Entries::Wide(block) => keep(&self.wide, block),
        }
    }

    fn restart(&self) -> Result<()> {
        *self.narrow.lock().unwrap_or_else(PoisonError::into_inner) = Kept::default();
        *self.wide.lock().unwrap_or_else(PoisonError::into_inner) = Kept::default();
        Ok(())
    }
}

/// Words that a rank sends of each file.
const WORDS: usize = 4;

/// Reads this rank's share.
pub(super) fn read(
    ranks: &Ranks,
    (source, name): (&read::Source, &str),
    options: &read::Options,
) -> Result<Input> {
    let files = source.files()?;
    read::check_format(name, &files, options)?;
    let share = Share { number: ranks.rank(), of: ranks.ranks() };
    let taken: Vec<Taken> = files.iter().map(|_| Taken::default()).collect();
    let mut readings: Vec<Option<Reading>> = Vec::new();
    let mut words: Vec<u64> = Vec::with_capacity(WORDS * files.len());
    for (path, taken) in files.iter().zip(&taken) {
        let shared = read::visit_share(path, options, (PIECE, share), taken)?;
        let len = std::fs::metadata(path).map_or(0, |about| about.len());
        let (reading, said) = match shared {
            Shared::AsAWhole => (None, [1, 0, 0, len]),
            Shared::Part { reading, entries: None } => (reading, [0, 0, 0, len]),
            Shared::Part { reading, entries: Some((found, all)) } => {
                (reading, [0, found, all, len])
            }
        };
        readings.push(reading);
        words.extend(said);
    }
    let told = ranks.all_gather(bytemuck::cast_slice(&words))?;
    let told: Vec<Vec<[u64; WORDS]>> = (0..)
        .zip(told)
        .map(|(rank, bytes)| said_of_files(rank, &bytes, files.len()))
        .collect::<Result<_>>()?;
    let mut alone = Vec::new();
    let mut columns = String::new();
    for (index, path) in files.iter().enumerate() {
        let said = || told.iter().map(|words| words[index]);
        check_length(path, said().map(|[.., len]| len))?;
        let found: u64 = said().map(|[_, found, ..]| found).sum();
        let is_whole =
            said().any(|[whole, ..]| whole > 0) || said().any(|[_, _, all, _]| all != found);
        if !is_whole {
            continue;
        }
        // In turns, rank 0 first: it prints how the first was read.
        let reader = alone.len() as u32 % ranks.ranks();
        alone.push((path.display().to_string(), reader));
        taken[index].restart()?;
        if reader == ranks.rank() {
            readings[index] = read::visit_whole(path, options, PIECE, &taken[index])?;
            columns.push_str(&format!("{index} {}\n", named_columns(&readings[index])));
        } else {
            readings[index] = None;
        }
    }
    if files.len() > 1 && options.columns.is_none() {
        let of_others = match alone.is_empty() {
            true => Vec::new(),
            false => ranks.all_gather(columns.as_bytes())?,
        };
        check_columns(&files, &readings, &of_others)?;
    }
    let (mut narrow, mut wide) = (Kept::<u32>::default(), Kept::<u64>::default());
    for taken in taken {
        narrow.add(taken.narrow.into_inner().unwrap_or_else(PoisonError::into_inner));
        wide.add(taken.wide.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    let self_loops = narrow.loops + wide.loops;
    let largest = narrow.largest.map(u64::from).max(wide.largest);
    let (narrow, wide) = (narrow.blocks, wide.blocks);
    let reading = match &readings[..] {
        [only] => only.clone(),
        several => read::reading_of_files(&files, several),
    };
    Ok(Input { narrow, wide, self_loops, largest, reading, alone })
}

/// Reads the words that a rank sent of each file.
fn said_of_files(rank: u32, bytes: &[u8], files: usize) -> Result<Vec<[u64; WORDS]>> {
    let (words, rest) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let (said, more) = words.as_chunks::<WORDS>();
    if said.len() != files || !more.is_empty() || !rest.is_empty() {
        let message = format!(
            "it finds {} files where this rank finds {files}: all ranks take the same command, and see the same \
             folders",
            said.len()
        );
        return Err(Error::Rank { rank, message: message.into() });
    }
    Ok(said.to_vec())
}

/// Refuses a file that is another one on another host.
fn check_length(path: &Path, mut lengths: impl Iterator<Item = u64>) -> Result<()> {
    let first = lengths.next().unwrap_or(0);
    match (1..).zip(lengths).find(|&(_, len)| len != first) {
        None => Ok(()),
        Some((rank, len)) => {
            let message = format!(
                "{} has {len} bytes there, and {first} for rank 0: all ranks read the same files",
                path.display()
            );
            Err(Error::Rank { rank, message: message.into() })
        }
    }
}

/// The columns of a table, in one line.
fn named_columns(reading: &Option<Reading>) -> String {
    let columns = reading.as_ref().and_then(|reading| reading.columns.as_ref());
    match columns {
        Some([first, second]) => format!("{first:?} and {second:?}"),
        None => "the first two".to_owned(),
    }
}

/// Refuses files whose columns are not called the same, whichever rank has read them.
fn check_columns(
    files: &[std::path::PathBuf],
    readings: &[Option<Reading>],
    of_others: &[Vec<u8>],
) -> Result<()> {
    let mut columns: Vec<String> = readings.iter().map(named_columns).collect();
    for lines in of_others {
        for line in String::from_utf8_lossy(lines).lines() {
            let told = line.split_once(' ');
            if let Some((Ok(index), named)) = told.map(|(index, named)| (index.parse(), named))
                && let Some(columns) = columns.get_mut::<usize>(index)
            {
                *columns = named.to_owned();
            }
        }
    }
    let Some(other) = columns.iter().position(|named| *named != columns[0]) else { return Ok(()) };
    let message = Message::from(format!(
        "the columns of the edges are {} here and {} in {}: files that are one graph have the same columns",
        columns[other],
        columns[0],
        files[0].display()
    ));
    Err(Error::Input {
        file: files[other].display().to_string(),
        message: message.with_hint(Hint::Columns { proposed: ["1", "2"].map(String::from) }),
    })
}
