//! Any bytes that another rank, or anybody else, may send: messages or an end, never a panic, and no memory that the
//! bytes do not justify. From the repository's root:
//!
//! ```text
//! cargo +nightly fuzz run ranks -- -rss_limit_mb=256 -malloc_limit_mb=16
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use tribin::ranks::read_messages;

fuzz_target!(|data: &[u8]| {
    assert!(read_messages(data) <= data.len());
});
