//! Triangles by the signs of their edges.

use std::fmt;
use std::str::FromStr;

use super::cpu::directed::CODES;
use super::cpu::signed::{ByNegatives, negative_edges};
use crate::graph::{DOWN, UP};
use crate::{Error, Result};

/// The rule for the sign of an edge of weight 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ZeroSign {
    /// An edge of weight 0 is refused.
    #[default]
    Error,
    /// An edge of weight 0 is positive.
    Positive,
    /// An edge of weight 0 is negative.
    Negative,
    /// An edge of weight 0 has no sign, and its triangles are left out.
    Skip,
}

impl ZeroSign {
    /// All rules.
    pub const ALL: [ZeroSign; 4] =
        [ZeroSign::Error, ZeroSign::Positive, ZeroSign::Negative, ZeroSign::Skip];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            ZeroSign::Error => "error",
            ZeroSign::Positive => "positive",
            ZeroSign::Negative => "negative",
            ZeroSign::Skip => "skip",
        }
    }

    /// The code of an edge of this weight: [`DOWN`] where it is positive, [`UP`] where it is negative, 0 where it has no sign.
    #[doc(hidden)]
    pub fn code(self, weight: f64) -> u8 {
        let zero = match self {
            ZeroSign::Positive => DOWN,
            ZeroSign::Negative => UP,
            ZeroSign::Error | ZeroSign::Skip => 0,
        };
        if weight == 0.0 {
            zero
        } else if weight > 0.0 {
            DOWN
        } else {
            UP
        }
    }
}

impl fmt::Display for ZeroSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ZeroSign {
    type Err = Error;

    fn from_str(name: &str) -> Result<ZeroSign> {
        ZeroSign::ALL.into_iter().find(|zero| zero.name() == name).ok_or_else(|| {
            let message =
                format!("`{name}` is nothing for 0 to be: use error, positive, negative or skip");
            Error::Usage(message.into())
        })
    }
}

/// The numbers of triangles by the signs of their edges. Triangles of edges without a sign are in none of the numbers.
///
/// Source: Cartwright and Harary, "Structural balance: a generalization of Heider's theory", Psychological Review 63, 1956.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SignedTriangles {
    /// Triangles of three positive edges.
    #[cfg_attr(feature = "serde", serde(rename = "+++"))]
    pub all_positive: u64,
    /// Triangles of two positive edges and a negative one.
    #[cfg_attr(feature = "serde", serde(rename = "++-"))]
    pub one_negative: u64,
    /// Triangles of a positive edge and two negative ones.
    #[cfg_attr(feature = "serde", serde(rename = "+--"))]
    pub two_negative: u64,
    /// Triangles of three negative edges.
    #[cfg_attr(feature = "serde", serde(rename = "---"))]
    pub all_negative: u64,
    /// The share of these triangles that is balanced: the product of the three signs is positive. `None` (JSON: `null`) where
    /// there is no triangle.
    pub balanced: Option<f64>,
}

impl SignedTriangles {
    /// The triangles by signs, from the numbers of triangles of each code, where an edge is [`DOWN`] if it is positive, and [`UP`] if it
    /// is negative.
    pub fn of_codes(codes: &[u64; CODES]) -> SignedTriangles {
        let mut by_negatives = [0; 4];
        for (code, triangles) in codes.iter().enumerate() {
            if let Some(negative) = negative_edges(code) {
                by_negatives[negative] += triangles;
            }
        }
        SignedTriangles::of(by_negatives)
    }

    /// The triangles by signs, from the numbers of triangles with no, one, two and three negative edges.
    pub fn of(by_negatives: ByNegatives<u64>) -> SignedTriangles {
        let [all_positive, one_negative, two_negative, all_negative] = by_negatives;
        let all: u64 = by_negatives.iter().sum();
        SignedTriangles {
            all_positive,
            one_negative,
            two_negative,
            all_negative,
            balanced: (all > 0).then(|| (all_positive + two_negative) as f64 / all as f64),
        }
    }
}
