//! Ranks as threads of one process: many small graphs, on one to six ranks, verified or not.

use std::net::TcpListener;

use proptest::prelude::*;
use tribin::count::{Count, CountOptions};
use tribin::ranks::{Environment, Ranks};
use tribin::{Input, Options, Session, read};

/// Counts a file with `p` ranks; all have the same count.
fn count(path: &std::path::Path, p: u32, verify: bool) -> Count {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let mut listener = Some(listener);
    let counts: Vec<Count> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..p)
            .map(|rank| {
                let listener = if rank == 0 { listener.take() } else { None };
                let port = &port;
                scope.spawn(move || {
                    let set = [
                        ("RANK", rank.to_string()),
                        ("WORLD_SIZE", p.to_string()),
                        ("MASTER_ADDR", "127.0.0.1".to_owned()),
                        ("MASTER_PORT", port.clone()),
                    ];
                    let environment = Environment::from_variables(|name| {
                        let of = set.iter().find(|(variable, _)| *variable == name);
                        of.map(|(_, value)| value.into())
                    });
                    let environment = environment.unwrap();
                    let ranks = Ranks::join_at(&environment, listener).unwrap();
                    let mut options = Options::default().for_rank(&environment).unwrap();
                    options.threads = std::num::NonZeroUsize::new(1 + rank as usize % 2);
                    options.cancel = ranks.cancel().clone();
                    let session = Session::open(options).unwrap();
                    let (reading, mut counting) =
                        (read::Options::default(), CountOptions::default());
                    counting.verify = verify;
                    let input = Input::file(path, &reading).with_options(&counting);
                    let count = session.count_with_ranks(&ranks, input);
                    ranks.finish();
                    count.unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for other in &counts[1..] {
        counts[0].compare(other).unwrap();
        assert_eq!(counts[0].over_ranks, other.over_ranks);
    }
    counts.into_iter().next().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testkit::effort::cases(60)))]

    #[test]
    fn any_graph_by_any_number_of_ranks(
        drawn in prop::collection::vec(prop::array::uniform2(0u32..24), 0..200),
        spread in prop::sample::select(vec![1u64, 3, 1 << 27, 1 << 32, 1 << 59]),
        p in 1u32..=6,
        verify in any::<bool>(),
        binary in any::<bool>(),
    ) {
        let spread = if binary { spread.min(1 << 27) } else { spread };
        let edges: Vec<[u64; 2]> =
            drawn.iter().map(|ends| ends.map(|id| u64::from(id) * spread)).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(if binary { "g.bin" } else { "g.txt" });
        let content: Vec<u8> = match binary {
            true => edges.iter().flatten().flat_map(|&id| (id as u32).to_le_bytes()).collect(),
            false => {
                let lines = edges.iter().map(|[u, v]| format!("{u} {v}\n"));
                format!("# edges\n{}", lines.collect::<String>()).into_bytes()
            }
        };
        // An empty file is refused, and so is one whose first line tells how many lines follow.
        prop_assume!(!content.is_empty());
        let follow = edges.len().saturating_sub(1) as u64;
        prop_assume!(binary || edges.first().is_none_or(|sizes| !sizes.contains(&follow)));
        std::fs::write(&path, content).unwrap();
        let found = count(&path, p, verify);
        let over = found.over_ranks.as_ref().unwrap();
        prop_assert_eq!(found.verified_by.is_some(), verify && over.groups > 0);
        prop_assert_eq!(found.triangles, testkit::oracle::brute_force(&drawn));
        let mut options = Options::default();
        options.device = tribin::DeviceChoice::Cpu;
        let session = Session::open(options).unwrap();
        let (reading, counting) = (read::Options::default(), CountOptions::default());
        let alone = session.count(Input::file(&path, &reading).with_options(&counting)).unwrap();
        found.compare(&alone).unwrap();
        prop_assert_eq!(found.reciprocal_dropped, alone.reciprocal_dropped);
    }
}
