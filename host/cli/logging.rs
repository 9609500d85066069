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
    let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new(level));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| stderr::Forgiving)
        .with_ansi(stderr::is_coloured())
        .with_target(false)
        .without_time()
        .init();
}
