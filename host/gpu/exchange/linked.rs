//! Exchange between the devices of several processes.
//!
//! A [`Wire`] carries what devices have, and [`Peers`] carries the lengths of it and what all go by. Nobody waits for
//! a device or a process that is gone: whoever waits looks again and again whether the others are there.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use tribin_device::launch::{Buffer, Device, Peer, View, ViewMut};

use super::{Broken, Exchange, Pieces, Reduction, Taken, blocks_of};
use crate::device::team::Team;
use crate::{Error, Result};

/// The processes whose devices are one team.
pub trait Peers: Send + Sync {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn ranks(&self) -> usize;

    /// What every process gives, in the order of the processes. All call it as often.
    ///
    /// # Errors
    /// Where another process does not answer.
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>>;

    /// Looks whether the others are there, and does not wait.
    ///
    /// # Errors
    /// Where another process has ended or failed.
    fn check(&self) -> Result<()>;
}

/// Looks whether all that a device waits for may still come. Whoever waits calls it every few milliseconds at least.
pub type Watch<'w> = &'w (dyn Fn() -> Result<()> + Sync);

/// Memory that a device takes from another, and the number of the other.
pub type Take<'v, D> = (usize, ViewMut<'v, u8, D>);

/// Carries what devices have from one to another, of whichever process each is. Devices are called by their number
/// in the whole team. Every device calls the same functions in the same order, each on its own thread.
pub trait Wire<D: Device>: Send + Sync {
    /// Puts in the place of device `own`'s words what the reduction makes of those of all devices, which are as many,
    /// and waits until that is done.
    ///
    /// # Errors
    /// What the device, the wire or `watch` reports. Nothing uses the words any more.
    fn all_reduce(
        &self,
        own: usize,
        device: &D,
        words: ViewMut<'_, u32, D>,
        by: Reduction,
        watch: Watch,
    ) -> Result<()>;

    /// Gives memory of device `own` to others and takes theirs, all at the same time, and waits until that is done.
    /// What one gives to another, the other takes in its call at the same turn, in the same order and lengths. None
    /// of it is empty, and no device gives to itself.
    ///
    /// # Errors
    /// What the device, the wire or `watch` reports. Nothing uses the memory any more.
    fn swap(
        &self,
        own: usize,
        device: &D,
        given: &[(usize, View<'_, u8, D>)],
        taken: Vec<Take<'_, D>>,
        watch: Watch,
    ) -> Result<()>;
}

/// The devices of this process among those of several.
pub struct Linked<D: Device + 'static, W> {
    team: Team<D>,
    first: usize,
    devices: usize,
    peers: Arc<dyn Peers>,
    wire: W,
    bytes: AtomicU64,
    nanoseconds: AtomicU64,
}

/// Says to all that wait in this process that one of them ended early, unless it is dropped [done](Self::done).
struct Ended<'f>(Option<&'f AtomicBool>);

impl Ended<'_> {
    fn done(mut self) {
        self.0 = None;
    }
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        if let Some(flag) = self.0 {
            flag.store(true, Relaxed);
        }
    }
}

impl<D, W> Linked<D, W>
where
    D: Peer<Error: Send, Memory: Send + Sync> + Send + Sync + 'static,
    W: Wire<D>,
{
    /// Joins the devices of this process to those of the others, by the wire that `connect` makes for the devices from
    /// its second argument on, of as many as its third says.
    ///
    /// # Errors
    /// Where another process does not answer, and those of `connect`.
    pub fn join(
        team: Team<D>,
        peers: Arc<dyn Peers>,
        connect: impl FnOnce(&Team<D>, usize, usize) -> Result<W>,
    ) -> Result<Linked<D, W>> {
        let all = words_of_all(&*peers, &[team.len() as u64])?;
        let of_processes: Vec<usize> = all.iter().map(|words| words[0] as usize).collect();
        let first = of_processes[..peers.rank()].iter().sum();
        let devices = of_processes.iter().sum();
        let wire = connect(&team, first, devices)?;
        let (bytes, nanoseconds) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Linked { team, first, devices, peers, wire, bytes, nanoseconds })
    }

    /// Adds the time that something takes.
    fn timed<R>(&self, run: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = run();
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Relaxed);
        result
    }

    /// A step in which devices wait for one another. A device that fails ends it for those that wait in this process,
    /// and those in others see that this one ends.
    fn together<T: Send, R: Send>(
        &self,
        inputs: Vec<T>,
        job: impl Fn(usize, &D, T, Watch) -> Result<Result<R>, D::Error> + Sync,
    ) -> Result<Vec<R>, Broken<D::Error>> {
        let flag = AtomicBool::new(false);
        let watch = || match flag.load(Relaxed) {
            true => Err(Error::Cancelled),
            false => self.peers.check(),
        };
        let found = self.team.step(inputs, |own, device, input| {
            let ended = Ended(Some(&flag));
            let found = job(own, device, input, &watch)?;
            if found.is_ok() {
                ended.done();
            }
            Ok(found)
        })?;
        all_done(found).map_err(Broken::Peers)
    }

    fn took(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Relaxed);
    }
}

/// What all devices of a process did, or why they did not. One that waited for one that failed was cancelled, and says
/// less than that one.
pub(super) fn all_done<R>(found: Vec<Result<R>>) -> Result<Vec<R>> {
    let mut done = Vec::with_capacity(found.len());
    let mut broken = None;
    for found in found {
        match found {
            Ok(found) => done.push(found),
            Err(error) if matches!(broken, None | Some(Error::Cancelled)) => broken = Some(error),
            Err(_) => {}
        }
    }
    broken.map_or(Ok(done), Err)
}

/// Some words of each process, in the order of the processes. All give as many.
fn words_of_all(peers: &dyn Peers, own: &[u64]) -> Result<Vec<Vec<u64>>> {
    let own: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
    let words = |(rank, bytes): (usize, Vec<u8>)| {
        if bytes.len() != own.len() {
            let (expected, found) = (own.len(), bytes.len());
            return Err(Error::Device(
                format!("rank {rank} answered with {found} bytes where {expected} were expected")
                    .into(),
            ));
        }
        Ok(bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
    };
    peers.all_gather(&own)?.into_iter().enumerate().map(words).collect()
}

/// Words of all processes, which may give different numbers of them, in the order of the processes.
fn lists_of_all(peers: &dyn Peers, own: &[u64]) -> Result<Vec<u64>> {
    let lens = words_of_all(peers, &[own.len() as u64])?;
    let most = lens.iter().map(|len| len[0]).max().unwrap_or(0) as usize;
    let mut padded = own.to_vec();
    padded.resize(most, 0);
    let mut all = Vec::new();
    for (words, len) in words_of_all(peers, &padded)?.into_iter().zip(&lens) {
        all.extend_from_slice(&words[..len[0] as usize]);
    }
    Ok(all)
}

impl<D, W> Exchange<D> for Linked<D, W>
where
    D: Peer<Error: Send, Memory: Send + Sync> + Send + Sync + 'static,
    W: Wire<D>,
{
    fn team(&self) -> &Team<D> {
        &self.team
    }

    fn first(&self) -> usize {
        self.first
    }

    fn devices(&self) -> usize {
        self.devices
    }

    fn agree(&self, words: Vec<u64>, by: fn(u64, u64) -> u64) -> Result<Vec<u64>> {
        let all = self.timed(|| words_of_all(&*self.peers, &words))?;
        let both = |one: Vec<u64>, other: Vec<u64>| {
            one.into_iter().zip(other).map(|(one, other)| by(one, other)).collect()
        };
        Ok(all.into_iter().reduce(both).unwrap_or_default())
    }

    fn all_reduce(
        &self,
        words: Vec<Buffer<u32, D>>,
        by: Reduction,
    ) -> Result<Vec<Buffer<u32, D>>, Broken<D::Error>> {
        if self.devices == 1 {
            return Ok(words);
        }
        self.timed(|| {
            self.together(words, |own, device, mut words, watch| {
                // Each takes the words of another twice, but for a share, whichever way the wire goes.
                let others = self.devices as u64 - 1;
                self.took(2 * 4 * words.len() * others / self.devices as u64);
                let reduced = match words.is_empty() {
                    true => Ok(()),
                    false => {
                        let own = self.first + own;
                        self.wire.all_reduce(own, device, words.view_mut(), by, watch)
                    }
                };
                Ok(reduced.map(|()| words))
            })
        })
    }

    /// What `beside` asks for is done before the others are waited for.
    fn all_to_all<K: Send, R: Send>(
        &self,
        pieces: &[Pieces<D>],
        turn: usize,
        keepers: Vec<K>,
        beside: impl Fn(usize, &D, K) -> Result<R, D::Error> + Sync,
    ) -> Result<Taken<u64, D, R>, Broken<D::Error>> {
        let (first, devices) = (self.first, self.devices);
        let made = self.team.step(keepers, &beside)?;
        let part_of = |device: usize| device + turn * devices;
        self.timed(|| {
            // What each device gives to each.
            let own: Vec<u64> = pieces
                .iter()
                .flat_map(|piece| (0..devices).map(|to| piece.places(part_of(to))))
                .map(|places| places.end - places.start)
                .collect();
            let lengths = lists_of_all(&*self.peers, &own).map_err(Broken::Peers)?;
            let length = |from: usize, to: usize| lengths[from * devices + to];
            // All memory first: nobody fails for want of it while others wait.
            let taken = self.team.each(|own, device| {
                let number = first + own;
                let total = (0..devices).map(|owner| length(owner, number)).sum();
                let before = (0..number).map(|owner| length(owner, number)).sum();
                let mut taken = Buffer::uninitialized(device, total)?;
                let places = pieces[own].places(part_of(number));
                taken.copy_from(device, before, device, &pieces[own].words, places)?;
                Ok(taken)
            })?;
            let inputs = taken.into_iter().zip(made).collect();
            self.together(inputs, |own, device, (mut taken, made), watch| {
                let number = first + own;
                let others = (0..devices).filter(|&other| other != number);
                let words = pieces[own].words.view();
                let given: Vec<_> = others
                    .map(|other| (other, pieces[own].places(part_of(other))))
                    .filter(|(_, places)| !places.is_empty())
                    .map(|(other, places)| {
                        (other, words.slice(places.start, places.end - places.start).cast())
                    })
                    .collect();
                let mut takes = Vec::new();
                let mut rest = taken.view_mut();
                for owner in 0..devices {
                    let (piece, after) = rest.split_at(length(owner, number));
                    rest = after;
                    if owner != number && !piece.is_empty() {
                        self.took(8 * piece.len());
                        takes.push((owner, piece.cast()));
                    }
                }
                let swapped = match given.is_empty() && takes.is_empty() {
                    true => Ok(()),
                    false => self.wire.swap(number, device, &given, takes, watch),
                };
                Ok(swapped.map(|()| (taken, made)))
            })
        })
    }

    /// What `beside` asks for is done before the others are waited for.
    fn all_gather<K: Send, R: Send>(
        &self,
        blocks: &[Vec<Buffer<u32, D>>],
        (starts, turns): (&[u64], Range<usize>),
        into: Vec<Buffer<u32, D>>,
        keepers: Vec<K>,
        beside: impl Fn(usize, &D, K) -> Result<R, D::Error> + Sync,
    ) -> Result<Taken<u32, D, R>, Broken<D::Error>> {
        let (first, devices, parts) = (self.first, self.devices, starts.len() - 1);
        let len_of = |part: usize| starts[part + 1] - starts[part];
        let made = self.team.step(keepers, &beside)?;
        let inputs = into.into_iter().zip(made).collect();
        self.timed(|| {
            self.together(inputs, |own, device, (mut into, made), watch| {
                let number = first + own;
                let own_blocks =
                    || blocks_of(&blocks[own], (number, devices), (parts, turns.clone()));
                for (part, block) in own_blocks() {
                    into.copy_from(device, starts[part], device, block, 0..len_of(part))?;
                }
                // At each step everybody gives to one and takes from one.
                for step in 1..devices {
                    let to = (number + step) % devices;
                    let from = (number + devices - step) % devices;
                    let given: Vec<_> = own_blocks()
                        .map(|(part, block)| (to, block.view().slice(0, len_of(part)).cast()))
                        .filter(|(_, block)| !block.is_empty())
                        .collect();
                    let mut takes = Vec::new();
                    let (mut rest, mut at) = (into.view_mut(), 0);
                    let theirs = turns.clone().map(|turn| from + turn * devices);
                    for part in theirs.filter(|&part| part < parts) {
                        let (_, behind) = rest.split_at(starts[part] - at);
                        let (block, behind) = behind.split_at(len_of(part));
                        (rest, at) = (behind, starts[part + 1]);
                        if !block.is_empty() {
                            self.took(4 * block.len());
                            takes.push((from, block.cast()));
                        }
                    }
                    if !(given.is_empty() && takes.is_empty()) {
                        let swapped = self.wire.swap(number, device, &given, takes, watch);
                        if let Err(error) = swapped {
                            return Ok(Err(error));
                        }
                    }
                }
                Ok(Ok((into, made)))
            })
        })
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    fn seconds(&self) -> f64 {
        self.nanoseconds.load(Relaxed) as f64 / 1e9
    }
}
