//! The counting methods.
