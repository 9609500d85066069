//! One PTX module as a file for each module of kernels, and back.
//!
//! Each file is a PTX module that can be assembled alone: it has its kernels, and the functions and
//! variables that they use. Joined again, what several files have is there once.
//!
//! The compiler numbers the labels of a module's functions from first to last, so that a new kernel would
//! change the text of those after it. A label is known in its function alone: the number is
//! left out here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::Error;
use crate::compile::Compiled;
use crate::items::{ItemKind, Items};
use crate::kernels::{Entry, KernelPackage};
use crate::ptx::Ptx;
use crate::source::{Sources, digest};

/// PTX files by their names.
pub type Files = BTreeMap<String, Ptx>;

/// The files of a compiled module: one for each module that may declare kernels, even if it declares none.
///
/// # Errors
/// If the PTX cannot be read, or two files would have one name.
pub fn split(
    kernels: &KernelPackage,
    sources: &Sources,
    compiled: &Compiled,
) -> Result<Files, Error> {
    let path = kernels.committed_folder();
    let code = with_local_labels(&compiled.code);
    let items = Items::parse(&code).map_err(Error::bad(&path))?;
    let above = if kernels.entry() == Entry::Crate { 1 } else { 2 };
    let mut wanted: BTreeMap<Option<String>, BTreeSet<&str>> =
        sources.declaring().into_iter().map(|module| (module, BTreeSet::new())).collect();
    for item in items.items.iter().filter(|item| item.kind == ItemKind::Kernel) {
        let module = compiled.modules.get(item.name);
        let module = module.and_then(|path| sources.module_of(path, above));
        wanted.entry(module).or_default().insert(item.name);
    }
    let mut files = Files::new();
    for (module, names) in wanted {
        // Beside an entry stands the variable that says what it takes, which no code names.
        let is_wanted = |item: &crate::items::Item<'_>| match item.kind {
            ItemKind::Variable => {
                item.name.split_once("__takes_").is_some_and(|(kernel, _)| names.contains(kernel))
            }
            kind => kind == ItemKind::Kernel && names.contains(item.name),
        };
        let mut text = items.head.join("\n") + "\n";
        for item in items.closure(is_wanted) {
            text.push('\n');
            text.push_str(item.text);
        }
        let title = match &module {
            Some(module) => format!("{}, module {module}", kernels.package),
            None => kernels.package.clone(),
        };
        let ptx = Ptx {
            title,
            source_hash: sources.hash(module.as_deref()),
            rustc: compiled.rustc.clone(),
            flags: compiled.flags.clone(),
            code: text,
        };
        let file = kernels.file_name(module.as_deref());
        if files.insert(file.clone(), ptx).is_some() {
            let what = format!("is of the module {} and of the root: rename one", kernels.name);
            return Err(Error::BadPtx { path: path.join(file), what });
        }
    }
    Ok(files)
}

/// The files as one module.
///
/// # Errors
/// If a file cannot be read as PTX, or two of them differ in what both have.
pub fn join(kernels: &KernelPackage, files: &Files) -> Result<Ptx, Error> {
    let folder = kernels.committed_folder();
    let mut head: Option<Vec<&str>> = None;
    let mut known: BTreeMap<(&str, bool), &str> = BTreeMap::new();
    let mut shared = String::new();
    let mut own = String::new();
    for (file, ptx) in files {
        let path = &folder.join(file);
        let items = Items::parse(&ptx.code).map_err(Error::bad(path))?;
        if *head.get_or_insert_with(|| items.head.clone()) != items.head {
            return Err(differs(path, "another head than the files before it"));
        }
        for item in items.items {
            // A function may be declared before it is defined.
            let declared = item.kind == ItemKind::Function && !item.text.contains('{');
            match known.insert((item.name, declared), item.text) {
                Some(text) if text == item.text => continue,
                Some(_) => return Err(differs(path, &format!("another `{}`", item.name))),
                None => {}
            }
            let to = if item.kind == ItemKind::Kernel { &mut own } else { &mut shared };
            to.push('\n');
            to.push_str(item.text);
        }
    }
    let all = |of: fn(&Ptx) -> &str| {
        let different: BTreeSet<&str> = files.values().map(of).collect();
        different.into_iter().collect::<Vec<_>>().join("; ")
    };
    let hashes = files.values().map(|ptx| ptx.source_hash.as_bytes());
    Ok(Ptx {
        title: kernels.package.clone(),
        source_hash: digest(hashes),
        rustc: all(|ptx| &ptx.rustc),
        flags: all(|ptx| &ptx.flags),
        code: format!("{}\n{shared}{own}", head.unwrap_or_default().join("\n")),
    })
}

fn differs(path: &Path, what: &str) -> Error {
    let what = format!("has {what}: the files were made by different compilations");
    Error::BadPtx { path: path.to_owned(), what }
}

/// The code with the functions' numbers left out of their labels: `$L__BB12_3` becomes `$L__BB0_3`, and
/// `__local_depot12` becomes `__local_depot0`. Comments name labels too.
fn with_local_labels(code: &str) -> String {
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
    use super::with_local_labels;

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
