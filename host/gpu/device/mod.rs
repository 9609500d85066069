//! What the engines run on.

pub mod cuda;
pub mod driver;
pub mod team;
