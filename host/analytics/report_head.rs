//! The fields that the reports on a prepared graph have in common.

use super::StageSeconds;
use crate::graph::Reading;

/// What a report says of the file, of the device that its figures were found on, and of the time. Serialised, these are fields of
/// the report itself.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReportHead {
    /// The file as the user named it, `-` for standard input, `(memory)` for edges in memory.
    pub file: String,
    /// How a table of edges was read; `None` for a plain list of integers, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reading: Option<Reading>,
    /// The device that triangles, wedges or cliques were found on, as `--device` takes it: `cpu`, `gpu:0`, …
    pub device: String,
    /// The device's name, for example `NVIDIA H200`.
    pub device_name: String,
    /// CPU threads that host work ran on.
    pub threads: usize,
    /// The version of tribin.
    pub version: &'static str,
    /// Where the time went.
    pub seconds: StageSeconds,
}
