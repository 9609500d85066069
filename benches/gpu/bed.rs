//! The graphs that the choice of an order and a method is judged by, and which of them nothing is chosen by.

use sha2::{Digest, Sha256};

/// Every kind of graph that `tribin generate` makes, at several sizes and parameters, as it comes, sorted, and with
/// ids in no order. What each name stands for, benches/graphs says.
pub const GRAPHS: [&str; 78] = [
    "rmat:16,16,3",
    "rmat:17,24,9",
    "rmat:20,16,7",
    "rmat:21,4,5",
    "rmat:22,10,8",
    "rmat:23,4,6",
    "rmat:18,64,4",
    "sorted:rmat:19,20,2",
    "kron:20,16,450,220,220,1",
    "kron:20,16,650,150,150,2",
    "kron:22,6,500,200,200,3",
    "kron:19,30,600,180,180,4",
    "kron:18,100,350,250,250,5",
    "sorted:kron:21,8,480,210,210,6",
    "er:1000000,16000000,2",
    "er:4000000,30000000,3",
    "er:100000,10000000,4",
    "er:20000,57000000,5",
    "er:9000,9000000,6",
    "er:3000000,5000000,7",
    "sorted:er:800000,24000000,8",
    "ba:1000000,16,2",
    "ba:3000000,4,3",
    "ba:100000,100,4",
    "shuffled:ba:400000,40,5",
    "sorted:shuffled:ba:600000,24,6",
    "ws:600000,30,100,2",
    "ws:2000000,6,10,3",
    "ws:150000,90,500,4",
    "shuffled:ws:1000000,20,50,5",
    "shuffled:ws:200000,100,400,6",
    "sorted:shuffled:ws:800000,25,200,7",
    "sorted:ws:700000,40,300,8",
    "grid:3000,3",
    "rows:2500,4",
    "sorted:grid:1800,5",
    "geometric:1000000,20,2",
    "geometric:300000,120,3",
    "geometric:120000,24,4",
    "sorted:geometric:500000,50,5",
    "clustered:400,5",
    "clustered:900,6",
    "cells:600,7",
    "sorted:clustered:500,8",
    "web:1500000,20,800,2",
    "web:300000,12,600,3",
    "shuffled:web:2500000,10,500,4",
    "shuffled:web:600000,20,900,5",
    "sorted:shuffled:web:400000,30,700,6",
    "hyperbolic:1200000,30,2300,2",
    "hyperbolic:2500000,10,2700,3",
    "hyperbolic:300000,100,2500,4",
    "hyperbolic:600000,60,2900,5",
    "hyperbolic:200000,20,2200,6",
    "hyperbolic:900000,24,3500,7",
    "sorted:hyperbolic:700000,40,2600,8",
    "affiliation:800000,150000,800,3",
    "affiliation:400000,300000,100,4",
    "affiliation:1500000,50000,1500,6",
    "affiliation:200000,20000,400,7",
    "affiliation:3000000,200000,300,8",
    "sorted:affiliation:600000,120000,600,9",
    "communities:1500000,3000000,300,10,800,2",
    "communities:600000,8000000,500,20,400,3",
    "communities:3000000,1000000,200,5,300,4",
    "communities:1000000,10000000,100,50,1000,5",
    "communities:400000,1000000,900,10,200,6",
    "sorted:communities:1200000,2000000,350,15,900,7",
    "sorted:communities:500000,5000000,600,30,300,8",
    "hub:700000,15000000,2",
    "hub:2000000,6000000,3",
    "hub:200000,3000000,4",
    "mycielskian15",
    // Hubs and communities at once, of two kinds on the same vertices.
    "communities:524288,300000,400,10,500,2+rmat:19,8,3",
    "sorted:communities:1048576,500000,200,20,400,3+rmat:20,4,4",
    "shuffled:ws:1000000,12,50,2+ba:1000000,6,3",
    "clustered:250,3+hub:250000,1000000,4",
    "affiliation:500000,60000,500,2+er:500000,6000000,3",
];

/// Whether nothing is chosen by this graph: it is every third of the names in the order of their SHA-256.
pub fn is_held_out(name: &str) -> bool {
    let hash = |name: &str| <[u8; 32]>::from(Sha256::digest(name));
    let before = GRAPHS.iter().filter(|other| hash(other) < hash(name)).count();
    before % 3 == 2
}

/// One share of several: every so manieth of the graphs, so that shares take about as long.
#[derive(Debug, Clone, Copy)]
pub struct BedShare {
    /// Which share it is, from 1.
    pub number: usize,
    /// The number of shares.
    pub of: usize,
}

impl BedShare {
    /// The graphs of the share.
    pub fn graphs(self) -> impl Iterator<Item = &'static str> {
        GRAPHS.iter().skip(self.number - 1).step_by(self.of).copied()
    }
}
