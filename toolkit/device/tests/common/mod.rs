//! What the tests of planted bugs share.

use warpwise_device::emulated::{Config, Emulator, EmulatorError, Finding, Schedule};

/// The finding of `launch` under ten seeds and in order. Fails where there is none.
pub fn findings(launch: impl Fn(&Emulator) -> Result<(), EmulatorError>) -> Vec<Finding> {
    findings_with(&Config::default(), launch)
}

/// The finding of `launch` under ten seeds and in order, with the other settings of `config`. Fails where there is none.
pub fn findings_with(
    config: &Config,
    launch: impl Fn(&Emulator) -> Result<(), EmulatorError>,
) -> Vec<Finding> {
    let seeded = (0..10).map(|seed| Config { seed, ..config.clone() });
    let in_order = Config { schedule: Schedule::InOrder, ..config.clone() };
    seeded.chain([in_order]).map(|config| finding(config, &launch)).collect()
}

fn finding(config: Config, launch: impl Fn(&Emulator) -> Result<(), EmulatorError>) -> Finding {
    let error = match launch(&Emulator::with(config.clone())) {
        Ok(()) => panic!("{config:?}: nothing found"),
        Err(error) => error,
    };
    match error.finding() {
        Some(finding) => finding.clone(),
        None => panic!("{config:?}: {error}"),
    }
}

/// Asserts that the finding is in `kernel`, on the line of this file that contains `marker`.
pub fn assert_line(finding: &Finding, kernel: &str, source: &str, marker: &str) {
    assert_eq!(finding.kernel, kernel, "{finding}");
    let location = finding.location.unwrap_or_else(|| panic!("{finding}: no line"));
    assert!(is_marked(location.line(), source, marker), "{finding}: not the line of {marker}");
}

/// Whether a line of `source` (from 1) contains `marker` in a comment.
pub fn is_marked(line: u32, source: &str, marker: &str) -> bool {
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    text.split_once("//").is_some_and(|(_, comment)| comment.trim() == marker)
}
