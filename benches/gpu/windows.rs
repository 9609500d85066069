//! Graphs with 64-bit places, as those of 2³² edges have them, beside the same graph with 32-bit places.

use std::sync::Arc;

use tribin::{Context, Graph};
use tribin_gpu::counting::hybrid::count_within;
use tribin_gpu::device::cuda;
use tribin_gpu::device::driver::Driver;
use tribin_gpu::device::team::Team;
use tribin_gpu::exchange::PeerCopies;
use tribin_gpu::methods::windows::{Windows, count_windows};
use tribin_gpu::prepare::parts::{Division, OnEach, prepare_in_parts};
use tribin_plan::Task;
use tribin_plan::counting::{CountingSettings, GroupSettings};

/// Prints the milliseconds of groups and of counting, for windows of several sizes and where all edges are merged.
pub fn bench(name: &str, graph: &Graph, runs: usize) -> Result<(), Box<dyn std::error::Error>> {
    let driver = Driver::start(cuda::open(0)?, rayon::current_num_threads())?;
    let team = Team::of(vec![Arc::new(driver)]);
    let exchange = PeerCopies::new(team);
    let prepare = |most_narrow| {
        let division = Division { most_narrow, ..Division::new(1, Task::Count) };
        prepare_in_parts(&exchange, graph, division, &Context::silent())
            .map_err(|stopped| format!("{stopped:?}"))
    };
    let mut expected = None;
    let mut show = |what: &str, mut of: Vec<(f64, f64)>, triangles: u64| {
        assert_eq!(*expected.get_or_insert(triangles), triangles, "{name}, {what}");
        of.sort_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1)));
        let (build, count) = of[of.len() / 2];
        println!("  {what:28} groups {:9.3}  count {:9.3}", build * 1e3, count * 1e3);
    };
    if let OnEach::Narrow(graphs) = prepare(u64::MAX)?.graphs {
        println!("{name}: {} edges", graphs[0].edges);
        let mut found = (Vec::new(), 0);
        for _ in 0..=runs {
            let counted = exchange.team().each(|_, device| {
                Ok(count_within(device, &graphs[0], &CountingSettings::MEASURED, u64::MAX)?
                    .0
                    .counted())
            });
            let counted = counted.map_err(|failed| failed.error)?[0];
            found.0.push((counted.build, counted.count));
            found.1 = counted.triangles;
        }
        show("32-bit places", found.0.split_off(1), found.1);
    }
    if let OnEach::Wide(graphs) = prepare(0)?.graphs {
        let m = graphs[0].edges;
        let settings = GroupSettings::MEASURED;
        let sizes = [m, m / 2 + 1, m / 8 + 1].map(|places| (places, Some(settings.row_bits)));
        for (places, groups) in sizes.into_iter().chain([(m, None)]) {
            let least_permille = settings.min_grouped_permille;
            let windows = Windows { places, groups, least_permille, free: u64::MAX };
            let mut found = (Vec::new(), 0, 0);
            for _ in 0..=runs {
                let each = |_: usize, device: &_| count_windows(device, &graphs[0], &windows);
                let of = exchange.team().each(each).map_err(|failed| failed.error)?[0];
                found.0.push((of.counted.build, of.counted.count));
                (found.1, found.2) = (of.counted.triangles, of.grouped);
            }
            let what = match groups {
                Some(_) => format!("windows of {places}"),
                None => "merged".to_owned(),
            };
            show(&what, found.0.split_off(1), found.1);
            println!("    {} edges had a head with a group", found.2);
        }
    }
    Ok(())
}
