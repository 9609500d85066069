//! Files as programs write them: each gives what NetworkX counts, or one message that names the option that makes
//! it work, and works with it. `tests/as-found/make.py` wrote them, and says what the manifest's columns mean.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/as-found")
}

/// The count, or the error's only line.
fn count(file: &str, options: &[&str]) -> Result<u64, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribin"));
    command.args(["count", "--device", "cpu", "--threads", "1", "--json", "--quiet"]);
    let output = command.args(options).arg(folder().join("files").join(file)).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    if !output.status.success() {
        assert_eq!(output.status.code(), Some(1), "{file}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{file}: {stderr}");
        assert!(output.stdout.is_empty(), "{file}: an error and a report");
        return Err(stderr);
    }
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    Ok(report["triangles"].as_u64().unwrap())
}

/// What is wrong with a line of the manifest.
fn check(line: &str) -> Option<String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [file, triangles, message, options, then] = columns[..] else {
        return Some(format!("{line:?} has {} columns", columns.len()));
    };
    let options: Vec<&str> = match options {
        "-" => Vec::new(),
        options => options.split(' ').collect(),
    };
    if triangles != "error" {
        let found = count(file, &options);
        let same = found.as_ref().is_ok_and(|found| found.to_string() == triangles);
        return (!same).then(|| format!("{file} {options:?}: {found:?}, not {triangles}"));
    }
    let error = match count(file, &[]) {
        Ok(found) => return Some(format!("{file}: {found} triangles, and no error")),
        Err(error) => error,
    };
    if !error.contains(message) {
        return Some(format!("{file}: `{message}` is not in: {error}"));
    }
    let first = options.first()?;
    if !error.contains(first) {
        return Some(format!("{file}: `{first}` is not in: {error}"));
    }
    let found = count(file, &options);
    let same = found.as_ref().is_ok_and(|found| found.to_string() == then);
    (!same).then(|| format!("{file} {options:?}: {found:?}, not {then}"))
}

#[test]
fn files_as_programs_write_them() {
    let manifest = fs::read_to_string(folder().join("manifest.tsv")).unwrap();
    let lines: Vec<&str> = manifest.lines().skip(1).collect();
    assert!(lines.len() >= 150, "{} files", lines.len());
    let each = lines.len().div_ceil(4);
    let wrong: Vec<String> = thread::scope(|scope| {
        let parts: Vec<_> = lines
            .chunks(each)
            .map(|part| scope.spawn(|| part.iter().filter_map(|line| check(line)).collect()))
            .collect();
        parts.into_iter().flat_map(|part| -> Vec<String> { part.join().unwrap() }).collect()
    });
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

/// No file of the folder is forgotten, and none of the manifest is missing.
#[test]
fn the_manifest_is_complete() {
    let manifest = fs::read_to_string(folder().join("manifest.tsv")).unwrap();
    let mut named: Vec<String> =
        manifest.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect();
    let mut found = Vec::new();
    let files = folder().join("files");
    for program in fs::read_dir(&files).unwrap() {
        let program = program.unwrap();
        for file in fs::read_dir(program.path()).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            found.push(format!("{}/{name}", program.file_name().into_string().unwrap()));
        }
    }
    named.sort();
    found.sort();
    assert_eq!(named, found);
}
