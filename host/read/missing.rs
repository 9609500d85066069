//! What becomes of rows of which an end is missing.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// What becomes of a row of a table that has nothing, or a word for nothing, where an end of its edge is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// It is an error, which names the line.
    #[default]
    Error,
    /// It is left out, and counted in the warnings.
    Skip,
}

impl Missing {
    /// What [`FromStr`] takes and [`Display`](fmt::Display) gives.
    pub const NAMES: [&str; 2] = ["error", "skip"];
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::NAMES[*self as usize])
    }
}

impl FromStr for Missing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Missing, Error> {
        match text {
            "error" => Ok(Missing::Error),
            "skip" => Ok(Missing::Skip),
            _ => Err(Error::Usage(
                format!("unknown `{text}` for rows of which an end is missing: use error or skip")
                    .into(),
            )),
        }
    }
}
