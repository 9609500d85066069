//! How the devices of a team bring each other what they have: by copies, where each takes what it needs from the others. Since a device
//! is a peer of itself, this serves several parts on one GPU or in the emulator, too.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tribin_device::launch::{Buffer, Device, Element, Peer, Shape};
use tribin_kernels::parts::{self, add_words, raise_words};

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

/// The words that each device took, and what it made meanwhile.
pub type Received<T, D, R> = Vec<(Buffer<T, D>, R)>;

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

    /// Adds the time that something takes, less the most that a device spent on something beside it.
    fn timed<R>(&self, run: impl FnOnce(&SideWork) -> R) -> R {
        let (start, beside) = (Instant::now(), SideWork::default());
        let result = run(&beside);
        let own = start.elapsed().saturating_sub(Duration::from_nanos(beside.slowest.into_inner()));
        self.nanoseconds.fetch_add(own.as_nanos() as u64, Relaxed);
        result
    }

    /// All devices but `own`, each starting with the one after it: no device is asked by all others at once.
    fn others(&self, own: usize) -> impl Iterator<Item = usize> + use<D> {
        let all = self.team.len();
        (1..all).map(move |step| (own + step) % all)
    }

    /// Copies elements of a device to `to` on device `own`, from place `start` on, with something that the device does meanwhile.
    fn take<T: Element>(
        &self,
        own: usize,
        (to, start): (&mut Buffer<T, D>, u64),
        owner: usize,
        (from, places): (&Buffer<T, D>, Range<u64>),
        beside: impl FnOnce() -> Result<(), D::Error>,
    ) -> Result<(), D::Error> {
        if own != owner {
            let len = places.end.saturating_sub(places.start);
            self.bytes.fetch_add(len * size_of::<T>() as u64, Relaxed);
        }
        let [device, other] = [own, owner].map(|number| self.team.device(number));
        to.copy_from_beside(device, start, (other, from, places), beside)
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
        let nothing = || Ok(());
        self.timed(|_| {
            let n = words[0].len();
            let reduced = self.team.each(|own, device| {
                let places = share(own, devices, n);
                let len = places.end - places.start;
                let mut sum = Buffer::uninitialized(device, len)?;
                let mut other = Buffer::uninitialized(device, len)?;
                self.take(own, (&mut sum, 0), own, (&*words[own], places.clone()), nothing)?;
                for owner in self.others(own) {
                    let from = (&*words[owner], places.clone());
                    self.take(own, (&mut other, 0), owner, from, nothing)?;
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
                    self.take(own, (&mut *words, places.start), owner, from, nothing)?;
                }
                Ok(())
            })?;
            Ok(())
        })
    }

    /// Device i gives `pieces[i]`, one for each part. With p devices, device d takes the pieces of part d + `turn` · p
    /// at this turn, in the order of the devices. If there is no such part, it takes nothing.
    ///
    /// Each device i also calls `beside` with i and its keeper. What that asks the device for may go on beside the copies.
    /// Returns what each device took, and what its call made.
    ///
    /// # Errors
    /// What a device, or `beside`, reports.
    pub fn all_to_all<K: Send, R: Send>(
        &self,
        pieces: &[Pieces<D>],
        turn: usize,
        keepers: Vec<K>,
        beside: impl Fn(usize, &D, K) -> Result<R, D::Error> + Sync,
    ) -> Result<Received<u64, D, R>, Failed<D::Error>> {
        let devices = self.team.len();
        self.timed(|time| {
            self.team.step(keepers, |own, device, keeper| {
                let part = own + turn * devices;
                let places = |owner: usize| pieces[owner].places(part);
                let mut starts = vec![0];
                for owner in 0..devices {
                    starts.push(starts[owner] + places(owner).end - places(owner).start);
                }
                let mut meanwhile = Once::new(|| time.call(device, || beside(own, device, keeper)));
                let mut taken = Buffer::uninitialized(device, starts[devices])?;
                for owner in self.others(own).chain([own]) {
                    let (to, from) =
                        ((&mut taken, starts[owner]), (&pieces[owner].words, places(owner)));
                    self.take(own, to, owner, from, || meanwhile.call())?;
                }
                Ok((taken, meanwhile.finish()?))
            })
        })
    }

    /// Every device takes the blocks of the parts of some turns: `of` has the starts of all parts, and the turns.
    /// `blocks[i]` are those of device i's own parts, turn by turn. That of part q goes to the places
    /// `starts[q]..starts[q + 1]` of every device's array of `into`; what a block has behind as many words is nobody's.
    /// `beside` is called as by [`all_to_all`](Self::all_to_all).
    ///
    /// # Errors
    /// What a device, or `beside`, reports.
    pub fn all_gather<K: Send, R: Send>(
        &self,
        blocks: &[Vec<Buffer<u32, D>>],
        (starts, turns): (&[u64], Range<usize>),
        into: Vec<Buffer<u32, D>>,
        keepers: Vec<K>,
        beside: impl Fn(usize, &D, K) -> Result<R, D::Error> + Sync,
    ) -> Result<Received<u32, D, R>, Failed<D::Error>> {
        let (devices, parts) = (self.team.len(), starts.len() - 1);
        let inputs = into.into_iter().zip(keepers).collect();
        self.timed(|time| {
            self.team.step(inputs, |own, device, (mut into, keeper)| {
                let mut meanwhile = Once::new(|| time.call(device, || beside(own, device, keeper)));
                for owner in self.others(own).chain([own]) {
                    let of_owner = turns.clone().map(|turn| (owner + turn * devices, turn));
                    for (part, turn) in of_owner.filter(|&(part, _)| part < parts) {
                        let (block, len) = (&blocks[owner][turn], starts[part + 1] - starts[part]);
                        let to = (&mut into, starts[part]);
                        self.take(own, to, owner, (block, 0..len), || meanwhile.call())?;
                    }
                }
                Ok((into, meanwhile.finish()?))
            })
        })
    }

    /// Bytes that devices have taken from other devices so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Seconds that these functions took so far, less what went on beside them.
    pub fn seconds(&self) -> f64 {
        self.nanoseconds.load(Relaxed) as f64 / 1e9
    }
}

/// Work that a device does beside copies.
#[derive(Default)]
struct SideWork {
    /// Nanoseconds of the device that takes longest.
    slowest: AtomicU64,
}

impl SideWork {
    /// Calls something, and waits until the device has done what that asked for.
    fn call<D: Device, R>(
        &self,
        device: &D,
        call: impl FnOnce() -> Result<R, D::Error>,
    ) -> Result<R, D::Error> {
        let start = Instant::now();
        let made = call()?;
        device.synchronize()?;
        self.slowest.fetch_max(start.elapsed().as_nanos() as u64, Relaxed);
        Ok(made)
    }
}

/// Something that is done once, beside the first of some copies.
struct Once<F, R> {
    call: Option<F>,
    made: Option<R>,
}

impl<E, R, F: FnOnce() -> Result<R, E>> Once<F, R> {
    fn new(call: F) -> Self {
        Once { call: Some(call), made: None }
    }

    /// Makes the call, if that is still to be done.
    fn call(&mut self) -> Result<(), E> {
        if let Some(call) = self.call.take() {
            self.made = Some(call()?);
        }
        Ok(())
    }

    /// What the work beside the copy made. It is done now if there was no copy.
    fn finish(mut self) -> Result<R, E> {
        self.call()?;
        Ok(self.made.expect("what failed has ended the copies"))
    }
}
