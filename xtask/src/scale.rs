//! `cargo xtask scale`: what large graphs take on GPUs and on many workers, from benches/scale.py. It fails where a run that
//! was measured is predicted badly.

use std::process::Command;

use anyhow::Result;

use crate::ci::step;
use crate::{attack, paths};

pub fn run() -> Result<()> {
    let Some(environment) = attack::oracles()? else { return Ok(()) };
    let mut simulate = Command::new(environment.join("bin/python"));
    simulate.arg(paths::root().join("benches/scale.py"));
    step("what large graphs take", &mut simulate)
}
