//! What a launcher says in environment variables: which process of a job this is, and where the others meet.

use std::ffi::OsString;
use std::net::IpAddr;
use std::time::Duration;

use super::slurm::first_host;
use super::token::JobToken;
use crate::{Error, Message, Result};

/// Processes of a job at most: each has a connection to every other.
pub const MOST_RANKS: u32 = 1024;

/// Seconds that ranks wait for each other at the beginning, where nobody says.
const WAIT: u64 = 300;

/// Ports that are given to jobs of which nobody names one: below those that Linux gives to outgoing connections.
const PORTS: std::ops::Range<u64> = 20_000..32_000;

/// The names that a launcher gives to what it tells every process.
struct LauncherNames {
    rank: &'static str,
    ranks: &'static str,
    local_rank: &'static str,
    /// The number of ranks on this host.
    local_ranks: &'static str,
}

/// The launchers, the innermost first: torchrun under srun sets its own, and so does mpirun.
const LAUNCHERS: [LauncherNames; 4] = [
    LauncherNames {
        rank: "RANK",
        ranks: "WORLD_SIZE",
        local_rank: "LOCAL_RANK",
        local_ranks: "LOCAL_WORLD_SIZE",
    },
    LauncherNames {
        rank: "OMPI_COMM_WORLD_RANK",
        ranks: "OMPI_COMM_WORLD_SIZE",
        local_rank: "OMPI_COMM_WORLD_LOCAL_RANK",
        local_ranks: "OMPI_COMM_WORLD_LOCAL_SIZE",
    },
    LauncherNames {
        rank: "PMI_RANK",
        ranks: "PMI_SIZE",
        local_rank: "MPI_LOCALRANKID",
        local_ranks: "MPI_LOCALNRANKS",
    },
    LauncherNames {
        rank: "SLURM_PROCID",
        ranks: "SLURM_NTASKS",
        local_rank: "SLURM_LOCALID",
        local_ranks: "SLURM_NTASKS_PER_NODE",
    },
];

/// Variables that tell one job from another, the innermost launcher's first. A value that many jobs have is none.
const JOBS: [&[&str]; 4] = [
    &["TORCHELASTIC_RUN_ID"],
    &["PMIX_NAMESPACE"],
    &["OMPI_MCA_ess_base_jobid"],
    &["SLURM_JOB_ID", "SLURM_STEP_ID"],
];

/// A process of a job, as its launcher describes it.
///
/// | what | variables, the first that is set |
/// | --- | --- |
/// | rank | `RANK`, `OMPI_COMM_WORLD_RANK`, `PMI_RANK`, `SLURM_PROCID` |
/// | ranks | `WORLD_SIZE`, `OMPI_COMM_WORLD_SIZE`, `PMI_SIZE`, `SLURM_NTASKS` |
/// | rank on this host | `LOCAL_RANK`, `OMPI_COMM_WORLD_LOCAL_RANK`, `MPI_LOCALRANKID`, `SLURM_LOCALID` |
/// | rank 0's host | `MASTER_ADDR`, the first host of `SLURM_STEP_NODELIST`, `SLURM_JOB_NODELIST`; 127.0.0.1 where all ranks are on one host |
/// | rank 0's port | `TRIBIN_PORT`, `MASTER_PORT` (under torchrun, whose own store listens there, the next one), else one that follows from the job's number |
/// | token | `TRIBIN_TOKEN`, else the launcher's number for the job |
/// | seconds to wait for all | `TRIBIN_WAIT` |
///
/// ```
/// use tribin::ranks::Environment;
///
/// let set = [("RANK", "1"), ("WORLD_SIZE", "4"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "29500")];
/// let environment = Environment::from_variables(|name| {
///     set.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
/// })?;
/// assert_eq!((environment.rank(), environment.ranks()), (1, 4));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    pub(super) rank: u32,
    pub(super) ranks: u32,
    pub(super) local_rank: Option<u32>,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) token: JobToken,
    pub(super) wait: Duration,
}

impl Environment {
    /// The place of this process in its job, as the environment says.
    ///
    /// # Errors
    /// [`Error::Usage`] names the variable that is missing, malformed, or contradicts another.
    pub fn of_process() -> Result<Environment> {
        Environment::from_variables(|name| std::env::var_os(name))
    }

    /// The environment that these variables say. Nothing else is looked at.
    ///
    /// # Errors
    /// [`Error::Usage`] names the variable that is missing, malformed, or contradicts another.
    pub fn from_variables(get: impl Fn(&str) -> Option<OsString>) -> Result<Environment> {
        let variables = Variables(&get);
        let Some(names) = LAUNCHERS.iter().find(|names| variables.is_set(names.rank)) else {
            let found = match variables.text("WORLD_SIZE")? {
                Some(size) => format!("RANK is not set, and WORLD_SIZE is `{size}`"),
                None => "no launcher has said which rank this process is".to_owned(),
            };
            return usage(format!(
                "{found}: start it with torchrun, srun or mpirun, or set RANK, WORLD_SIZE, MASTER_ADDR and \
                 MASTER_PORT"
            ));
        };
        let rank: u32 = variables.number(names.rank)?.unwrap_or(0);
        let own: Option<u32> = variables.number(names.ranks)?;
        // Scripts for srun set it too.
        let world: Option<u32> = variables.number("WORLD_SIZE")?;
        let (ranks, told_by) = match (own, world) {
            (Some(own), Some(world)) if own != world => {
                return usage(format!(
                    "WORLD_SIZE is {world} and {} is {own}: both are the number of ranks",
                    names.ranks
                ));
            }
            (Some(own), _) => (own, names.ranks),
            (None, Some(world)) => (world, "WORLD_SIZE"),
            (None, None) => {
                return usage(format!(
                    "{} is not set, and {} is {rank}: set it to the number of ranks",
                    names.ranks, names.rank
                ));
            }
        };
        if ranks == 0 || ranks > MOST_RANKS {
            return usage(format!("{told_by} is {ranks}: a job has from 1 to {MOST_RANKS} ranks"));
        }
        if rank >= ranks {
            return usage(format!(
                "{} is {rank}, and {told_by} is {ranks}: ranks are numbered from 0",
                names.rank
            ));
        }
        let local_rank = variables.number(names.local_rank)?;
        let local_rank = match local_rank {
            None => variables.number("LOCAL_RANK")?,
            some => some,
        };
        if let Some(local) = local_rank
            && local > rank
        {
            return usage(format!(
                "{} is {local}, and {} is {rank}: no rank has a larger number on its host than in the job",
                names.local_rank, names.rank
            ));
        }
        let all_local = ranks == 1 || variables.number::<u32>(names.local_ranks)? == Some(ranks);
        let host = variables.host(names, all_local)?;
        let job = variables.job()?;
        let port = variables.port(ranks, job.as_deref())?;
        let token = match variables.text("TRIBIN_TOKEN")? {
            Some(given) => JobToken::given(&given).map_err(|why| {
                Error::Usage(
                    format!("TRIBIN_TOKEN {why}: set it to the same text for all ranks").into(),
                )
            })?,
            None => match job {
                Some(job) => JobToken::of_job(&job),
                None if ranks == 1 || is_loopback(&host) => JobToken::of_job(""),
                None => {
                    return usage(format!(
                        "TRIBIN_TOKEN is not set, and no launcher has given the job a number: ranks meet at {host}, \
                         where others can connect too; set it to the same secret text for all ranks"
                    ));
                }
            },
        };
        let wait = variables.number("TRIBIN_WAIT")?.unwrap_or(WAIT);
        if wait == 0 || wait > 86_400 {
            return usage(format!("TRIBIN_WAIT is {wait}: it is from 1 to 86400 seconds"));
        }
        let wait = Duration::from_secs(wait);
        Ok(Environment { rank, ranks, local_rank, host, port, token, wait })
    }

    /// The number of this process among those of the job, from 0.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// The number of processes.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// The number of this process among those of its host, from 0: the GPU that it should take. `None` where nobody says.
    pub fn local_rank(&self) -> Option<u32> {
        self.local_rank
    }

    /// The address at which rank 0 listens.
    pub fn address(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

/// Whether a host is this one under a name that no other host has.
pub(super) fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

fn usage<T>(message: String) -> Result<T> {
    Err(Error::Usage(Message::from(message)))
}

struct Variables<'a>(&'a dyn Fn(&str) -> Option<OsString>);

impl Variables<'_> {
    fn is_set(&self, name: &str) -> bool {
        (self.0)(name).is_some_and(|value| !value.is_empty())
    }

    /// The value; an empty one is none.
    fn text(&self, name: &str) -> Result<Option<String>> {
        let Some(value) = (self.0)(name).filter(|value| !value.is_empty()) else { return Ok(None) };
        match value.into_string() {
            Ok(value) => Ok(Some(value)),
            Err(_) => usage(format!("{name} is no UTF-8 text")),
        }
    }

    fn number<N: std::str::FromStr>(&self, name: &str) -> Result<Option<N>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse().ok().filter(|_| is_digits) {
            Some(number) => Ok(Some(number)),
            None if name == "SLURM_NTASKS_PER_NODE" => Ok(None),
            None => usage(format!("{name} is `{text}`, and a whole number was expected")),
        }
    }

    /// The host of rank 0.
    fn host(&self, names: &LauncherNames, all_local: bool) -> Result<String> {
        if let Some(host) = self.text("MASTER_ADDR")? {
            let is_host = !host.contains(|c: char| c.is_whitespace() || c == '/');
            return match is_host {
                true => Ok(host.trim_start_matches('[').trim_end_matches(']').to_owned()),
                false => usage(format!("MASTER_ADDR is `{host}`, and a host was expected")),
            };
        }
        if all_local {
            return Ok("127.0.0.1".to_owned());
        }
        if names.rank == "SLURM_PROCID" {
            for name in ["SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"] {
                if let Some(list) = self.text(name)? {
                    return match first_host(&list) {
                        Some(host) => Ok(host),
                        None => usage(format!(
                            "{name} is `{list}`, and a list of hosts was expected: set MASTER_ADDR to the host of \
                             rank 0"
                        )),
                    };
                }
            }
        }
        usage("MASTER_ADDR is not set: set it to the host of rank 0, for all ranks".to_owned())
    }

    /// The launcher's name of the job.
    fn job(&self) -> Result<Option<String>> {
        for names in JOBS {
            let first = self.text(names[0])?;
            // torchrun's word for a job that nobody has named.
            let Some(mut job) = first.filter(|job| job != "none") else { continue };
            for name in &names[1..] {
                job = format!("{job}.{}", self.text(name)?.unwrap_or_default());
            }
            return Ok(Some(format!("{}={job}", names[0])));
        }
        Ok(None)
    }

    /// The port of rank 0.
    fn port(&self, ranks: u32, job: Option<&str>) -> Result<u16> {
        let port = |name: &str| match self.number::<u64>(name)? {
            Some(0) => usage(format!("{name} is 0: it is the port at which rank 0 listens")),
            Some(port) => match u16::try_from(port) {
                Ok(port) => Ok(Some(port)),
                Err(_) => usage(format!("{name} is {port}: ports are 1 to {}", u16::MAX)),
            },
            None => Ok(None),
        };
        if let Some(port) = port("TRIBIN_PORT")? {
            return Ok(port);
        }
        if let Some(port) = port("MASTER_PORT")? {
            if !self.is_set("TORCHELASTIC_RUN_ID") {
                return Ok(port);
            }
            return match port.checked_add(1) {
                Some(next) => Ok(next),
                None => usage(format!(
                    "MASTER_PORT is {port}, where torchrun itself listens, and no port follows: set TRIBIN_PORT to \
                     another one"
                )),
            };
        }
        match job {
            Some(job) => {
                let hash = super::token::fnv(job.as_bytes());
                Ok((PORTS.start + hash % (PORTS.end - PORTS.start)) as u16)
            }
            None if ranks == 1 => Ok(1),
            None => usage(
                "MASTER_PORT is not set: set it to a free port of rank 0's host, for all ranks"
                    .to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(set: &[(&str, &str)]) -> Result<Environment, String> {
        let get = |name: &str| {
            set.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
        };
        Environment::from_variables(get).map_err(|error| {
            assert!(matches!(error, Error::Usage(_)));
            error.to_string()
        })
    }

    const BY_HAND: [(&str, &str); 4] =
        [("RANK", "1"), ("WORLD_SIZE", "3"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "4000")];

    fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        // The first of a name counts.
        [more, &BY_HAND[..]].concat()
    }

    #[test]
    fn every_launcher_is_understood() {
        let told = |set: &[(&str, &str)]| {
            let environment = of(set).unwrap();
            let Environment { rank, ranks, local_rank, .. } = environment;
            (rank, ranks, local_rank, environment.address())
        };
        assert_eq!(told(&BY_HAND), (1, 3, None, "127.0.0.1:4000".into()));
        let six = with(&[("MASTER_ADDR", "::1"), ("LOCAL_RANK", "0")]);
        assert_eq!(told(&six), (1, 3, Some(0), "[::1]:4000".into()));
        // torchrun listens at its own port.
        let torchrun = with(&[
            ("LOCAL_RANK", "1"),
            ("MASTER_ADDR", "node7"),
            ("TORCHELASTIC_RUN_ID", "night"),
        ]);
        assert_eq!(told(&torchrun), (1, 3, Some(1), "node7:4001".into()));
        let own = [&torchrun[..], &[("TRIBIN_PORT", "5000")]].concat();
        assert_eq!(told(&own).3, "node7:5000");
        let srun = [
            ("SLURM_PROCID", "5"),
            ("SLURM_NTASKS", "8"),
            ("SLURM_LOCALID", "1"),
            ("SLURM_STEP_NODELIST", "gpu[07-08],login"),
            ("SLURM_JOB_ID", "812"),
            ("SLURM_STEP_ID", "0"),
        ];
        let (rank, ranks, local, address) = told(&srun);
        assert_eq!((rank, ranks, local), (5, 8, Some(1)));
        let port: u64 = address.strip_prefix("gpu07:").unwrap().parse().unwrap();
        assert!(PORTS.contains(&port));
        // What scripts for srun set by hand.
        let by_hand =
            [&srun[..], &[("WORLD_SIZE", "8"), ("MASTER_ADDR", "h"), ("MASTER_PORT", "7")]];
        assert_eq!(told(&by_hand.concat()), (5, 8, Some(1), "h:7".into()));
        // torchrun under srun, and mpirun under srun: the inner one counts.
        assert_eq!(told(&[&torchrun[..], &srun].concat()).0, 1);
        let mpirun = [
            ("OMPI_COMM_WORLD_RANK", "2"),
            ("OMPI_COMM_WORLD_SIZE", "4"),
            ("OMPI_COMM_WORLD_LOCAL_RANK", "2"),
            ("OMPI_COMM_WORLD_LOCAL_SIZE", "4"),
            ("PMIX_NAMESPACE", "prterun-1"),
        ];
        let (rank, ranks, local, address) = told(&[&mpirun[..], &srun].concat());
        assert_eq!((rank, ranks, local), (2, 4, Some(2)));
        assert!(address.starts_with("127.0.0.1:"));
        let hydra = [
            ("PMI_RANK", "0"),
            ("PMI_SIZE", "2"),
            ("MASTER_ADDR", "localhost"),
            ("MASTER_PORT", "9"),
        ];
        assert_eq!(told(&hydra), (0, 2, None, "localhost:9".into()));
        // One rank needs nobody to meet.
        assert_eq!(told(&[("RANK", "0"), ("WORLD_SIZE", "1")]).1, 1);
    }

    #[test]
    fn tokens_are_given_or_follow_from_the_job() {
        let token = |set: &[(&str, &str)]| of(set).unwrap().token;
        let given = token(&with(&[("TRIBIN_TOKEN", "secret"), ("SLURM_JOB_ID", "1")]));
        assert_eq!(given, JobToken::given("secret").unwrap());
        let job = |id| token(&with(&[("SLURM_JOB_ID", id), ("MASTER_ADDR", "node7")]));
        assert_eq!(job("1"), job("1"));
        assert_ne!(job("1"), job("2"));
        // On the loopback address alone nobody else can connect.
        assert_eq!(token(&BY_HAND), JobToken::of_job(""));
        for more in [vec![], vec![("TORCHELASTIC_RUN_ID", "none")]] {
            let open = with(&[&more[..], &[("MASTER_ADDR", "node7")]].concat());
            assert!(of(&open).unwrap_err().starts_with("TRIBIN_TOKEN is not set"));
        }
    }

    #[test]
    fn gaps_and_contradictions_name_the_variable() {
        for (set, message) in [
            (
                vec![],
                "no launcher has said which rank this process is: start it with torchrun, srun or mpirun",
            ),
            (vec![("WORLD_SIZE", "2")], "RANK is not set, and WORLD_SIZE is `2`"),
            (vec![("RANK", "0")], "WORLD_SIZE is not set, and RANK is 0"),
            (vec![("RANK", ""), ("WORLD_SIZE", "2")], "RANK is not set"),
            (vec![("SLURM_PROCID", "0")], "SLURM_NTASKS is not set, and SLURM_PROCID is 0"),
            (with(&[("RANK", "one")]), "RANK is `one`, and a whole number was expected"),
            (with(&[("RANK", "+1")]), "RANK is `+1`, and a whole number"),
            (with(&[("RANK", "-1")]), "RANK is `-1`, and a whole number"),
            (
                with(&[("WORLD_SIZE", "99999999999")]),
                "WORLD_SIZE is `99999999999`, and a whole number",
            ),
            (with(&[("RANK", "3")]), "RANK is 3, and WORLD_SIZE is 3: ranks are numbered from 0"),
            (with(&[("WORLD_SIZE", "0")]), "WORLD_SIZE is 0: a job has from 1 to 1024 ranks"),
            (with(&[("WORLD_SIZE", "1025")]), "WORLD_SIZE is 1025"),
            (with(&[("LOCAL_RANK", "2")]), "LOCAL_RANK is 2, and RANK is 1"),
            (with(&[("MASTER_PORT", "0")]), "MASTER_PORT is 0"),
            (with(&[("MASTER_PORT", "65536")]), "MASTER_PORT is 65536: ports are 1 to 65535"),
            (with(&[("TRIBIN_PORT", "x")]), "TRIBIN_PORT is `x`"),
            (with(&[("MASTER_ADDR", "http://a/b")]), "MASTER_ADDR is `http://a/b`"),
            (with(&[("MASTER_ADDR", "")]), "MASTER_ADDR is not set"),
            (with(&[("MASTER_PORT", "")]), "MASTER_PORT is not set"),
            (
                with(&[("MASTER_PORT", "65535"), ("TORCHELASTIC_RUN_ID", "a")]),
                "MASTER_PORT is 65535, where torchrun itself listens, and no port follows: set TRIBIN_PORT",
            ),
            (with(&[("TRIBIN_WAIT", "0")]), "TRIBIN_WAIT is 0"),
            (with(&[("TRIBIN_WAIT", "soon")]), "TRIBIN_WAIT is `soon`"),
            (
                vec![("SLURM_PROCID", "0"), ("SLURM_NTASKS", "4"), ("WORLD_SIZE", "2")],
                "WORLD_SIZE is 2 and SLURM_NTASKS is 4: both are the number of ranks",
            ),
            (
                vec![("SLURM_PROCID", "0"), ("SLURM_NTASKS", "4"), ("SLURM_JOB_NODELIST", "a[")],
                "SLURM_JOB_NODELIST is `a[`",
            ),
            (
                vec![
                    ("OMPI_COMM_WORLD_RANK", "0"),
                    ("OMPI_COMM_WORLD_SIZE", "4"),
                    ("OMPI_COMM_WORLD_LOCAL_SIZE", "2"),
                ],
                "MASTER_ADDR is not set",
            ),
        ] {
            let found = of(&set).unwrap_err();
            assert!(found.starts_with(message), "{set:?}: {found}");
        }
        let long = "x".repeat(300);
        let found = of(&with(&[("TRIBIN_TOKEN", &long)])).unwrap_err();
        assert!(found.starts_with("TRIBIN_TOKEN has 300 bytes"), "{found}");
    }
}
