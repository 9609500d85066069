//! How the devices of a team bring each other what they have: by copies, where each takes what it needs from the others. Since a device
//! is a peer of itself, this serves several parts on one GPU or in the emulator, too.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use tribin_kernels::parts::{self, add_words, raise_words};
use warpwise_device::launch::{Buffer, Device, Element, Peer, Shape};

use crate::device::team::{Failed, Team, share};

/// Blocks a multiprocessor of the kernels that stride over words.
const BLOCKS: u32 = 32;

/// The word that [`PeerCopies::all_reduce`] makes of those of all devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// The sum of the words, modulo 2³².
    Sum,
    /// The largest of the words.
    Largest,
}

/// Words of one device that are cut into a piece for each part.
pub struct Pieces<D: Device> {
    /// The pieces, one after another.
    pub words: Buffer<u64, D>,
    /// Where each piece begins, and where the last one ends.
    pub cuts: Vec<u64>,
}

impl<D: Device> Pieces<D> {
    /// Where the piece of a part is: nowhere if there is no such part.
    fn places(&self, part: usize) -> Range<u64> {
        match self.cuts.get(part..part + 2) {
            Some(ends) => ends[0]..ends[1],
            None => 0..0,
        }
    }
}

/// Copies between the devices of a team, which are called by their number in it. Part q is on device q modulo the number of
/// devices.
///
/// Vectors have an entry for each device. Whatever fails ends the call on all devices, with the error of the first that
/// failed.
pub struct PeerCopies<D: Device + 'static> {
    team: Team<D>,
    bytes: AtomicU64,
    nanoseconds: AtomicU64,
}

impl<D> PeerCopies<D>
where
    D: Peer<Error: Send, Memory: Send + Sync> + Send + Sync + 'static,
{
    /// Between the devices of this team.
    pub fn new(team: Team<D>) -> PeerCopies<D> {
        PeerCopies { team, bytes: AtomicU64::new(0), nanoseconds: AtomicU64::new(0) }
    }

    /// Adds the time that something takes.
    fn timed<R>(&self, run: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = run();
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Relaxed);
        result
    }

    /// All devices but `own`, each starting with the one after it: no device is asked by all others at once.
    fn others(&self, own: usize) -> impl Iterator<Item = usize> + use<D> {
        let all = self.team.len();
        (1..all).map(move |step| (own + step) % all)
    }

    /// Copies elements of a device to `to` on device `own`, from place `start` on.
    fn take<T: Element>(
        &self,
        own: usize,
        (to, start): (&mut Buffer<T, D>, u64),
        owner: usize,
        (from, places): (&Buffer<T, D>, Range<u64>),
    ) -> Result<(), D::Error> {
        if own != owner {
            let len = places.end.saturating_sub(places.start);
            self.bytes.fetch_add(len * size_of::<T>() as u64, Relaxed);
        }
        let [device, other] = [own, owner].map(|number| self.team.device(number));
        to.copy_from(device, start, other, from, places)
    }

    /// The devices.
    pub fn team(&self) -> &Team<D> {
        &self.team
    }

    /// How many devices there are.
    pub fn devices(&self) -> usize {
        self.team.len()
    }

    /// Device i gives `words[i]`, and has there afterwards what the reduction makes of the words of all. All arrays are
    /// of one length.
    ///
    /// Every device reduces a share of the words, and takes the other shares from the others: each brings over
    /// twice its words but for a share.
    ///
    /// # Errors
    /// What a device reports.
    pub fn all_reduce(
        &self,
        words: Vec<&mut Buffer<u32, D>>,
        by: Reduction,
    ) -> Result<(), Failed<D::Error>> {
        let devices = self.team.len();
        if devices == 1 {
            return Ok(());
        }
        self.timed(|| {
            let n = words[0].len();
            let reduced = self.team.each(|own, device| {
                let places = share(own, devices, n);
                let len = places.end - places.start;
                let mut sum = Buffer::uninitialized(device, len)?;
                let mut other = Buffer::uninitialized(device, len)?;
                self.take(own, (&mut sum, 0), own, (&*words[own], places.clone()))?;
                for owner in self.others(own) {
                    let from = (&*words[owner], places.clone());
                    self.take(own, (&mut other, 0), owner, from)?;
                    let shape = Shape::cover(len, parts::BLOCK, device.multiprocessors() * BLOCKS);
                    match by {
                        Reduction::Sum => {
                            add_words(device, shape, other.view(), sum.view_mut(), len)?
                        }
                        Reduction::Largest => {
                            raise_words(device, shape, other.view(), sum.view_mut(), len)?;
                        }
                    }
                }
                Ok(sum)
            })?;
            self.team.step(words, |own, _, words| {
                for owner in self.others(own).chain([own]) {
                    let places = share(owner, devices, n);
                    let len = places.end - places.start;
                    let from = (&reduced[owner], 0..len);
                    self.take(own, (&mut *words, places.start), owner, from)?;
                }
                Ok(())
            })?;
            Ok(())
        })
    }

    /// Device i gives `pieces[i]`, one for each part. With p devices, device d takes the pieces of part d + `turn` · p
    /// at this turn, in the order of the devices. If there is no such part, it takes nothing.
    ///
    /// # Errors
    /// What a device reports.
    pub fn all_to_all(
        &self,
        pieces: &[Pieces<D>],
        turn: usize,
    ) -> Result<Vec<Buffer<u64, D>>, Failed<D::Error>> {
        let devices = self.team.len();
        self.timed(|| {
            self.team.each(|own, device| {
                let part = own + turn * devices;
                let places = |owner: usize| pieces[owner].places(part);
                let mut starts = vec![0];
                for owner in 0..devices {
                    starts.push(starts[owner] + places(owner).end - places(owner).start);
                }
                let mut taken = Buffer::uninitialized(device, starts[devices])?;
                for owner in self.others(own).chain([own]) {
                    let from = (&pieces[owner].words, places(owner));
                    self.take(own, (&mut taken, starts[owner]), owner, from)?;
                }
                Ok(taken)
            })
        })
    }

    /// Every device takes the blocks of all parts. `blocks[i]` are those of device i's own parts, turn by turn. That of part q goes
    /// to the places `starts[q]..starts[q + 1]` of an array on every device; what a block has behind as many words is nobody's.
    ///
    /// # Errors
    /// What a device reports.
    pub fn all_gather(
        &self,
        blocks: &[Vec<Buffer<u32, D>>],
        starts: &[u64],
    ) -> Result<Vec<Buffer<u32, D>>, Failed<D::Error>> {
        let (devices, parts) = (self.team.len(), starts.len() - 1);
        self.timed(|| {
            self.team.each(|own, device| {
                let mut all = Buffer::uninitialized(device, starts[parts])?;
                for owner in self.others(own).chain([own]) {
                    for (turn, block) in blocks[owner].iter().enumerate() {
                        let part = owner + turn * devices;
                        if part < parts {
                            let len = starts[part + 1] - starts[part];
                            self.take(own, (&mut all, starts[part]), owner, (block, 0..len))?;
                        }
                    }
                }
                Ok(all)
            })
        })
    }

    /// Bytes that devices have taken from other devices so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Seconds that these functions took so far.
    pub fn seconds(&self) -> f64 {
        self.nanoseconds.load(Relaxed) as f64 / 1e9
    }
}
