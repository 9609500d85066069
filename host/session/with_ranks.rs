//! Counting together with other processes: each counts some groups of colours ([`tribin_cluster`]). What they tell each
//! other is figures.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use super::input::InputEdges;
use super::{Input, Session};
use crate::control::Phase;
use crate::control::memory::available;
use crate::count::{
    Count, CountOptions, CountTimes, EngineCount, EngineSeconds, On, OverRanks, RanOn,
};
use crate::graph::{EdgeSource, EntryIds, Named, Summary};
use crate::plan::Task;
use crate::ranks::{Environment, Ranks};
use crate::read;
use crate::{DeviceChoice, Error, Graph, Message, Options, Result, hint};
use tribin_cluster::{AT_ONCE, Figures, Group, GroupPlan, Part, cut, look};

/// The seed of the colours.
const SEED: u64 = 1;

/// Bytes of memory for each entry of a group, while it is cut out and counted: as it is kept, in one array, as keys, as
/// simple edges, and as an engine prepares it.
const GROUP_ENTRY: u64 = 64;

impl Options {
    /// The options of a rank of a job, made of these. A device that is left to the program is the CPU, and a GPU without a number is
    /// that of the rank's number on its host.
    ///
    /// # Errors
    /// [`Error::Usage`] where there are fewer GPUs than ranks of this host.
    #[cfg_attr(not(feature = "gpu"), expect(unused_variables))]
    pub fn for_rank(mut self, environment: &Environment) -> Result<Options> {
        match self.device {
            DeviceChoice::Auto => self.device = DeviceChoice::Cpu,
            #[cfg(feature = "gpu")]
            DeviceChoice::Gpu(None) => {
                let gpus = tribin_gpu::device::cuda::list().map_or(1, |gpus| gpus.len());
                self.device = DeviceChoice::Gpu(Some(gpu_of_rank(environment.local_rank(), gpus)?));
            }
            _ => {}
        }
        Ok(self)
    }
}

impl Session {
    /// Reads a graph together with all other ranks of a job and counts its triangles. The other ranks count the same source, from
    /// sessions of their own, whose options are [`Options::for_rank`] with [`Ranks::cancel`] as their token. Every rank reads the
    /// source, and all get the same count. What ends the work of one rank ends the job: the others have an [`Error::Rank`].
    ///
    /// Each rank counts some groups of colours ([`cluster`](tribin_cluster)). Where the memory of every rank holds the graph, the
    /// source is read once, and otherwise again for every few groups.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// use tribin::ranks::{Environment, Ranks};
    /// use tribin::{Options, Session};
    ///
    /// let alone = [("RANK", "0"), ("WORLD_SIZE", "1")];
    /// let environment = Environment::from_variables(|name| {
    ///     alone.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
    /// })?;
    /// let ranks = Ranks::join(&environment)?;
    /// let mut options = Options::default().for_rank(&environment)?;
    /// options.cancel = ranks.cancel().clone();
    /// let session = Session::open(options)?;
    /// let count = session.count_with_ranks(&ranks, "tests/data/karate.mtx")?;
    /// assert_eq!(count.triangles, 45);
    /// ranks.finish();
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Session::count), [`Error::Rank`], and [`Error::Usage`] for standard input, which one process alone can read.
    pub fn count_with_ranks<'a>(
        &self,
        ranks: &Ranks,
        input: impl Into<Input<'a>>,
    ) -> Result<Count> {
        let mut input = input.into();
        if let InputEdges::Files { reading, .. } = &mut input.edges {
            reading.to_mut().cancel = self.0.options.cancel.clone();
        }
        refuse_standard_input(&input)
            .and_then(|()| self.counted_with_ranks(ranks, &input))
            .map_err(|error| ranks.fail(error))
    }

    fn counted_with_ranks(&self, ranks: &Ranks, input: &Input) -> Result<Count> {
        self.check(&input.options)?;
        self.install(|| {
            let start = Instant::now();
            // What is in memory is there already, whatever else it takes.
            let fits = matches!(input.edges, InputEdges::Graph(_))
                || self.decided_out_of_core(input, Task::Count)?.is_none();
            let fits = ranks.all_gather(&[fits.into()])?.iter().all(|told| told[..] == [1]);
            let graph = if fits { Some(self.in_memory(input)?.0) } else { None };
            let read = start.elapsed();
            let count = self.count_groups(ranks, input, graph.as_deref(), (start, read))?;
            super::log(&count);
            Ok(count)
        })
    }

    /// Counts this rank's groups of colours, of a graph that memory holds or of one that comes by. `times` are the beginning, and
    /// what reading took.
    fn count_groups(
        &self,
        ranks: &Ranks,
        input: &Input,
        graph: Option<&Graph>,
        times: (Instant, Duration),
    ) -> Result<Count> {
        let (name, options) = (input.name(), &input.options);
        let cancel = &self.0.options.cancel;
        let source: Box<dyn EdgeSource + '_> = match graph {
            Some(edges) => Box::new(Named { edges, name: &name }),
            None => input.source(&name, cancel),
        };
        self.phase(Phase::Read);
        let (pairs, seen) = look(&*source, SEED, cancel)?;
        if matches!(seen.visited.ids, EntryIds::Names) {
            let message = Message::from(
                "vertices are called by names, and memory does not hold the graph: give them numbers first with \
                 `tribin convert`",
            );
            return Err(Error::Input { file: name.clone(), message });
        }
        let memory = self.0.options.memory.or_else(available).unwrap_or(u64::MAX);
        let held = graph.map_or(0, |graph| size_of_val(graph.edges()) as u64);
        let most = memory.saturating_sub(held) / GROUP_ENTRY;
        // What memory holds was foretold from above.
        let most = if graph.is_some() { most.max(pairs.entries() / 64) } else { most };
        let mut hasher = DefaultHasher::new();
        pairs.words().hash(&mut hasher);
        let told = [pairs.entries() + seen.self_loops, hasher.finish(), most];
        let told = ranks.all_gather(&told)?;
        check_same(&name, &told, 2)?;
        let most = told.iter().map(|words| words[2]).min().unwrap_or(most);
        let plan = GroupPlan::for_ranks(&pairs, ranks.ranks(), most);
        if graph.is_none() && !plan.fits() {
            let message = Message::from(format!(
                "each rank needs {} bytes of memory for a group of edges, and {memory} may be used",
                plan.largest().saturating_mul(GROUP_ENTRY)
            ));
            return Err(Error::Input {
                file: name.clone(),
                message: message.with_hint(hint::MORE_MEMORY),
            });
        }
        tracing::info!("{name}: {plan}");
        let mut own = OwnGroups::default();
        let mine = plan.shares(ranks.ranks()).swap_remove(ranks.rank() as usize);
        let start = Instant::now();
        let mut rest = &mine[..];
        while !rest.is_empty() {
            let fitting =
                (1..=rest.len().min(AT_ONCE)).take_while(|&n| plan.sum(&rest[..n]) <= most);
            let (now, later) = rest.split_at(fitting.last().unwrap_or(1));
            rest = later;
            let groups: Vec<Group> = now.iter().map(|&group| plan.groups[group]).collect();
            let begin = Instant::now();
            let cut = cut(&*source, &groups, SEED, cancel)?;
            own.seconds.orient += begin.elapsed().as_secs_f64();
            for (group, entries) in groups.iter().zip(cut) {
                let part = Part::new(
                    Graph::from_u64_edges(entries)?.with_name(name.clone()),
                    group,
                    SEED,
                )?;
                own.add(&part);
                // What is to be verified is counted even where there is nothing: the report says by what.
                if options.verify || !part.graph().edges().is_empty() {
                    let options = CountOptions { explain: false, ..options.clone() };
                    own.counted(&self.run(part.graph(), &options, Duration::ZERO)?);
                }
            }
        }
        let told = ranks.all_gather(&own.words(start.elapsed()))?;
        let (triangles, summary) = all_groups(&told, seen.self_loops);
        let OwnGroups { seconds, ran_on, verified_by, .. } = own;
        let ran_on = ran_on.unwrap_or_else(|| self.0.resources.device.preferred().ran_on());
        let found = EngineCount { triangles, summary, seconds, ..EngineCount::default() };
        let (began, read) = times;
        let around = CountTimes { read, total: began.elapsed(), start_up: self.start_up() };
        let mut count = Count::new(&name, &ran_on, &found, around);
        count.reading = graph.and_then(|graph| graph.reading().cloned()).or(seen.visited.reading);
        count.verified_by = verified_by;
        count.over_ranks = Some(OverRanks {
            ranks: ranks.ranks(),
            groups: plan.groups.len() as u64,
            largest_group: plan.largest(),
            copies: plan.copies(),
            count_balance: balance(told.iter().map(|words| words[0])),
        });
        Ok(count)
    }
}

/// The findings of a rank in its groups.
#[derive(Default)]
struct OwnGroups {
    triangles: u64,
    figures: Figures,
    /// Vertices of which this rank knows all edges.
    vertices: u64,
    wedges: u128,
    max_degree: u64,
    /// The ids of vertices of which other ranks know edges too, each with the number of edges that are known here.
    degrees: Vec<[u64; 2]>,
    seconds: EngineSeconds,
    ran_on: Option<RanOn>,
    verified_by: Option<String>,
}

impl OwnGroups {
    /// Adds the figures that a group tells.
    fn add(&mut self, part: &Part) {
        self.figures += part.figures();
        let all = (0..).zip(part.degrees()).filter(|(_, degree)| **degree > 0);
        for (v, &degree) in all {
            match part.has_whole_degrees() {
                true => self.add_vertex(degree.into()),
                false => self.degrees.push([part.ids().number(v), degree.into()]),
            }
        }
    }

    fn add_vertex(&mut self, degree: u64) {
        self.vertices += 1;
        self.wedges += u128::from(degree) * u128::from(degree - 1) / 2;
        self.max_degree = self.max_degree.max(degree);
    }

    /// Adds what was counted in a group.
    fn counted(&mut self, count: &Count) {
        self.triangles += count.triangles;
        self.seconds.upload += count.seconds.upload;
        self.seconds.orient += count.seconds.orient;
        self.seconds.clean += count.seconds.clean;
        self.seconds.count += count.seconds.count;
        let Count { engine, device, device_name, .. } = count;
        self.ran_on = Some(RanOn {
            engine: engine.clone(),
            device: device.clone(),
            device_name: device_name.clone(),
            on: On::Own,
        });
        self.verified_by.clone_from(&count.verified_by);
    }

    /// All of it as words: the time that it took, figures, and the vertices of which others know more.
    fn words(&self, took: Duration) -> Vec<u64> {
        let Figures { edges, duplicates, reciprocal } = self.figures;
        let [low, high] = [self.wedges as u64, (self.wedges >> 64) as u64];
        let took = took.as_nanos() as u64;
        let of_vertices = [self.vertices, low, high, self.max_degree];
        let mut words = vec![took, self.triangles, edges, duplicates, reciprocal];
        words.extend(of_vertices);
        words.extend(self.degrees.as_flattened());
        words
    }
}

/// The triangles and the figures of a graph, from the words of all ranks.
fn all_groups(told: &[Vec<u64>], self_loops_dropped: u64) -> (u64, Summary) {
    let mut all = OwnGroups::default();
    for words in told {
        let Some((head, rest)) = words.split_first_chunk() else { continue };
        let [_, triangles, edges, duplicates, reciprocal, vertices, low, high, max_degree] = *head;
        all.triangles += triangles;
        all.figures += Figures { edges, duplicates, reciprocal };
        all.vertices += vertices;
        all.wedges += u128::from(high) << 64 | u128::from(low);
        all.max_degree = all.max_degree.max(max_degree);
        all.degrees.extend(rest.as_chunks::<2>().0);
    }
    let mut degrees = std::mem::take(&mut all.degrees);
    degrees.sort_unstable();
    for of_vertex in degrees.chunk_by(|[one, _], [other, _]| one == other) {
        all.add_vertex(of_vertex.iter().map(|[_, degree]| degree).sum());
    }
    let summary = Summary {
        vertices: all.vertices,
        edges: all.figures.edges,
        self_loops_dropped,
        duplicates_dropped: all.figures.duplicates,
        reciprocal_dropped: Some(all.figures.reciprocal),
        wedges: all.wedges,
        max_degree: all.max_degree,
    };
    (all.triangles, summary)
}

/// Refuses a graph that another rank has read otherwise: the first words of each, of which the very first is the number of
/// entries, are to be the same.
fn check_same(name: &str, told: &[Vec<u64>], words: usize) -> Result<()> {
    let first = &told[0];
    let is_other = |told: &Vec<u64>| told.len() != first.len() || told[..words] != first[..words];
    let Some(other) = told.iter().position(is_other) else { return Ok(()) };
    let message = match told[other].len() == first.len() {
        true => format!(
            "{name} is another graph there: {} entries, and {} for rank 0; all ranks read the same files",
            told[other][0], first[0]
        ),
        false => "it is at another step than rank 0: all ranks take the same command".to_owned(),
    };
    Err(Error::Rank { rank: other as u32, message: message.into() })
}

/// Refuses what one process alone can read.
fn refuse_standard_input(input: &Input) -> Result<()> {
    let InputEdges::Files { source, .. } = &input.edges else { return Ok(()) };
    if source.files()?.iter().any(|path| read::is_standard_input(path)) {
        let message = "several ranks cannot share standard input: name a file that all of them see";
        return Err(Error::Usage(message.into()));
    }
    Ok(())
}

/// The largest of some shares beside their mean; 1 where all are alike.
fn balance(shares: impl ExactSizeIterator<Item = u64> + Clone) -> f64 {
    let (ranks, sum) = (shares.len() as f64, shares.clone().sum::<u64>());
    if sum == 0 { 1.0 } else { shares.max().unwrap_or(0) as f64 * ranks / sum as f64 }
}

/// The GPU of a process that was given none: of the GPUs that it sees, the one that its number on this host says. A
/// launcher may have left it one alone.
#[cfg(feature = "gpu")]
fn gpu_of_rank(local_rank: Option<u32>, gpus: usize) -> Result<u32> {
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
#[cfg(feature = "gpu")]
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
