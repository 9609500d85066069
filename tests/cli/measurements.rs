//! `tribin bench`, where it is built in.

use std::fs;

use super::{KARATE, names, places, run, stdout, text};

#[test]
fn a_table_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let json = path("b.json");
    let args = ["bench", KARATE, "rmat", "--scales", "5..7", "geometric6", "--devices", "cpu"];
    let options = ["--runs", "2", "--threads", "2", "--json", &json];
    let output = run(args.iter().chain(&options).copied());
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
    let command = format!("tribin {} {}", args.join(" "), options.join(" "));
    assert_eq!(record["command"], command);
    assert_eq!(record["devices"][0]["device"], "cpu");
    assert_eq!(record["devices"][0]["threads"], 2);
    let karate = &record["graphs"][0];
    assert_eq!((&karate["triangles"], &karate["wedges"]), (&45.into(), &528.into()));
    assert_eq!(karate["kind"], serde_json::Value::Null);
    let result = &karate["results"][0];
    assert_eq!((&result["engine"], &result["device"]), (&"forward".into(), &"cpu".into()));
    assert_eq!(result["seconds"]["total"]["runs"], 2);
    assert_eq!(record["graphs"][1]["kind"], "rmat");

    // The same again from the file.
    assert_eq!(stdout(&["bench", "--from", &json]), table);
}

/// Tables of the documentation are what the command makes of the measurements beside them.
#[test]
fn the_documentation_is_made_from_its_measurements() {
    let docs = places::root().join("docs");
    let document = fs::read_to_string(docs.join("benchmarks.md")).unwrap();
    let all = names(&docs.join("benchmarks"));
    let json =
        all.iter().filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    assert_eq!(json.clone().count(), 3);
    for path in json {
        let table = stdout(&["bench", "--from", path.to_str().unwrap()]);
        assert!(document.contains(&table), "{}", path.display());
    }
}

/// A control character in a name does not get to the terminal.
#[test]
fn a_name_with_a_control_character_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("b.json").to_str().unwrap().to_owned();
    let args = ["bench", KARATE, "--devices", "cpu", "--runs", "1", "--quiet", "--json", &json];
    assert!(run(args).status.success());
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    record["graphs"][0]["graph"] = "a\u{1b}[31m\u{1}<b>".into();
    fs::write(&json, record.to_string()).unwrap();
    let table = stdout(&["bench", "--from", &json]);
    assert!(table.contains("a\\u{1b}[31m"), "{table}");
    assert!(table.chars().all(|c| c == '\n' || !c.is_control()));
}
