//! `cargo xtask advisories`: no dependency has a known defect of security, and each has a licence that its users can take.
//!
//! The advisories are those of the RustSec database, of which `xtask/advisories.tsv` keeps what decides. So the check of an
//! unchanged checkout gives the same answer every day, and needs no network. `--refresh FOLDER` writes the file anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::semver::{Version, VersionReq};
use cargo_metadata::{MetadataCommand, Package};
use walkdir::WalkDir;

use crate::paths;

#[derive(clap::Args, Default)]
pub struct Args {
    /// Write xtask/advisories.tsv from a checkout of the RustSec advisory database
    #[arg(long, value_name = "FOLDER")]
    refresh: Option<PathBuf>,
}

/// Licences that ask for no more than their text and a notice, or for the source of the licensed files alone.
const LICENCES: [&str; 14] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "bzip2-1.0.6",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// What stands at the top of the file.
const HEAD: &str = "\
# Advisories of the RustSec database (https://rustsec.org, CC0-1.0): what `cargo xtask advisories` compares dependencies with.
# `cargo xtask advisories --refresh FOLDER` writes this file. A version is affected unless one of the ranges has it.
";

/// An advisory: which versions of a package have a defect.
#[derive(Debug, PartialEq)]
struct Advisory {
    id: String,
    package: String,
    /// `vulnerability`, `unsound`, `unmaintained` or `notice`.
    kind: String,
    /// Patched or never affected.
    good: Vec<VersionReq>,
}

impl Advisory {
    fn affects(&self, name: &str, version: &Version) -> bool {
        self.package == name && !self.good.iter().any(|range| range.matches(version))
    }

    /// Whether a dependency with it fails the check. That a package is no longer kept is told.
    fn is_defect(&self) -> bool {
        matches!(&*self.kind, "vulnerability" | "unsound")
    }
}

pub fn run(args: &Args) -> Result<()> {
    let path = paths::root().join("xtask/advisories.tsv");
    if let Some(folder) = &args.refresh {
        let table = collect(folder)?;
        fs::write(&path, &table).with_context(|| path.display().to_string())?;
        println!("{}: {} advisories", path.display(), parse(&table)?.len());
        return Ok(());
    }
    let table = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let advisories = parse(&table)?;
    let mut packages = Vec::new();
    for manifest in ["Cargo.toml", "python/Cargo.toml"] {
        let manifest = paths::root().join(manifest);
        let metadata = MetadataCommand::new()
            .manifest_path(&manifest)
            .other_options(vec!["--locked".into()])
            .exec()
            .with_context(|| manifest.display().to_string())?;
        packages.extend(metadata.packages);
    }
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    packages.dedup_by(|a, b| (&a.name, &a.version) == (&b.name, &b.version));
    let (defects, told) = judge(&packages, &advisories);
    for line in &told {
        println!("note: {line}");
    }
    ensure!(defects.is_empty(), "{}", defects.join("\n"));
    println!("{} packages: none has a known defect or another licence", packages.len());
    Ok(())
}

/// What fails the check, and what is told.
fn judge(packages: &[Package], advisories: &[Advisory]) -> (Vec<String>, Vec<String>) {
    let (mut defects, mut told) = (Vec::new(), Vec::new());
    for package in packages.iter().filter(|package| package.source.is_some()) {
        let named = format!("{} {}", package.name, package.version);
        for advisory in advisories.iter().filter(|a| a.affects(&package.name, &package.version)) {
            let line = format!(
                "{named}: {} ({}): https://rustsec.org/advisories/{0}",
                advisory.id, advisory.kind
            );
            if advisory.is_defect() { defects.push(line) } else { told.push(line) }
        }
        if !package.source.as_ref().is_some_and(|source| source.is_crates_io()) {
            defects.push(format!("{named}: it does not come from the registry"));
        }
        match package.license.as_deref().map(may_be_used) {
            Some(Ok(true)) => {}
            Some(Ok(false)) | None => {
                let licence = package.license.as_deref().unwrap_or("none");
                defects.push(format!("{named}: the licence is {licence}"));
            }
            Some(Err(error)) => defects.push(format!("{named}: {error:#}")),
        }
    }
    (defects, told)
}

/// Whether one choice of an expression's licences is allowed.
fn may_be_used(licence: &str) -> Result<bool> {
    // Before SPDX's expressions, a slash stood between the choices.
    let expression = licence.replace('/', " OR ");
    let expression = spdx::Expression::parse(&expression)
        .map_err(|error| anyhow::anyhow!("the licence `{licence}` is no expression: {error}"))?;
    Ok(expression.evaluate(|requirement| LICENCES.contains(&&*requirement.to_string())))
}

/// The table of all advisories in a checkout of the database.
fn collect(folder: &Path) -> Result<String> {
    let mut rows = BTreeSet::new();
    for entry in WalkDir::new(folder.join("crates")) {
        let entry = entry?;
        if entry.path().extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(entry.path())?;
        let row = row(&text).with_context(|| entry.path().display().to_string())?;
        rows.extend(row);
    }
    if rows.is_empty() {
        bail!("{}: it is no checkout of the RustSec advisory database", folder.display());
    }
    let mut table = format!("{HEAD}package\tid\tkind\tgood versions\n");
    for row in rows {
        writeln!(table, "{row}").expect("writing to memory");
    }
    Ok(table)
}

/// The row of an advisory; `None` for one that was withdrawn.
fn row(text: &str) -> Result<Option<String>> {
    let head = text.split("```toml").nth(1).and_then(|rest| rest.split("```").next());
    let head: toml::Table = head.context("it has no head")?.parse()?;
    let advisory = head.get("advisory").context("it has no table `advisory`")?;
    if advisory.get("withdrawn").is_some() {
        return Ok(None);
    }
    let word = |key: &str| advisory.get(key).and_then(toml::Value::as_str);
    let (id, package) = (word("id").context("no id")?, word("package").context("no package")?);
    let ranges = |key: &str| -> Vec<&str> {
        let list = head.get("versions").and_then(|versions| versions.get(key)?.as_array());
        list.into_iter().flatten().filter_map(toml::Value::as_str).collect()
    };
    let good = [ranges("patched"), ranges("unaffected")].concat().join("; ");
    let kind = word("informational").unwrap_or("vulnerability");
    Ok(Some(format!("{package}\t{id}\t{kind}\t{good}")))
}

fn parse(table: &str) -> Result<Vec<Advisory>> {
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [package, id, kind, good] = columns[..] else { bail!("advisories.tsv: `{line}`") };
        let ranges = good.split("; ").filter(|range| !range.is_empty());
        let good = ranges.map(|range| VersionReq::parse(range).with_context(|| line.to_owned()));
        Ok(Advisory {
            id: id.into(),
            package: package.into(),
            kind: kind.into(),
            good: good.collect::<Result<_>>()?,
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_have_a_version_keep_it_from_an_advisory() {
        let text = "```toml\n[advisory]\nid = \"RUSTSEC-1\"\npackage = \"time\"\n[versions]\n\
                    patched = [\">= 0.2.23\"]\nunaffected = [\"=0.2.1\", \"^0.1\"]\n```\n# Words\n";
        let row = row(text).unwrap().unwrap();
        assert_eq!(row, "time\tRUSTSEC-1\tvulnerability\t>= 0.2.23; =0.2.1; ^0.1");
        let advisory = &parse(&format!("# words\nhead\n{row}\n")).unwrap()[0];
        for (name, version, expected) in [
            ("time", "0.2.22", true),
            ("time", "0.2.23", false),
            ("time", "0.2.1", false),
            ("time", "0.1.4", false),
            ("times", "0.2.22", false),
        ] {
            let version = Version::parse(version).unwrap();
            assert_eq!(advisory.affects(name, &version), expected, "{name} {version}");
        }
    }

    #[test]
    fn withdrawn_advisories_are_left_out() {
        let text = "```toml\n[advisory]\nid = \"RUSTSEC-1\"\npackage = \"a\"\nwithdrawn = \"2020-01-01\"\n```";
        assert_eq!(row(text).unwrap(), None);
        assert!(row("no head").is_err());
    }

    #[test]
    fn one_choice_of_licences_is_enough() {
        for (licence, expected) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0-only OR MIT", true),
            ("GPL-3.0-only AND MIT", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("AGPL-3.0-only", false),
        ] {
            assert_eq!(may_be_used(licence).unwrap(), expected, "{licence}");
        }
        assert!(may_be_used("whatever").is_err());
    }

    #[test]
    fn the_committed_table_is_read() {
        let advisories = parse(include_str!("../advisories.tsv")).unwrap();
        assert!(advisories.iter().any(|advisory| advisory.id == "RUSTSEC-2020-0071"));
    }
}
