//! Shares on several devices.

use testkit::effort;

use super::*;
use crate::gpu::DrivenDevice;
use crate::team::OnTeam;
use crate::tests::{left_open, metered_as};

/// Devices with the numbers from 0, and a session on all of them: asked for by name, or left to choose.
fn on_team(
    devices: u32,
    named: bool,
    change: impl Fn(u32, Device) -> Device,
) -> (Vec<Arc<Driver<Device>>>, Session) {
    let mut gpus: Vec<Arc<DrivenDevice<Device>>> =
        (0..devices).map(|gpu| metered_as(gpu, |device| change(gpu, device))).collect();
    let drivers = gpus.iter().map(|gpu| gpu.driver.clone()).collect();
    let first = gpus.remove(0);
    let rest = std::sync::Mutex::new(Some(gpus));
    let others = move || Ok(rest.lock().unwrap().take().expect("they are opened once"));
    let label = named.then(|| format!("gpu:0-{}", devices - 1));
    let team = OnTeam::new(first, devices - 1, others, label, None).unwrap();
    let session = match named {
        true => with_engine(team),
        false => left_open(team),
    };
    (drivers, session)
}

fn unchanged(_: u32, device: Device) -> Device {
    device
}

/// How edges are shared out among devices.
#[derive(Debug, Clone, Copy)]
enum Sharing {
    /// Each device has as many.
    Evenly,
    /// All for the last.
    OnLast,
    /// Half of all for the first, and half of the rest for each after it, as two shares each.
    Unevenly,
    /// Every second device has none.
    OnSome,
}

const SHARINGS: [Sharing; 4] =
    [Sharing::Evenly, Sharing::OnLast, Sharing::Unevenly, Sharing::OnSome];

/// The device of each share, and its edges.
fn shared_out(edges: &[[u64; 2]], devices: u32, sharing: Sharing) -> Vec<(u32, Vec<[u64; 2]>)> {
    let share = |gpu: u32| (gpu, Vec::new());
    let mut shares: Vec<_> = match sharing {
        Sharing::Evenly | Sharing::OnLast | Sharing::OnSome => (0..devices).map(share).collect(),
        Sharing::Unevenly => (0..devices).flat_map(|gpu| [share(gpu), share(gpu)]).collect(),
    };
    let last = shares.len() - 1;
    for (at, &edge) in edges.iter().enumerate() {
        let to = match sharing {
            Sharing::Evenly => at % (last + 1),
            Sharing::OnLast => last,
            Sharing::Unevenly => ((at + 1).trailing_zeros() as usize).min(last),
            Sharing::OnSome => (2 * at + 1) % (last + 1) / 2 * 2,
        };
        shares[to].1.push(edge);
    }
    shares
}

/// The shares in memory, with other types and layouts side by side.
fn hold(
    drivers: &[Arc<Driver<Device>>],
    shares: &[(u32, Vec<[u64; 2]>)],
    first_ids: usize,
) -> Vec<ResidentGraph> {
    let all = [DeviceIds::U32, DeviceIds::I64, DeviceIds::I32, DeviceIds::U64];
    let hold = |(number, (gpu, edges)): (usize, &(u32, Vec<[u64; 2]>))| {
        let layout = LAYOUTS[number % LAYOUTS.len()];
        let ids = all[(first_ids + number) % all.len()];
        held(drivers[*gpu as usize].device(), *gpu, edges, layout, ids)
    };
    shares.iter().enumerate().map(hold).collect()
}

fn list(held: &[ResidentGraph]) -> Vec<DeviceEdges> {
    held.iter().map(|held| held.edges.clone()).collect()
}

fn clique(vertices: std::ops::Range<u64>) -> Vec<[u64; 2]> {
    let end = vertices.end;
    vertices.flat_map(|u| (u + 1..end).map(move |v| [v, u])).collect()
}

/// Graphs, and whether their vertices are numbered anew.
fn graphs() -> Vec<(&'static str, Vec<[u64; 2]>, bool)> {
    let star = |n: u64| (1..n).map(|leaf| [leaf, 0]).collect::<Vec<_>>();
    let far = |edges: Vec<[u64; 2]>| edges.into_iter().map(|[u, v]| [u << 20, v << 20]).collect();
    vec![
        ("one edge", vec![[1, 0]], false),
        ("loops and duplicates", vec![[0, 1], [1, 0], [2, 2], [1, 2], [2, 0], [9, 9]], false),
        ("one vertex holds half of all", [star(400), clique(400..420)].concat(), false),
        ("cliques", [clique(0..30), clique(29..60)].concat(), false),
        ("far ids", far(clique(1..12)), true),
    ]
}

/// A quick run takes an eighth of the cases.
#[test]
fn any_sharing_on_any_number_of_devices_gives_the_graph() {
    for (at, (name, edges, anew)) in graphs().into_iter().enumerate() {
        let known = on_cpu().prepare(&Graph::from_u64_edges(&edges).unwrap()).unwrap();
        for devices in 2..=8 {
            for (number, sharing) in SHARINGS.into_iter().enumerate() {
                if !effort::takes(at + number + devices as usize, 8) {
                    continue;
                }
                let (drivers, session) = on_team(devices, number % 2 == 0, unchanged);
                let held = hold(&drivers, &shared_out(&edges, devices, sharing), at);
                let found = session.prepare(Input::on_gpus(&list(&held))).unwrap();
                let case = format!("{name} on {devices} devices, {sharing:?}");
                compare(&found, &known, &case);
                assert_eq!(found.support().unwrap(), known.support().unwrap(), "{case}");
                assert_eq!(found.trussness().unwrap(), known.trussness().unwrap(), "{case}");
                let [all, expected] = [&found, &known].map(|graph| graph.cliques(4).unwrap());
                assert_eq!(all.cliques, expected.cliques, "{case}");
                assert_ne!(all.head.device, "cpu", "{case}");
                let [at, expected] =
                    [&found, &known].map(|graph| graph.cliques_at_vertices(4).unwrap());
                assert_eq!(at, expected, "{case}");
                let [on, expected] =
                    [&found, &known].map(|graph| graph.cliques_on_edges(4).unwrap());
                assert_eq!(on, expected, "{case}");
                assert_eq!(found.copied().is_some(), anew, "{case}");
            }
        }
    }
}

/// Edges that one device has are prepared by all, and no edge goes through the host.
#[test]
fn edges_stay_on_their_devices_and_are_evened_out() {
    let edges: Vec<[u64; 2]> = (0..16_000).flat_map(|v| [[v, v + 1], [v, v + 2]]).collect();
    for sharing in SHARINGS {
        let (drivers, session) = on_team(2, true, unchanged);
        let held = hold(&drivers, &shared_out(&edges, 2, sharing), 0);
        let before: Vec<u64> =
            drivers.iter().map(|driver| driver.device().uploaded_bytes()).collect();
        let graph = session.prepare(Input::on_gpus(&list(&held))).unwrap();
        let count = graph.count().unwrap();
        assert_eq!((count.triangles, &*count.device), (15_999, "gpu:0-1"), "{sharing:?}");
        assert_eq!(graph.copied(), None, "{sharing:?}");
        for (driver, before) in drivers.iter().zip(before) {
            let device = driver.device();
            // Figures, cuts, totals, and the keys of 16,384 groups: much less than the 256,000 bytes of the edges.
            assert!(device.uploaded_bytes() - before < 1_000, "{sharing:?}");
            assert!(device.downloaded_bytes() < 100_000, "{}", device.downloaded_bytes());
        }
    }
}

/// Where the choice is open, the first device works alone on what it has, and the others are opened where they have edges.
#[test]
fn other_devices_are_opened_where_they_have_edges() {
    let edges = clique(0..20);
    let never = || -> Result<Vec<Arc<DrivenDevice<Device>>>> { panic!("nobody asked for it") };
    let first = metered_as(0, |device| device);
    let driver = first.driver.clone();
    let alone = left_open(OnTeam::new(first, 1, never, None, None).unwrap());
    let shares = [(0, edges[..50].to_vec()), (0, edges[50..].to_vec())];
    let held = hold(&[driver], &shares, 0);
    let count = alone.prepare(Input::on_gpus(&list(&held))).unwrap().count().unwrap();
    assert_eq!((count.triangles, &*count.device), (1_140, "gpu:0"));
    let (drivers, session) = on_team(2, false, unchanged);
    let held = hold(&drivers, &[(1, edges)], 0);
    let graph = session.prepare(Input::on_gpus(&list(&held))).unwrap();
    let count = graph.count().unwrap();
    assert_eq!((count.triangles, &*count.device), (1_140, "gpu:all"));
}

#[test]
fn wrong_shares_are_named() {
    let error = |shares: &[(u32, Vec<[u64; 2]>)], ids: usize, vertices: Option<u64>| {
        let (drivers, session) = on_team(2, true, unchanged);
        let held = hold(&drivers, shares, ids);
        let mut shares = list(&held);
        if let Some(vertices) = vertices {
            shares[1] = shares[1].clone().with_vertices(vertices);
        }
        session.prepare(Input::on_gpus(&shares)).unwrap_err().to_string()
    };
    let shares = [(0, vec![[0, 1], [1, 2]]), (1, vec![[2, 0], [3, 0xffff_fffe]])];
    // The ids of the second share are of type int32.
    let negative = "(device memory): edge 1 of share 1 (gpu:1): vertex -2 is negative";
    assert_eq!(error(&shares, 1, None), negative);
    let shares = [(1, vec![[0, 1], [1, 7]]), (0, vec![[2, 0]])];
    let above = "(device memory): edge 1 of share 0 (gpu:1) has vertex 7: vertices are below 5";
    assert_eq!(error(&shares, 0, Some(5)), above);

    let (drivers, session) = on_team(2, true, unchanged);
    let mut edges = list(&hold(&drivers, &[(0, vec![[0, 1]]), (1, vec![[1, 2]])], 0));
    edges[1].gpu = 5;
    assert_eq!(
        session.prepare(Input::on_gpus(&edges)).unwrap_err().to_string(),
        "the edges are in the memory of gpu:5, and the devices are gpu:0, gpu:1"
    );
    let none = session.prepare(Input::on_gpus(&Vec::new())).unwrap_err();
    assert_eq!(none.to_string(), "there are no shares of edges");
}

/// The number of vertices may be said by one share alone.
#[test]
fn the_largest_number_of_vertices_holds() {
    let (drivers, session) = on_team(2, true, unchanged);
    let held = hold(&drivers, &[(0, vec![[0, 1], [1, 2]]), (1, vec![[2, 0]])], 0);
    let [one, other] = [&held[0], &held[1]].map(|held| held.edges.clone());
    let shares = [one.with_vertices(4), other.with_vertices(9)];
    let graph = session.prepare(Input::on_gpus(&shares)).unwrap();
    assert_eq!((graph.vertex_bound(), graph.stats().unwrap().vertices_all), (9, 9));
}

/// Whatever call of whichever device fails, the error says which device it was, and nothing is left behind. A quick run
/// takes every seventh call.
#[test]
fn every_call_of_a_device_may_fail() {
    let edges = clique(0..12);
    let step = if effort::is_full() { 1 } else { 7 };
    for sharing in [Sharing::Evenly, Sharing::OnLast] {
        let shares = shared_out(&edges, 2, sharing);
        // To lay out the shares takes calls of its own, which do not fail.
        let (drivers, _session) = on_team(2, true, unchanged);
        let _held = hold(&drivers, &shares, 0);
        let before: Vec<u64> = drivers.iter().map(|driver| driver.device().calls()).collect();
        for faulty in 0..2 {
            let mut number = 0;
            loop {
                let fails_at = before[faulty as usize] + number;
                let (drivers, session) = on_team(2, true, |gpu, device| match gpu == faulty {
                    true => device.failing_at_call(fails_at),
                    false => device,
                });
                let held = hold(&drivers, &shares, 0);
                let live = || drivers.iter().map(|driver| driver.device().live_bytes());
                let held_bytes: Vec<u64> = live().collect();
                match session.prepare(Input::on_gpus(&list(&held))) {
                    Ok(_) => break,
                    Err(error) => {
                        let error = error.to_string();
                        assert!(error.starts_with(&format!("gpu:{faulty}: ")), "{error}");
                    }
                }
                assert_eq!(live().collect::<Vec<_>>(), held_bytes, "{sharing:?}, call {number}");
                number += step;
            }
            assert!(number > 50, "{number} calls");
        }
    }
}

/// Edges in the memory of several devices are the graph that they are on a CPU.
fn check_on_several(edges: &[[u64; 2]], devices: u32, sharing: Sharing) {
    let known = on_cpu().prepare(&Graph::from_u64_edges(edges).unwrap()).unwrap();
    let (drivers, session) = on_team(devices, true, unchanged);
    let held = hold(&drivers, &shared_out(edges, devices, sharing), 0);
    let found = session.prepare(Input::on_gpus(&list(&held))).unwrap();
    compare(&found, &known, &format!("{devices} devices, {:?}", sharing));
}

#[test]
fn edges_that_were_drawn_once_give_the_graph_on_three_devices() {
    let ends = [
        11, 2, 4, 12, 3, 19, 6, 6, 14, 20, 9, 4, 0, 15, 22, 13, 4, 10, 8, 18, 22, 7, 18, 16, 3, 22,
        9, 19, 12, 15, 15, 6, 12, 4, 11, 0, 14, 4, 3, 11, 14, 9, 10, 22, 12, 2, 11, 5, 6, 10, 19,
        16, 16, 15, 23, 0, 18, 9, 3, 23, 20, 19, 1, 17, 15, 1, 21, 6, 16, 20, 6, 0, 13, 12, 6, 20,
        19, 20, 19, 17, 16, 2, 0, 15, 3, 19, 4, 1, 4, 3, 23, 15, 11, 11,
    ];
    check_on_several(ends.as_chunks::<2>().0, 3, SHARINGS[1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn any_edges_give_the_graph_on_several_devices(
        edges in prop::collection::vec(prop::array::uniform2(0u64..24), 1..80),
        devices in 2u32..5,
        sharing in 0..SHARINGS.len(),
    ) {
        check_on_several(&edges, devices, SHARINGS[sharing]);
    }
}
