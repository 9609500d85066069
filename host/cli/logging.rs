//! What goes to stderr beside errors: warnings always, phase times with `--verbose`.

use tracing_subscriber::EnvFilter;

use super::stderr;

/// The environment variable that sets the filter, in `tracing`'s syntax (`debug`, `tribin=trace`).
const VARIABLE: &str = "TRIBIN_LOG";

/// Starts logging. The variable goes before the option.
pub fn start(verbose: u8) {
    let level = match verbose {
        0 => "warn",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let asked = std::env::var_os(VARIABLE).filter(|text| !text.is_empty());
    let asked =
        asked.map(|text| text.to_str().ok_or(()).and_then(|text| text.parse().map_err(|_| ())));
    let is_malformed = matches!(asked, Some(Err(())));
    let filter = match asked {
        Some(Ok(filter)) => filter,
        _ => EnvFilter::new(level),
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| stderr::Forgiving)
        .with_ansi(stderr::is_coloured())
        .with_target(false)
        .without_time()
        .init();
    if is_malformed {
        tracing::warn!(
            "{VARIABLE} is no filter, and is left aside: it is written as `debug` or `tribin=trace`"
        );
    }
}
