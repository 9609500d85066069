//! The guide to kernels shows code that is compiled and tested elsewhere.

use std::fs;

use super::places;

/// The listings of a page in Rust and TOML, each with the line above it.
fn listings(page: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut above = "";
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```rust") || line.starts_with("```toml") {
            let listing: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push((above, listing.join("\n")));
        } else if line.starts_with("```") {
            lines.by_ref().take_while(|line| *line != "```").for_each(drop);
        } else if !line.trim().is_empty() {
            above = line;
        }
    }
    found
}

#[test]
fn every_listing_of_the_guide_is_a_part_of_the_file_above_it() {
    let page = fs::read_to_string(places::root().join("docs/kernels-in-rust.md")).unwrap();
    let listings = listings(&page);
    assert!(listings.len() >= 10, "{}", listings.len());
    for (above, listing) in listings {
        let link = above.strip_suffix("):").and_then(|line| line.split_once("](../"));
        let (_, file) = link.unwrap_or_else(|| panic!("{above:?} names no file of\n{listing}"));
        let text = fs::read_to_string(places::root().join(file)).unwrap();
        assert!(text.contains(&listing), "{file} does not contain\n{listing}");
    }
}
