//! Any bytes, in any format: an answer or one message, never a panic, and no memory that the bytes do
//! not justify. From the repository's root:
//!
//! ```text
//! cargo +nightly fuzz run read -- -rss_limit_mb=1024 -malloc_limit_mb=256
//! ```
//!
//! The first byte chooses the format and the compression that the name says, so that one corpus
//! serves all readers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tribin::read::{Format, Options, from_bytes};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let name = ["a", "a.gz", "a.zst", "a.bin"][usize::from(choice >> 6)];
    let format = Format::ALL.get(usize::from(choice & 15)).copied();
    let mut options = Options::default();
    options.format = format;
    match from_bytes(name, bytes, &options) {
        Ok(graph) => {
            let bound = graph.vertex_bound();
            assert!(graph.edges().iter().flatten().all(|&v| (v as usize) < bound));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with(name) && !message.contains('\n'), "{message}");
        }
    }
});
