//! Measurements in files: the JSON itself, and Markdown that shows it.

use std::fs;
use std::path::Path;

use tribin::bench::{Record, markdown};
use tribin::report::OutputFile;
use tribin::{Error, Result};

/// What stands before the name of a JSON file in the line that begins a section.
const BEGIN: &str = "<!-- tribin bench --from ";
const BEGIN_TAIL: &str = " -->";
const END: &str = "<!-- end -->";

/// Reads what `--json` wrote.
pub fn load(path: &Path) -> Result<Record> {
    let text = read(path)?;
    let refuse = |reason: String| Error::Input {
        file: path.display().to_string(),
        message: format!("these are no measurements of `tribin bench --json` ({reason})").into(),
    };
    let record: Record = serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))?;
    check(&record).map_err(refuse)?;
    Ok(record)
}

/// Refuses times that no clock measures: pictures have a scale, which such times have not.
fn check(record: &Record) -> std::result::Result<(), String> {
    for graph in &record.graphs {
        for result in &graph.results {
            let times = result.seconds;
            let total = [("total", times.total)];
            for (phase, time) in times.phases().into_iter().chain(total) {
                let possible = time.least >= 0.0
                    && (time.least..=time.most).contains(&time.median)
                    && time.most < LONGEST
                    && (phase != "total" || time.least > SHORTEST);
                if !possible {
                    return Err(format!(
                        "{}, {} on {}: {phase} takes {:e} s, between {:e} and {:e} s",
                        graph.graph,
                        result.engine,
                        result.device,
                        time.median,
                        time.least,
                        time.most
                    ));
                }
            }
        }
    }
    let copies = record.devices.iter().map(|device| device.copy_bytes_per_second);
    match copies.into_iter().find(|speed| !(*speed > 0.0 && *speed < 1e30)) {
        Some(speed) => Err(format!("a device copies {speed:e} bytes a second")),
        None => Ok(()),
    }
}

/// Seconds that no count is shorter than, and longer than.
const SHORTEST: f64 = 1e-12;
const LONGEST: f64 = 1e12;

/// Replaces what stands between each pair of marks of a Markdown file by the tables of the JSON file
/// that the first of them names, beside the document.
pub fn update(path: &Path) -> Result<()> {
    let text = read(path)?;
    let output = OutputFile::new(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let updated =
        rendered(&text, |name| load(&folder.join(name))).map_err(|error| match error {
            Rendering::Marks(message) => {
                Error::Input { file: path.display().to_string(), message: message.into() }
            }
            Rendering::Record(error) => error,
        })?;
    output.write(updated.as_bytes())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|source| Error::Io { path: path.into(), source })
}

/// Why a document cannot be made.
#[derive(Debug)]
enum Rendering {
    Marks(&'static str),
    Record(Error),
}

fn rendered(
    text: &str,
    load: impl Fn(&str) -> Result<Record>,
) -> std::result::Result<String, Rendering> {
    let mut rest = text;
    let mut updated = String::new();
    let mut sections = 0;
    while let Some(at) = rest.find(BEGIN) {
        let (before, after) = rest.split_at(at + BEGIN.len());
        let (name, after) = after.split_once(BEGIN_TAIL).ok_or(Rendering::Marks(
            "the line that begins a section has no ` -->` after the file's name",
        ))?;
        let (_, after) = after
            .split_once(END)
            .ok_or(Rendering::Marks("a section has no `<!-- end -->` after it"))?;
        let record = load(name).map_err(Rendering::Record)?;
        updated += &format!("{before}{name}{BEGIN_TAIL}\n\n{}\n{END}", markdown::section(&record));
        rest = after;
        sections += 1;
    }
    if sections == 0 {
        return Err(Rendering::Marks(
            "there is no section to make: one begins with `<!-- tribin bench --from FILE.json -->` and \
             ends with `<!-- end -->`",
        ));
    }
    Ok(updated + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str) -> Result<Record> {
        Ok(Record {
            version: "1.2.3".into(),
            command: format!("tribin bench {name}"),
            runs: 3,
            devices: Vec::new(),
            graphs: Vec::new(),
        })
    }

    #[test]
    fn sections_are_made_anew_and_the_rest_stays() {
        let text = "a\n<!-- tribin bench --from x.json -->\nold\n<!-- end -->\nb\n\
                    <!-- tribin bench --from y.json --><!-- end -->\nc\n";
        let once = rendered(text, record).unwrap();
        assert!(once.starts_with(
            "a\n<!-- tribin bench --from x.json -->\n\n```console\n$ tribin bench x.json\n```\n"
        ));
        assert!(once.contains("\n<!-- end -->\nb\n<!-- tribin bench --from y.json -->\n\n```con"));
        assert!(once.ends_with("\n<!-- end -->\nc\n") && !once.contains("old"));
        assert_eq!(rendered(&once, record).unwrap(), once);
    }

    #[test]
    fn marks_must_be_whole() {
        for text in
            ["nothing", "<!-- tribin bench --from x.json", "<!-- tribin bench --from x --> "]
        {
            assert!(matches!(rendered(text, record), Err(Rendering::Marks(_))), "{text}");
        }
    }
}
