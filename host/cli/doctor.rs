//! `tribin doctor`.

use tribin::report::Diagnosis;

use super::args::DoctorArgs;
use super::failure::Failure;
use super::reports::print_as;
use super::threads;

pub fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let of_machine = || Diagnosis::of_this_machine([true, false].map(tribin::features::names));
    let diagnosis = threads::on(None, of_machine)?;
    print_as(args.json, &diagnosis, Diagnosis::to_string)
}
