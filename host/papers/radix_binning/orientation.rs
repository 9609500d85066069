//! Which wedges are candidates.

use std::str::FromStr;

/// The choice of the wedges that are candidates: `degree` or `none`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Orientation {
    /// The wedges of the graph oriented by degree: each triangle closes one.
    #[default]
    Degree,
    /// The wedges of the undirected graph, as in the paper: each triangle closes three.
    None,
}

impl FromStr for Orientation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "degree" => Ok(Orientation::Degree),
            "none" => Ok(Orientation::None),
            _ => Err(format!("`{text}` is none of `degree`, `none`")),
        }
    }
}

impl Orientation {
    /// How many wedges a triangle closes.
    pub fn closings(self) -> u64 {
        match self {
            Orientation::Degree => 1,
            Orientation::None => 3,
        }
    }
}
