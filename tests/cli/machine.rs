//! `tribin doctor`, `completions` and `man`.

use super::{run, text};

#[test]
fn the_doctor_reports_with_or_without_a_gpu() {
    let output = run(["doctor"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
    let stdout = text(&output.stdout);
    for label in ["tribin ", "CPU ", "driver ", "kernels    PTX "] {
        assert!(stdout.lines().any(|line| line.starts_with(label)), "no `{label}` in\n{stdout}");
    }
    assert!(stdout.lines().last().unwrap().starts_with("`tribin count` uses "), "{stdout}");
}

#[test]
fn the_doctor_for_machines() {
    let output = run(["doctor", "--json"]);
    let diagnosis: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(diagnosis["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(diagnosis["ptx"]["target"], "sm_80");
    let usable = |gpu: &serde_json::Value| gpu["usable"] == true;
    let ready = diagnosis["gpus"].as_array().unwrap().iter().any(usable);
    // Either something is there to count on, or what is missing is said.
    assert!(ready || !diagnosis["missing"].as_array().unwrap().is_empty());
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(["completions", shell]);
        assert!(output.status.success());
        assert!(text(&output.stdout).contains("dry-run"), "{shell}");
    }
}

#[test]
fn manual_pages() {
    let page = run(["man"]);
    assert!(text(&page.stdout).contains(".TH tribin 1"));
    let page = run(["man", "count"]);
    assert!(text(&page.stdout).contains(".TH tribin-count 1"));
    assert!(text(&page.stdout).contains("\\-\\-dry\\-run"));
    assert_eq!(run(["man", "nothing"]).status.code(), Some(2));
}
