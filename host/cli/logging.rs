//! What goes to stderr beside errors: warnings always, phase times with `--verbose`.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use super::stderr;

/// The environment variable that sets the filter: a level, or levels of modules and all that is in them (`debug`,
/// `tribin=info,tribin::read=trace`).
const VARIABLE: &str = "TRIBIN_LOG";

/// Starts logging. The variable goes before the option.
pub fn start(verbose: u8) {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let asked = std::env::var_os(VARIABLE).filter(|text| !text.is_empty());
    let asked = asked.map(|text| {
        text.to_str().ok_or(()).and_then(|text| text.parse::<Targets>().map_err(|_| ()))
    });
    let is_malformed = matches!(asked, Some(Err(())));
    let filter = match asked {
        Some(Ok(filter)) => filter,
        _ => Targets::new().with_default(level),
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(|| stderr::Forgiving)
        .with_ansi(stderr::is_coloured())
        .with_target(false)
        .without_time();
    tracing_subscriber::registry().with(lines).with(filter).init();
    if is_malformed {
        tracing::warn!(
            "{VARIABLE} is no filter, and is left aside: it is written as `debug` or `tribin=trace`"
        );
    }
}
