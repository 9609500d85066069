//! The counting methods that a caller can name.
//!
//! They stand beside the errors, which name them as well: neither needs the folder that counts.

use std::fmt;
use std::str::FromStr;

/// The counting method: `auto`, `forward` or `hybrid`. The engines of papers have names of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The fastest method that the device has.
    #[default]
    Auto,
    /// Intersect the oriented lists at both ends of every edge.
    Forward,
    /// Intersect the oriented lists at both ends of every edge, each by the method that its rows call for: GPU only.
    Hybrid,
}

impl EngineChoice {
    /// Every choice.
    pub const ALL: [EngineChoice; 3] =
        [EngineChoice::Auto, EngineChoice::Forward, EngineChoice::Hybrid];

    /// The choice as `--engine` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Forward => "forward",
            EngineChoice::Hybrid => "hybrid",
        }
    }

    /// Whether the method needs a GPU.
    pub const fn is_for_gpus_only(self) -> bool {
        matches!(self, EngineChoice::Hybrid)
    }
}

impl FromStr for EngineChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        EngineChoice::ALL.into_iter().find(|choice| choice.name() == text).ok_or_else(|| {
            let names = EngineChoice::ALL.map(|choice| format!("`{}`", choice.name()));
            format!("`{text}` is none of {}", names.join(", "))
        })
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_parse_back_from_their_text() {
        for choice in EngineChoice::ALL {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        assert_eq!(
            "fast".parse::<EngineChoice>().unwrap_err(),
            "`fast` is none of `auto`, `forward`, `hybrid`"
        );
    }
}
