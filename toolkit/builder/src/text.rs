//! What is done to the text that rustc writes: launch bounds are put in, and the numbers of functions taken out of labels.
//!
//! rustc has no attribute for launch bounds, so the device library leaves the comment
//! `// launch-bounds NAME threads blocks` for a kernel that is declared with `launch_bounds(threads, blocks)`. Here the
//! kernel's entry gets the directives that `__launch_bounds__` stands for, so that ptxas gives a thread no more registers
//! than let `blocks` blocks of `threads` threads run on a multiprocessor.
//!
//! The compiler numbers the labels of a module's functions from first to last, so that a new kernel would change the text
//! of those after it. A label is known in its function alone: the number is left out.

use crate::ptx::kernel_name;

const BOUNDS: &str = "// launch-bounds ";

/// Takes the comments of launch bounds out of a module, and does what they say.
///
/// # Errors
/// Launch bounds that are malformed or are for no kernel.
pub(crate) fn with_launch_bounds(code: &str) -> Result<String, String> {
    let mut bounds = Vec::new();
    let mut lines = Vec::new();
    for line in code.lines() {
        match line.trim().strip_prefix(BOUNDS) {
            Some(words) => bounds.push(words),
            None => lines.push(line.to_owned()),
        }
    }
    for words in bounds {
        let [name, threads, blocks] = words.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("`{BOUNDS}{words}` is not a name and two numbers"));
        };
        let start = lines.iter().position(|line| kernel_name(line) == Some(name));
        let end = start.and_then(|start| {
            lines[start..].iter().position(|line| line.starts_with(')')).map(|end| start + end)
        });
        let end = end.ok_or_else(|| format!("launch bounds for {name}, which is no kernel"))?;
        lines.insert(end + 1, format!(".maxntid {threads}, 1, 1\n.minnctapersm {blocks}"));
    }
    Ok(lines.join("\n") + "\n")
}

/// The code with the functions' numbers left out of their labels: `$L__BB12_3` becomes `$L__BB0_3`, and
/// `__local_depot12` becomes `__local_depot0`. Comments name labels too.
pub(crate) fn with_local_labels(code: &str) -> String {
    let code = without_number(code, "BB", |before, after| {
        before.ends_with(['_', '=', ' ']) && after.starts_with('_')
    });
    without_number(&code, "__local_depot", |_, _| true)
}

fn without_number(code: &str, label: &str, is_label: impl Fn(&str, &str) -> bool) -> String {
    let mut result = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(label) {
        let (before, from) = rest.split_at(at + label.len());
        let digits = from.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(from.len());
        let after = &from[digits..];
        result.push_str(before);
        if digits > 0 && is_label(&before[..at], after) {
            result.push('0');
        } else {
            result.push_str(&from[..digits]);
        }
        rest = after;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::{with_launch_bounds, with_local_labels};

    #[test]
    fn bounds_stand_between_the_parameters_and_the_body() {
        let module = "\
// launch-bounds k 256 4
.visible .entry k(
\t.param .u32 a
)
{
}
";
        let expected =
            ".visible .entry k(\n\t.param .u32 a\n)\n.maxntid 256, 1, 1\n.minnctapersm 4\n{\n}\n";
        assert_eq!(with_launch_bounds(module).unwrap(), expected);
    }

    #[test]
    fn malformed_bounds_are_refused() {
        for (module, message) in [
            ("// launch-bounds k 256 4\n", "launch bounds for k, which is no kernel"),
            ("// launch-bounds k 256\n", "`// launch-bounds k 256` is not a name and two numbers"),
        ] {
            assert_eq!(with_launch_bounds(module).unwrap_err(), message);
        }
    }

    #[test]
    fn labels_lose_the_number_of_their_function() {
        let code = "$L__BB12_3: // =>This Loop Header: Header=BB12_5 Depth 2\n\
                    bra.uni $L__BB12_10; // in Loop: BB7_1\nmov.u64 %SPL, __local_depot12;\n\
                    .visible .entry aBB12(\nld.param.u32 [aBB12_param_0];\n";
        assert_eq!(
            with_local_labels(code),
            "$L__BB0_3: // =>This Loop Header: Header=BB0_5 Depth 2\n\
             bra.uni $L__BB0_10; // in Loop: BB0_1\nmov.u64 %SPL, __local_depot0;\n\
             .visible .entry aBB12(\nld.param.u32 [aBB12_param_0];\n"
        );
    }
}
