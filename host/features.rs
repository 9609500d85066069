//! Which of the package's cargo features a build has.

pub use tribin_base::features::missing;

/// The features that a user can choose, by name, and whether this build has them.
pub const ALL: [(&str, bool); 13] = [
    ("archives", cfg!(feature = "archives")),
    ("arrow", cfg!(feature = "arrow")),
    ("bench", cfg!(feature = "bench")),
    ("cli", cfg!(feature = "cli")),
    ("cluster", cfg!(feature = "cluster")),
    ("formats", cfg!(feature = "formats")),
    ("gpu", cfg!(feature = "gpu")),
    ("manual", cfg!(feature = "manual")),
    ("models", cfg!(feature = "models")),
    ("output", cfg!(feature = "output")),
    ("parquet", cfg!(feature = "parquet")),
    ("remote", cfg!(feature = "remote")),
    ("serde", cfg!(feature = "serde")),
];

/// The names of the features that this build has, or of those that it has not.
pub fn names(are_there: bool) -> Vec<&'static str> {
    ALL.iter().filter(|(_, is_there)| *is_there == are_there).map(|(name, _)| *name).collect()
}
