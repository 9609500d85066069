//! `tribin count --ranks env --device gpu`: one of several processes that count together, each with GPUs of its own.

use std::env;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Arc;

use tribin::count::Count;
use tribin::ranks::{Environment, Ranks};
use tribin::{Error, Session};

use super::args::CountArgs;
use super::count::{generated, of_count};
use super::failure::Failure;
use super::progress::Display;
use super::reports::Reports;
use super::sources::sources;

/// Counts each graph together with the other ranks. Rank 0 alone reports.
pub fn run(args: &CountArgs) -> Result<(), Failure> {
    if args.dry_run {
        let message =
            "`--dry-run` says what one process does: leave `--ranks` out, or take `--device cpu`";
        return Err(Error::Usage(message.into()).into());
    }
    let environment = Environment::of_process()?;
    let reports = (environment.rank() == 0).then(|| Reports::open(args)).transpose()?;
    let ranks = Arc::new(Ranks::join(&environment)?);
    let counts = match count(args, &ranks) {
        Ok(counts) => counts,
        // All others end with this one, and say why.
        Err(error) => return Err(ranks.fail(error).into()),
    };
    if let Some(ranks) = Arc::into_inner(ranks) {
        ranks.finish();
    }
    let Some(mut reports) = reports else { return Ok(()) };
    counts.iter().try_for_each(|count| reports.add(&of_count(count, args)))?;
    reports.finish()
}

/// NCCL leaves NVLink's multicast alone, unless the environment says something about it: a program that ends in the
/// middle of it can leave GPUs unusable.
fn turn_multicast_off() {
    const MULTICAST: &str = "NCCL_NVLS_ENABLE";
    if env::var_os(MULTICAST).is_none() {
        // SAFETY: the command's threads are those of its ranks and of its display, which do not use the environment.
        unsafe { env::set_var(MULTICAST, "0") };
    }
}

/// Counts every graph, all ranks together.
fn count(args: &CountArgs, ranks: &Arc<Ranks>) -> tribin::Result<Vec<Count>> {
    let display = Display::new(args.quiet || ranks.rank() > 0);
    let mut options = args.session_options();
    options.work = display.work().clone();
    options.cancel = ranks.cancel().clone();
    turn_multicast_off();
    let session = Session::on_ranks(ranks, options, display.on_phase())?;
    // Where a rank fails, a GPU may be left in the middle of an exchange that never ends: nothing waits for it.
    let session = ManuallyDrop::new(session);
    session.selection().check(&args.options())?;
    let mut counts = Vec::new();
    if let Some(kind) = &args.generate {
        display.begin(Path::new(kind));
        counts.push(generated(&session, kind, args)?);
        display.end();
    } else {
        let reading = args.read.options(args.format, Some(display.on_bytes()));
        for source in sources(&args.files, args.merge) {
            let source = source?;
            display.begin(source.name());
            counts.push(session.count_file(source, &reading, &args.options())?);
            display.end();
        }
    }
    // A link that ends takes memory away that a slower rank may still read: all are done first.
    ranks.barrier()?;
    drop(ManuallyDrop::into_inner(session));
    Ok(counts)
}
