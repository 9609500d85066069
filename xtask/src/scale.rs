//! `cargo xtask scale`: what very large graphs would take on many GPUs, from benches/scale.py. It fails where a run that
//! was measured is predicted badly.

use std::process::Command;

use anyhow::Result;

use crate::ci::step;
use crate::{attack, paths};

pub fn run() -> Result<()> {
    let Some(environment) = attack::oracles()? else { return Ok(()) };
    let mut simulate = Command::new(environment.join("bin/python"));
    simulate.arg(paths::root().join("benches/scale.py"));
    step("what very large graphs would take", &mut simulate)
}
