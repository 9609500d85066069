//! Which modules of a crate of kernels the code of another depends on.
//!
//! The answer is read off the text, and may name a module too many, never one too few: what a module uses,
//! it or something that it uses has to name, and modules that others use without naming them count for
//! all.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::SourceFile;

/// The modules directly below the root of a crate of kernels. `None` is the root.
#[derive(Debug)]
pub(crate) struct Modules {
    files: BTreeMap<Option<String>, Vec<(String, String)>>,
    /// The names of modules that each module uses.
    names: BTreeMap<Option<String>, BTreeSet<String>>,
    /// The modules that every other one depends on.
    shared: BTreeSet<String>,
}

/// The name of the root among the sources.
const ROOT: &str = "kernels/root.rs";

impl Modules {
    /// Sorts the files of a crate by module.
    pub fn of(sources: &[SourceFile]) -> Modules {
        let mut files = BTreeMap::from([(None, Vec::new())]);
        for SourceFile { name, text, .. } in sources {
            let module = (name != ROOT).then(|| {
                let below = name.strip_prefix("kernels/").unwrap_or(name);
                let module = below.split('/').next().unwrap_or(below);
                module.strip_suffix(".rs").unwrap_or(module).to_owned()
            });
            let file = (name.clone(), text.clone());
            files.entry(module).or_insert_with(Vec::new).push(file);
        }
        let modules: BTreeSet<String> = files.keys().flatten().cloned().collect();
        let code = |module: &Option<String>| -> String {
            files[module].iter().map(|(_, text)| without_comments(text)).collect()
        };
        let all = files.keys().map(code).collect::<String>();
        let own_macros: Vec<&str> = macros(&all).map(|(name, _)| name).collect();
        let names = files.keys().map(|module| {
            let code = code(module);
            let used = named(&code).into_iter().chain(in_calls(&code, &own_macros));
            (module.clone(), used.filter(|name| modules.contains(name)).collect())
        });
        let names: BTreeMap<_, _> = names.collect();
        // Files that are read in from elsewhere belong to no module that can be told from the text.
        let unclear = ["include!", "#[path", "#![path"]
            .iter()
            .any(|word| all.match_indices(word).any(|(at, _)| !is_machine_code(&all[at..])));
        let are_everywhere = all.contains("macro_use") || all.contains("macro_export");
        let shared = modules.iter().filter(|module| {
            let code = code(&Some((*module).clone()));
            unclear
                || (are_everywhere && code.contains("macro_rules!"))
                || has_implementation_of_others(&code)
        });
        let shared = shared.cloned().collect();
        Modules { files, names, shared }
    }

    /// Whether there is a module of that name.
    pub fn has(&self, module: &str) -> bool {
        self.files.contains_key(&Some(module.to_owned()))
    }

    /// The modules in which `kernel!`, or a macro whose text has it, is called.
    pub fn declaring(&self) -> BTreeSet<Option<String>> {
        let code = |files: &[(String, String)]| -> String {
            files.iter().map(|(_, text)| without_comments(text)).collect()
        };
        let all = self.files.values().map(|files| code(files)).collect::<String>();
        let mut calls = vec!["kernel!".to_owned()];
        let with_kernels = macros(&all).filter(|(_, body)| body.contains("kernel!"));
        calls.extend(with_kernels.map(|(name, _)| format!("{name}!")));
        let declares =
            |files: &[(String, String)]| calls.iter().any(|call| code(files).contains(call));
        let found = self.files.iter().filter(|(_, files)| declares(files));
        found.map(|(module, _)| module.clone()).collect()
    }

    /// The files that decide a module's code, each by name and text.
    pub fn parts(&self, module: Option<&str>) -> Vec<(String, String)> {
        let mut taken: BTreeSet<Option<String>> =
            self.shared.iter().map(|module| Some(module.clone())).collect();
        taken.extend([module.map(str::to_owned), None]);
        loop {
            let more: BTreeSet<_> = taken
                .iter()
                .filter_map(|module| self.names.get(module))
                .flatten()
                .map(|name| Some(name.clone()))
                .filter(|module| !taken.contains(module))
                .collect();
            if more.is_empty() {
                break;
            }
            taken.extend(more);
        }
        let mut parts = Vec::new();
        for one in &taken {
            for (name, text) in self.files.get(one).into_iter().flatten() {
                // Another module's line in the root changes nothing here.
                let text = match (one, module) {
                    (None, Some(_)) => without_declarations(text),
                    _ => text.clone(),
                };
                parts.push((name.clone(), text));
            }
        }
        parts
    }
}

/// Whether an `include!` brings the machine code that was made of the kernels, which is no code of theirs.
fn is_machine_code(code: &str) -> bool {
    let variable = code.strip_prefix("include!(env!(\"").and_then(|rest| rest.split_once("\"))"));
    variable.is_some_and(|(name, _)| name.ends_with("_CUBINS"))
}

/// The text without lines of comments.
fn without_comments(text: &str) -> String {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.fold(String::with_capacity(text.len()), |code, line| code + line + "\n")
}

/// The root's text without comments, empty lines and the declarations of modules.
fn without_declarations(text: &str) -> String {
    let declares = |line: &str| {
        let line = line.trim().trim_start_matches("pub").trim_start();
        let line = match line.strip_prefix('(') {
            Some(rest) => rest.split_once(')').map_or(line, |(_, after)| after.trim_start()),
            None => line,
        };
        line.strip_prefix("mod ").is_some_and(|name| name.trim_end().ends_with(';'))
    };
    let code = without_comments(text);
    let kept = code.lines().filter(|line| !line.trim().is_empty() && !declares(line));
    kept.fold(String::new(), |code, line| code + line + "\n")
}

/// The macros that a text defines, with what they expand to.
fn macros(code: &str) -> impl Iterator<Item = (&str, &str)> {
    code.split("macro_rules! ").skip(1).map(|definition| {
        let name = definition.split([' ', '{', '(']).next().unwrap_or_default();
        (name, definition.split("\n}").next().unwrap_or_default())
    })
}

/// The words in calls of these macros, which may make paths of them.
fn in_calls(code: &str, macros: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for call in macros.iter().map(|name| format!("{name}!")) {
        for (at, _) in code.match_indices(&call) {
            found.extend(words(in_brackets(&code[at + call.len()..])).map(str::to_owned));
        }
    }
    found
}

/// The text between the bracket at its beginning and the one that closes it.
fn in_brackets(text: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth <= 0 && !letter.is_whitespace() {
            return &text[..at];
        }
    }
    text
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !is_word(letter)).filter(|word| !word.is_empty())
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Words that can name a module: those beside `::`, and all of a `use`.
fn named(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for statement in code.split(';') {
        // The last `use` of the statement: what stands before it is the end of another item.
        let in_use = statement.rfind("use ").unwrap_or(statement.len());
        let mut at = 0;
        while let Some(start) = statement[at..].find(is_word).map(|found| at + found) {
            let rest = &statement[start..];
            let end = start + rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            let beside = statement[..start].trim_end().ends_with("::")
                || statement[end..].trim_start().starts_with("::");
            if beside || start > in_use {
                found.insert(statement[start..end].to_owned());
            }
            at = end;
        }
    }
    found
}

/// Whether methods are written for a type that is not this module's own, and of a trait that is not either. Who calls them may name
/// neither.
fn has_implementation_of_others(code: &str) -> bool {
    let is_defined = |word: &str| {
        ["trait ", "struct ", "enum ", "union "].iter().any(|kind| {
            code.match_indices(kind).any(|(at, _)| {
                let name = &code[at + kind.len()..];
                name.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
            })
        })
    };
    let heads = code.match_indices("impl").filter(|(at, _)| begins_item(&code[..*at]));
    heads.map(|(at, word)| &code[at + word.len()..]).any(|rest| {
        let head = rest.split(['{', ';']).next().unwrap_or_default();
        if !head.starts_with(['<', ' ']) {
            return false;
        }
        let head = behind_generics(head.trim_start());
        let head = head.split(" where ").next().unwrap_or(head);
        !head.split(" for ").map(type_name).any(is_defined)
    })
}

/// Whether an item may begin behind this text: `impl Trait` among parameters and results is a type.
fn begins_item(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with([';', '{', '}', ']']) || before.ends_with("unsafe")
}

/// The text behind `<…>` at its beginning.
fn behind_generics(text: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            // An arrow closes nothing.
            '>' if !text[..at].ends_with(['-', '=']) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + usize::from(letter == '>')..];
        }
    }
    text
}

/// The last name of a path, without what stands between `<` and `>`.
fn type_name(path: &str) -> &str {
    let path = path.split('<').next().unwrap_or(path).trim();
    path.rsplit(|letter: char| !is_word(letter)).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{Modules, has_implementation_of_others, named};
    use crate::source::SourceFile;

    fn file(name: &str, text: &str) -> SourceFile {
        SourceFile { name: name.into(), path: name.into(), text: text.into() }
    }

    fn parts(modules: &Modules, module: &str) -> Vec<String> {
        modules.parts(Some(module)).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn a_module_has_the_files_of_what_it_names_and_of_what_that_names() {
        let modules = Modules::of(&[
            file("kernels/root.rs", "pub mod sort;\npub mod scan;\n"),
            file("kernels/sort/mod.rs", "mod merge;\nkernel! { fn sort() }"),
            file("kernels/sort/merge.rs", "use super::super::{\n    search, thread\n};\n"),
            file("kernels/scan.rs", "// sort::x\nkernel! { let search = 1; }"),
            file("kernels/search.rs", "pub fn f() { crate::words::g() }"),
            file("kernels/words.rs", "pub fn g() {}"),
        ]);
        let sort = [
            "kernels/root.rs",
            "kernels/search.rs",
            "kernels/sort/mod.rs",
            "kernels/sort/merge.rs",
            "kernels/words.rs",
        ];
        assert_eq!(parts(&modules, "sort"), sort);
        assert_eq!(parts(&modules, "scan"), ["kernels/root.rs", "kernels/scan.rs"]);
        let declaring: Vec<_> = modules.declaring().into_iter().flatten().collect();
        assert_eq!(declaring, ["scan", "sort"]);
    }

    #[test]
    fn a_new_module_changes_no_other() {
        let scan = file("kernels/scan.rs", "kernel! {}");
        let before =
            Modules::of(&[file("kernels/root.rs", "//! a\npub mod scan;\n"), scan.clone()]);
        let after = Modules::of(&[
            file("kernels/root.rs", "//! a, b\npub mod scan;\npub(crate) mod sort;\n\n"),
            scan.clone(),
            file("kernels/sort.rs", "kernel! {}"),
        ]);
        assert_eq!(before.parts(Some("scan")), after.parts(Some("scan")));
        // What else the root says counts.
        let other =
            Modules::of(&[file("kernels/root.rs", "const A: u32 = 1;\npub mod scan;"), scan]);
        assert_ne!(before.parts(Some("scan")), other.parts(Some("scan")));
    }

    #[test]
    fn what_is_used_without_a_name_counts_for_all() {
        let root = file("kernels/root.rs", "#[macro_use]\nmod macros;\nmod a;");
        let a = file("kernels/a.rs", "twice!(kernel);");
        let macros = file("kernels/macros.rs", "macro_rules! twice { () => { kernel! {} } }");
        let modules = Modules::of(&[root, a, macros]);
        assert_eq!(parts(&modules, "a").len(), 3);
        assert!(modules.declaring().contains(&Some("a".into())));

        // A macro makes a path of a word.
        let root = "macro_rules! of { ($i:ident) => { super::$i::C } }\nmod a;\nmod helpers;";
        let modules = Modules::of(&[
            file("kernels/root.rs", root),
            file("kernels/a.rs", "kernel! { fn a() { super::of!(helpers) } }"),
            file("kernels/helpers.rs", "pub const C: u32 = 1;"),
        ]);
        assert_eq!(parts(&modules, "a").len(), 3);

        assert!(has_implementation_of_others("impl<T> super::Word for Other<T> {}"));
        assert!(!has_implementation_of_others("struct Own;\nimpl Word for Own {}"));
        assert!(!has_implementation_of_others("pub trait Word {}\nimpl Word for u32 {}"));
        assert!(!has_implementation_of_others(
            "struct Own;\nimpl Own { fn f() { for i in 0..1 {} } }"
        ));
        assert!(!has_implementation_of_others("fn f(word: impl Fn() -> u32) -> impl Word {}"));
        for code in [
            "impl super::types::P { fn f() {} }",
            "trait Own {}\nimpl<T: Own> super::types::Word for T {}",
            "trait Own {}\nimpl<T: Fn() -> u32> super::Word for Other<T>\nwhere\n    T: Own {}",
            "struct Own;\nunsafe impl super::Word for (u32, Other<Own>) {}",
        ] {
            assert!(has_implementation_of_others(code), "{code}");
        }

        let path = file("kernels/root.rs", "mod a;\n#[path = \"x.rs\"]\nmod b;");
        let modules = Modules::of(&[path, file("kernels/a.rs", ""), file("kernels/x.rs", "")]);
        assert_eq!(parts(&modules, "a").len(), 3);
    }

    /// The machine code that the root reads in is made of the kernels, not a part of them.
    #[test]
    fn machine_code_in_the_root_leaves_modules_apart() {
        let [a, b] = ["a", "b"].map(|name| file(&format!("kernels/{name}.rs"), "kernel! {}"));
        let with = |include: &str| {
            let root = format!("static X: u32 = {include};\nmod a;\nmod b;");
            let modules = Modules::of(&[file("kernels/root.rs", &root), a.clone(), b.clone()]);
            parts(&modules, "a").len()
        };
        assert_eq!(with("include!(env!(\"KERNELS_CUBINS\"))"), 2);
        assert_eq!(with("include!(env!(\"KERNELS_MODULE\"))"), 3);
        assert_eq!(with("include!(\"KERNELS_CUBINS\")"), 3);
    }

    #[test]
    fn names_stand_beside_colons_or_in_a_use() {
        let names =
            named("fn f() { let ranks = 3; a::b(c); }\nuse crate::{d, e as f};\nlet g = h;");
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "as", "b", "crate", "d", "e", "f"]);
    }
}
