//! Which of the package's cargo features a build has.

/// The features that a user can choose, by name, and whether this build has them.
pub const ALL: [(&str, bool); 11] = [
    ("archives", cfg!(feature = "archives")),
    ("arrow", cfg!(feature = "arrow")),
    ("bench", cfg!(feature = "bench")),
    ("cli", cfg!(feature = "cli")),
    ("formats", cfg!(feature = "formats")),
    ("gpu", cfg!(feature = "gpu")),
    ("manual", cfg!(feature = "manual")),
    ("models", cfg!(feature = "models")),
    ("output", cfg!(feature = "output")),
    ("parquet", cfg!(feature = "parquet")),
    ("serde", cfg!(feature = "serde")),
];

/// The names of the features that this build has, or of those that it has not.
pub fn names(are_there: bool) -> Vec<&'static str> {
    ALL.iter().filter(|(_, is_there)| *is_there == are_there).map(|(name, _)| *name).collect()
}

/// Says what this build lacks, and how to get it.
///
/// ```
/// assert_eq!(
///     tribin::features::missing("parquet", "Parquet files need"),
///     "this tribin was built without its feature `parquet`, which Parquet files need: build it with \
///      `--features parquet`, or use the command of tribin's Python package, which has all features"
/// );
/// ```
pub fn missing(feature: &str, what_needs: &str) -> String {
    format!(
        "this tribin was built without its feature `{feature}`, which {what_needs}: build it with \
         `--features {feature}`, or use the command of tribin's Python package, which has all features"
    )
}
