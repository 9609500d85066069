//! `tribin bench --plot`.

use std::fs;
use std::path::Path;

use super::{KARATE, names, only_line, places, run, text};

#[test]
fn a_table_json_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, svg) = (path("b.json"), path("b.svg"));
    let args = ["bench", KARATE, "rmat", "--scales", "5..7", "geometric6", "--devices", "cpu"];
    let options = ["--runs", "2", "--threads", "2", "--json", &json, "--plot", &svg];
    let output = run(args.into_iter().chain(options));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let notes: Vec<_> = text(&output.stderr).lines().collect();
    assert_eq!(notes.len(), 5);
    assert_eq!(notes[1], "note: measuring rmat5: 1 engine");

    let table = text(&output.stdout);
    let graphs: Vec<_> =
        table.lines().skip(2).map(|line| line.split('|').nth(1).unwrap().trim()).collect();
    assert_eq!(graphs, [KARATE, "rmat5", "rmat6", "rmat7", "geometric6"]);

    let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!(record["runs"], 2);
    let command = format!("tribin {} --runs 2 --threads 2", args.join(" "));
    assert_eq!(record["command"], command);
    assert_eq!(record["devices"][0]["device"], "cpu");
    assert_eq!(record["devices"][0]["threads"], 2);
    assert!(record["devices"][0]["copy_bytes_per_second"].as_f64().unwrap() > 0.0);
    let karate = &record["graphs"][0];
    assert_eq!((&karate["triangles"], &karate["wedges"]), (&45.into(), &528.into()));
    assert_eq!(karate["kind"], serde_json::Value::Null);
    let result = &karate["results"][0];
    assert_eq!((&result["engine"], &result["device"]), (&"forward".into(), &"cpu".into()));
    assert_eq!(result["seconds"]["total"]["runs"], 2);
    assert_eq!(record["graphs"][1]["kind"], "rmat");

    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.trim_end().ends_with("</svg>"));
    // Of rmat the largest has bars, and all of them are points of the curve.
    for shown in
        [KARATE, "rmat7", "geometric6", "rmat, forward · cpu", "speed against a plain copy"]
    {
        assert!(drawn.contains(shown), "{shown}");
    }
    assert!(!drawn.contains("rmat5"));
    assert_eq!(drawn.matches("<circle").count(), 3 + 1);

    // The same again from the file.
    let again = path("again.svg");
    let output = run(["bench", "--from", &json, "--plot", &again]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), table);
    assert_eq!(fs::read_to_string(&again).unwrap(), drawn);
}

#[test]
fn a_picture_that_cannot_be_is_said_before_anything_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, code, message) in [
        ("b.png", 2, "b.png: pictures are drawn as SVG: end the name in .svg"),
        ("missing/b.svg", 1, "missing/b.svg: "),
    ] {
        let output = run(["bench", KARATE, "--plot", &path(name)]);
        assert_eq!(output.status.code(), Some(code), "{name}");
        assert!(only_line(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
    assert!(names(folder.path()).is_empty());
}

/// Tables and pictures of the documentation are what the command makes of the measurements beside them.
#[test]
fn the_documentation_is_made_from_its_measurements() {
    let docs = places::root().join("docs");
    let folder = tempfile::tempdir().unwrap();
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let copied = folder.path().join("benchmarks");
    fs::create_dir(&copied).unwrap();
    let mut pictures = 0;
    for path in names(&docs.join("benchmarks")) {
        if path.extension().is_some_and(|extension| extension == "json") {
            fs::copy(&path, copied.join(path.file_name().unwrap())).unwrap();
            let svg = folder.path().join("drawn.svg");
            let args = ["bench", "--from", path.to_str().unwrap(), "--plot"];
            let output = run(args.into_iter().chain([svg.to_str().unwrap()]));
            assert!(output.status.success(), "{}", text(&output.stderr));
            assert_eq!(read(&svg), read(&path.with_extension("svg")), "{}", path.display());
            pictures += 1;
        }
    }
    assert!(pictures > 0);
    let document = folder.path().join("benchmarks.md");
    fs::copy(docs.join("benchmarks.md"), &document).unwrap();
    let output = run(["bench", "--update", document.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(read(&document), read(&docs.join("benchmarks.md")));
}

/// A median next to zero made the axis have a tick for every number that there is.
#[test]
fn a_time_that_no_clock_measures_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, svg) = (path("b.json"), path("b.svg"));
    let args = ["bench", KARATE, "--devices", "cpu", "--runs", "1", "--quiet", "--json", &json];
    assert!(run(args).status.success());
    let good: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    for (key, value) in [("median", 5e-324), ("median", 1e300), ("least", -1.0)] {
        let mut record = good.clone();
        record["graphs"][0]["results"][0]["seconds"]["total"][key] = value.into();
        fs::write(&json, record.to_string()).unwrap();
        let output = run(["bench", "--from", &json, "--plot", &svg]);
        assert_eq!(output.status.code(), Some(1));
        let line = only_line(&output.stderr);
        let begin = format!(
            "error: {json}: these are no measurements of `tribin bench --json` ({KARATE}, forward on \
             cpu: total takes "
        );
        assert!(line.starts_with(&begin), "{line}");
        assert!(!Path::new(&svg).exists());
    }
}

/// A control character in a name made a picture that no program opens.
#[test]
fn a_name_with_a_control_character_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, svg) = (path("b.json"), path("b.svg"));
    let args = ["bench", KARATE, "--devices", "cpu", "--runs", "1", "--quiet", "--json", &json];
    assert!(run(args).status.success());
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    record["graphs"][0]["graph"] = "a\u{1b}[31m\u{1}<b>".into();
    fs::write(&json, record.to_string()).unwrap();
    let output = run(["bench", "--from", &json, "--plot", &svg]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains(r"a\u{1b}[31m\u{1}&lt;b&gt;"));
    assert!(drawn.chars().all(|c| c == '\n' || !c.is_control()));
    // Nor does the terminal get it.
    assert!(text(&output.stdout).chars().all(|c| c == '\n' || !c.is_control()));
}
