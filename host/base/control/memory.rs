//! Memory that depends on the input: an error where there is none left, never the end of the process.

use std::cell::Cell;
use std::io::{self, Read};

use bytemuck::Zeroable;

use super::huge_pages;
use crate::{Error, Message};

/// There is no memory for some bytes more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoMemory {
    /// Bytes that were asked for.
    pub bytes: u64,
}

impl std::fmt::Display for NoMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "no memory for {} bytes more: end other programs, raise the limit that this process runs \
             under, or read the file on a machine with more memory",
            self.bytes
        )
    }
}

impl From<NoMemory> for Error {
    /// An error of a graph that gets its [name](Error::of) from whoever knows it.
    fn from(refused: NoMemory) -> Error {
        let free = available().map_or(String::new(), |free| format!(", and {free} are free"));
        let message = format!("{} bytes of memory more are needed{free}", refused.bytes);
        Error::Input {
            file: String::new(),
            message: Message::from(message).with_hint(
                ": end other programs, or count with scratch files: `--memory` with less than there is, and `--scratch` with a \
                 folder that has room",
            ),
        }
    }
}

/// The error of the graph of this name where a request for memory was refused.
pub fn none_for(name: &str, refused: NoMemory) -> Error {
    Error::of_input(name, refused.to_string())
}

thread_local! {
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Makes an allocation whose failure is an error of the caller. An allocator that ends the process where there is no memory
/// [asks](allocation_may_fail) for that.
pub fn fallible<R>(allocate: impl FnOnce() -> R) -> R {
    let before = MAY_FAIL.replace(true);
    let made = allocate();
    MAY_FAIL.set(before);
    made
}

/// Whether this thread makes an allocation whose failure is an error: for the allocator of a program, which may end the
/// process at all others.
pub fn allocation_may_fail() -> bool {
    MAY_FAIL.get()
}

/// Smaller requests are not compared with what is free: asking the system costs more than they do.
const SMALL: u64 = 64 << 20;

/// Refuses what the system would grant and then end the process for.
pub fn check(bytes: u64) -> Result<(), NoMemory> {
    match bytes >= SMALL && available().is_some_and(|free| bytes > free) {
        true => Err(NoMemory { bytes }),
        false => Ok(()),
    }
}

fn bytes_of<T>(len: usize) -> u64 {
    (len as u64).saturating_mul(size_of::<T>() as u64)
}

/// `len` zeros, page by page from the system as they are written.
pub fn zeroed<T: Zeroable>(len: usize) -> Result<Vec<T>, NoMemory> {
    check(bytes_of::<T>(len))?;
    let mut elements = zeroed_unchecked(len)?;
    huge_pages::ask(&mut elements);
    Ok(elements)
}

/// `len` zeros of which `len` is an upper bound, most of which may never be written.
pub fn zeroed_unchecked<T: Zeroable>(len: usize) -> Result<Vec<T>, NoMemory> {
    let bytes = bytes_of::<T>(len);
    fallible(|| bytemuck::allocation::try_zeroed_vec(len)).map_err(|()| NoMemory { bytes })
}

/// An empty vector with room for `len` elements.
pub fn with_capacity<T>(len: usize) -> Result<Vec<T>, NoMemory> {
    check(bytes_of::<T>(len))?;
    let mut elements = Vec::new();
    reserve_exact(&mut elements, len)?;
    Ok(elements)
}

/// Makes room for `more` elements more, and for others that may follow.
pub fn reserve<T>(elements: &mut Vec<T>, more: usize) -> Result<(), NoMemory> {
    fallible(|| elements.try_reserve(more)).map_err(|_| NoMemory { bytes: bytes_of::<T>(more) })
}

/// Makes room for `more` elements more, and for no others.
pub fn reserve_exact<T>(elements: &mut Vec<T>, more: usize) -> Result<(), NoMemory> {
    fallible(|| elements.try_reserve_exact(more))
        .map_err(|_| NoMemory { bytes: bytes_of::<T>(more) })
}

/// The reason why not all of a stream was read.
#[derive(Debug)]
pub enum Stopped {
    /// More bytes came than were allowed.
    TooLong,
    /// There is no memory for what was read.
    NoMemory(NoMemory),
    /// The system could not read.
    Io(io::Error),
}

/// Bytes that are read at a time.
const BLOCK: usize = 8 << 20;

/// Appends a stream of at most `most` bytes to `content`, to which what came before an error belongs. Memory
/// grows with what came, by an eighth at a time.
pub fn read_to_end(from: &mut impl Read, content: &mut Vec<u8>, most: u64) -> Result<(), Stopped> {
    loop {
        if content.capacity() - content.len() < BLOCK {
            let more = BLOCK.max(content.len() / 8);
            check(more as u64).map_err(Stopped::NoMemory)?;
            reserve_exact(content, more).map_err(Stopped::NoMemory)?;
        }
        let read = from.by_ref().take(BLOCK as u64 - 64).read_to_end(content);
        if content.len() as u64 > most {
            return Err(Stopped::TooLong);
        }
        match read {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(Stopped::Io(error)),
        }
    }
}

/// Bytes that this process can still take: what the system, the control groups that it is in and its own
/// limit on the address space leave, the least of them. `None` where the system does not say.
pub fn available() -> Option<u64> {
    [system(), cgroup::available(), address_space()].into_iter().flatten().min()
}

/// Returns what was freed to the system, which an allocator keeps for later otherwise: between two steps of which
/// each takes most of the memory that may be used.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes no pointer, and any thread may call it at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// The bytes that the kernel expects to be able to give without swapping, and the swap.
fn system() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let swap = kibibytes(&text, "SwapFree:").unwrap_or(0);
    Some(kibibytes(&text, "MemAvailable:")?.saturating_add(swap))
}

/// The number of a line of /proc that is in KiB, in bytes.
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// The bytes that `ulimit -v` leaves.
fn address_space() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(limit.saturating_sub(kibibytes(&status, "VmSize:")?))
}

/// Control groups, which containers are limited by.
mod cgroup {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The bytes that are left below the tightest limit of this process's group and the groups around it.
    pub fn available() -> Option<u64> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        groups.lines().filter_map(|line| left(Path::new("/sys/fs/cgroup"), line)).min()
    }

    /// What a line of /proc/self/cgroup leads to, `HIERARCHY:CONTROLLERS:PATH`.
    pub fn left(mount: &Path, line: &str) -> Option<u64> {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let (root, limit, usage, cache) = match controllers {
            "" => (mount.to_owned(), "memory.max", "memory.current", "inactive_file"),
            named if named.split(',').any(|name| name == "memory") => (
                mount.join("memory"),
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_inactive_file",
            ),
            _ => return None,
        };
        // In a container the path may be that of the host, which is not mounted: the root is then the
        // container's group.
        let group = root.join(path.trim_start_matches('/'));
        let number = |path: PathBuf| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
        let of_group = |group: &Path| {
            let limit = number(group.join(limit))?;
            let used = number(group.join(usage))?;
            let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
            // Pages of files that nobody uses are given back when memory is short.
            let cache = stat
                .lines()
                .filter_map(|line| line.split_once(' '))
                .find(|(key, _)| *key == cache)
                .and_then(|(_, bytes)| bytes.trim().parse().ok());
            Some(limit.saturating_sub(used.saturating_sub(cache.unwrap_or(0))))
        };
        group.ancestors().take_while(|group| group.starts_with(&root)).filter_map(of_group).min()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_tightest_group_decides() {
        let mount = tempfile::tempdir().unwrap();
        let group = |path: &str, limit: &str, used: &str| {
            let group = mount.path().join(path);
            fs::create_dir_all(&group).unwrap();
            fs::write(group.join("memory.max"), limit).unwrap();
            fs::write(group.join("memory.current"), used).unwrap();
            fs::write(group.join("memory.stat"), "anon 5\ninactive_file 100\n").unwrap();
        };
        group("a", "1000\n", "600\n");
        group("a/b", "max\n", "50\n");
        assert_eq!(cgroup::left(mount.path(), "0::/a/b"), Some(500));
        group("a/b", "300\n", "250\n");
        assert_eq!(cgroup::left(mount.path(), "0::/a/b"), Some(150));
        assert_eq!(cgroup::left(mount.path(), "0::/elsewhere"), None);
        assert_eq!(cgroup::left(mount.path(), "5:cpu,pids:/a/b"), None);
        let old = mount.path().join("memory/c");
        fs::create_dir_all(&old).unwrap();
        fs::write(old.join("memory.limit_in_bytes"), "77\n").unwrap();
        fs::write(old.join("memory.usage_in_bytes"), "7\n").unwrap();
        assert_eq!(cgroup::left(mount.path(), "9:cpu,memory:/c"), Some(70));
    }

    #[test]
    fn only_an_allocation_within_may_fail() {
        assert!(!allocation_may_fail());
        assert!(fallible(|| fallible(allocation_may_fail) && allocation_may_fail()));
        assert!(!allocation_may_fail());
    }

    #[test]
    fn what_nobody_has_is_refused() {
        assert_eq!(zeroed::<u64>(1 << 59).unwrap_err(), NoMemory { bytes: 1 << 62 });
        assert_eq!(with_capacity::<u8>(1 << 62).unwrap_err(), NoMemory { bytes: 1 << 62 });
        let mut words = vec![0_u32];
        for reserve in [reserve, reserve_exact] {
            assert_eq!(reserve(&mut words, 1 << 60), Err(NoMemory { bytes: 1 << 62 }));
            assert_eq!(reserve(&mut words, 9), Ok(()));
        }
        assert!(words.capacity() >= 10 && words == [0]);
        let mut content = Vec::new();
        let stopped = read_to_end(&mut io::repeat(0), &mut content, 9 << 20);
        assert!(matches!(stopped, Err(Stopped::TooLong)) && content.len() < 32 << 20);
    }
}
