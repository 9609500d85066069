//! Launch bounds, which rustc has no attribute for.
//!
//! A kernel that is declared with `launch_bounds(threads, blocks)` leaves the comment
//! `// launch-bounds NAME threads blocks` in the module. Here the kernel's entry gets the directives
//! that `__launch_bounds__` stands for, so that ptxas gives a thread no more registers than let
//! `blocks` blocks of `threads` threads run on a multiprocessor.

const COMMENT: &str = "// launch-bounds ";

/// The module with the directives of its launch bounds in place of their comments.
///
/// # Errors
/// A comment that is malformed or names no kernel.
pub fn apply(code: &str) -> Result<String, String> {
    let mut bounds = Vec::new();
    let mut lines = Vec::new();
    for line in code.lines() {
        match line.trim().strip_prefix(COMMENT) {
            Some(words) => bounds.push(words),
            None => lines.push(line.to_owned()),
        }
    }
    for words in bounds {
        let [name, threads, blocks] = words.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("`{COMMENT}{words}` is not a name and two numbers"));
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
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::apply;

    #[test]
    fn bounds_stand_between_the_parameters_and_the_body() {
        let module = "// launch-bounds k 256 4\n.visible .entry k(\n\t.param .u32 a\n)\n{\n}\n";
        let expected =
            ".visible .entry k(\n\t.param .u32 a\n)\n.maxntid 256, 1, 1\n.minnctapersm 4\n{\n}\n";
        assert_eq!(apply(module).unwrap(), expected);
    }

    #[test]
    fn bounds_of_no_kernel_are_refused() {
        assert_eq!(
            apply("// launch-bounds k 256 4\n").unwrap_err(),
            "launch bounds for k, which is no kernel"
        );
        assert_eq!(
            apply("// launch-bounds k 256\n").unwrap_err(),
            "`// launch-bounds k 256` is not a name and two numbers"
        );
    }
}
