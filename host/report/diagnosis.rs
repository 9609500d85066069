//! The diagnosis of a machine: what it has to count with, and what is missing.

use std::fmt;

use serde::Serialize;

use super::fold::folded;
use super::number::{bytes, counted};
use tribin_base::processor;
use tribin_gpu::device::cuda;

/// The diagnosis that `tribin doctor` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The version of tribin.
    pub version: &'static str,
    /// The cargo features that this build has.
    pub features: Vec<&'static str>,
    /// The cargo features that this build has not.
    pub left_out: Vec<&'static str>,
    /// The processor.
    pub cpu: Cpu,
    /// The CUDA version that the driver supports, for example `12.8`; `None` without a driver.
    pub driver: Option<String>,
    /// The GPUs, also those that are too old.
    pub gpus: Vec<GpuFacts>,
    /// The kernels in this binary.
    pub ptx: KernelFacts,
    /// The things that counting on a GPU lacks, and how to get each; empty where nothing is missing.
    pub missing: Vec<String>,
}

/// The processor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cpu {
    /// The processor's name.
    pub name: String,
    /// Threads that a count uses where it is not told how many.
    pub threads: usize,
}

/// A GPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GpuFacts {
    /// The GPU as `--device` takes it.
    pub device: String,
    /// The GPU's name.
    pub name: String,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of memory that are free; `None` where the GPU could not be opened.
    pub free_memory: Option<u64>,
    /// The GPU's compute capability, for example `9.0`.
    pub compute_capability: String,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Whether the kernels load on the GPU.
    pub usable: bool,
}

/// The kernels in this binary.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KernelFacts {
    /// The version of the PTX language.
    pub version: String,
    /// The least architecture that the kernels run on.
    pub target: String,
    /// The compiler that made the kernels.
    pub compiler: String,
    /// The hash of the kernels' sources and flags.
    pub source_hash: String,
}

impl Diagnosis {
    /// Looks at this machine. Never fails: what is not there is what it reports.
    /// The build has the first list of features, and has not the second.
    pub fn of_this_machine([features, left_out]: [Vec<&'static str>; 2]) -> Diagnosis {
        let mut missing = Vec::new();
        let driver = cuda::driver().map_err(|error| missing.push(without_driver(&error))).ok();
        let gpus = match driver {
            None => Vec::new(),
            Some(_) => cuda::list().unwrap_or_else(|error| {
                missing.push(error.to_string());
                Vec::new()
            }),
        };
        if driver.is_some() && gpus.is_empty() && missing.is_empty() {
            missing.push("a GPU: the driver finds none (does `nvidia-smi` list one?)".into());
        }
        let gpus = gpus.iter().map(|gpu| gpu_facts(gpu, &mut missing)).collect();
        Diagnosis {
            version: env!("CARGO_PKG_VERSION"),
            features,
            left_out,
            cpu: Cpu { name: processor::name(), threads: tribin_base::par::threads() },
            driver: driver.map(|version| format!("{}.{}", version.major, version.minor)),
            gpus,
            ptx: KernelFacts::of(cuda::PTX),
            missing,
        }
    }
}

fn without_driver(error: &crate::Error) -> String {
    format!(
        "{error}. Counting on a GPU needs a driver for {} or later (Debian: `apt install \
         nvidia-driver`; elsewhere: https://www.nvidia.com/drivers; in a container: pass the host's \
         in, for example with `--gpus all`)",
        cuda::LEAST_DRIVER
    )
}

fn gpu_facts(info: &cuda::GpuInfo, missing: &mut Vec<String>) -> GpuFacts {
    let free = cuda::open(info.ordinal).and_then(|gpu| Ok(gpu.free_memory()?));
    if let Err(error) = &free {
        missing.push(format!("gpu:{}: {error}", info.ordinal));
    }
    GpuFacts {
        device: format!("gpu:{}", info.ordinal),
        name: info.name.clone(),
        memory: info.memory,
        usable: free.is_ok(),
        free_memory: free.ok(),
        compute_capability: info.compute_capability.to_string(),
        multiprocessors: info.multiprocessors,
    }
}

impl KernelFacts {
    /// Reads what the PTX says of itself: the header of comments and the directives.
    fn of(text: &str) -> KernelFacts {
        let value = |start: &str| {
            let value = text.lines().take(40).find_map(|line| line.strip_prefix(start));
            value.map_or("unknown", str::trim).to_owned()
        };
        KernelFacts {
            version: value(".version "),
            target: value(".target "),
            compiler: value("// rustc:"),
            source_hash: value("// source-hash:"),
        }
    }
}

/// Writes a label and a text, folded where it is longer than a line.
fn line(f: &mut fmt::Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    folded(text, 11)
        .iter()
        .enumerate()
        .try_for_each(|(i, line)| writeln!(f, "{:<11}{line}", if i == 0 { label } else { "" }))
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnosis { version, features, left_out, cpu, driver, gpus, ptx, missing } = self;
        let threads = counted(cpu.threads as u64, "thread", "threads");
        line(f, "tribin", version)?;
        let lists = [("features", features), ("left out", left_out)];
        for (label, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            line(f, label, &names.join(", "))?;
        }
        line(f, "CPU", &format!("{}, {threads}", cpu.name))?;
        let cuda = |version: &String| format!("CUDA {version}");
        line(f, "driver", &driver.as_ref().map_or("none".into(), cuda))?;
        for gpu in gpus {
            let state = if gpu.usable { "ready" } else { "cannot be used" };
            let GpuFacts { name, compute_capability, .. } = gpu;
            let parts = gpu.multiprocessors.into();
            let parts = counted(parts, "multiprocessor", "multiprocessors");
            let about =
                format!("{name}, compute capability {compute_capability}, {parts}, {state}");
            line(f, &gpu.device, &about)?;
            let free = gpu.free_memory.map_or("".into(), |free| format!(", free {}", bytes(free)));
            writeln!(f, "{:<11}memory {}{free}", "", bytes(gpu.memory))?;
        }
        if gpus.is_empty() {
            line(f, "GPUs", "none")?;
        }
        line(f, "kernels", &format!("PTX {} for {} and later", ptx.version, ptx.target))?;
        line(f, "", &format!("compiled by {}", ptx.compiler))?;
        line(f, "", &format!("sources {}", ptx.source_hash))?;
        for (i, what) in missing.iter().enumerate() {
            line(f, if i == 0 { "missing" } else { "" }, what)?;
        }
        writeln!(
            f,
            "`tribin count` uses {}",
            gpus.iter().find(|gpu| gpu.usable).map_or("the CPU", |gpu| &gpu.device)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(gpus: Vec<GpuFacts>, missing: Vec<String>) -> Diagnosis {
        Diagnosis {
            version: "1.2.3",
            features: vec!["cli", "gpu"],
            left_out: vec![],
            cpu: Cpu { name: "Example 9".into(), threads: 1 },
            driver: (!gpus.is_empty()).then(|| "12.8".into()),
            gpus,
            ptx: KernelFacts::of(
                "// tribin kernels\n// source-hash: abc\n// rustc: 1.96.0\n//\n.version 7.1\n\
                 .target sm_80\n",
            ),
            missing,
        }
    }

    #[test]
    fn a_machine_without_a_gpu() {
        assert_eq!(
            example(vec![], vec!["a driver".into(), "a GPU".into()]).to_string(),
            "\
tribin     1.2.3
features   cli, gpu
CPU        Example 9, 1 thread
driver     none
GPUs       none
kernels    PTX 7.1 for sm_80 and later
           compiled by 1.96.0
           sources abc
missing    a driver
           a GPU
`tribin count` uses the CPU
"
        );
    }

    #[test]
    fn a_machine_with_two_gpus_of_which_one_is_too_old() {
        let old = GpuFacts {
            device: "gpu:0".into(),
            name: "Old".into(),
            memory: 1 << 30,
            free_memory: None,
            compute_capability: "7.5".into(),
            multiprocessors: 40,
            usable: false,
        };
        let new = GpuFacts {
            device: "gpu:1".into(),
            name: "New".into(),
            memory: 1 << 31,
            free_memory: Some(1 << 30),
            compute_capability: "9.0".into(),
            multiprocessors: 132,
            usable: true,
        };
        let text = example(vec![old, new], vec!["gpu:0: too old".into()]).to_string();
        assert_eq!(
            text.lines().skip(3).take(5).collect::<Vec<_>>().join("\n"),
            "\
driver     CUDA 12.8
gpu:0      Old, compute capability 7.5, 40 multiprocessors, cannot be used
           memory 1,073,741,824 bytes (1.0 GiB)
gpu:1      New, compute capability 9.0, 132 multiprocessors, ready
           memory 2,147,483,648 bytes (2.0 GiB), free 1,073,741,824 bytes (1.0 GiB)"
        );
        assert!(text.ends_with("missing    gpu:0: too old\n`tribin count` uses gpu:1\n"), "{text}");
    }

    #[test]
    fn the_embedded_kernels_say_what_they_are() {
        let ptx = KernelFacts::of(cuda::PTX);
        for fact in [&ptx.version, &ptx.target, &ptx.compiler, &ptx.source_hash] {
            assert_ne!(fact, "unknown");
        }
        assert!(ptx.target.starts_with("sm_"), "{}", ptx.target);
    }
}
