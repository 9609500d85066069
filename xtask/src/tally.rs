//! What test binaries say of themselves, added up.

use std::collections::BTreeMap;
use std::fmt;

/// Tests, over all binaries.
///
/// A test finds out while it runs that it cannot check anything here, or only a part. It says so on
/// a line of its own (`testkit::skip`), and the harness calls it passed. A test that checked nothing
/// counts as skipped here.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// What the harness calls passed.
    harness_passed: u64,
    /// Tests among them that checked nothing.
    checked_nothing: u64,
    failed: u64,
    ignored: u64,
    /// How many tests gave each reason, for a whole test and for a part.
    reasons: BTreeMap<String, u64>,
    /// Whether the output of the tests that passed is being read.
    in_successes: bool,
}

const WHOLE: &str = "skipped: ";
const PART: &str = "skipped in part: ";

impl Tally {
    /// Tests that checked something and found no fault.
    pub fn passed(&self) -> u64 {
        self.harness_passed - self.checked_nothing
    }

    /// Adds what a line of a test binary's standard output says, run with `--show-output`. Returns
    /// whether the line is worth showing: what tests that passed printed is not.
    pub fn add(&mut self, line: &str) -> bool {
        if line == "successes:" {
            self.in_successes = true;
        } else if line == "failures:" || line.starts_with("test result: ") {
            self.in_successes = false;
        }
        if self.in_successes {
            self.add_reason(line);
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            self.add_counts(counts);
        }
        !self.in_successes
    }

    fn add_reason(&mut self, line: &str) {
        if line.starts_with(WHOLE) {
            self.checked_nothing += 1;
        } else if !line.starts_with(PART) {
            return;
        }
        *self.reasons.entry(line.to_owned()).or_default() += 1;
    }

    fn add_counts(&mut self, counts: &str) {
        for count in counts.split(['.', ';']) {
            let Some((number, what)) = count.trim().split_once(' ') else { continue };
            let sum = match what {
                "passed" => &mut self.harness_passed,
                "failed" => &mut self.failed,
                "ignored" => &mut self.ignored,
                _ => continue,
            };
            *sum += number.parse::<u64>().unwrap_or(0);
        }
    }
}

impl fmt::Display for Tally {
    /// A line for every reason, and a last line for all tests.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (reason, tests) in &self.reasons {
            writeln!(f, "  {tests} x {reason}")?;
        }
        let skipped = self.ignored + self.checked_nothing;
        writeln!(f, "{} passed, {} failed, {skipped} skipped", self.passed(), self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn the_tally_adds_what_binaries_say() {
        let mut sum = Tally::default();
        let shown: Vec<bool> = [
            "running 3 tests",
            "test result: ok. 61 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; \
             finished in 0.47s",
            "test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; \
             finished in 0.47s",
        ]
        .into_iter()
        .map(|line| sum.add(line))
        .collect();
        assert_eq!(shown, [true; 3]);
        assert_eq!(sum.to_string(), "62 passed, 4 failed, 2 skipped\n");
    }

    #[test]
    fn a_test_that_checked_nothing_is_skipped_and_not_passed() {
        let binary = "\
test a ... ok

successes:

---- a stdout ----
skipped: no GPU: no driver

---- b stdout ----
3 cases
skipped in part: no GPU: no driver

---- c stdout ----
skipped in part: no GPU: no driver


successes:
    a
    b
    c

failures:

---- d stdout ----
skipped: not counted, since it failed


failures:
    d

test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out";
        let mut sum = Tally::default();
        let shown: Vec<&str> = binary.lines().filter(|line| sum.add(line)).collect();
        assert_eq!(
            sum.to_string(),
            "  2 x skipped in part: no GPU: no driver\n  \
             1 x skipped: no GPU: no driver\n\
             2 passed, 1 failed, 1 skipped\n"
        );
        assert_eq!(shown[..3], ["test a ... ok", "", "failures:"]);
    }
}
