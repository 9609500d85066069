//! Tests of kernels with a defect that was put in on purpose: the emulator has to find it under every
//! schedule.

use warpwise_device::emulated::{Config, Emulator, EmulatorError, Finding, Schedule};

/// What the emulator finds of `launch` under ten seeds, and with threads in order.
///
/// # Panics
/// If a schedule finds nothing, or something goes wrong that is no defect of a kernel.
pub fn findings(launch: impl Fn(&Emulator) -> Result<(), EmulatorError>) -> Vec<Finding> {
    let seeded = (0..10).map(Config::seeded);
    let in_order = Config { schedule: Schedule::InOrder, ..Config::default() };
    let found = seeded.chain([in_order]).map(|config| {
        let error = match launch(&Emulator::with(config.clone())) {
            Ok(()) => panic!("{config:?}: nothing found"),
            Err(error) => error,
        };
        match error.finding() {
            Some(finding) => finding.clone(),
            None => panic!("{config:?}: {error}"),
        }
    });
    found.collect()
}

/// Asserts that a finding is on the line of `source` that has `marker` as its comment.
///
/// # Panics
/// If it is on another line, or on none.
#[track_caller]
pub fn assert_on_line(finding: &Finding, source: &str, marker: &str) {
    let location = finding.location.unwrap_or_else(|| panic!("{finding}: no line"));
    let line = source.lines().nth(location.line() as usize - 1).unwrap_or_default();
    let comment = line.split_once("//").map(|(_, comment)| comment.trim());
    assert_eq!(comment, Some(marker), "{finding}");
}
