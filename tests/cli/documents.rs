//! What the documents say, against the program: links, paths, commands with their flags, the library's example,
//! and which folder uses which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use testkit::skip;
use tribin::{Options, Session};

use super::{places, run, text};

/// The name and the text of README.md, CONTRIBUTING.md and every page of docs/.
fn documents() -> Vec<(String, String)> {
    let pages = fs::read_dir(places::root().join("docs")).unwrap();
    let pages = pages.map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    let mut names: Vec<_> = pages.filter(|name| name.ends_with(".md")).collect();
    names.extend(["README.md", "CONTRIBUTING.md"].map(String::from));
    names.sort();
    names.into_iter().map(|name| (name.clone(), read(&name))).collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(places::root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The text outside of fences, and the lines within them.
fn prose_and_fenced(document: &str) -> (String, Vec<&str>) {
    let (mut prose, mut fenced, mut inside) = (String::new(), Vec::new(), false);
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            fenced.push(line);
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    (prose, fenced)
}

/// The anchor that a heading gets where Markdown is shown on the web.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for (name, document) in documents() {
        let (prose, _) = prose_and_fenced(&document);
        let links = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        for link in links.filter(|link| !link.starts_with("http")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let folder = Path::new(&name).parent().unwrap();
            let target = if file.is_empty() {
                name.clone()
            } else {
                folder.join(file).display().to_string()
            };
            assert!(places::root().join(&target).exists(), "{name}: {link}");
            if !heading.is_empty() {
                let (prose, _) = prose_and_fenced(&read(&target)).to_owned();
                let mut headings = prose.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|line| anchor(line.trim_start_matches('#')) == heading);
                assert!(found, "{name}: {link}");
            }
        }
    }
}

/// CONTRIBUTING.md is left out: it names files that its reader makes.
#[test]
fn every_path_in_a_guide_exists() {
    let folders = ["host/", "gpu-kernels/", "toolkit/", "tests/"];
    let mut missing = Vec::new();
    for (name, document) in documents() {
        if !name.starts_with("docs/") {
            continue;
        }
        let (prose, _) = prose_and_fenced(&document);
        for quoted in prose.split('`').skip(1).step_by(2) {
            let is_path = folders.iter().any(|folder| quoted.starts_with(folder));
            if is_path && !places::root().join(quoted).exists() {
                missing.push(format!("{name}: `{quoted}`"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Commands: what stands between backquotes, and what follows a prompt.
fn commands(document: &str) -> Vec<String> {
    let (prose, fenced) = prose_and_fenced(document);
    let quoted = prose.split('`').skip(1).step_by(2).map(|quoted| quoted.replace("\\|", " "));
    let typed = fenced.iter().filter_map(|line| line.trim_start().strip_prefix("$ "));
    quoted.chain(typed.map(str::to_owned)).collect()
}

/// The flags among some words, without their values.
fn flags<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let flag = |word: &'a str| {
        let word = word.trim_start_matches('[');
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        (word.starts_with("--") && end > 2 && word != "---").then(|| &word[..end])
    };
    words.into_iter().filter_map(flag).collect()
}

/// The help of a program and of each of its subcommands.
struct Help {
    /// By subcommand; `""` is the program itself.
    flags: BTreeMap<String, BTreeSet<String>>,
}

impl Help {
    fn of(help: &dyn Fn(&[&str]) -> String) -> Help {
        let mut flags = BTreeMap::new();
        let top = help(&["--help"]);
        for subcommand in std::iter::once("").chain(subcommands(&top)) {
            let mut texts = vec![if subcommand.is_empty() {
                top.clone()
            } else {
                help(&[subcommand, "--help"])
            }];
            let kinds: Vec<_> = subcommands(&texts[0]).map(str::to_owned).collect();
            if !subcommand.is_empty() {
                texts.extend(kinds.iter().map(|kind| help(&[subcommand, kind, "--help"])));
            }
            let found = texts.iter().flat_map(|text| self::flags(text.split_whitespace()));
            flags.insert(subcommand.to_owned(), found.map(str::to_owned).collect());
        }
        Help { flags }
    }

    /// Checks the words after the program's name.
    fn check(&self, words: &[&str]) -> Result<(), String> {
        let is_name = |word: &&&str| word.starts_with(|c: char| c.is_ascii_lowercase());
        let subcommand = words.first().filter(is_name).copied().unwrap_or_default();
        let known = self.flags.get(subcommand).ok_or(format!("no subcommand `{subcommand}`"))?;
        match flags(words.iter().copied()).into_iter().find(|flag| !known.contains(*flag)) {
            Some(flag) => Err(format!("`{subcommand}` has no `{flag}`")),
            None => Ok(()),
        }
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.values().any(|flags| flags.contains(flag))
    }
}

/// The names under `Commands:`.
fn subcommands(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.split_once("\nCommands:\n").map_or("", |(_, after)| after).lines();
    let lines = lines.take_while(|line| !line.is_empty());
    let named = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    named.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help")
}

/// Programs of others: their flags are theirs to check.
const OTHERS: [&str; 7] = ["apt-get", "mpirun", "ncu", "rustup", "srun", "taskset", "torchrun"];

/// Flags of rustc that pages name alone.
const RUSTC: [&str; 2] = ["--emit", "--remap-path-prefix"];

struct Programs {
    tribin: Help,
    /// `None` where the tests were not started by it.
    xtask: Option<Help>,
}

impl Programs {
    fn check(&self, command: &str) -> Result<(), String> {
        let words: Vec<_> = command.split_whitespace().collect();
        // Variables of the environment may stand in front.
        let start =
            words.iter().take_while(|word| word.contains('=') && !word.starts_with('-')).count();
        let (words, after_dashes) = match words[start..].iter().position(|word| *word == "--") {
            Some(at) => (&words[start..start + at], &words[start + at + 1..]),
            None => (&words[start..], &[][..]),
        };
        // A measurement's options are fields, and its subcommands variants, of what clap makes of them.
        let measured = |file: &str, words: &[&str]| {
            let source = bench(file);
            let field = |flag: &str| format!("    {}:", flag[2..].replace('-', "_"));
            let known = |flag: &str| {
                source.contains(&field(flag))
                    || source.contains(&format!("long = {:?}", &flag[2..]))
            };
            let flags = flags(words.iter().copied());
            match flags.into_iter().find(|flag| *flag != "--help" && !known(flag)) {
                Some(flag) => Err(format!("{file} has no `{flag}`")),
                None => Ok(()),
            }
        };
        let contained = |file: &str, words: &[&str]| {
            let source = read(file);
            let missing =
                flags(words.iter().copied()).into_iter().find(|flag| !source.contains(flag));
            missing.map_or(Ok(()), |flag| Err(format!("{file} has no `{flag}`")))
        };
        match *words {
            ["tribin" | "target/release/tribin" | "target/dist/tribin", ref rest @ ..] => {
                self.tribin.check(rest)
            }
            ["cargo", "xtask", ref rest @ ..] | ["./xtask", ref rest @ ..] => {
                self.xtask.as_ref().map_or(Ok(()), |xtask| xtask.check(rest))
            }
            ["cargo", "run", ..] if !after_dashes.is_empty() => self.tribin.check(after_dashes),
            ["cargo", "bench", "--bench", bench, ..] => {
                measured(&format!("benches/{bench}.rs"), after_dashes)
            }
            ["cargo", ..] => Ok(()),
            ["python", file, ref rest @ ..] if file.ends_with(".py") => contained(file, rest),
            [other, ..] if OTHERS.contains(&other) => Ok(()),
            _ => {
                let unknown =
                    flags(words.iter().copied()).into_iter().find(|flag| !self.knows(flag));
                unknown.map_or(Ok(()), |flag| Err(format!("nothing has `{flag}`")))
            }
        }
    }

    /// Whether a flag that stands alone is one of these programs.
    fn knows(&self, flag: &str) -> bool {
        let benches = ["benches/gpu.rs", "benches/table_one.rs"];
        self.tribin.has(flag)
            || self.xtask.as_ref().is_none_or(|xtask| xtask.has(flag))
            || RUSTC.contains(&flag)
            || benches
                .iter()
                .any(|file| bench(file).contains(&format!("    {}:", flag[2..].replace('-', "_"))))
    }
}

/// A bench's source, with the files of its folder.
fn bench(file: &str) -> String {
    let mut source = read(file);
    let folder = places::root().join(file.trim_end_matches(".rs"));
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        source += &std::fs::read_to_string(entry.unwrap().path()).unwrap();
    }
    source
}

fn programs() -> Programs {
    let tribin = Help::of(&|args| text(&run(args.iter().copied()).stdout).to_owned());
    let xtask = places::xtask().map(|program| {
        Help::of(&|args| {
            let output =
                Command::new(&program).args(args).current_dir(places::root()).output().unwrap();
            assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
            text(&output.stdout).to_owned()
        })
    });
    Programs { tribin, xtask }
}

#[test]
fn every_command_and_flag_is_one_of_the_program() {
    if cfg!(not(all(feature = "bench", feature = "manual"))) {
        return skip::whole("the documents show commands of the features `bench` and `manual`");
    }
    let programs = programs();
    if programs.xtask.is_none() {
        skip::part("commands of `cargo xtask`: `cargo xtask ci` looks at them");
    }
    let mut wrong = Vec::new();
    for (name, document) in documents() {
        for command in commands(&document) {
            if let Err(why) = programs.check(&command) {
                wrong.push(format!("{name}: `{command}`: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What is wrong is found.
    for wrong in [
        "tribin cuont FILE",
        "tribin count --jason FILE",
        "tribin doctor --dry-run",
        "cargo run --release -- count --jason FILE",
        "cargo bench --bench gpu -- --hibrid",
    ] {
        assert!(programs.check(wrong).is_err(), "{wrong}");
    }
    if programs.xtask.is_some() {
        for wrong in ["cargo xtask sea", "./xtask run-tests --sanitise", "--jason"] {
            assert!(programs.check(wrong).is_err(), "{wrong}");
        }
    }
}

/// The compiler's flags decide the kernels' code.
#[test]
fn the_toolchain_s_page_has_the_flags_of_the_code() {
    let page = read("docs/toolchain.md");
    let flags = warpwise_ptx_builder::compile::flags(&Default::default());
    for flag in &flags {
        assert!(page.contains(&format!("| `{flag}` | ")), "{flag}");
    }
    let written = page.matches("| `-C").count() + page.matches("| `-Zmir-").count();
    assert_eq!(written, flags.len());
}

/// What the README shows is the body of this test.
#[test]
fn the_library_s_example_is_what_runs_here() -> Result<(), tribin::Error> {
    // The example:
    let session = Session::open(Options::default())?;
    let graph = tribin::open("tests/data/karate.mtx")?;
    assert_eq!(session.count(&graph)?.triangles, 45);

    // On a GPU the prepared graph stays there.
    let prepared = session.prepare(&graph)?;
    assert_eq!(prepared.local()?.triangles(0), 18);
    assert_eq!(prepared.support()?.len(), 78);
    assert_eq!(prepared.trussness()?.values().iter().max(), Some(&5));
    // Its end.
    let source = read("tests/cli/documents.rs");
    let (_, example) = source.split_once("    // The example:\n").unwrap();
    let (example, _) = example.split_once("    // Its end.\n").unwrap();
    let example: Vec<_> = example.lines().map(|line| line.trim_start_matches("    ")).collect();
    let example = format!("use tribin::{{Options, Session}};\n\n{}\n", example.join("\n"));
    assert!(read("README.md").contains(&example), "{example}");
    Ok(())
}

/// The folders of `host` whose crates a folder's manifest names as dependencies.
fn uses(folder: &Path) -> BTreeSet<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let (_, rest) = manifest.split_once("\n[dependencies]\n").unwrap();
    let dependencies = rest.split("\n[").next().unwrap();
    let paths = dependencies.split("path = \"../").skip(1);
    let paths = paths.map(|path| path.split('"').next().unwrap());
    paths.filter(|path| !path.contains('/')).map(str::to_owned).collect()
}

/// The table of docs/architecture.md names all folders in the order of their dependencies, and what each uses.
#[test]
fn folders_use_those_that_the_architecture_says() {
    let page = read("docs/architecture.md");
    let (_, table) = page.split_once("\n| folder | what is in it | uses |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let rows: Vec<_> = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>()).collect();
    let names = |cell: &str| -> BTreeSet<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let folders: Vec<String> = rows.iter().flat_map(|row| names(row[1])).collect();
    let root = places::root().join("host");
    let there = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path());
    let there = there.filter(|path| path.is_dir());
    let there: BTreeSet<_> =
        there.map(|path| path.file_name().unwrap().display().to_string()).collect();
    assert_eq!(folders.iter().cloned().collect::<BTreeSet<_>>(), there);
    for (at, folder) in folders.iter().enumerate() {
        if !root.join(folder).join("Cargo.toml").exists() {
            assert_eq!(rows[at][3], "the package `tribin`", "{folder}");
            continue;
        }
        let used = uses(&root.join(folder));
        let above: BTreeSet<_> = folders[..at].iter().cloned().collect();
        assert!(used.is_subset(&above), "{folder} uses {used:?}, and {above:?} stand above it");
        assert_eq!(used, names(rows[at][3]), "{folder}");
    }
}

/// The code of a file: neither comments nor its tests.
fn code(file: &str) -> String {
    let source = read(file);
    let code = source.split("\n#[cfg(test)]\nmod tests {").next().unwrap().lines();
    code.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The tree of the walk: each file has the function, and the file that it stands below has the call.
fn check_walk(tree: &str) -> Result<BTreeSet<&str>, String> {
    let (mut callers, mut files) = (Vec::<(usize, String)>::new(), BTreeSet::new());
    for line in tree.lines() {
        let depth = line.len() - line.trim_start().len();
        let words: Vec<&str> = line.split_whitespace().take(2).collect();
        let &[file, call] = &words[..] else { return Err(format!("no call: {line}")) };
        let function = call.rsplit(['.', ':']).next().unwrap();
        let own = code(file);
        // In Rust, and in Python.
        let heads =
            [format!("fn {function}("), format!("fn {function}<"), format!("def {function}(")];
        if !heads.iter().any(|head| own.contains(head)) {
            return Err(format!("{file} has no function `{function}`"));
        }
        callers.retain(|(above, _)| *above < depth);
        if let Some((_, caller)) = callers.last()
            && ![")", "("].iter().any(|next| caller.contains(&format!("{call}{next}")))
        {
            return Err(format!("nobody calls `{call}` above {file}"));
        }
        if !files.insert(file) {
            return Err(format!("{file} is visited twice"));
        }
        callers.push((depth, own));
    }
    Ok(files)
}

/// The trees of architecture.md under a heading, in their order.
fn walks<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
    let (_, section) = page.split_once(&format!("\n{heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    section.split("```text\n").skip(1).map(|tree| tree.split("```").next().unwrap()).collect()
}

#[test]
fn the_walk_of_one_count_leads_from_file_to_file() {
    let page = read("docs/architecture.md");
    let walks = walks(&page, "## The walk of one count");
    let [tree, on_gpu, of_array] = walks[..] else { panic!("{} walks", walks.len()) };
    let files = check_walk(tree).unwrap();
    let rooms = files.iter().map(|file| file.split('/').nth(1).filter(|room| !room.contains('.')));
    assert!(files.len() <= 30, "{} files", files.len());
    assert!(rooms.collect::<BTreeSet<_>>().len() <= 8);
    // The files that read and report are the same on a GPU.
    let is_on_cpu = |file: &&str| file.starts_with("host/cpu") || file.ends_with("resident.rs");
    let mut on_gpu = check_walk(on_gpu).unwrap();
    on_gpu.extend(files.iter().filter(|file| !is_on_cpu(file)));
    assert!(on_gpu.len() <= 50, "{} files", on_gpu.len());
    let of_array = check_walk(of_array).unwrap();
    assert!(of_array.len() <= 30, "{} files", of_array.len());
    // What is wrong is found.
    let line = tree.lines().nth(2).unwrap();
    for (right, wrong) in
        [("plain::lines", "plain::rows"), ("read::open", "read::find"), (line, "")]
    {
        assert!(check_walk(&tree.replace(right, wrong)).is_err(), "{right}");
    }
}

/// The list of results as tables.
fn tables_of_results() -> String {
    use tribin::results::{Definition, EDGE_RESULTS, GraphKind, SIMILARITIES, VERTEX_RESULTS};
    let table = |definitions: Vec<&Definition>| {
        let mut text =
            String::from("| result | formula | what it says | from |\n| --- | --- | --- | --- |\n");
        for Definition { name, formula, meaning, source, .. } in definitions {
            text += &format!("| `{name}` | {formula} | {meaning} | {source} |\n");
        }
        text
    };
    let at_vertices = |needs| {
        let all = VERTEX_RESULTS.iter().map(|result| &result.definition);
        table(all.filter(|definition| definition.needs == needs).collect())
    };
    let on_edges = |needs| {
        let all = EDGE_RESULTS.iter().map(|result| &result.definition);
        table(all.filter(|definition| definition.needs == needs).collect())
    };
    format!(
        "At every vertex:\n\n{}\nAt every vertex of a directed graph (`--directed`):\n\n{}\nAt every vertex of a directed graph with weights \
         (`--directed --weight`):\n\n{}\nAt every vertex of an undirected graph with weights (`--weight`):\n\n{}\nOn every edge:\n\n{}\nOn every edge of an undirected graph with weights (`--weight`):\n\n{}\nOf any two vertices (`tribin similar`):\n\n{}",
        at_vertices(GraphKind::Plain),
        at_vertices(GraphKind::Directed),
        at_vertices(GraphKind::DirectedWeighted),
        at_vertices(GraphKind::Weighted),
        on_edges(GraphKind::Plain),
        on_edges(GraphKind::Weighted),
        table(SIMILARITIES.iter().map(|similarity| &similarity.definition).collect()),
    )
}

/// `TRIBIN_WRITE_DOCS=1 cargo test --test cli results_are_documented` writes the tables.
#[test]
fn results_are_documented_as_the_list_has_them() {
    let (page, begin, end) =
        ("docs/analytics.md", "<!-- results -->\n\n", "\n<!-- end of results -->");
    let text = read(page);
    let (before, rest) = text.split_once(begin).unwrap();
    let (found, after) = rest.split_once(end).unwrap();
    let listed = tables_of_results();
    if std::env::var_os("TRIBIN_WRITE_DOCS").is_some() {
        fs::write(places::root().join(page), [before, begin, &listed, end, after].concat())
            .unwrap();
    } else {
        assert_eq!(found, listed, "write {page} with TRIBIN_WRITE_DOCS=1");
    }
}
