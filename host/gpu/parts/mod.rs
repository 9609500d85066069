//! Graphs of which a device holds a part of the rows at a time, while all rows behind it come past.

mod find;
#[cfg(test)]
mod tests;
mod walk;

pub use find::find;
pub use walk::walk;
