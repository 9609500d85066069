//! The results that a table has, as `--with` names them.

use std::collections::HashSet;

use tribin::results::{
    Definition, EDGE_RESULTS, GraphKind, ListedResult, SIMILARITIES, VERTEX_RESULTS,
};

use super::tables::formats;

/// The columns of results.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct WithArgs {
    /// The results to write in place of the usual ones, separated by commas; the list is below
    #[arg(long, value_name = "RESULTS", value_delimiter = ',')]
    with: Vec<String>,
}

impl WithArgs {
    /// The names that were asked for, each once, or else the usual ones.
    pub fn names(&self, usual: &[&str]) -> Vec<String> {
        match self.with.is_empty() {
            true => usual.iter().map(ToString::to_string).collect(),
            false => {
                let mut named = HashSet::new();
                self.with.iter().filter(|name| named.insert(*name)).cloned().collect()
            }
        }
    }
}

/// The columns of vertices without `--with`.
pub fn usual_at_vertices(graph: GraphKind) -> &'static [&'static str] {
    match graph {
        GraphKind::Plain => &["degree", "triangles", "clustering"],
        GraphKind::Weighted => {
            &["degree", "triangles", "clustering", "strength", "onnela", "barrat"]
        }
        GraphKind::Directed => DIRECTED.split_last().map_or(&[], |(_, plain)| plain),
        GraphKind::DirectedWeighted => &DIRECTED,
    }
}

/// The columns of a directed graph, of which the last needs weights.
const DIRECTED: [&str; 14] = [
    "in_degree",
    "out_degree",
    "mutual_degree",
    "cycle_triangles",
    "middleman_triangles",
    "in_triangles",
    "out_triangles",
    "triangles",
    "cycle_clustering",
    "middleman_clustering",
    "in_clustering",
    "out_clustering",
    "clustering",
    "weighted_clustering",
];

/// Columns of a line of the help.
const WIDTH: usize = 78;

/// Columns before the text of a result.
const INDENT: usize = 23;

/// The list of results at vertices for the help, and how tables are written.
pub fn help_at_vertices() -> String {
    let of = |needs| list(VERTEX_RESULTS, needs);
    format!(
        "Results for --with:\n{}\nWith --directed also:\n{}{}\nWith --weight, and without --directed, also:\n{}\n{}",
        of(GraphKind::Plain),
        of(GraphKind::Directed),
        of(GraphKind::DirectedWeighted),
        of(GraphKind::Weighted),
        formats(),
    )
}

/// The list of results on edges for the help, and how tables are written.
pub fn help_on_edges() -> String {
    let of = |needs| list(EDGE_RESULTS, needs);
    let (plain, weighted) = (of(GraphKind::Plain), of(GraphKind::Weighted));
    format!("Results for --with:\n{plain}\nWith --weight also:\n{weighted}\n{}", formats())
}

/// The list of similarities for the help, and how tables are written.
pub fn help_on_pairs() -> String {
    let all = list(SIMILARITIES, GraphKind::Plain);
    format!("Similarities for --by, where `-` stands for `_` too:\n{all}\n{}", formats())
}

/// A line for each of the results that a graph of this kind alone is needed for, or several where its meaning is long.
fn list<F>(results: &[ListedResult<F>], needs: GraphKind) -> String {
    let mut text = String::new();
    let definitions = results.iter().map(|result| &result.definition);
    for Definition { name, meaning, .. } in definitions.filter(|of| of.needs == needs) {
        let mut line = format!("  {name:width$}", width = INDENT - 2);
        for word in meaning.split(' ') {
            if line.chars().count() + word.chars().count() > WIDTH {
                text += &format!("{}\n", line.trim_end());
                line = " ".repeat(INDENT);
            }
            line += &format!("{word} ");
        }
        text += &format!("{}\n", line.trim_end());
    }
    text
}
