//! `tribin estimate`.

use tribin::analytics::{Estimate, EstimateOptions};
use tribin::plan::Task;
use tribin::report::human;
use tribin::report::table::{Column, Values};

use super::arcs::ArcArgs;
use super::failure::Failure;
use super::tables::{TableArgs, TableWork, formats_with_text};

#[derive(Debug, clap::Args)]
#[command(after_help = formats_with_text())]
pub struct EstimateArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Half the width of each interval, as a share of the number
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = share)]
    error: f64,

    /// How likely each interval is to cover its number
    #[arg(long, value_name = "SHARE", default_value = "95%", value_parser = share)]
    confidence: f64,

    /// What the random numbers begin from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Draw wedges even where all triangles would be found as soon
    #[arg(long)]
    sample: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["output", "to_format"])]
    json: bool,
}

/// `1%` or `0.01`, above 0 and below 1.
fn share(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    match number {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("use a share above 0 and below 1, such as 1% or 0.01".to_owned()),
    }
}

pub fn run(args: &EstimateArgs) -> Result<(), Failure> {
    let mut options = EstimateOptions::default();
    (options.error, options.confidence) = (args.error, args.confidence);
    (options.seed, options.always_sample) = (args.seed, args.sample);
    let of = (&ArcArgs::default(), Task::Estimate, args.json);
    args.table.report(of, |graph| graph.estimate(&options), human::estimate, columns)
}

/// A row for each number.
fn columns(_: &TableWork, estimate: &Estimate) -> tribin::Result<Vec<(Column, Values<'static>)>> {
    let figures = vec!["triangles", "transitivity", "average_clustering"];
    let triangles = estimate.triangles.map(|triangles| triangles as f64);
    let numbers = [triangles, estimate.transitivity, estimate.average_clustering];
    Ok(vec![
        (Column::Text("figure"), Values::Text(figures)),
        (Column::Double("value"), Values::Double(numbers.map(|number| number.value).to_vec())),
        (Column::Double("low"), Values::Double(numbers.map(|number| number.low).to_vec())),
        (Column::Double("high"), Values::Double(numbers.map(|number| number.high).to_vec())),
    ])
}
