//! Ranks with GPUs, on machines that lack something.

use testkit::places;

use crate::job::{only_line, run_with};

/// Each rank names what was tried and what helps, and none waits for the other.
#[test]
fn without_nccl_every_rank_says_so() {
    let root = places::root();
    let args = ["--device", "gpu", "tests/data/karate.mtx"];
    for ranks in [1, 2, 3] {
        let outputs = run_with(ranks, &root, &args, |_, command| {
            command.env("TRIBIN_NCCL", "/nowhere/libnccl.so.2");
        });
        for output in &outputs {
            let line = only_line(output);
            let tried = "NCCL cannot be used. Tried: /nowhere/libnccl.so.2 (not found). ";
            // Whoever hears of another first says which.
            assert!(line.contains(tried), "{line}");
            assert!(line.contains("nvidia-nccl-cu1") && line.contains("TRIBIN_NCCL"), "{line}");
        }
    }
}
