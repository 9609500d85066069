//! Graphs that the memory which may be used does not hold.

use std::path::Path;

use testkit::{effort, places};

use super::{json, names, only_line, refused, run, stdout, text, tribin};

/// A graph of 2²⁰ entries between 2¹⁶ vertices: it takes 45 MB in memory.
fn rmat(folder: &Path) -> String {
    rmat_of(folder, "16")
}

fn rmat_of(folder: &Path, scale: &str) -> String {
    let path = folder.join("rmat.txt").display().to_string();
    stdout(&["generate", "rmat", "--scale", scale, "-o", &path, "--quiet"]);
    path
}

/// A graph in a file, and a folder for scratch files.
struct Kept {
    folder: tempfile::TempDir,
    graph: String,
    scratch: tempfile::TempDir,
}

impl Kept {
    fn new(graph: impl FnOnce(&Path) -> String) -> Kept {
        let folder = tempfile::tempdir().unwrap();
        let graph = graph(folder.path());
        Kept { folder, graph, scratch: tempfile::tempdir().unwrap() }
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// What a command prints that may use little memory. Nothing is left of its scratch files.
    fn cut(&self, memory: &str, command: &[&str]) -> String {
        let place = self.scratch.path().to_str().unwrap();
        let printed = self.whole(&[command, &["--memory", memory, "--scratch", place]].concat());
        assert!(names(self.scratch.path()).is_empty(), "{command:?}");
        printed
    }

    /// The same of the graph in memory.
    fn whole(&self, command: &[&str]) -> String {
        let args = ["--device", "cpu", "--threads", "2", &self.graph];
        let output = run([command, &args].concat());
        assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
        text(&output.stdout).to_owned()
    }

    /// The table that a command writes of the graph in memory, and out of it.
    fn tables(&self, format: &str, command: &[&str], memory: &str) -> [Vec<u8>; 2] {
        let out = self.file("out");
        let command = [command, &["--quiet", "-o", &out, "--to-format", format]].concat();
        assert_eq!(self.whole(&command), "");
        let whole = std::fs::read(&out).unwrap();
        assert_eq!(self.cut(memory, &command), "");
        [whole, std::fs::read(&out).unwrap()]
    }

    /// Both objects for machines of a command.
    fn objects(&self, command: &str) -> [serde_json::Value; 2] {
        let command = [command, "--json"];
        [self.whole(&command), self.cut("20M", &command)]
            .map(|object| serde_json::from_str(&object).unwrap())
    }
}

/// A model that memory does not hold is counted as its file is.
#[test]
fn a_generated_graph_is_counted_within_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let count = |kind: &str, more: &[&str]| {
        let args = ["count", "--json", "--device", "cpu", "--threads", "2", "--generate", kind];
        json(&[&args[..], more].concat())
    };
    // With a formula, and without.
    for kind in ["rmat16", "web16"] {
        let (whole, cut) =
            (count(kind, &[]), count(kind, &["--memory", "20M", "--scratch", place]));
        for figure in ["file", "triangles", "edges", "vertices", "wedges", "duplicates_dropped"] {
            assert_eq!(whole[figure], cut[figure], "{kind}: {figure}");
        }
        assert!(whole.get("out_of_core").is_none());
        assert!(cut["out_of_core"]["memory_bytes"].as_u64().unwrap() <= 20 << 20);
        assert!(names(folder.path()).is_empty());
    }
    let args = ["count", "--device", "cpu", "--threads", "2", "--generate", "rmat16"];
    let line = refused(1, args.into_iter().chain(["--memory", "20M", "--verify"]));
    assert!(line.starts_with("error: rmat16: the graph does not fit the memory"), "{line}");
}

#[test]
fn a_count_within_little_memory_is_the_same() {
    let kept = Kept::new(rmat);
    let place = kept.scratch.path().to_str().unwrap();
    let [whole, cut] = kept.objects("count");
    for figure in [
        "triangles",
        "edges",
        "vertices",
        "wedges",
        "self_loops_dropped",
        "duplicates_dropped",
        "reciprocal_dropped",
        "max_degree",
        "engine",
        "device",
    ] {
        assert_eq!(whole[figure], cut[figure], "{figure}");
    }
    assert!(whole.get("out_of_core").is_none());
    let took = &cut["out_of_core"];
    assert_eq!(took["scratch"], place);
    assert!(took["parts"].as_u64().unwrap() >= 1);
    assert!(took["memory_bytes"].as_u64().unwrap() <= 20 << 20);
    assert!(took["scratch_bytes"].as_u64().unwrap() >= 8 << 20);
    let page = std::fs::read_to_string(places::root().join("docs/json.md")).unwrap();
    for key in took.as_object().unwrap().keys() {
        assert!(page.contains(&format!("\n| `out_of_core.{key}` |")), "{key}");
    }

    let object = |flag: &str| -> serde_json::Value {
        serde_json::from_str(&kept.cut("20M", &["count", "--json", flag])).unwrap()
    };
    let explained = object("--explain");
    let decision = &explained["explanation"]["decisions"][1];
    assert_eq!(decision["question"], "where the edges are");
    assert_eq!(decision["choice"], format!("out of core: scratch files in {place}"));
    let why = decision["rejected"][0]["because"][0]["text"].as_str().unwrap();
    assert!(
        why.ends_with(" bytes of memory, of those that may be used, at most 20971520"),
        "{why}"
    );

    let planned = object("--dry-run");
    assert_eq!(planned["out_of_core"]["scratch"], place);
    assert_eq!(planned["decisions"][0]["question"], "where the edges are");
}

/// However the files are named.
#[test]
fn the_parts_of_a_graph_are_counted_within_little_memory() {
    let kept = Kept::new(rmat);
    let text = std::fs::read_to_string(&kept.graph).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for (i, part) in lines.chunks(lines.len() / 3 + 1).enumerate() {
        std::fs::write(kept.file(&format!("part-{i}.csv")), part.join("\n")).unwrap();
    }
    let [whole, _] = kept.objects("count");
    std::fs::remove_file(&kept.graph).unwrap();
    let folder = kept.folder.path().display().to_string();
    let one = kept.file("part-0.csv");
    let others = [kept.file("part-1.csv"), kept.file("part-2.csv")];
    for sources in [
        vec![folder],
        vec!["--merge".to_owned(), kept.file("part-*.csv")],
        vec!["--merge".to_owned(), one, others[0].clone(), others[1].clone()],
    ] {
        let place = kept.scratch.path().to_str().unwrap();
        let limits = ["--device", "cpu", "--threads", "2", "--memory", "20M", "--scratch", place];
        let asked: Vec<&str> =
            ["count"].into_iter().chain(limits).chain(sources.iter().map(|s| &**s)).collect();
        let cut = json(&[&asked[..], &["--quiet", "--json"]].concat());
        assert_eq!(cut["triangles"], whole["triangles"], "{sources:?}");
        assert!(cut.get("out_of_core").is_some(), "{sources:?}");
    }
}

/// Who did not name a folder is told which one was taken.
#[test]
fn the_folder_that_was_chosen_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let args = ["count", "--device", "cpu", "--threads", "1", "--memory", "20M", &path];
    let output = tribin().args(args).env("TMPDIR", folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let line = only_line(&output.stderr);
    assert!(line.contains("too large for 20971520 bytes of memory: about "), "{line}");
    assert!(line.contains(" bytes of scratch files go to "), "{line}");
    let report = text(&output.stdout);
    assert!(
        report.contains("\n  out of core   ") && report.contains("\n  scratch       "),
        "{report}"
    );
    assert_eq!(names(folder.path()).len(), 1);
}

/// Scratch files go to the next folder where the one that the environment names is not there.
#[test]
fn a_folder_that_is_missing_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let args = ["count", "--device", "cpu", "--threads", "1", "--memory", "20M", &path];
    for missing in [folder.path().join("missing"), "/proc".into()] {
        let output = tribin().args(args).env("TMPDIR", missing).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let line = only_line(&output.stderr);
        assert!(line.ends_with(" bytes of scratch files go to /var/tmp"), "{line}");
    }
}

#[test]
fn what_cannot_be_done_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let missing = folder.path().join("missing");
    let missing = missing.to_str().unwrap();
    let place = folder.path().to_str().unwrap();
    let refused = |more: &[&str]| {
        let args = ["count", "--device", "cpu", "--threads", "2", &path];
        refused(1, args.iter().chain(more).copied())
    };
    let little = refused(&["--memory", "1M", "--scratch", place]);
    assert!(little.starts_with(&format!("error: {path}: ")), "{little}");
    assert!(
        little.ends_with(
            " bytes of memory are needed to count it out of core, and 1048576 may be used: allow more \
             with `--memory`, or use fewer `--threads`"
        ),
        "{little}"
    );
    assert_eq!(
        refused(&["--memory", "20M", "--scratch", missing]),
        format!(
            "error: {missing}: there is no such folder for scratch files: choose another folder \
             with `--scratch`"
        )
    );
    assert_eq!(
        refused(&["--memory", "20M", "--scratch", &path]),
        format!(
            "error: {path}: this is no folder for scratch files: choose another folder with `--scratch`"
        )
    );
    assert_eq!(
        refused(&["--memory", "20M", "--scratch", place, "--verify"]),
        format!(
            "error: {path}: the graph does not fit the memory, and only a graph in memory can be verified: \
             leave `--verify` out"
        )
    );
}

/// What a small file decompresses to took more memory than was allowed.
#[cfg(feature = "formats")]
#[test]
fn little_memory_holds_for_what_is_compressed() {
    use std::io::Write;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt.gz").display().to_string();
    let mut file = flate2::write::GzEncoder::new(
        std::fs::File::create(&path).unwrap(),
        flate2::Compression::best(),
    );
    // 4,000,000 bytes, 1,000,000 entries, of which 8 bytes each are there twice.
    file.write_all(&b"0 1\n".repeat(1_000_000)).unwrap();
    file.finish().unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < 10_000);
    let count = |memory: &str, more: &[&str]| {
        let args = ["count", "--device", "cpu", "--threads", "2", "--memory", memory, &path];
        run(args.iter().chain(more).copied())
    };
    let refused = count("3999999", &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(
        only_line(&refused.stderr),
        format!(
            "error: {path}: the gzip data decompress to more than 3999999 bytes: if the file can be trusted and the memory \
             suffices, allow more with `--decompressed-limit`"
        )
    );
    let warning = |memory: &str| {
        format!(
            "WARN {path}: its 1000000 entries take 16000000 bytes or more, and {memory} bytes of memory are allowed: that was \
             not known before they were read"
        )
    };
    for (memory, more) in [("3999999", &["--decompressed-limit", "4000000"][..]), ("15999999", &[])]
    {
        let told = count(memory, more);
        assert!(told.status.success(), "{}", text(&told.stderr));
        assert_eq!(only_line(&told.stderr).trim(), warning(memory));
    }
    assert_eq!(text(&count("16000000", &[]).stderr), "");
}

/// A header may say any number, also one of which a few bytes each are more than 64 bits count.
#[test]
fn a_header_of_any_number_of_entries_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let market = "%%MatrixMarket matrix coordinate pattern general\n4294967294 4294967294";
    std::fs::create_dir(path("two")).unwrap();
    for (name, text) in [
        ("many.mtx", format!("{market} 1000000000000000000\n")),
        ("most.mtx", format!("{market} 18446744073709551615\n")),
        ("two/a.mtx", format!("{market} 1000000000000000000\n")),
        ("two/b.mtx", format!("{market} 1000000000000000000\n")),
        ("many.graph", "4294967294 1000000000000000000\n".to_owned()),
    ] {
        std::fs::write(path(name), text).unwrap();
    }
    for (command, name, needed) in [
        (&["count", "--dry-run"][..], "many.mtx", 52_793_751_634_175u64),
        (&["count", "--dry-run"], "most.mtx", 52_793_751_634_175),
        (&["local"], "many.mtx", 52_798_046_601_471),
        (&["count"], "two", 52_793_751_634_175),
        (&["count"], "many.graph", 52_793_751_634_175),
        (&["stats"], "many.graph", 52_798_046_601_471),
    ] {
        let path = path(name);
        let few = ["--memory", "1K", "--device", "cpu", "--threads", "2", &path];
        assert_eq!(
            refused(1, command.iter().copied().chain(few)),
            format!(
                "error: {path}: {needed} bytes of memory are needed to count it out of core, and 1024 may \
                 be used: allow more with `--memory`, or use fewer `--threads`"
            )
        );
    }
}

/// A limit on the size of files is no full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_one_line_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let scratch = tempfile::tempdir().unwrap();
    let place = scratch.path().to_str().unwrap();
    let count = "trap '' XFSZ; ulimit -f 2000; exec \"$0\" count --device cpu --threads 2 --memory 20M \
                 --scratch \"$2\" \"$1\"";
    let command = tribin();
    let program = command.get_program().to_str().unwrap();
    let output =
        std::process::Command::new("sh").args(["-c", count, program, &path, place]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    let line = only_line(&output.stderr);
    assert!(
        line.ends_with(
            ": no file may grow to the size of this scratch file: raise the limit on the size of files (`ulimit -f`)"
        ),
        "{line}"
    );
    assert!(names(scratch.path()).is_empty());
}

/// The sample of a small file has all of it: a plan has the real bound of its vertices.
#[test]
fn a_plan_has_the_vertices_of_a_small_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat_of(folder.path(), "15");
    let plan = |more: &[&str]| {
        let args = ["count", "--device", "cpu", "--threads", "2", "--dry-run", "--json", &path];
        json(&[&args[..], more].concat())
    };
    let (whole, cut) = (plan(&[]), plan(&["--memory", "20M"]));
    assert!(whole.get("out_of_core").is_none() && cut.get("out_of_core").is_some());
    for key in ["entries", "vertex_bound"] {
        assert_eq!(whole[key], cut[key], "{key}");
    }
    assert_eq!((&cut["sampled"], &cut["entries_error"]), (&false.into(), &0.0.into()));
}

/// What needs the graph in memory says how much that is, and nothing of scratch files.
#[test]
fn what_needs_memory_says_how_much() {
    let folder = tempfile::tempdir().unwrap();
    let path = rmat(folder.path());
    let line = refused(1, ["similar", "--device", "cpu", "--memory", "1K", &path]);
    let prefix = format!(
        "error: {path}: similar pairs are found in memory alone, where the graph does not fit: "
    );
    let rest = line.strip_prefix(&prefix).unwrap();
    let (needed, rest) = rest.split_once(' ').unwrap();
    assert!(needed.parse::<u64>().unwrap() > 1 << 10);
    assert_eq!(
        rest,
        "bytes of memory, of those that may be used, at most 1024: allow more with `--memory`, or use fewer `--threads`"
    );
}

/// Tables are the same, byte by byte, whatever rows are asked for, in formats with and without a number of rows at their
/// beginning.
#[test]
fn tables_are_those_of_a_graph_in_memory() {
    let large = Kept::new(rmat);
    // Trusses take a walk over the edges for each level.
    let small = Kept::new(|folder| rmat_of(folder, "14"));
    let ways = [
        ("tsv", &["local"][..]),
        ("csv", &["local", "--all"]),
        ("npy", &["local", "--core"]),
        ("csv", &["local", "--top", "9"]),
        ("csv", &["local", "--vertex", "17"]),
        ("tsv", &["support"]),
        ("npy", &["support"]),
        ("npy", &["support", "--min-support", "40"]),
        ("csv", &["support", "--min-support", "40", "--vertex", "17"]),
        ("csv", &["support", "--top", "9"]),
        ("npy", &["support", "--top", "9", "--vertex", "17"]),
        ("csv", &["truss"]),
        ("npy", &["truss", "--k", "9"]),
        ("csv", &["truss", "--k", "max"]),
        ("npy", &["truss", "--vertex", "17"]),
        ("csv", &["truss", "--top", "9"]),
        ("csv", &["local", "--directed"]),
        ("tsv", &["local", "--directed", "--all", "--with", "ldbc_clustering,in_degree,triangles"]),
        ("csv", &["local", "--directed", "--top", "9"]),
        ("csv", &["local", "--directed", "--vertex", "17", "--with", "degree,core,mutual_degree"]),
        ("csv", &["census"]),
    ];
    for (format, command) in effort::some(ways, 0, 2) {
        let graph = if command[0] == "truss" { &small } else { &large };
        let [whole, cut] = graph.tables(format, command, "20M");
        assert!(whole == cut && whole.len() > 30, "{format} {command:?}");
    }
}

/// Reports have the same figures, and say where the edges were, and with `--explain` why.
#[test]
fn reports_are_those_of_a_graph_in_memory() {
    let kept = Kept::new(|folder| rmat_of(folder, "14"));
    let out = kept.file("out.csv");
    for (command, least) in
        [(&["support", "-o", &out][..], 0), (&["truss"], 10), (&["local", "-o", &out], 0)]
    {
        let command = &[command, &["--explain"]].concat();
        let [whole, cut] = [kept.whole(command), kept.cut("20M", command)];
        // Lines of nothing but numbers.
        let is_number = |word: &str| word.bytes().all(|byte| byte == b',' || byte.is_ascii_digit());
        let is_counted = |line: &&str| line.split_whitespace().all(is_number);
        let counted = |report: &str| -> Vec<String> {
            report.lines().filter(is_counted).map(str::to_owned).collect()
        };
        assert_eq!(counted(&whole), counted(&cut), "{command:?}");
        assert!(counted(&cut).len() >= least, "{cut}");
        for line in [
            "  out of core   ",
            "  scratch       ",
            "  where the edges are: out of core: scratch files in ",
            "  device: cpu\n",
        ] {
            assert!(cut.contains(line), "{line}: {cut}");
        }
    }
    for command in [&["census"][..], &["local", "--directed", "--dry-run"]] {
        let report = kept.cut("20M", command);
        assert!(report.contains("  out of core   "), "{report}");
    }
}

#[test]
fn figures_are_those_of_a_graph_in_memory() {
    let kept = Kept::new(rmat);
    for command in ["stats", "census"] {
        let [whole, cut] = kept.objects(command);
        for (key, value) in whole.as_object().unwrap().iter().filter(|(key, _)| *key != "seconds") {
            assert_eq!(&cut[key], value, "{command}: {key}");
        }
        assert!(
            whole.get("out_of_core").is_none() && cut["out_of_core"]["parts"].as_u64() >= Some(1)
        );
    }
    let [census, _] = kept.objects("census");
    assert!(census["self_loops"].as_u64() > Some(0));
    // What memory does not hold is counted, and no sample is drawn.
    let [_, estimate] = kept.objects("estimate");
    let [whole, _] = kept.objects("stats");
    assert_eq!(estimate["triangles"]["value"], whole["triangles"]);
    assert_eq!(estimate["because"], "the edges are in scratch files");
    // Names are not kept, and a census needs none.
    let named = Kept { graph: with_names(&kept), ..kept };
    let [_, of_names] = named.objects("census");
    assert_eq!((&of_names["census"], &of_names["arcs"]), (&census["census"], &census["arcs"]));
}

/// The graph with names instead of numbers, in a file of its own.
fn with_names(kept: &Kept) -> String {
    let numbers = std::fs::read_to_string(&kept.graph).unwrap();
    let line = |line: &str| format!("v{}\n", line.replace(' ', ",v"));
    super::write(kept.folder.path(), "names.csv", numbers.lines().map(line).collect::<String>())
}

/// All triangles, in any order, in formats with and without a number of rows at their beginning.
#[test]
fn triangles_are_those_of_a_graph_in_memory() {
    let kept = Kept::new(|folder| {
        let path = folder.join("ws.txt").display().to_string();
        let model =
            "generate watts-strogatz --vertices 60000 --half-degree 8 --rewire 0.4 --quiet -o";
        let made = run(model.split(' ').chain([&*path]));
        assert!(made.status.success(), "{}", text(&made.stderr));
        path
    });
    let [whole, cut] = kept.tables("csv", &["list"], "21M");
    let sorted = |table: &[u8]| {
        let mut lines: Vec<String> = text(table).lines().map(str::to_owned).collect();
        lines[1..].sort_unstable();
        lines
    };
    assert!(sorted(&whole) == sorted(&cut) && text(&whole).lines().count() > 10_000);
    let [_, again] = kept.tables("csv", &["list"], "21M");
    assert!(again == cut, "the same order in every run");
    let [_, some] = kept.tables("csv", &["list", "--limit", "10"], "21M");
    assert!(cut.starts_with(&some) && text(&some).lines().count() == 11);
    let [whole, cut] = kept.tables("npy", &["list"], "21M");
    assert_eq!((whole.len(), &whole[..128]), (cut.len(), &cut[..128]));
    let rows = |bytes: &[u8]| {
        let mut rows: Vec<[u8; 24]> = bytes[128..].as_chunks().0.to_vec();
        rows.sort_unstable();
        rows
    };
    assert!(rows(&whole) == rows(&cut));
}

#[test]
fn results_that_need_the_graph_in_memory_are_refused() {
    let kept = Kept::new(rmat);
    let place = kept.scratch.path().to_str().unwrap();
    let refused = |command: &str, path: &str, memory: &str, more: &[&str]| {
        let out = kept.file("out.csv");
        let args = [command, "--device", "cpu", "--threads", "2", path];
        let to: &[&str] = if command == "stats" { &[] } else { &["-o", &out] };
        let output = run([&args, more, to, &["--memory", memory, "--scratch", place]].concat());
        assert_eq!(output.status.code(), Some(1), "{command} {more:?}");
        assert_eq!(text(&output.stdout), "");
        assert!(names(kept.scratch.path()).is_empty() && !Path::new(&out).exists());
        only_line(&output.stderr).to_owned()
    };
    let unweighted = std::fs::read_to_string(&kept.graph).unwrap();
    let weighted =
        super::write(kept.folder.path(), "weighted.txt", unweighted.replace('\n', " 1\n"));
    assert_eq!(
        refused("local", &weighted, "20M", &["--directed", "--weight", "3"]),
        format!(
            "error: {weighted}: results with weights are found in memory alone, where the graph does not fit: \
             47977303 bytes of memory, of those that may be used, at most 20971520: allow more with `--memory`, or use \
             fewer `--threads`"
        )
    );
    let named = with_names(&kept);
    for (command, more) in [
        ("local", &[][..]),
        ("local", &["--directed"]),
        ("local", &["--vertex", "n7"]),
        ("list", &[]),
        ("cliques", &["-k", "4", "--at-vertices"]),
        ("cliques", &["-k", "4", "--list"]),
    ] {
        let line = refused(command, &named, "24M", more);
        assert!(line.contains("vertices have names, which are not kept out of core"), "{line}");
    }
    // A dry run says so as well.
    for command in ["local", "list", "truss"] {
        let line = refused(command, &named, "24M", &["--dry-run"]);
        assert!(line.contains("vertices have names, which are not kept out of core"), "{line}");
    }
    for more in [&["--with", "four_cycles"][..], &["--with", "square_clustering", "--dry-run"]] {
        let line = refused("local", &kept.graph, "20M", more);
        assert!(line.contains("four-cycles at vertices are found in memory alone"), "{line}");
    }
    for command in ["stats", "local", "list"] {
        let line = refused(command, &kept.graph, "9M", &[]);
        assert!(
            line.contains(" bytes of memory are needed to count it out of core, and 9437184"),
            "{line}"
        );
    }
}
