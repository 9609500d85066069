//! What no kernel should contain, found in PTX.
//!
//! | found | usual cause | what to write |
//! | --- | --- | --- |
//! | a trap, a call of a panic | `slice[i]`, a division by a value that may be 0, `unwrap` | `get` of device memory, a checked divisor |
//! | a stack frame | an array that is indexed by a value unknown at compile time, or taken by reference | a loop of constant length over it |
//! | a generic access | a pointer that may lead to shared or to global memory | `Shared`, `In` and `InOut`, whose accesses name the memory |
//!
//! A kernel that prints by `trace!` may have a stack frame: what it prints stands there.
//!
//! [`ptxas`](crate::ptxas) finds what only shows in machine code: spilled registers.

use std::collections::BTreeSet;
use std::fmt;

use crate::ptx::kernel_name;

/// Something that no kernel should contain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Defect {
    /// The kernel, or `None` for a function that kernels call.
    pub kernel: Option<String>,
    /// The kind of the defect.
    pub kind: DefectKind,
}

/// A kind of [`Defect`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DefectKind {
    /// A trap: a panic of Rust ends there.
    Trap,
    /// A call of a panic (bounds, overflow and division checks end there), by its name.
    PanicCall(String),
    /// An array in local memory, by its declaration.
    StackFrame(String),
    /// A load, a store or an atomic operation that finds out while it runs whether it is of shared or of
    /// global memory, by its operation. It costs more than one that says so.
    GenericAccess(String),
}

/// The defects of a PTX module, each once for a kernel.
///
/// ```
/// let ptx = ".visible .entry k()\n{\n\tld.b32 %r1, [%rd1];\n\ttrap;\n}\n";
/// let found: Vec<String> =
///     warpwise_ptx_builder::check::scan(ptx).iter().map(|defect| defect.to_string()).collect();
/// assert_eq!(
///     found,
///     [
///         "k: contains a trap (a panic of Rust ends there)",
///         "k: ld.b32 does not say whether it is of shared or of global memory",
///     ]
/// );
/// ```
pub fn scan(code: &str) -> Vec<Defect> {
    let (mut found, mut printing) = (BTreeSet::new(), BTreeSet::new());
    let mut kernel = None;
    let mut is_of_panics = false;
    for line in code.lines() {
        if let Some(name) = kernel_name(line) {
            (kernel, is_of_panics) = (Some(name.to_owned()), false);
        } else if line.starts_with(".func") || line.starts_with(".visible .func") {
            (kernel, is_of_panics) = (None, line.contains("panic"));
        }
        // What `core` panics with is there because a kernel calls it, and that is told.
        if is_of_panics {
            continue;
        }
        let instruction = line.split("//").next().unwrap_or_default().trim();
        if instruction.starts_with("call") && instruction.contains(" vprintf,") {
            printing.insert(kernel.clone());
        }
        for kind in kinds(instruction) {
            found.insert(Defect { kernel: kernel.clone(), kind });
        }
    }
    let is_of_text = |defect: &Defect| {
        matches!(defect.kind, DefectKind::StackFrame(_)) && printing.contains(&defect.kernel)
    };
    found.into_iter().filter(|defect| !is_of_text(defect)).collect()
}

fn kinds(instruction: &str) -> impl Iterator<Item = DefectKind> {
    let text = || instruction.to_owned();
    let operation = instruction.split_whitespace().find(|word| !word.starts_with('@'));
    let generic = operation.filter(|operation| is_generic(operation));
    [
        instruction.ends_with("trap;").then_some(DefectKind::Trap),
        panic_call(instruction).map(|name| DefectKind::PanicCall(name.to_owned())),
        instruction.starts_with(".local ").then(|| DefectKind::StackFrame(text())),
        generic.map(|operation| DefectKind::GenericAccess(operation.to_owned())),
    ]
    .into_iter()
    .flatten()
}

/// The name, without those of its crate and modules, of a panic that is called.
fn panic_call(instruction: &str) -> Option<&str> {
    let called = instruction.contains("call").then(|| instruction.find("panic"))??;
    let name =
        instruction[called..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    // Mangled, each name stands behind its length.
    name.rsplit(|c: char| c.is_ascii_digit()).find(|part| part.contains("panic"))
}

/// Whether a memory operation names no state space.
fn is_generic(operation: &str) -> bool {
    let mut parts = operation.split('.');
    let is_access = parts.next().is_some_and(|what| ["ld", "st", "atom", "red"].contains(&what));
    const SPACES: [&str; 5] = ["global", "shared", "local", "const", "param"];
    is_access && !parts.any(|part| SPACES.iter().any(|space| part.starts_with(space)))
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kernel.as_deref().unwrap_or("a function"))?;
        match &self.kind {
            DefectKind::Trap => f.write_str(": contains a trap (a panic of Rust ends there)"),
            DefectKind::PanicCall(call) => write!(f, ": contains a call of a panic: {call}"),
            DefectKind::StackFrame(array) => write!(f, ": has a stack frame: {array}"),
            DefectKind::GenericAccess(operation) => {
                write!(f, ": {operation} does not say whether it is of shared or of global memory")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn defects_name_the_kernel() {
        let code = "\
.func helper(\n)\n{\n\ttrap;\n}
.visible .entry clean(\n)\n{\n\tadd.s32 %r1, %r2, %r3; // no trap;
\tld.global.nc.b32 %r1, [%rd1];\n\tst.shared::cta.u32 [%r1], 0;\n\tld.relaxed.sys.global.b32 %r1, [%r2];\n}
.visible .entry frame(\n)\n{\n\t.local .align 8 .b8 __local_depot1[192];\n}
.visible .entry generic(\n)\n{\n\tst.b32 [%rd1], 0;\n\t@%p1 atom.add.u32 %r1, [%rd1], 1;\n}
.visible .entry prints(\n)\n{\n\t.local .align 8 .b8 __local_depot2[128];\n\tcall.uni (retval0), vprintf, (param0, param1);\n\ttrap;\n}
.visible .entry traps(\n)\n{\n\t@%p1 trap;\n\tcall.uni _ZN4core9panicking5panic, ();
\tcall.uni _RNvNtNtCsanIojcP8aaR_4core9panicking11panic_const23panic_const_div_by_zero, ();\n}
.func _RNvNtCsanIojcP8aaR_4core9panicking9panic_fmt()\n{\n\tcall.uni panic_impl, ();\n\ttrap;\n}\n";
        let found: Vec<String> = scan(code).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "a function: contains a trap (a panic of Rust ends there)",
                "frame: has a stack frame: .local .align 8 .b8 __local_depot1[192];",
                "generic: atom.add.u32 does not say whether it is of shared or of global memory",
                "generic: st.b32 does not say whether it is of shared or of global memory",
                "prints: contains a trap (a panic of Rust ends there)",
                "traps: contains a trap (a panic of Rust ends there)",
                "traps: contains a call of a panic: panic",
                "traps: contains a call of a panic: panic_const_div_by_zero",
            ]
        );
    }
}
