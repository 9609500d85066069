//! `tribin doctor`, `completions` and `man`.

use tribin::features;

use super::{json, refused, run, text};

#[test]
fn the_doctor_reports_with_or_without_a_gpu() {
    let output = run(["doctor"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
    let stdout = text(&output.stdout);
    for label in ["tribin ", "features   ", "CPU ", "driver ", "kernels    PTX "] {
        assert!(stdout.lines().any(|line| line.starts_with(label)), "no `{label}` in\n{stdout}");
    }
    assert!(stdout.lines().last().unwrap().starts_with("`tribin count` uses "), "{stdout}");
}

#[test]
fn the_doctor_for_machines() {
    let diagnosis = json(&["doctor", "--json"]);
    assert_eq!(diagnosis["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(diagnosis["ptx"]["target"], "sm_80");
    assert_eq!(diagnosis["features"], serde_json::json!(features::names(true)));
    assert_eq!(diagnosis["left_out"], serde_json::json!(features::names(false)));
    let usable = |gpu: &serde_json::Value| gpu["usable"] == true;
    let ready = diagnosis["gpus"].as_array().unwrap().iter().any(usable);
    // Either something is there to count on, or what is missing is said.
    assert!(ready || !diagnosis["missing"].as_array().unwrap().is_empty());
}

#[cfg(feature = "manual")]
#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(super::stdout(&["completions", shell]).contains("dry-run"), "{shell}");
    }
}

#[cfg(feature = "manual")]
#[test]
fn manual_pages() {
    let page = run(["man"]);
    assert!(text(&page.stdout).contains(".TH tribin 1"));
    let page = run(["man", "count"]);
    assert!(text(&page.stdout).contains(".TH tribin-count 1"));
    assert!(text(&page.stdout).contains("\\-\\-dry\\-run"));
    assert_eq!(run(["man", "nothing"]).status.code(), Some(2));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().to_str().unwrap();
    assert!(run(["man", "--output", pages]).status.success());
    for name in ["tribin.1", "tribin-count.1", "tribin-generate-rmat.1"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let nowhere = folder.path().join("missing");
    assert!(
        refused(1, ["man", "--output", nowhere.to_str().unwrap()])
            .starts_with(&format!("error: {}: ", nowhere.display()))
    );
}

#[cfg(not(feature = "manual"))]
#[test]
fn manual_pages_that_are_not_built_in_name_their_feature() {
    for args in
        [&["completions", "bash"][..], &["man"], &["man", "count"], &["man", "--output", "x"]]
    {
        let error = features::missing("manual", "completions and manual pages need");
        assert_eq!(refused(2, args.iter().copied()), format!("error: {error}"));
    }
}
