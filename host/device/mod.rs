//! What the engines run on.
