//! Counting together with other processes.

use std::time::Instant;

use super::cpu::add_steps;
use super::dry_run::Facts;
use super::out_of_core::{ForetoldSize, MOST_FACTOR};
use super::{DeviceChoice, Options, Plan, Session};
use crate::control::memory::available;
use crate::count::{Around, Count, CountOptions, EngineChoice};
use crate::plan::{Decision, Explanation, RankLimit, Reason, on_a_rank};
use crate::ranks::{Environment, Ranks};
use crate::read;
use crate::{Error, Hint, Message, Phase, Result};
use tribin_distributed::Limit;

impl Options {
    /// These options for a session that counts together with other processes: on the CPU.
    ///
    /// # Errors
    /// [`Error::Usage`] where a GPU was asked for.
    pub fn for_ranks(mut self) -> Result<Options> {
        match self.device {
            DeviceChoice::Auto | DeviceChoice::Cpu => self.device = DeviceChoice::Cpu,
            _ => {
                let message = Message::from("the GPUs of several ranks are a session of their own");
                return Err(Error::Usage(message.with_hint(Hint::Cpu)));
            }
        }
        Ok(self)
    }
}

impl Session {
    /// Reads a graph together with all other ranks of a job and counts its triangles: each reads a share of the files,
    /// and all get the same count. The other ranks call the same with the same source, from sessions of their own,
    /// whose options are [`Options::for_ranks`] with [`Ranks::cancel`] as their token.
    ///
    /// Every rank holds all rows of the oriented graph if it has memory for them; otherwise they come by in pieces. Vertices are called by integers.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// use tribin::count::CountOptions;
    /// use tribin::ranks::{Environment, Ranks};
    /// use tribin::{Options, Session, read};
    ///
    /// let alone = [("RANK", "0"), ("WORLD_SIZE", "1")];
    /// let environment = Environment::from_variables(|name| {
    ///     alone.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
    /// })?;
    /// let ranks = Ranks::join(&environment)?;
    /// let mut options = Options::default().for_ranks()?;
    /// options.cancel = ranks.cancel().clone();
    /// let session = Session::new(options)?;
    /// let (reading, counting) = (read::Options::default(), CountOptions::default());
    /// let count = session.count_with_ranks(&ranks, "tests/data/karate.mtx", &reading, &counting)?;
    /// assert_eq!(count.triangles, 45);
    /// ranks.finish();
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the files, the system and the options have on this rank, which ends the job; [`Error::Rank`] where another
    /// rank has failed.
    pub fn count_with_ranks(
        &self,
        ranks: &Ranks,
        source: impl Into<read::Source>,
        reading: &read::Options,
        options: &CountOptions,
    ) -> Result<Count> {
        let source = source.into();
        let counted = check(&source, options).and_then(|()| {
            self.install(|| self.counted_with_ranks(ranks, &source, reading, options))
        });
        counted.map_err(|error| ranks.fail(error))
    }

    fn counted_with_ranks(
        &self,
        ranks: &Ranks,
        source: &read::Source,
        reading: &read::Options,
        options: &CountOptions,
    ) -> Result<Count> {
        let start = Instant::now();
        let mut reading = reading.clone();
        reading.cancel = self.0.options.cancel.clone();
        let limit = self.limit_of_a_rank();
        self.check_before(ranks.ranks(), source, &reading, limit)?;
        let counted = tribin_distributed::count(ranks, source, &reading, limit, &self.context())?;
        let around =
            Around { read: counted.read, total: start.elapsed(), start_up: self.start_up() };
        let ran_on = Session::cpu();
        let name = source.name().display().to_string();
        let mut count = Count::new(&name, &ran_on, &counted.found, around);
        count.reading = counted.reading;
        if options.explain {
            let mut decisions = decisions(ranks.ranks(), &counted.over.read_alone);
            let memory = format!("{} bytes at most, predicted", counted.over.memory_bytes);
            let rows = match counted.over.pieces {
                1 => "all ranks hold all rows".to_owned(),
                pieces => format!("the rows come by in {pieces} pieces"),
            };
            let because = format!("{} entries are shared, and {rows}", counted.entries);
            decisions.push(decision("memory of a rank", memory, because));
            let mut explanation = Explanation { decisions, ..Explanation::default() };
            let threads = tribin_base::par::threads() * ranks.ranks() as usize;
            let sizes = (counted.entries, count.vertices);
            add_steps(&mut explanation, sizes, threads, &counted.found.seconds);
            count.explanation = Some(explanation);
        }
        count.over_ranks = Some(counted.over);
        super::log(&count);
        Ok(count)
    }

    /// What counting a file together with other ranks would do. Each rank finds it out by itself.
    ///
    /// # Errors
    /// As [`plan`](Self::plan), and [`Error::Usage`] for options that several ranks do not have.
    pub fn plan_with_ranks(
        &self,
        environment: &Environment,
        source: impl Into<read::Source>,
        reading: &read::Options,
        options: &CountOptions,
    ) -> Result<Plan> {
        let source = source.into();
        check(&source, options)?;
        self.check(options)?;
        self.install(|| {
            self.phase(Phase::Read);
            let inspection = read::inspect(source.clone(), reading)?;
            let facts = Facts::of(&inspection, source, reading)?;
            let runner = self.0.resources.device.preferred();
            let plan = Plan::new(&inspection, &facts, runner, options)?;
            let ranks = environment.ranks();
            let threads = plan.threads;
            let of_a_rank = facts.of_a_rank(ranks, threads);
            let piece = self.limit_of_a_rank().piece(&of_a_rank).unwrap_or(None);
            let memory = on_a_rank(&of_a_rank, piece).widened(facts.entries_error);
            Ok(Plan { host_memory: Some(memory), decisions: decisions(ranks, &[]), ..plan })
        })
    }

    fn limit_of_a_rank(&self) -> Limit {
        let asked = self.0.options.memory;
        let memory = asked.or_else(available);
        let memory = memory.map(|bytes| RankLimit { bytes, asked: asked.is_some() });
        Limit { memory, pieces: self.0.options.parts }
    }

    /// Refuses a file of which a header or a sample says that it takes more than the limit, before it is read.
    fn check_before(
        &self,
        ranks: u32,
        source: &read::Source,
        reading: &read::Options,
        limit: Limit,
    ) -> Result<()> {
        let Some(memory) = limit.memory else { return Ok(()) };
        let is_small = |bytes: u64| bytes.saturating_mul(MOST_FACTOR) <= memory.bytes;
        if source.bytes().is_none_or(is_small) {
            return Ok(());
        }
        let Some(size) = ForetoldSize::of(source, reading)? else { return Ok(()) };
        let mut facts = Facts::estimated(&size).of_a_rank(ranks, self.threads());
        if size.is_sampled {
            // How many there are is a guess at times: what is read will say.
            facts.vertices = 0;
        }
        let piece = limit.piece(&facts);
        piece.map(drop).map_err(|error| error.of(&source.name().display().to_string()))
    }
}

/// Refuses what several ranks do not do.
fn check(source: &read::Source, options: &CountOptions) -> Result<()> {
    let refused = if options.verify {
        "several ranks do not verify a count: count again with another number of ranks, and compare"
    } else if !matches!(options.engine, EngineChoice::Auto | EngineChoice::Forward) {
        "several ranks count with the engine `forward` only"
    } else {
        return refuse_standard_input(source);
    };
    Err(Error::Usage(refused.into()))
}

/// Refuses what one process alone can read.
pub(super) fn refuse_standard_input(source: &read::Source) -> Result<()> {
    if source.files()?.iter().any(|path| read::is_standard_input(path)) {
        let message = "several ranks cannot share standard input: name a file that all of them see";
        return Err(Error::Usage(message.into()));
    }
    Ok(())
}

/// A decision for which one thing speaks.
fn decision(question: &'static str, choice: String, because: String) -> Decision {
    let because = vec![Reason::new(true, because)];
    Decision { question, choice, because, rejected: Vec::new() }
}

/// How several ranks share a count, as decisions.
fn decisions(ranks: u32, alone: &[(String, u32)]) -> Vec<Decision> {
    let choice = format!("{ranks} ranks, each on its CPU");
    let started = "the launcher has started so many".to_owned();
    std::iter::once(decision("who counts", choice, started)).chain(who_reads(alone)).collect()
}

/// Which files one rank has read alone, as decisions.
pub(super) fn who_reads(alone: &[(String, u32)]) -> impl Iterator<Item = Decision> {
    alone.iter().map(|(file, rank)| {
        let because = format!("{file} is compressed, or of a format that is not cut");
        decision("who reads", format!("rank {rank} alone"), because)
    })
}
