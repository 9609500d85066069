//! What an engine found, before it becomes a report.

use crate::graph::Summary;
use crate::plan::Explanation;
use tribin_base::control::EngineSeconds;

/// The count of an engine, with its figures and times.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EngineCount {
    /// Triangles of the simple graph, each once.
    pub triangles: u64,
    /// The simple graph's other figures.
    pub summary: Summary,
    /// Where the time went.
    pub seconds: EngineSeconds,
    /// What the engine did, in figures of its own; none for most.
    pub figures: Vec<Figure>,
    /// The counting method, where an engine has several; `None` for the engine's own name.
    pub method: Option<&'static str>,
    /// The device as `--device` takes it, and its name, where an engine has several; `None` for the engine's own.
    pub ran_on: Option<[String; 2]>,
    /// The decisions on the way with their reasons, and what each step was predicted to take.
    pub explanation: Explanation,
}

/// A figure of an engine's own, such as the candidates of radix binning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The key in JSON.
    pub name: &'static str,
    /// The figure, or one for each step.
    pub values: Vec<u64>,
    /// Whether JSON has a list, also of one value.
    pub is_list: bool,
}

impl Figure {
    /// A single figure.
    pub fn one(name: &'static str, value: u64) -> Figure {
        Figure { name, values: vec![value], is_list: false }
    }

    /// A figure for each step.
    pub fn each(name: &'static str, values: Vec<u64>) -> Figure {
        Figure { name, values, is_list: true }
    }
}

/// Writes the figures as one object.
#[cfg(feature = "serde")]
pub(super) fn as_object<S: serde::Serializer>(
    figures: &[Figure],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap;

    let mut object = serializer.serialize_map(Some(figures.len()))?;
    for Figure { name, values, is_list } in figures {
        match &values[..] {
            [value] if !is_list => object.serialize_entry(name, value)?,
            values => object.serialize_entry(name, values)?,
        }
    }
    object.end()
}

/// The kind of engine that works, whatever its device is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// tribin's, on the CPU.
    Cpu,
    /// tribin's, on one or several GPUs.
    Gpu,
    /// An engine of the caller's own (`Options::engine`).
    Own,
}

/// An engine and its device, by their names in reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RanOn {
    /// The engine.
    pub engine: String,
    /// The device, as `--device` takes it.
    pub device: String,
    /// The device, for people.
    pub device_name: String,
    /// The kind of the device.
    pub on: On,
}
