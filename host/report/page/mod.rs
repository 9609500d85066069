//! A graph on one page of HTML that stands alone: how it was read, its figures, distributions as plots, and the vertices and
//! edges that come first by each result.
//!
//! Plots and tables are made from the list of results, so that a new result is on the page too. Nothing is loaded from elsewhere, and
//! there is no script.

use std::collections::BTreeMap;
use std::fmt::Write;

use tribin_analytics::{EdgeValues, Local};
use tribin_base::par;
use tribin_session::results::{
    AtVertices, Definition, EDGE_RESULTS, EdgeFacts, EdgeFormula, GraphKind, VERTEX_RESULTS,
    VertexColumn,
};

use super::number::grouped;
use super::plot::{Plot, escaped};
use super::{PreparedGraph, human};
use crate::Result;

/// Rows of a table.
const ROWS: usize = 10;

/// Characters of a name that are shown.
const NAME: usize = 40;

/// The page of a graph, directions and weights left aside. O(m^1.5) work, as for its trusses; memory beside the graph is that of
/// [`PreparedGraph::trussness`] and of [`PreparedGraph::support`].
///
/// ```
/// # std::env::set_current_dir("../..").unwrap();
/// use tribin::{Options, Session};
///
/// let karate = Session::open(Options::default())?.prepare("tests/data/karate.mtx")?;
/// let page = tribin::report::page::html(&karate)?;
/// assert!(page.contains("<td>45") && page.contains("<h3>triangle centrality</h3>"));
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Errors
/// What the device reports, [`Error::Cancelled`](crate::Error::Cancelled), and
/// [`Error::Input`](crate::Error::Input) of a graph that memory does not hold: its trusses need it there.
pub fn html(graph: &PreparedGraph) -> Result<String> {
    html_with(graph, graph.name(), &|vertex| graph.ids().id(vertex).to_string())
}

/// Makes the page of a graph as [`html`] does, with a title and names of vertices by index that are not those of the file.
///
/// ```
/// # use tribin::{Graph, Options, Session};
/// let edge = Session::open(Options::default())?.prepare(&Graph::from_edges(vec![[0, 1]]))?;
/// let page = tribin::report::page::html_with(&edge, "an edge", &|vertex| format!("vertex {vertex}"))?;
/// assert!(page.contains("<h1>an edge</h1>") && page.contains("<td>vertex 1</td>"));
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Errors
/// As [`html`].
pub fn html_with(
    graph: &PreparedGraph,
    title: &str,
    name: &(dyn Fn(u32) -> String + Sync),
) -> Result<String> {
    graph.session().install(|| page(graph, title, name))
}

fn page(graph: &PreparedGraph, title: &str, name: &Name<'_>) -> Result<String> {
    let trussness = graph.trussness()?;
    let (stats, support) = (graph.stats()?, graph.support()?);
    let found = graph.at_vertices();
    let local = found.local()?;
    let mut figures = human::rows(&human::stats(&stats));
    figures
        .truncate(figures.iter().position(|(label, _)| label == "time").unwrap_or(figures.len()));
    let mut page = head(title, &figures);
    page += "<section>\n<h2>Distributions</h2>\n<div class=\"plots\">\n";
    let results = vertex_results(&found)?;
    vertex_plots(&mut page, local, &results);
    for (name, rows) in [("support", &support), ("trussness", &trussness)] {
        let counts = rows.histogram().into_iter().map(|(value, rows)| (value.into(), rows));
        let title = format!("Edges by {name}");
        plot(&mut page, &Plot::histogram(&title, name, "edges", &counts.collect()));
    }
    page += "</div>\n</section>\n";
    section(&mut page, "Vertices that come first", |page| {
        for (definition, column) in &results {
            vertex_table(page, definition, column, (name, local));
        }
    });
    section(&mut page, "Edges that come first", |page| {
        for result in EDGE_RESULTS.iter().filter(|of| of.definition.needs == GraphKind::Plain) {
            let value = |edge: usize| {
                let (ends, triangles) = (support.edges()[edge], support.values()[edge]);
                let degrees = ends.map(|end| local.degree(end));
                result.formula.value(EdgeFacts { triangles, degrees, ..EdgeFacts::default() })
            };
            let heading = [result.definition.name, result.definition.meaning];
            let is_whole = matches!(result.formula, EdgeFormula::Whole(_));
            edges_by(page, heading, &support, value, (name, is_whole));
        }
        let trussness_of = |edge: usize| f64::from(trussness.values()[edge]);
        let heading = ["trussness", "The largest k of which the edge is in the k-truss."];
        edges_by(page, heading, &support, trussness_of, (name, true));
    });
    page += &format!(
        "<footer>Made by tribin {} on {}.</footer>\n</main>\n</html>\n",
        stats.head.version,
        escaped(&stats.head.device_name)
    );
    Ok(page)
}

/// Names a vertex.
type Name<'a> = dyn Fn(u32) -> String + Sync + 'a;

/// A result at vertices, and its numbers.
type NamedColumn<'a> = (&'static Definition, VertexColumn<'a>);

/// Results that follow from the degrees, and say nothing that these do not.
const LEFT_OUT: [&str; 2] = ["wedges", "wedge_ends"];

/// The results at vertices that every graph has, each found once.
fn vertex_results<'a>(found: &'a AtVertices<'_>) -> Result<Vec<NamedColumn<'a>>> {
    let all = VERTEX_RESULTS.iter().filter(|result| {
        let Definition { name, needs, .. } = &result.definition;
        *needs == GraphKind::Plain && !LEFT_OUT.contains(name)
    });
    all.map(|result| Ok((&result.definition, (result.formula)(found)?))).collect()
}

/// The beginning of the page, with the figures of the graph.
fn head(name: &str, figures: &[(String, String)]) -> String {
    let name = escaped(name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{name}</title>\n<style>\n{}</style>\n</head>\n<main>\n<h1>{name}</h1>\n<table class=\"figures\">\n",
        include_str!("page.css")
    );
    for (label, value) in figures {
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}</td></tr>",
            escaped(label),
            escaped(value)
        );
    }
    page + "</table>\n"
}

/// A section of tables.
fn section(page: &mut String, title: &str, tables: impl FnOnce(&mut String)) {
    let _ = write!(page, "<section>\n<h2>{title}</h2>\n<div class=\"tables\">\n");
    tables(page);
    *page += "</div>\n</section>\n";
}

/// A plot for each result at vertices: how many vertices have each whole number, and the mean of other numbers by degree.
fn vertex_plots(page: &mut String, local: &Local, results: &[NamedColumn<'_>]) {
    let vertices = (0..local.vertex_bound() as u32).filter(|&vertex| local.degree(vertex) > 0);
    for (Definition { name, .. }, column) in results {
        match column {
            VertexColumn::Whole(value) => {
                let mut counts = BTreeMap::new();
                vertices.clone().for_each(|v| *counts.entry(value(v)).or_insert(0) += 1);
                let title = format!("Vertices by {name}");
                plot(page, &Plot::histogram(&title, name, "vertices", &counts));
            }
            VertexColumn::Double(value) => {
                let mut sums = BTreeMap::new();
                for vertex in vertices.clone() {
                    let (sum, number) = sums.entry(local.degree(vertex)).or_insert((0.0, 0u32));
                    (*sum, *number) = (*sum + value(vertex), *number + 1);
                }
                let mean = |(degree, (sum, number))| [f64::from(degree), sum / f64::from(number)];
                let points = sums.into_iter().map(mean).collect();
                let title = format!("Mean {} by degree", words(name));
                let up = format!("mean {}", words(name));
                plot(
                    page,
                    &Plot { title: &title, across: "degree", up: &up, is_share: true, points },
                );
            }
        }
    }
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

fn plot(page: &mut String, plot: &Plot) {
    if !plot.points.is_empty() {
        let title = escaped(plot.title);
        let _ = write!(
            page,
            "<figure>\n<figcaption>{title}</figcaption>\n{}</figure>\n",
            plot.figure()
        );
    }
}

/// The vertices with the largest numbers, those of large degree first where numbers are equal.
fn vertex_table(
    page: &mut String,
    definition: &Definition,
    column: &VertexColumn<'_>,
    (name, local): (&Name<'_>, &Local),
) {
    let has_edges = |&vertex: &u32| local.degree(vertex) > 0;
    let value = |vertex| column.double(vertex);
    let rows = first(local.vertex_bound(), has_edges, value, |vertex| local.degree(vertex));
    let is_whole = matches!(column, VertexColumn::Whole(_));
    let columns = if definition.name == "degree" { 2 } else { 3 };
    let rows = rows.into_iter().map(|vertex| {
        let degree = grouped(local.degree(vertex));
        let value = number(column.double(vertex), is_whole);
        [shown(name, vertex), value, degree].into_iter().take(columns).collect()
    });
    table(
        page,
        [definition.name, definition.meaning],
        &["vertex", definition.name, "degree"][..columns],
        rows,
    );
}

/// The edges with the largest numbers, those on many triangles first where numbers are equal.
fn edges_by(
    page: &mut String,
    heading: [&str; 2],
    support: &EdgeValues,
    value: impl Fn(usize) -> f64 + Sync,
    (name, is_whole): (&Name<'_>, bool),
) {
    let value = |edge: u32| value(edge as usize);
    let triangles = |edge: u32| support.values()[edge as usize];
    let rows = first(support.len(), |_| true, value, triangles);
    let columns = if heading[0] == "support" { 3 } else { 4 };
    let rows = rows.into_iter().map(|edge| {
        let [u, v] = support.edges()[edge as usize].map(|end| shown(name, end));
        let row = [u, v, number(value(edge), is_whole), grouped(triangles(edge))];
        row.into_iter().take(columns).collect()
    });
    table(page, heading, &["u", "v", heading[0], "support"][..columns], rows);
}

/// The largest by value of those below `bound` that are wanted. Where values are equal, those with the larger `second` number come first,
/// and then the smaller ones.
fn first(
    bound: usize,
    is_wanted: impl Fn(&u32) -> bool + Sync,
    value: impl Fn(u32) -> f64 + Sync,
    second: impl Fn(u32) -> u32 + Sync,
) -> Vec<u32> {
    let order = |a: &u32, b: &u32| {
        let by_value = value(*b).total_cmp(&value(*a));
        by_value.then_with(|| second(*b).cmp(&second(*a))).then(a.cmp(b))
    };
    let of_block = |block: std::ops::Range<usize>| {
        let items = block.map(|item| item as u32).filter(&is_wanted);
        let mut block: Vec<u32> = items.collect();
        if block.len() > ROWS {
            block.select_nth_unstable_by(ROWS, order);
            block.truncate(ROWS);
        }
        block
    };
    let blocks = par::map(par::blocks(bound, par::BLOCK), of_block);
    let mut rows: Vec<u32> = blocks.into_iter().flatten().collect();
    rows.sort_unstable_by(order);
    rows.truncate(ROWS);
    rows
}

/// A table, unless it has no rows.
fn table(
    page: &mut String,
    [name, meaning]: [&str; 2],
    columns: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    let head: String =
        columns.iter().map(|column| format!("<th scope=\"col\">{}</th>", words(column))).collect();
    let _ = writeln!(
        page,
        "<div>\n<h3>{}</h3>\n<p>{}</p>\n<table>\n<tr>{head}</tr>",
        words(name),
        escaped(meaning)
    );
    for row in rows {
        let cells: String = row.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    *page += "</table>\n</div>\n";
}

/// What a vertex is called, cut where it is long.
fn shown(name: &Name<'_>, vertex: u32) -> String {
    let name = name(vertex);
    match name.char_indices().nth(NAME) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name,
    }
}

fn number(value: f64, is_whole: bool) -> String {
    match is_whole {
        // Whole numbers below zero are small.
        true if value < 0.0 => format!("{value}"),
        true => grouped(value as u64),
        false => format!("{value:.6}"),
    }
}
