//! Several devices have the shares, and prepare the graph together.

use std::sync::Arc;
use std::time::Instant;

use super::super::gpu::{Accelerator, DrivenDevice};
use super::super::team::{OnTeam, Opened};
use super::share::{self, Packed};
use super::{
    NAME, Shares, bound_of, check_alignment, copied, declared, entries_of, looped,
    rejected_because, without_edges,
};
use crate::control::{Context, Phase};
use crate::engine::FromDevice;
use crate::plan::Task;
use crate::plan::team::{Gpus, TeamFacts, crew};
use crate::{Error, Result, VertexIds};
use tribin_gpu::device_graph::DeviceEdges;
use tribin_gpu::exchange::PeerCopies;
use tribin_gpu::prepare::parts::{Division, prepare_packed, shares_are_even};

/// Shares in the memory of several devices.
struct OnMembers<'s, D: Accelerator> {
    members: &'s Opened<D>,
    exchange: &'s PeerCopies<D>,
    shares: &'s [DeviceEdges],
    /// The member that has each share.
    owners: &'s [usize],
}

impl<D: Accelerator> OnMembers<'_, D> {
    /// The shares of a member.
    fn of(&self, member: usize) -> impl Iterator<Item = &DeviceEdges> {
        let owned = self.shares.iter().zip(self.owners);
        owned.filter(move |(_, owner)| **owner == member).map(|(share, _)| share)
    }

    /// Entries of each member.
    fn entries(&self) -> Vec<u64> {
        let members = 0..self.members.gpus().len();
        members.map(|member| self.of(member).map(DeviceEdges::entries).sum()).collect()
    }

    /// Packs all shares where they are.
    fn pack(&self) -> Result<Vec<Packed<D>>> {
        self.members.each(self.exchange, |member, device| {
            let own: Vec<_> = self.of(member).collect();
            share::pack(device, &own).map_err(Into::into)
        })
    }

    /// Waits for what is still written to the shares, and sees to it that they can be packed and evened out. Returns the bytes
    /// that are free on the GPU that has the fewest.
    fn prepare_to_pack(&self) -> Result<u64> {
        self.each(|device, share| match share.stream {
            // SAFETY: who made the edges promised that the stream is alive and of this device.
            Some(stream) => unsafe { device.wait_for_stream(stream) },
            None => Ok(()),
        })?;
        let entries = self.entries();
        let even = match shares_are_even(&entries) {
            true => 0,
            false => entries.iter().sum::<u64>().div_ceil(entries.len() as u64),
        };
        let free = self.members.each(self.exchange, |member, device| {
            let gpu = &self.members.gpus()[member];
            let needed = 8 * (entries[member] + even);
            match gpu.free_beside(device, 0)? {
                free if needed > free => Err(gpu.too_large(needed, free)),
                free => Ok(free),
            }
        })?;
        Ok(free.into_iter().fold(u64::MAX, u64::min))
    }

    /// What belongs to each share, from what belongs to the shares of each member.
    fn in_order<R>(&self, of_members: Vec<Vec<R>>) -> Vec<R> {
        let mut of_members: Vec<_> = of_members.into_iter().map(Vec::into_iter).collect();
        let owners = self.owners.iter();
        owners.map(|&owner| of_members[owner].next().expect("one for each share")).collect()
    }
}

impl<D: Accelerator> Shares<D> for OnMembers<'_, D> {
    fn list(&self) -> &[DeviceEdges] {
        self.shares
    }

    fn each<R: Send>(
        &self,
        job: impl Fn(&D, &DeviceEdges) -> Result<R> + Send + Sync,
    ) -> Result<Vec<R>> {
        let done = self.members.each(self.exchange, |member, device| {
            self.of(member).map(|share| job(device, share)).collect::<Result<Vec<R>>>()
        })?;
        Ok(self.in_order(done))
    }
}

/// The GPU that has each share.
fn owners<D: Accelerator>(
    gpus: &[Arc<DrivenDevice<D>>],
    shares: &[DeviceEdges],
) -> Result<Vec<usize>> {
    let owner = |share: &DeviceEdges| {
        let label = share.label();
        gpus.iter().position(|gpu| gpu.label == label).ok_or_else(|| {
            let all: Vec<&str> = gpus.iter().map(|gpu| &*gpu.label).collect();
            let all = all.join(", ");
            let message = format!("edges are in the memory of {label}, and the devices are {all}");
            Error::Usage(message.into())
        })
    };
    shares.iter().map(owner).collect()
}

impl<D: Accelerator> OnTeam<D> {
    /// Prepares edges that other libraries left on these devices. The first does it alone where it has all of them and the
    /// choice is open. Otherwise all devices do it together, and even out what each of them has.
    pub(crate) fn take_edges(
        &self,
        shares: &[DeviceEdges],
        context: &Context,
    ) -> Result<FromDevice> {
        let first = &self.shared.first;
        let is_on_first = |share: &DeviceEdges| share.label() == first.label;
        let is_alone = self.shared.devices == 1;
        if is_alone || (self.named.is_none() && shares.iter().all(is_on_first)) {
            return first.take_edges(shares, context);
        }
        check_alignment(shares)?;
        let opened = self.shared.opened()?;
        let owners = owners(opened.gpus(), shares)?;
        let entries = entries_of(shares);
        if entries == 0 {
            return without_edges(shares);
        }
        context.cancel().check()?;
        context.phase(Phase::Orient);
        let start = Instant::now();
        let read = opened.run(|exchange| -> Result<Result<_, FromDevice>> {
            let shares = OnMembers { members: opened, exchange, shares, owners: &owners };
            let free = shares.prepare_to_pack()?;
            let packed = shares.pack()?;
            let (edges, largest): (Vec<_>, _) =
                packed.into_iter().map(|packed| (packed.edges, packed.largest)).unzip();
            let bound = match bound_of(&shares, &shares.in_order(largest))? {
                Ok(bound) => bound,
                Err(because) => {
                    drop(edges);
                    return Ok(Err(copied(&shares, because)?));
                }
            };
            let kept = 4 * u64::from(bound);
            let facts = TeamFacts { spread: true, ..self.facts(entries, bound.into(), kept, free) };
            let chosen = crew(&facts);
            match chosen.choice {
                Gpus::All { parts } => {
                    Ok(Ok((edges, bound, parts, self.crew(&chosen, parts, facts))))
                }
                Gpus::One => {
                    drop(edges);
                    Ok(Err(copied(&shares, rejected_because(&chosen))?))
                }
            }
        })?;
        let (edges, bound, parts, crew) = match read {
            Ok(read) => read,
            Err(copied) => return Ok(copied),
        };
        let division = Division::new(parts, Task::AtVertices);
        let prepare = |exchange: &PeerCopies<D>| {
            prepare_packed(exchange, edges, bound.into(), division, context)
        };
        let named = (NAME, crew.facts.memory().peak());
        let ready = opened.together(named, context, prepare, |_, ready| Ok(ready))?;
        let self_loops = ready.prepared.figures.self_loops_dropped;
        let looped = opened.run(|exchange| {
            looped(&OnMembers { members: opened, exchange, shares, owners: &owners }, self_loops)
        })?;
        Ok(FromDevice::Prepared {
            held: self.hold(ready, crew, (NAME, start.elapsed()))?,
            ids: VertexIds::Identity { bound },
            declared: declared(shares),
            looped,
        })
    }
}
