//! How a file was read, where that was not plain.

use std::fmt;

/// The reading of a table of edges: header, delimiter, columns and kind of ids, each with its reason.
///
/// Its text is one line: `CSV with a header, columns source and target, ids are names`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Reading {
    /// The kind of table, for example `CSV`, `columns separated by tabs` or `Parquet`.
    pub table: String,
    /// Whether its first line, or its schema, names the columns.
    pub header: bool,
    /// The delimiter between columns: `,`, a tab, or a blank for any number of blanks and tabs. `None` in formats
    /// that need none.
    pub delimiter: Option<String>,
    /// The two columns that were read, by name, or by number from 1 where they have no name.
    pub columns: Option<[String; 2]>,
    /// How many columns there are, where the first line does not name them and there are more than these two.
    pub of_columns: Option<usize>,
    /// `integers` or `names`.
    pub ids: &'static str,
    /// The two ends of the first edge, as they stand in the file.
    pub first_edge: Option<[String; 2]>,
    /// Why each of the above was decided as it was, in whole sentences.
    pub reasons: Vec<String>,
    /// What a user should know: what was left out, or is doubtful.
    pub warnings: Vec<String>,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table)?;
        if self.header {
            f.write_str(" with a header")?;
        }
        if let Some([first, second]) = &self.columns {
            write!(f, ", columns {first} and {second}")?;
        }
        if let Some(all) = self.of_columns {
            write!(f, " of {all}")?;
        }
        if !self.ids.is_empty() {
            write!(f, ", ids are {}", self.ids)?;
        }
        match &self.first_edge {
            Some([first, second]) => write!(f, ", the first edge is {first} to {second}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_one_line() {
        let mut reading = Reading { table: "CSV".into(), ids: "integers", ..Reading::default() };
        assert_eq!(reading.to_string(), "CSV, ids are integers");
        reading.header = true;
        reading.columns = Some(["source".into(), "target".into()]);
        reading.ids = "names";
        let text = "CSV with a header, columns source and target, ids are names";
        assert_eq!(reading.to_string(), text);
        let (header, of_columns) = (false, Some(3));
        let columns = Some(["1", "2"].map(String::from));
        let reading = Reading { header, columns, of_columns, ..reading };
        let text = "CSV, columns 1 and 2 of 3, ids are names";
        assert_eq!(reading.to_string(), text);
        let first_edge = Some(["ann", "bob"].map(String::from));
        let reading = Reading { first_edge, ..reading };
        assert_eq!(reading.to_string(), format!("{text}, the first edge is ann to bob"));
    }
}
