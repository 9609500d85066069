//! Exchange by copies from device to device: each takes what it needs from the others.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use tribin_device::launch::{Buffer, Device, Element, Peer, Shape};
use tribin_kernels::parts::{self, add_words, raise_words};

use super::{Broken, Exchange, Parts, Pieces, Reduction, parts_of};
use crate::Error;
use crate::device::team::Team;

/// Blocks a multiprocessor of the kernels that stride over words.
const BLOCKS: u32 = 32;

/// Copies between the devices of a team, all of which this process has.
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
        (from, places): (&Buffer<T, D>, std::ops::Range<u64>),
    ) -> Result<(), D::Error> {
        if own != owner {
            let len = places.end.saturating_sub(places.start);
            self.bytes.fetch_add(len * size_of::<T>() as u64, Relaxed);
        }
        let [device, other] = [own, owner].map(|number| self.team.device(number));
        to.copy_from(device, start, other, from, places)
    }
}

/// The share of device `number` of `n` words: where it begins, and where it ends.
fn share(number: usize, devices: usize, n: u64) -> std::ops::Range<u64> {
    let at = |number: usize| (u128::from(n) * number as u128 / devices as u128) as u64;
    at(number)..at(number + 1)
}

impl<D> Exchange<D> for PeerCopies<D>
where
    D: Peer<Error: Send, Memory: Send + Sync> + Send + Sync + 'static,
{
    fn team(&self) -> &Team<D> {
        &self.team
    }

    fn first(&self) -> usize {
        0
    }

    fn devices(&self) -> usize {
        self.team.len()
    }

    /// There is nobody to agree with.
    fn agree(&self, words: Vec<u64>, _: fn(u64, u64) -> u64) -> Result<Vec<u64>, Error> {
        Ok(words)
    }

    /// Every device reduces a share of the words, and takes the other shares from the others: each brings over
    /// twice its words but for a share.
    fn all_reduce(
        &self,
        words: Vec<Buffer<u32, D>>,
        by: Reduction,
    ) -> Result<Vec<Buffer<u32, D>>, Broken<D::Error>> {
        let devices = self.team.len();
        if devices == 1 {
            return Ok(words);
        }
        self.timed(|| {
            let n = words[0].len();
            let reduced = self.team.each(|own, device| {
                let places = share(own, devices, n);
                let len = places.end - places.start;
                let mut sum = Buffer::uninitialized(device, len)?;
                let mut other = Buffer::uninitialized(device, len)?;
                self.take(own, (&mut sum, 0), own, (&words[own], places.clone()))?;
                for owner in self.others(own) {
                    self.take(own, (&mut other, 0), owner, (&words[owner], places.clone()))?;
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
            let all = self.team.step(words, |own, _, mut words| {
                for owner in self.others(own).chain([own]) {
                    let places = share(owner, devices, n);
                    let len = places.end - places.start;
                    self.take(own, (&mut words, places.start), owner, (&reduced[owner], 0..len))?;
                }
                Ok(words)
            })?;
            Ok(all)
        })
    }

    fn all_to_all(&self, pieces: Vec<Pieces<D>>) -> Result<Vec<Parts<D>>, Broken<D::Error>> {
        let devices = self.team.len();
        let parts = pieces[0].cuts.len() - 1;
        self.timed(|| {
            let taken = self.team.each(|own, device| {
                let take = |part: usize| {
                    let lengths =
                        pieces.iter().map(|piece| piece.cuts[part + 1] - piece.cuts[part]);
                    let mut starts = vec![0];
                    starts.extend(lengths.scan(0, |end, len| {
                        *end += len;
                        Some(*end)
                    }));
                    let mut taken = Buffer::uninitialized(device, starts[devices])?;
                    for owner in self.others(own).chain([own]) {
                        let piece = &pieces[owner];
                        let places = piece.cuts[part]..piece.cuts[part + 1];
                        self.take(own, (&mut taken, starts[owner]), owner, (&piece.words, places))?;
                    }
                    Ok(taken)
                };
                parts_of(own, devices, parts).map(take).collect::<Result<Vec<_>, D::Error>>()
            })?;
            Ok(taken)
        })
    }

    fn all_gather(
        &self,
        blocks: &[Vec<Buffer<u32, D>>],
        starts: &[u64],
        into: Vec<Buffer<u32, D>>,
    ) -> Result<Vec<Buffer<u32, D>>, Broken<D::Error>> {
        let (devices, parts) = (self.team.len(), starts.len() - 1);
        self.timed(|| {
            let gathered = self.team.step(into, |own, _, mut into| {
                for owner in self.others(own).chain([own]) {
                    for (part, block) in parts_of(owner, devices, parts).zip(&blocks[owner]) {
                        let len = starts[part + 1] - starts[part];
                        self.take(own, (&mut into, starts[part]), owner, (block, 0..len))?;
                    }
                }
                Ok(into)
            })?;
            Ok(gathered)
        })
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    fn seconds(&self) -> f64 {
        self.nanoseconds.load(Relaxed) as f64 / 1e9
    }
}
