//! `tribin doctor`.

use tribin::report::Diagnosis;

use super::args::DoctorArgs;
use super::failure::Failure;
use super::reports::print_as;

pub fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let diagnosis = Diagnosis::of_this_machine([true, false].map(tribin::features::names));
    print_as(args.json, &diagnosis, Diagnosis::to_string)
}
