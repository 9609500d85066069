//! The devices that have the shares prepare the graph, one alone or several together.

use std::sync::Arc;
use std::time::Instant;

use super::super::gpu::{Accelerator, DrivenDevice, GpuGraph, beside_graph};
use super::super::members::Members;
use super::super::team::{OnTeam, TeamDecision};
use super::share::{self, Packed};
use super::{
    NAME, bound_of, check_alignment, copied, declared, entries_of, looped, rejected_because,
    without_edges,
};
use crate::control::{Context, Phase};
use crate::engine::FromDevice;
use crate::plan::team::{Gpus, TeamFacts, crew};
use crate::plan::{Chosen, Preparer, Task, WHO_PREPARES, preparer};
use crate::{Error, Result, VertexIds};
use tribin_gpu::device_graph::DeviceEdges;
use tribin_gpu::exchange::PeerCopies;
use tribin_gpu::prepare;
use tribin_gpu::prepare::parts::{Division, prepare_packed, shares_are_even};

/// Shares of edges, and the devices that have them.
pub(super) struct DeviceShares<'s, D: Accelerator> {
    members: &'s Members<D>,
    exchange: &'s PeerCopies<D>,
    pub list: &'s [DeviceEdges],
    /// The member that has each share.
    owners: &'s [usize],
}

impl<D: Accelerator> DeviceShares<'_, D> {
    /// The shares of a member.
    fn of(&self, member: usize) -> impl Iterator<Item = &DeviceEdges> {
        let owned = self.list.iter().zip(self.owners);
        owned.filter(move |(_, owner)| **owner == member).map(|(share, _)| share)
    }

    /// Entries of each member.
    fn entries(&self) -> Vec<u64> {
        let members = 0..self.members.gpus().len();
        members.map(|member| self.of(member).map(DeviceEdges::entries).sum()).collect()
    }

    /// Packs the edges of all shares where they are.
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
            device.take_peak_memory()?;
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

    /// Calls a closure with every share on its device. Returns what came of it, share by share.
    pub fn each<R: Send>(
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
            let are = if all.len() == 1 { "device is" } else { "devices are" };
            let all = all.join(", ");
            let message = format!("the edges are in the memory of {label}, and the {are} {all}");
            Error::Usage(message.into())
        })
    };
    shares.iter().map(owner).collect()
}

/// The preparer of edges that are packed.
enum Placed {
    Alone(Chosen<Preparer>),
    Together(TeamDecision),
}

impl<D: Accelerator> OnTeam<D> {
    /// Prepares edges that other libraries left on these devices. The first does it alone where it has all of them and the
    /// choice is open. Otherwise all devices do it together, and even out what each of them has. The edges stay there, unless
    /// their ids have to be numbered anew or a device has no room for the sort: then the graph in host memory is returned.
    pub(crate) fn take_edges(
        &self,
        shares: &[DeviceEdges],
        context: &Context,
    ) -> Result<FromDevice> {
        let first = &self.shared.first;
        let is_on_first = |share: &DeviceEdges| share.label() == first.label;
        let is_left = self.named.is_none() && shares.iter().all(is_on_first);
        let is_alone = self.shared.devices == 1 || is_left;
        check_alignment(shares)?;
        let only;
        let members = if is_alone {
            only = Members::join(vec![first.clone()])?;
            &only
        } else {
            self.shared.opened()?
        };
        let owners = owners(members.gpus(), shares)?;
        let entries = entries_of(shares);
        if entries == 0 {
            return without_edges(shares);
        }
        context.cancel().check()?;
        context.phase(Phase::Orient);
        let start = Instant::now();
        let read = members.run(|exchange| -> Result<Result<_, FromDevice>> {
            let shares = DeviceShares { members, exchange, list: shares, owners: &owners };
            let free = shares.prepare_to_pack()?;
            let packed = shares.pack()?;
            let (edges, largest): (Vec<_>, _) =
                packed.into_iter().map(|packed| (packed.edges, packed.largest)).unzip();
            let placed = bound_of(&shares, &shares.in_order(largest))?;
            let placed = placed.and_then(|bound| {
                let placed = self.place(entries, bound.into(), free, is_alone)?;
                Ok((bound, placed))
            });
            match placed {
                Ok((bound, placed)) => Ok(Ok((edges, bound, placed))),
                Err(because) => {
                    drop(edges);
                    Ok(Err(copied(&shares, because)?))
                }
            }
        })?;
        let (mut edges, bound, placed) = match read {
            Ok(read) => read,
            Err(copied) => return Ok(copied),
        };
        let (held, self_loops) = match placed {
            Placed::Alone(placed) => {
                let edges = edges.pop().expect("a device has all edges");
                let ready = first.driver.run(|device| {
                    prepare::prepare_uploaded(device, edges, bound.into(), Task::AtVertices)
                });
                let mut ready = ready.map_err(|error: D::Error| -> Error { error.into() })?;
                ready.decisions.insert(0, placed.decision(WHO_PREPARES));
                let self_loops = ready.figures.self_loops_dropped;
                (
                    GpuGraph::held(first.clone(), ready, None, start.elapsed().as_secs_f64()),
                    self_loops,
                )
            }
            Placed::Together(crew) => {
                let ready = members.run(|exchange| {
                    members.begin(exchange, &crew, context)?;
                    prepare_packed(exchange, edges, bound.into(), crew.division, context)
                        .map_err(|stopped| members.stopped(stopped, NAME))
                });
                let ready = ready?;
                let self_loops = ready.prepared.figures.self_loops_dropped;
                (self.hold(ready, crew, start), self_loops)
            }
        };
        let looped = members.run(|exchange| {
            looped(&DeviceShares { members, exchange, list: shares, owners: &owners }, self_loops)
        })?;
        let (ids, declared) = (VertexIds::Identity { bound }, declared(shares));
        Ok(FromDevice::Prepared { held, ids, declared, looped })
    }

    /// Who prepares packed edges, or why no device does, with `free` bytes on each.
    fn place(
        &self,
        entries: u64,
        vertices: u64,
        free: u64,
        is_alone: bool,
    ) -> Result<Placed, String> {
        if is_alone {
            let placed = preparer(entries, vertices, beside_graph(entries, vertices), free);
            return match placed.choice {
                Preparer::Device => Ok(Placed::Alone(placed)),
                _ => Err(rejected_because(&placed)),
            };
        }
        let facts = self.facts(entries, vertices, 4 * vertices, free);
        let facts = TeamFacts { spread: true, ..facts };
        let chosen = crew(&facts);
        match chosen.choice {
            Gpus::All { parts } => {
                let division = Division::new(parts, Task::AtVertices);
                Ok(Placed::Together(self.crew(&chosen, division, facts)))
            }
            Gpus::One => Err(rejected_because(&chosen)),
        }
    }
}
