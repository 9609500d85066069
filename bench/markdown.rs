//! Tables of measurements, for people.

use super::{BenchRecord, EngineRefusal, GraphRecord, Measured, Spread};
use tribin_report::number::{duration, grouped};

/// A row for each graph, engine and device, and a line for each engine that refused a graph.
pub fn results(record: &BenchRecord) -> String {
    let rows = record
        .graphs
        .iter()
        .flat_map(|graph| graph.results.iter().map(move |result| row(graph, result)));
    let measured = table(
        &[
            "graph",
            "engine",
            "device",
            "upload",
            "orient",
            "clean",
            "count",
            "total",
            "edges/s",
            "device memory",
        ],
        rows,
    );
    let refused = record.graphs.iter().flat_map(|graph| {
        graph.refused.iter().map(move |refused| {
            let EngineRefusal { engine, device, reason } = refused;
            format!("\n{}: `{engine}` on `{device}` does not count it: {reason}\n", graph.graph)
        })
    });
    measured + &refused.collect::<String>()
}

fn row(graph: &GraphRecord, result: &Measured) -> Vec<String> {
    let mut cells = vec![graph.graph.clone(), result.engine.clone(), result.device.clone()];
    cells.extend(result.seconds.phases().map(|(_, seconds)| match seconds.median {
        0.0 => String::new(),
        median => duration(median),
    }));
    cells.push(spread(result.seconds.total));
    cells.push(grouped(graph.edges_per_second(result) as u64));
    let memory = result.peak_device_bytes.map(|bytes| format!("{:.0} MB", bytes as f64 / 1e6));
    cells.push(memory.unwrap_or_default());
    cells
}

/// `1.200 s (1.100 .. 1.400)`.
fn spread(spread: Spread) -> String {
    let bare = |seconds| {
        let text = duration(seconds);
        // The unit stands once where all three share it.
        let unit = |text: &str| text.split_once(' ').map(|(_, unit)| unit.to_owned());
        match text.split_once(' ') {
            Some((number, _)) if unit(&text) == unit(&duration(spread.median)) => number.to_owned(),
            _ => text,
        }
    };
    format!("{} ({} .. {})", duration(spread.median), bare(spread.least), bare(spread.most))
}

/// A table whose columns are as wide as their longest cell. A column without a cell is left out.
fn table(titles: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let used: Vec<usize> = (0..titles.len())
        .filter(|&column| rows.iter().any(|row| !row[column].is_empty()))
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([titles[column].chars().count()]).max().unwrap_or(0)
    };
    let line = |cell: &dyn Fn(usize) -> String| {
        let cells = used.iter().map(|&column| {
            let cell = cell(column);
            let padding = " ".repeat(width(column).saturating_sub(cell.chars().count()));
            // Numbers end below each other.
            match cell.starts_with(|first: char| first.is_ascii_digit()) {
                true => format!(" {padding}{cell} |"),
                false => format!(" {cell}{padding} |"),
            }
        });
        format!("|{}\n", cells.collect::<String>())
    };
    let mut text = line(&|column| titles[column].to_owned());
    text += &line(&|column| "-".repeat(width(column)));
    for row in &rows {
        text += &line(&|column| row[column].clone());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let rows = [["a", "", "1,000"], ["bcd", "", "20"]];
        let rows = rows.map(|row| row.map(String::from).to_vec());
        assert_eq!(
            table(&["name", "nothing", "n"], rows.into_iter()),
            "\
| name | n     |
| ---- | ----- |
| a    | 1,000 |
| bcd  |    20 |
"
        );
    }

    #[test]
    fn units_stand_once_where_they_are_the_same() {
        let of = |median, least, most| spread(Spread { median, least, most, runs: 3 });
        assert_eq!(of(1.5, 1.25, 2.0), "1.500 s (1.250 .. 2.000)");
        assert_eq!(of(1.0, 0.75, 2.0), "1.000 s (750.000 ms .. 2.000)");
    }
}
