//! What ids are: integers or names.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// The kind of the ids of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IdKind {
    /// Integers if all of a sample from the beginning are, else names.
    #[default]
    Auto,
    /// Integers from 0 to 2⁶⁴-1.
    Integers,
    /// Any text: ids are the same vertex if they are the same bytes.
    Names,
}

impl IdKind {
    /// Every kind.
    pub const ALL: [IdKind; 3] = [IdKind::Auto, IdKind::Integers, IdKind::Names];

    /// The kind's name.
    pub fn name(self) -> &'static str {
        match self {
            IdKind::Auto => "auto",
            IdKind::Integers => "integers",
            IdKind::Names => "names",
        }
    }
}

impl fmt::Display for IdKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for IdKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<IdKind, Error> {
        IdKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            Error::Usage(
                format!("unknown kind of ids `{text}`: use auto, integers or names").into(),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for kind in IdKind::ALL {
            assert_eq!(kind.to_string().parse::<IdKind>().unwrap(), kind);
        }
        let error = "ints".parse::<IdKind>().unwrap_err().to_string();
        assert_eq!(error, "unknown kind of ids `ints`: use auto, integers or names");
    }
}
