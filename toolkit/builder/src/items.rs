//! The items of a PTX module: its kernels, functions and variables.

use std::collections::BTreeSet;

/// The kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Kernel,
    Function,
    Variable,
}

/// A kernel, a function or a variable of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item<'a> {
    pub kind: ItemKind,
    pub name: &'a str,
    /// The item's lines.
    pub text: &'a str,
}

/// A PTX module, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Items<'a> {
    /// The directives `.version`, `.target` and `.address_size`.
    pub head: Vec<&'a str>,
    /// The items after the directives, in order.
    pub items: Vec<Item<'a>>,
}

const HEAD: [&str; 3] = [".version ", ".target ", ".address_size "];

impl<'a> Items<'a> {
    /// Takes a module apart. Comments between items are left out.
    ///
    /// # Errors
    /// What cannot be read as an item.
    pub fn parse(code: &'a str) -> Result<Items<'a>, String> {
        let mut found = Items { head: Vec::new(), items: Vec::new() };
        let mut start = None;
        let (mut at, mut depth, mut has_body) = (0, 0_usize, false);
        for line in code.split_inclusive('\n') {
            let end = at + line.len();
            let words = line.split("//").next().unwrap_or_default();
            if start.is_none() {
                let words = words.trim();
                if HEAD.iter().any(|head| words.starts_with(head)) {
                    found.head.push(words);
                } else if !words.is_empty() {
                    (start, has_body) = (Some(at), false);
                }
            }
            if let Some(from) = start {
                let mut ends = false;
                for letter in words.chars() {
                    match letter {
                        '{' => (depth, has_body) = (depth + 1, true),
                        '}' => depth = depth.checked_sub(1).ok_or("a `}` without its `{`")?,
                        _ => {}
                    }
                    ends |= depth == 0 && letter == ';';
                }
                if depth == 0 && (ends || has_body) {
                    let item = item(&code[from..end])?;
                    // A variable's initial value stands in braces before the end.
                    if ends || item.kind != ItemKind::Variable {
                        found.items.push(item);
                        start = None;
                    }
                }
            }
            at = end;
        }
        match start {
            Some(from) => Err(format!("it ends within `{}`", first_line(&code[from..]))),
            None => Ok(found),
        }
    }

    /// The items that `wanted` and what it uses name, in order.
    pub fn closure(&self, wanted: impl Fn(&Item<'_>) -> bool) -> Vec<&Item<'a>> {
        let mut taken: Vec<bool> = self.items.iter().map(&wanted).collect();
        let uses: Vec<BTreeSet<&str>> = self.items.iter().map(|item| words(item.text)).collect();
        loop {
            let used = |name: &str| {
                taken.iter().zip(&uses).any(|(&taken, uses)| taken && uses.contains(name))
            };
            let more: Vec<usize> = (0..taken.len())
                .filter(|&i| !taken[i] && self.items[i].kind != ItemKind::Kernel)
                .filter(|&i| used(self.items[i].name))
                .collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|i| taken[i] = true);
        }
        self.items.iter().zip(taken).filter_map(|(item, taken)| taken.then_some(item)).collect()
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim()
}

fn item(text: &str) -> Result<Item<'_>, String> {
    let unnamed = || format!("`{}` is no item with a name", first_line(text));
    let head = text.split(['{', ';']).next().unwrap_or_default();
    let (kind, name) = if let Some((_, after)) = head.split_once(".entry ") {
        (ItemKind::Kernel, after.split('('))
    } else if let Some((_, after)) = head.split_once(".func ") {
        // What it returns stands in brackets before its name.
        let after = match after.trim_start().strip_prefix('(') {
            Some(returns) => returns.split_once(')').map_or("", |(_, after)| after),
            None => after,
        };
        (ItemKind::Function, after.split('('))
    } else {
        let name = head.split(['[', '=']).next().unwrap_or_default();
        (ItemKind::Variable, name.split_whitespace().next_back().unwrap_or_default().split('('))
    };
    let name = name.into_iter().next().unwrap_or_default().trim();
    if name.is_empty() { Err(unnamed()) } else { Ok(Item { kind, name, text }) }
}

/// The identifiers of a text.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "_$%".contains(letter))).collect()
}

/// The kernel that a line of PTX begins.
pub(crate) fn kernel_name(line: &str) -> Option<&str> {
    line.strip_prefix(".visible .entry ")?.split('(').next()
}

#[cfg(test)]
mod tests {
    use super::{ItemKind, Items};

    const MODULE: &str = "\
//
// Generated
.version 7.1
.target sm_80
.address_size 64

.extern .shared .align 16 .b8 pool[];
.global .align 4 .b8 table[8] = {1, 2, 3,
  4, 5, 6, 7, 8};
.func helper;
\t// .globl first
.visible .entry first(
\t.param .u64 first_param_0
)
.maxntid 256, 1, 1
{
\tmov.u32 %r1, pool; // not helper }
\tret;
}
.func  (.param .b32 retval0) helper(.param .b32 a)
{
\tld.global.u32 %r1, [table];
\t{ call.uni (retval0), helper2, (); }
}
.func helper2()
{ ret; }
.visible .entry second()
{
\tcall.uni (retval0), helper, (param0);
}
";

    #[test]
    fn a_module_is_taken_apart_and_what_a_kernel_uses_is_found() {
        let items = Items::parse(MODULE).unwrap();
        assert_eq!(items.head, [".version 7.1", ".target sm_80", ".address_size 64"]);
        let names: Vec<_> = items.items.iter().map(|item| (item.kind, item.name)).collect();
        assert_eq!(
            names,
            [
                (ItemKind::Variable, "pool"),
                (ItemKind::Variable, "table"),
                (ItemKind::Function, "helper"),
                (ItemKind::Kernel, "first"),
                (ItemKind::Function, "helper"),
                (ItemKind::Function, "helper2"),
                (ItemKind::Kernel, "second"),
            ]
        );
        assert!(items.items[3].text.starts_with(".visible .entry first("));
        assert!(items.items[3].text.ends_with("\tret;\n}\n"));
        let used = |kernel: &str| -> Vec<_> {
            let found = items.closure(|item| item.name == kernel);
            found.into_iter().map(|item| item.name).collect()
        };
        // A comment is read as code: a helper too many does no harm.
        assert_eq!(used("second"), ["table", "helper", "helper", "helper2", "second"]);
        assert!(used("first").contains(&"pool"));
    }

    #[test]
    fn what_is_no_module_is_refused() {
        assert_eq!(
            Items::parse(".visible .entry open()\n{\n").unwrap_err(),
            "it ends within `.visible .entry open()`"
        );
        assert_eq!(Items::parse("ret; }\n").unwrap_err(), "a `}` without its `{`");
    }
}
