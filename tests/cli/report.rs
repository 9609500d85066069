//! `tribin report`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{KARATE, refused, run, stdout, write};

/// The rows of the table under this heading, a line each.
fn rows(page: &str, heading: &str) -> Vec<String> {
    let table = page.split(&format!("<h3>{heading}</h3>")).nth(1).expect(heading);
    let table = table.split("</table>").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("<tr><td>"));
    let plain =
        |row: &str| row.replace("</td><td>", " ").replace("<tr><td>", "").replace("</td></tr>", "");
    rows.map(plain).collect()
}

#[test]
fn the_karate_club_s_page_has_its_figures_and_what_comes_first() {
    let page = stdout(&["report", KARATE, "-o", "-"]);
    for figure in ["triangles</th><td>45<", "wedges</th><td>528<", "degeneracy</th><td>4<"] {
        assert!(page.contains(figure), "{figure}: {page}");
    }
    assert_eq!(rows(&page, "degree")[..3], ["34 17", "1 16", "33 12"]);
    assert_eq!(rows(&page, "triangles")[..3], ["1 18 16", "34 15 17", "33 13 12"]);
    assert_eq!(rows(&page, "triangle centrality")[0], "14 0.755556 5");
    // Of the vertices whose neighbours are all joined, the one of the largest degree comes first.
    assert_eq!(rows(&page, "clustering")[0], "8 1.000000 4");
    assert_eq!(rows(&page, "support")[0], "33 34 10");
    assert_eq!(rows(&page, "forman")[0], "33 34 5 10");
    assert_eq!(rows(&page, "trussness")[0], "1 2 5 7");
    let plots = page.matches("<figcaption>").count();
    assert_eq!(plots, 9, "seven results at vertices, support and trussness");
    // The page stands alone.
    for foreign in ["http", "<script", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

#[test]
fn names_are_shown_as_they_are_and_cut_where_they_are_long() {
    let folder = tempfile::tempdir().unwrap();
    let (graph, out) = (folder.path().join("a&b.csv"), folder.path().join("page.html"));
    let long = "n".repeat(50);
    fs::write(&graph, format!("source,target\n<i>,{long}\n{long},c\nc,<i>\n")).unwrap();
    let [graph, out] = [&graph, &out].map(|path| path.to_str().unwrap());
    assert_eq!(stdout(&["report", graph, "-o", out]), "");
    let page = fs::read_to_string(out).unwrap();
    assert!(page.contains("a&amp;b.csv</h1>") && page.contains("read as</th>"), "{page}");
    let cut = format!("{}…", "n".repeat(40));
    assert_eq!(rows(&page, "degree"), ["&lt;i&gt; 2".to_owned(), format!("{cut} 2"), "c 2".into()]);
}

#[test]
fn a_graph_without_edges_has_a_page_of_figures() {
    let folder = tempfile::tempdir().unwrap();
    let graph = write(folder.path(), "loop.txt", "1 1\n");
    let page = stdout(&["report", &graph, "-o", "-"]);
    assert!(page.contains("0 edges") && !page.contains("<h3>") && !page.contains("<svg"), "{page}");
}

#[test]
fn bad_usage_and_graphs_that_memory_does_not_hold_leave_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("page.html");
    let out = out.to_str().unwrap();
    assert_eq!(run(["report", KARATE]).status.code(), Some(2), "no output is named");
    assert_eq!(run(["report", KARATE, "-o", KARATE]).status.code(), Some(2));
    assert!(refused(1, ["report", "no-such-file.txt", "-o", out]).contains("no-such-file.txt"));
    assert!(!Path::new(out).exists());
}

/// Looks at a page in a browser, where Debian's `chromium` is installed.
#[test]
fn a_browser_shows_the_page_without_complaints() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (graph, page, picture) = (path("graph.bin"), path("page.html"), path("page.png"));
    stdout(&["generate", "rmat", "--scale", "14", "-q", "-o", &graph]);
    stdout(&["report", &graph, "-o", &page]);
    let size = fs::metadata(&page).unwrap().len();
    assert!(size < 2_000_000, "{size} bytes for a graph of 2.6·10⁵ entries");
    let mut browser = Command::new("chromium");
    browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]);
    browser.args(["--window-size=400,3000", &format!("--user-data-dir={}", path("profile"))]);
    browser.args([format!("--screenshot={picture}"), format!("file://{page}")]);
    let Ok(output) = browser.output() else {
        println!("skipped: there is no chromium");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("CONSOLE"), "{said}");
    assert!(fs::metadata(&picture).unwrap().len() > 10_000, "{said}");
}
