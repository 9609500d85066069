//! Wrong usage: exit code 2; help and version: exit code 0.

use tribin::features;

use super::{KARATE, assert_wrong_usage, only_line, refused, run, text, tribin};

#[test]
fn wrong_usage_exits_with_2() {
    assert_wrong_usage(&[
        &[],
        &["count"],
        &["nonsense"],
        &["count", "--nonsense", KARATE],
        &["count", "--threads", "0", KARATE],
        &["count", "--threads", "-1", KARATE],
        &["count", "--device", "tpu", KARATE],
        &["count", "--engine", "fast", KARATE],
        &["count", "--format", "gexf", KARATE],
        &["count", "--memory", "lots", KARATE],
        &["count", "--verify", "--dry-run", KARATE],
        &["count", "--engine", "radix", KARATE],
        &["count", "--engine", "radix-binning", "--device", "cpu", KARATE],
        &["completions", "sh"],
    ]);
}

/// The name of a type of the program was in the message.
#[test]
fn no_threads_are_too_few() {
    let bench: &[&[&str]] = if cfg!(feature = "bench") { &[&["bench"]] } else { &[] };
    for command in [&["count"][..], &["stats"], &["local"], &["convert"]].iter().chain(bench) {
        let output = run([*command, &["--threads", "0", KARATE]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let first = text(&output.stderr).lines().next().unwrap();
        let expected = "error: invalid value '0' for '--threads <N>': it has to be at least 1";
        assert_eq!(first, expected, "{command:?}");
    }
}

#[test]
fn what_an_engine_does_not_do_is_refused() {
    let refused = |args: &[&str]| only_line(&run(args.iter().copied()).stderr).to_owned();
    for engine in ["hybrid", "radix-binning", "radix-binning-undirected"] {
        assert_eq!(
            refused(&["count", "--engine", engine, "--device", "cpu", KARATE]),
            format!(
                "error: `--engine {engine}` counts on a GPU only: leave out `--device cpu`, or use `--engine auto`"
            )
        );
    }
}

#[test]
fn a_gpu_that_is_not_there_is_a_failure() {
    for command in ["count", "stats", "local", "support", "truss"] {
        assert!(
            refused(1, [command, "--device", "gpu:4000", KARATE]).starts_with("error: "),
            "{command}"
        );
    }
}

#[test]
fn help_has_examples() {
    let output = run(["--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("\nExamples:\n  tribin count graph.mtx "));
}

#[test]
fn the_version_is_the_package_s_and_has_its_features() {
    let version = format!("tribin {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(text(&run(["-V"]).stdout), version);
    let mut long = format!("{version}features: {}\n", features::names(true).join(", "));
    if !features::names(false).is_empty() {
        long += &format!("left out: {}\n", features::names(false).join(", "));
    }
    assert_eq!(text(&run(["--version"]).stdout), long);
}

/// A million threads ended in a panic of whoever could not start one.
#[test]
fn more_threads_than_any_machine_has() {
    assert_eq!(
        refused(2, ["count", "--threads", "1025", KARATE]),
        "error: `--threads` asks for 1025 threads: use at most 1024"
    );
    let bench = cfg!(feature = "bench").then_some("bench");
    for command in ["count", "stats", "local"].into_iter().chain(bench) {
        let refused =
            tribin().args([command, KARATE]).env("RAYON_NUM_THREADS", "1000000").output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{command}");
        assert!(
            text(&refused.stderr)
                .ends_with("error: RAYON_NUM_THREADS asks for 1000000 threads: use at most 1024\n"),
            "{command}: {}",
            text(&refused.stderr)
        );
    }
    let counted = tribin().args(["count", "-q", KARATE]).env("RAYON_NUM_THREADS", "3").output();
    assert!(text(&counted.unwrap().stdout).contains(", 3 threads)"));
}

/// Examples and lists that were written for wide windows were broken in the middle of words' columns.
#[test]
fn help_fits_a_terminal_of_80_columns() {
    let help = |args: &[&str]| {
        let output = tribin().args(args).arg("--help").env("COLUMNS", "80").output().unwrap();
        assert!(output.status.success(), "{args:?}");
        text(&output.stdout).to_owned()
    };
    let mut pages = vec![help(&[])];
    for command in [
        "count",
        "stats",
        "local",
        "support",
        "truss",
        "list",
        "cliques",
        "motifs",
        "report",
        "estimate",
        "generate",
        "convert",
        "bench",
        "doctor",
        "completions",
        "man",
    ] {
        pages.push(help(&[command]));
    }
    pages.push(help(&["generate", "rmat"]));
    pages.push(help(&["generate", "communities"]));
    for page in pages {
        let title = page.lines().next().unwrap();
        // A line of 79 to 80 characters is as long as one may be; the next wraps.
        let long: Vec<&str> = page.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{title}: {long:#?}");
        // Lines of the examples stand as they were written: none goes on in a line of its own.
        for (line, next) in page.lines().zip(page.lines().skip(1)) {
            let example = line.starts_with("  tribin ");
            let goes_on = !next.is_empty() && !next.starts_with("  ");
            assert!(!(example && goes_on), "{title}: {line}\n{next}");
        }
    }
}

/// `-k`, and extensions where a format is named.
#[test]
fn short_names_are_taken() {
    for args in [
        &["truss", "-k", "3", KARATE][..],
        &["count", "--format", "mtx", KARATE],
        &["convert", "-q", "--from-format", "mtx", "--to-format", "csv", KARATE, "-"],
    ] {
        let output = run(args.iter().copied());
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    }
}

/// Errors have the colours of the parser's where colours are asked for, and none in a file.
#[test]
fn errors_are_coloured_where_the_parser_s_are() {
    let error = |variables: &[(&str, &str)]| {
        let mut command = tribin();
        command.args(["count", "missing.txt"]).envs(variables.iter().copied());
        text(&command.output().unwrap().stderr).to_owned()
    };
    assert!(error(&[]).starts_with("error: missing.txt: "));
    let forced = error(&[("CLICOLOR_FORCE", "1")]);
    assert!(forced.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m missing.txt: "), "{forced:?}");
    assert!(error(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).starts_with("error: missing.txt"));
}

/// Options that say nothing of a file are wrong usage, one file or several.
#[test]
fn options_of_tables_are_refused_for_other_files() {
    let expected = |command: &str, option: &str| {
        let place = if command == "convert" { format!("from-{option}") } else { option.to_owned() };
        format!(
            "error: {KARATE}: the format is `matrix-market`, and one of the options is of formats whose ids may be names only: \
             leave out `--{place}`"
        )
    };
    for args in [
        &["count", "--ids", "names", KARATE][..],
        &["count", "--dry-run", "--ids", "names", KARATE],
        &["count", "--memory", "1M", "--ids", "names", KARATE],
        &["stats", "--ids", "names", KARATE],
        &["local", "--ids", "names", KARATE],
        &["convert", "--from-ids", "names", KARATE, "-"],
    ] {
        assert_eq!(refused(2, args.iter().copied()), expected(args[0], "ids"), "{args:?}");
    }
}
