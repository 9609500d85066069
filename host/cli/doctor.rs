//! `tribin doctor`.

use tribin::report::{Diagnosis, json};

use super::args::DoctorArgs;
use super::failure::Failure;
use super::output::print;

pub fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let diagnosis = Diagnosis::of_this_machine([true, false].map(tribin::features::names));
    print(&if args.json { json::line(&diagnosis) } else { diagnosis.to_string() })
}
