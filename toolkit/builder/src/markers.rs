//! Comments that the device library leaves in a module.
//!
//! | comment | what it says |
//! | --- | --- |
//! | `// kernel NAME in PATH` | the Rust module that declares a kernel |
//! | `// launch-bounds NAME threads blocks` | the kernel is declared with `launch_bounds(threads, blocks)` |
//!
//! rustc has no attribute for launch bounds. Here the kernel's entry gets the directives that
//! `__launch_bounds__` stands for, so that ptxas gives a thread no more registers than let `blocks`
//! blocks of `threads` threads run on a multiprocessor.

use std::collections::BTreeMap;

const BOUNDS: &str = "// launch-bounds ";
const KERNEL: &str = "// kernel ";

/// A module without its markers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    pub code: String,
    /// The Rust module of each kernel: `my_crate::sorting::scatter`.
    pub modules: BTreeMap<String, String>,
}

/// Takes the markers out of a module and does what they say.
///
/// # Errors
/// A marker that is malformed or names no kernel.
pub(crate) fn apply(code: &str) -> Result<Marked, String> {
    let mut bounds = Vec::new();
    let mut modules = BTreeMap::new();
    let mut lines = Vec::new();
    for line in code.lines() {
        let comment = line.trim();
        if let Some(words) = comment.strip_prefix(BOUNDS) {
            bounds.push(words);
        } else if let Some(words) = comment.strip_prefix(KERNEL) {
            let marker = words.split_once(" in ");
            let (name, path) = marker.ok_or_else(|| format!("`{comment}` has no ` in `"))?;
            modules.insert(name.trim().to_owned(), path.replace(' ', ""));
        } else {
            lines.push(line.to_owned());
        }
    }
    for words in bounds {
        let [name, threads, blocks] = words.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("`{BOUNDS}{words}` is not a name and two numbers"));
        };
        let entry = format!(".visible .entry {name}(");
        let start = lines.iter().position(|line| line.starts_with(&entry));
        let end = start.and_then(|start| {
            lines[start..].iter().position(|line| line.starts_with(')')).map(|end| start + end)
        });
        let end = end.ok_or_else(|| format!("launch bounds for {name}, which is no kernel"))?;
        lines.insert(end + 1, format!(".maxntid {threads}, 1, 1\n.minnctapersm {blocks}"));
    }
    let mut code = lines.join("\n");
    code.push('\n');
    Ok(Marked { code, modules })
}

#[cfg(test)]
mod tests {
    use super::apply;

    #[test]
    fn bounds_stand_between_the_parameters_and_the_body() {
        let module = "\
// kernel k in own::kernels::sort
// launch-bounds k 256 4
.visible .entry k(
\t.param .u32 a
)
{
}
";
        let expected =
            ".visible .entry k(\n\t.param .u32 a\n)\n.maxntid 256, 1, 1\n.minnctapersm 4\n{\n}\n";
        let marked = apply(module).unwrap();
        assert_eq!(marked.code, expected);
        assert_eq!(
            marked.modules.into_iter().collect::<Vec<_>>(),
            [("k".to_owned(), "own::kernels::sort".to_owned())]
        );
    }

    #[test]
    fn malformed_markers_are_refused() {
        for (module, message) in [
            ("// launch-bounds k 256 4\n", "launch bounds for k, which is no kernel"),
            ("// launch-bounds k 256\n", "`// launch-bounds k 256` is not a name and two numbers"),
            ("// kernel k\n", "`// kernel k` has no ` in `"),
        ] {
            assert_eq!(apply(module).unwrap_err(), message);
        }
    }
}
