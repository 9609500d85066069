//! What a build says of cargo features that it lacks.

/// Says what this build lacks, and how to get it.
///
/// ```
/// assert_eq!(
///     tribin::features::missing("parquet", "Parquet files need"),
///     "this tribin was built without its feature `parquet`, which Parquet files need: build it with \
///      `--features parquet`, or use the command of tribin's Python package, which has all features but `remote`"
/// );
/// ```
pub fn missing(feature: &str, what_needs: &str) -> String {
    let build = format!(
        "this tribin was built without its feature `{feature}`, which {what_needs}: build it with `--features {feature}`"
    );
    // The Python package leaves it out for its size.
    if feature == "remote" {
        return build;
    }
    format!(
        "{build}, or use the command of tribin's Python package, which has all features but `remote`"
    )
}
