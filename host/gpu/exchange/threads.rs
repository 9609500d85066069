//! Threads that stand for processes, and a wire of channels between their devices: what is done in several processes
//! is tested in one, on the emulator.

use std::marker::PhantomData;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tribin_device::launch::{Device, View, ViewMut};

use super::{Peers, Reduction, Take, Watch, Wire};
use crate::{Error, Result};

/// How long a thread waits before it looks again whether the others are there.
const LOOK: Duration = Duration::from_millis(2);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The table that threads that stand for processes share.
#[derive(Default)]
struct Table {
    /// What has been given at this turn.
    given: Vec<Option<Vec<u8>>>,
    /// What was given at the turn before.
    complete: Arc<Vec<Vec<u8>>>,
    turn: u64,
    gone: Vec<bool>,
}

/// A thread that stands for a process. When it is dropped, the process has ended.
pub struct ThreadPeers {
    table: Arc<(Mutex<Table>, Condvar)>,
    rank: usize,
    ranks: usize,
}

impl ThreadPeers {
    /// This number of threads that stand for processes, which know one another.
    pub fn new(ranks: usize) -> Vec<ThreadPeers> {
        let given = (0..ranks).map(|_| None).collect();
        let table = Table { given, gone: vec![false; ranks], ..Table::default() };
        let table = Arc::new((Mutex::new(table), Condvar::new()));
        (0..ranks).map(|rank| ThreadPeers { table: table.clone(), rank, ranks }).collect()
    }
}

fn gone(rank: usize) -> Error {
    Error::Device(format!("rank {rank} has ended").into())
}

impl Peers for ThreadPeers {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>> {
        let (table, changed) = &*self.table;
        let mut table = lock(table);
        let turn = table.turn;
        table.given[self.rank] = Some(own.to_vec());
        if table.given.iter().all(Option::is_some) {
            let complete = table.given.iter_mut().filter_map(Option::take).collect();
            table.complete = Arc::new(complete);
            table.turn += 1;
            changed.notify_all();
        }
        while table.turn == turn {
            let missing = |rank: &usize| table.gone[*rank] && table.given[*rank].is_none();
            if let Some(rank) = (0..self.ranks).find(missing) {
                return Err(gone(rank));
            }
            table = changed.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
        // The next turn ends with this one's words at the earliest, and this thread's are among them.
        Ok(table.complete.to_vec())
    }

    fn check(&self) -> Result<()> {
        let table = lock(&self.table.0);
        table.gone.iter().position(|&gone| gone).map_or(Ok(()), |rank| Err(gone(rank)))
    }
}

impl Drop for ThreadPeers {
    fn drop(&mut self) {
        let (table, changed) = &*self.table;
        lock(table).gone[self.rank] = true;
        changed.notify_all();
    }
}

/// A channel from one device to another.
struct Channel {
    sender: Mutex<Sender<Vec<u8>>>,
    receiver: Mutex<Receiver<Vec<u8>>>,
}

/// Channels between all devices of a team.
pub struct Channels<D> {
    devices: usize,
    /// All channels: the one from device i to device k stands at i · devices + k.
    all: Vec<Channel>,
    device: PhantomData<fn(&D)>,
}

impl<D: Device> Channels<D> {
    /// Channels between each two of this number of devices.
    pub fn new(devices: usize) -> Channels<D> {
        let channel = |_| {
            let (sender, receiver) = channel();
            Channel { sender: Mutex::new(sender), receiver: Mutex::new(receiver) }
        };
        let all = (0..devices * devices).map(channel).collect();
        Channels { devices, all, device: PhantomData }
    }

    fn send(&self, from: usize, to: usize, bytes: Vec<u8>) {
        let sent = lock(&self.all[from * self.devices + to].sender).send(bytes);
        sent.expect("a channel has both its ends");
    }

    fn receive(&self, from: usize, to: usize, watch: Watch) -> Result<Vec<u8>> {
        let receiver = lock(&self.all[from * self.devices + to].receiver);
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(bytes) => return Ok(bytes),
                Err(RecvTimeoutError::Timeout) => watch()?,
                Err(RecvTimeoutError::Disconnected) => unreachable!("both ends are here"),
            }
        }
    }
}

fn download<D: Device<Error: Into<Error>>>(device: &D, view: &View<'_, u8, D>) -> Result<Vec<u8>> {
    let mut bytes = vec![0; view.len() as usize];
    assert_eq!(view.device(), device.id());
    // SAFETY: a view lies in a live allocation of its device, which is this one.
    unsafe { device.download(view.address(), &mut bytes) }.map_err(Into::into)?;
    Ok(bytes)
}

fn upload<D: Device<Error: Into<Error>>>(
    device: &D,
    view: ViewMut<'_, u8, D>,
    bytes: &[u8],
) -> Result<()> {
    assert_eq!((view.device(), view.len()), (device.id(), bytes.len() as u64));
    // SAFETY: a view lies in a live allocation of its device, which is this one, and has as many bytes.
    unsafe { device.upload(view.address(), bytes) }.map_err(Into::into)
}

impl<D: Device<Error: Into<Error>>> Wire<D> for Arc<Channels<D>> {
    fn all_reduce(
        &self,
        own: usize,
        device: &D,
        words: ViewMut<'_, u32, D>,
        by: Reduction,
        watch: Watch,
    ) -> Result<()> {
        let bytes = words.cast::<u8>();
        // SAFETY: the range is this view's, which nothing else uses meanwhile.
        let given = unsafe { View::from_raw_parts(device, bytes.address(), bytes.len()) };
        let given = download(device, &given)?;
        let others = || (0..self.devices).filter(|&other| other != own);
        for other in others() {
            self.send(own, other, given.clone());
        }
        let mut all: Vec<u32> =
            given.as_chunks().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
        for other in others() {
            let taken = self.receive(other, own, watch)?;
            assert_eq!(taken.len(), given.len(), "arrays of one length");
            for (word, other) in all.iter_mut().zip(taken.as_chunks().0) {
                let other = u32::from_le_bytes(*other);
                *word = match by {
                    Reduction::Sum => word.wrapping_add(other),
                    Reduction::Largest => (*word).max(other),
                };
            }
        }
        upload(device, bytes, bytemuck::cast_slice(&all))
    }

    fn swap(
        &self,
        own: usize,
        device: &D,
        given: &[(usize, View<'_, u8, D>)],
        taken: Vec<Take<'_, D>>,
        watch: Watch,
    ) -> Result<()> {
        for (other, view) in given {
            assert!(*other != own && !view.is_empty(), "what a wire is given");
            self.send(own, *other, download(device, view)?);
        }
        for (other, view) in taken {
            assert!(other != own && !view.is_empty(), "what a wire takes");
            let bytes = self.receive(other, own, watch)?;
            upload(device, view, &bytes)?;
        }
        Ok(())
    }
}
