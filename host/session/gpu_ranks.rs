//! One graph on the GPUs of several processes.
//!
//! Every process runs the same program on the entries that it has, and comes to the same count. What they go by, such
//! as the number of entries and free memory, all have agreed on.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

use super::engine::Engine;
use super::gpu::{Accelerator, OnGpu, method_name};
use super::held::Held;
use super::members::{HOW_MANY, Members};
use super::{ChosenBy, Options, Session, pool, selection, threads};
use crate::control::{Context, Phase};
use crate::count::{Count, CountOptions, EngineChoice, EngineCount};
use crate::plan::team::TeamFacts;
use crate::plan::{ByVertex, Decision, Reason};
use crate::ranks::Ranks;
use crate::{Error, Graph, Hint, Message, Result, VertexIds, read};
use tribin_gpu::device::team::Team;
use tribin_gpu::exchange::{Exchange, Linked, Peers, Wire};
use tribin_gpu::prepare::parts::{Division, prepare_in_parts};

/// The GPUs of this process as some of those of several.
pub struct OnRanks<D: Accelerator, W: Wire<D> + 'static> {
    members: Members<D, Linked<D, W>>,
    processes: usize,
    /// GPUs of all processes.
    devices: usize,
    label: String,
    /// Parts of a graph, if the caller asked for some number of them.
    parts: Option<u32>,
}

impl<D: Accelerator, W: Wire<D> + 'static> OnRanks<D, W> {
    /// Joins the GPUs of this process, which `--device` calls `label`, to those of the others, by the wire that
    /// `connect` makes: see [`Linked::join`].
    ///
    /// # Errors
    /// Where another process does not answer, and those of `connect`.
    pub fn join(
        gpus: Vec<OnGpu<D>>,
        label: String,
        peers: Arc<dyn Peers>,
        parts: Option<u32>,
        connect: impl FnOnce(&Team<D>, usize, usize) -> Result<W>,
    ) -> Result<OnRanks<D, W>> {
        let processes = peers.ranks();
        let gpus = gpus.into_iter().map(|OnGpu(inner)| inner).collect();
        let members = Members::join(gpus, |team| Linked::join(team, peers, connect))?;
        let devices = members.run(|exchange| exchange.devices());
        Ok(OnRanks { members, processes, devices, label, parts })
    }

    /// Refuses what processes do not do together, and processes that would decide differently.
    fn check(&self, exchange: &Linked<D, W>, options: &CountOptions) -> Result<()> {
        let alone =
            |message: &str| Err(Error::Usage(Message::from(message).with_hint(Hint::OneProcess)));
        if options.verify {
            return alone("a count by several processes is not verified");
        }
        let mut hasher = DefaultHasher::new();
        (env!("CARGO_PKG_VERSION"), options.engine.name(), self.parts).hash(&mut hasher);
        let own = hasher.finish();
        let least = exchange.agree(vec![own], u64::min)?[0];
        let most = exchange.agree(vec![own], u64::max)?[0];
        if least != most {
            let message = "the ranks have different options: give all ranks the same command";
            return Err(Error::Usage(message.into()));
        }
        Ok(())
    }

    /// How the GPUs are called together.
    fn names(&self) -> [String; 2] {
        let [_, own] = self.members.ran_on(String::new());
        [self.label.clone(), format!("{own}; {} GPUs of {} ranks", self.devices, self.processes)]
    }
}

impl<D: Accelerator, W: Wire<D> + 'static> Engine for OnRanks<D, W> {
    fn name(&self) -> &str {
        method_name(EngineChoice::Auto)
    }

    fn device(&self) -> String {
        self.label.clone()
    }

    fn device_name(&self) -> String {
        let [_, name] = self.names();
        name
    }

    /// Counts the graph of which every process has some of the entries.
    fn count(
        &self,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        let facts = self.members.run(|exchange| {
            self.check(exchange, options)?;
            let (entries, vertices) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
            let entries = exchange.agree(vec![entries], |one, other| one + other)?[0];
            let vertices = exchange.agree(vec![vertices], u64::max)?[0];
            let free = self.members.free_beside(exchange, 0)?;
            let devices = self.devices as u32;
            Ok::<_, Error>(TeamFacts {
                entries,
                vertices,
                kept: 0,
                devices,
                named: true,
                spread: false,
                beside: false,
                open: true,
                free,
                parts: self.parts,
            })
        })?;
        let (parts, needed) = (facts.parts(), facts.memory().peak());
        if needed > facts.free {
            return Err(self.members.gpus()[0].too_large(needed, facts.free));
        }
        let decision = Decision {
            question: HOW_MANY,
            choice: format!("all GPUs of {} ranks in {parts} parts", self.processes),
            because: vec![
                Reason::new(true, format!("{} ranks were started", self.processes)),
                Reason::whole_at_most(needed, "bytes on each GPU", facts.free),
            ],
            rejected: Vec::new(),
        };
        let division = Division::new(parts, ByVertex::Unwanted);
        let prepare =
            |exchange: &Linked<D, W>| prepare_in_parts(exchange, graph, division, context);
        let named = (graph.name(), needed);
        let found = self.members.together(named, context, prepare, |exchange, ready| {
            context.cancel().check()?;
            let crew = (decision, self.label.clone());
            self.members.count_ready((exchange, ready), crew, &facts, options)
        })?;
        Ok(EngineCount { ran_on: Some(self.names()), ..found })
    }

    fn prepare(&self, _: &Graph, _: &Context) -> Result<Box<dyn Held>> {
        let message = "several processes count triangles, and nothing else";
        Err(Error::Usage(Message::from(message).with_hint(Hint::OneProcess)))
    }
}

impl Session {
    /// The GPUs of this process as some of those of all ranks: every rank calls the same functions in the same order,
    /// and all get the same count. `options.device` names the GPUs of this process; where it names none, the rank's
    /// number on its host does.
    ///
    /// [`count_file`](Session::count_file) reads a share of the files, [`count_blocks`](Session::count_blocks)
    /// takes a share of the blocks, and [`count_with`](Session::count_with) takes the entries that this process has:
    /// all entries of all processes are the graph, and a vertex has one number in all of them. Nothing but the count is
    /// found together.
    ///
    /// What GPUs exchange goes through NCCL, which is found at run time. The environment has to say whether it may use
    /// NVLink's multicast: `NCCL_NVLS_ENABLE=0` turns it off, since a program that ends in the middle of it can leave
    /// GPUs unusable.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    ///
    /// use tribin::count::CountOptions;
    /// use tribin::ranks::{Environment, Ranks};
    /// use tribin::{Options, Session, read};
    ///
    /// let environment = Environment::from_variables(|name| std::env::var_os(name))?;
    /// let ranks = Arc::new(Ranks::join(&environment)?);
    /// let mut options = Options::default();
    /// options.cancel = ranks.cancel().clone();
    /// let session = Session::on_ranks(&ranks, options, |_| ())?;
    /// let (reading, counting) = (read::Options::default(), CountOptions::default());
    /// println!("{}", session.count_file("graph.bin", &reading, &counting)?.triangles);
    /// ranks.barrier()?;
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// An error of one rank is to be told to the others by [`Ranks::fail`]. Before the session is dropped, all ranks meet
    /// at [`Ranks::barrier`]: a link that ends takes memory away that a slower rank may still read.
    ///
    /// # Errors
    /// [`Error::Device`] where NCCL or a GPU cannot be used, [`Error::Rank`] where another rank fails, and
    /// [`Error::Usage`] where there are fewer GPUs than ranks.
    pub fn on_ranks(
        ranks: &Arc<Ranks>,
        options: Options,
        on_phase: impl Fn(Phase) + Send + Sync + 'static,
    ) -> Result<Session> {
        let start = Instant::now();
        let nccl = tribin_gpu::exchange::load_nccl()?;
        let pool = pool(&options)?;
        let engine = selection::choose_on_ranks(nccl, ranks, &options, threads(pool.as_ref()))?;
        let on_phase = Box::new(on_phase);
        let device = super::runner::Device::opened(engine);
        let session =
            Session::assemble(device, ChosenBy::NamedDevice, pool, options, on_phase, start);
        Ok(session.joined_to(ranks))
    }

    /// This session, which reads together with all ranks. Nobody else has it yet.
    pub(super) fn joined_to(mut self, ranks: &Arc<Ranks>) -> Session {
        let resources = Arc::get_mut(&mut self.0).map(|inner| Arc::get_mut(&mut inner.resources));
        resources.flatten().expect("a session that was just made").ranks = Some(ranks.clone());
        self
    }

    /// Reads this rank's share of the files and counts it on its GPUs, together with all ranks.
    pub(super) fn count_file_on_gpus(
        &self,
        ranks: &Ranks,
        source: &read::Source,
        reading: &read::Options,
        options: &CountOptions,
    ) -> Result<Count> {
        super::distributed::refuse_standard_input(source)?;
        let name = source.name().display().to_string();
        let mut reading = reading.clone();
        reading.cancel = self.0.options.cancel.clone();
        let context = self.context();
        let share = tribin_distributed::read_share(
            ranks,
            (source, &name),
            &reading,
            tribin_distributed::Limit::default(),
            &context,
        );
        let mut share = share.map_err(|error| error.of(&name))?;
        let start = Instant::now();
        let ids = VertexIds::Identity { bound: share.bound };
        let entries = share.in_one().map_err(|error| error.of(&name))?;
        let graph = Graph::from_parts(entries, ids, name);
        let read = share.read + start.elapsed();
        let graph = graph.with_reading(share.reading);
        let mut count = self.run(&graph, options, read)?;
        // Who reads together drops them.
        count.self_loops_dropped += share.self_loops;
        if let Some(explanation) = &mut count.explanation {
            explanation.decisions.splice(1..1, super::distributed::who_reads(&share.alone));
        }
        Ok(count)
    }
}

/// The GPU of a process that was given none: of the GPUs that it sees, the one that its number on this host says. A
/// launcher may have left it one alone.
///
/// # Errors
/// [`Error::Usage`] where there are fewer.
pub fn gpu_of_rank(local_rank: Option<u32>, gpus: usize) -> Result<u32> {
    match local_rank {
        _ if gpus == 1 => Ok(0),
        Some(local) if (local as usize) < gpus => Ok(local),
        None => Ok(0),
        Some(local) => {
            let message = format!(
                "this is rank {local} of its host (LOCAL_RANK), and there are {gpus} GPUs: start a rank for each GPU"
            );
            Err(Error::Usage(message.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::gpu_of_rank;

    #[test]
    fn a_rank_takes_the_gpu_of_its_number_on_the_host() {
        for (local_rank, gpus, expected) in [
            (None, 1, Some(0)),
            (None, 8, Some(0)),
            (Some(0), 8, Some(0)),
            (Some(7), 8, Some(7)),
            // The launcher showed it one GPU.
            (Some(7), 1, Some(0)),
            (Some(8), 8, None),
            (Some(2), 2, None),
        ] {
            let found = gpu_of_rank(local_rank, gpus);
            assert_eq!(found.ok(), expected, "{local_rank:?} of {gpus}");
        }
        let error = gpu_of_rank(Some(2), 2).unwrap_err().to_string();
        assert!(error.contains("LOCAL_RANK") && error.contains("2 GPUs"), "{error}");
    }
}
