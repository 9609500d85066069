//! How much room a disk has.

use std::path::Path;

/// Bytes that this user can still write in the file system of a folder; `None` where the system does not say.
#[cfg(target_os = "linux")]
pub fn free(folder: &Path) -> Option<u64> {
    let about = rustix::fs::statvfs(folder).ok()?;
    about.f_bavail.checked_mul(about.f_frsize)
}

/// Bytes that this user can still write in the file system of a folder; `None` where the system does not say.
#[cfg(not(target_os = "linux"))]
pub fn free(_: &Path) -> Option<u64> {
    None
}

/// Whether the files of a folder are in memory.
#[cfg(target_os = "linux")]
pub fn is_in_memory(folder: &Path) -> bool {
    const TMPFS: u64 = 0x0102_1994;
    const RAMFS: u64 = 0x8584_58f6;
    // The type's width and sign differ from machine to machine; the numbers have 32 bits.
    rustix::fs::statfs(folder)
        .is_ok_and(|about| [TMPFS, RAMFS].contains(&(about.f_type as u64 & 0xffff_ffff)))
}

/// Whether the files of a folder are in memory.
#[cfg(not(target_os = "linux"))]
pub fn is_in_memory(_: &Path) -> bool {
    false
}
