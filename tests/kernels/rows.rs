//! Oriented graphs for kernels that count, with every figure by looking it up.

/// An oriented graph whose ranks are the ids: tails, heads, and the first and last place of each row.
#[derive(Debug, Clone)]
pub struct Rows {
    pub tails: Vec<u32>,
    pub heads: Vec<u32>,
    pub rows: Vec<u64>,
}

impl Rows {
    /// Each edge with probability `percent` / 100, thrice that, … or none, by the rank of its tail.
    pub fn random(ranks: u32, percent: u32, seed: u64) -> Rows {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut graph = Rows { tails: vec![], heads: vec![], rows: vec![0; ranks as usize] };
        for u in 0..ranks {
            let start = graph.heads.len() as u64;
            // Some rows long, some short, some empty.
            let percent = percent * (u % 4);
            graph.heads.extend((0..u).filter(|_| rng.u32(0..100) < percent));
            graph.tails.resize(graph.heads.len(), u);
            if graph.heads.len() as u64 > start {
                graph.rows[u as usize] = start | (graph.heads.len() as u64) << 32;
            }
        }
        graph
    }

    /// The entries of row `r`.
    pub fn row(&self, r: u32) -> &[u32] {
        let row = self.rows[r as usize];
        &self.heads[(row & 0xffff_ffff) as usize..(row >> 32) as usize]
    }

    /// Triangles on the edge at `place`, by looking every vertex up.
    pub fn closed(&self, place: u32) -> u64 {
        let (u, a) = (self.tails[place as usize], self.heads[place as usize]);
        self.row(u).iter().filter(|&&w| w < a && self.row(a).contains(&w)).count() as u64
    }

    /// The degrees of all ranks.
    pub fn degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.rows.len()];
        for &end in self.tails.iter().chain(&self.heads) {
            degrees[end as usize] += 1;
        }
        degrees
    }
}
