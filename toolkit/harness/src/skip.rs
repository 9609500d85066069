//! Tests that cannot check everything on this machine.
//!
//! Whether there is a GPU, or the reference data, is known only while a test runs. The harness has
//! no such outcome: it calls the test passed. A line on standard output says otherwise, and
//! `cargo xtask ci` and the bundle's `run-tests` count those lines.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Display;

thread_local! {
    /// What the test of this thread has said.
    static SAID: RefCell<BTreeSet<String>> = RefCell::default();
}

/// Says that the test checks nothing here. It is counted as skipped instead of passed.
pub fn whole(why: impl Display) {
    say(format!("skipped: {why}"));
}

/// Says that the test checks a part of what it could. It is counted as passed, and as passed in part.
/// A test may say so more than once.
pub fn part(why: impl Display) {
    say(format!("skipped in part: {why}"));
}

fn say(line: String) {
    SAID.with_borrow_mut(|said| {
        if !said.contains(&line) {
            println!("{line}");
            said.insert(line);
        }
    });
}
