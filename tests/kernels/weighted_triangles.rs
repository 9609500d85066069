use anyhow::{Result, ensure};
use testkit::effort;
use tribin_kernels::weighted_triangles::{
    BLOCK, LONG_BLOCK, LONG_SHARED_BYTES, weigh_long_rows, weigh_rows,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds};
use crate::rows::{Rows, graphs_of_triangles};

/// Who takes a row.
#[derive(Debug, Clone, Copy)]
enum Team {
    Lanes { log2: u32, shortest: u32, longest: u32 },
    Block { shortest: u32 },
}

/// A graph with a number for each edge.
#[derive(Debug, Clone)]
struct Weighed {
    graph: Rows,
    numbers: Vec<f64>,
}

impl Weighed {
    /// What is there before, and what the rows of these lengths add: sums that are exact in any order.
    fn expected(&self, team: Team) -> Vec<f64> {
        let (shortest, longest) = match team {
            Team::Lanes { shortest, longest, .. } => (shortest, longest),
            Team::Block { shortest } => (shortest, u32::MAX),
        };
        let mut sums = vec![1.0; self.numbers.len()];
        for places in self.graph.triangles() {
            let row = self.graph.row(self.graph.tails[places[0] as usize]).len() as u32;
            if row >= shortest && row <= longest {
                let product: f64 = places.iter().map(|&at| self.numbers[at as usize]).product();
                sums[places[0] as usize] += product;
                sums[places[1] as usize] += product;
            }
        }
        sums
    }

    fn sums<D: TestDevice>(&self, device: &D, team: Team, shape: Shape) -> Result<Buffer<f64, D>> {
        let Rows { heads, rows, .. } = &self.graph;
        let mut sums = Buffer::from_host(device, &vec![1.0; self.numbers.len()])?;
        let (n, m) = (rows.len() as u64, heads.len() as u64);
        let heads = Buffer::from_host(device, heads)?;
        let rows = Buffer::from_host(device, rows)?;
        let numbers = Buffer::from_host(device, &self.numbers)?;
        let (heads, rows, numbers, there) =
            (heads.view(), rows.view(), numbers.view(), sums.view_mut());
        match team {
            Team::Lanes { log2, shortest, longest } => {
                weigh_rows(
                    device, shape, heads, rows, numbers, there, shortest, longest, log2, n, m,
                )?;
            }
            Team::Block { shortest } => {
                let shape = shape.shared(LONG_SHARED_BYTES);
                weigh_long_rows(device, shape, heads, rows, numbers, there, shortest, n, m)?;
            }
        }
        Ok(sums)
    }
}

#[derive(Debug)]
struct Sums {
    weighed: Weighed,
    team: Team,
    shape: Shape,
}

impl Case for Sums {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let sums = self.weighed.sums(device, self.team, self.shape)?;
        ensure_holds("sums", device, &sums, &self.weighed.expected(self.team))
    }
}

/// Sixteenths from -3/16 to 39/16.
fn in_sixteenths((seed, graph): (u64, Rows)) -> Weighed {
    let mut rng = fastrand::Rng::with_seed(seed);
    let numbers = graph.heads.iter().map(|_| f64::from(rng.i32(-3..40)) / 16.0).collect();
    Weighed { graph, numbers }
}

#[test]
fn weigh_rows_adds_products_to_the_rows_of_a_length() {
    let kernel = Kernel::named("weigh_rows");
    for weighed in (0..).zip(graphs_of_triangles()).map(in_sixteenths) {
        for (log2, shortest, longest) in [(0, 2, 40), (2, 0, u32::MAX), (3, 9, 16), (5, 3, 200)] {
            let team = Team::Lanes { log2, shortest, longest };
            let shapes = [Shape::new(1, 32), Shape::new(1, BLOCK), Shape::new(5, BLOCK)];
            kernel.everywhere(shapes.map(|shape| Sums { weighed: weighed.clone(), team, shape }));
        }
    }
}

#[test]
fn weigh_long_rows_adds_products_to_rows_from_a_length_on() {
    let kernel = Kernel::named("weigh_long_rows");
    for (at, weighed) in (0..).zip(graphs_of_triangles()).map(in_sixteenths).enumerate() {
        for (at, shortest) in (at..).zip([0, 2, 17, 60]) {
            let team = Team::Block { shortest };
            let shapes = [Shape::new(1, 32), Shape::new(3, 96), Shape::new(2, LONG_BLOCK)];
            // A quick run takes one of the shapes.
            let shapes = effort::some(shapes, at, 3);
            kernel.everywhere(shapes.map(|shape| Sums { weighed: weighed.clone(), team, shape }));
        }
    }
}

/// Numbers whose sums depend on their order.
#[derive(Debug)]
struct AnyGrid {
    weighed: Weighed,
    team: Team,
    shapes: [Shape; 2],
}

impl Case for AnyGrid {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let sums = |shape| -> Result<Vec<u64>> {
            let sums = self.weighed.sums(device, self.team, shape)?.to_vec(device)?;
            Ok(sums.into_iter().map(f64::to_bits).collect())
        };
        let [one, other] = self.shapes.map(sums);
        let (one, other) = (one?, other?);
        let differs = one.iter().zip(&other).position(|(one, other)| one != other);
        ensure!(differs.is_none(), "the sum of edge {differs:?} differs");
        Ok(())
    }
}

#[test]
fn weigh_rows_rounds_alike_in_any_grid() {
    let kernel = Kernel::named("weigh_rows");
    let graph = Rows::clique(80);
    let numbers = (1..=graph.heads.len()).map(|k| (k as f64).cbrt()).collect();
    let weighed = Weighed { graph, numbers };
    for log2 in [0, 2, 5] {
        let team = Team::Lanes { log2, shortest: 0, longest: u32::MAX };
        let shapes = [Shape::new(1, 32), Shape::new(7, BLOCK)];
        kernel.everywhere([AnyGrid { weighed: weighed.clone(), team, shapes }]);
    }
}
