//! What the library does with graphs: one binary, since each links all of the library. `cargo test --test library prepare` runs a part.

mod analytics;
#[cfg(feature = "bench")]
mod bench;
mod count;
mod generate;
mod methods;
mod prepare;
mod session;
