use anyhow::{Result, ensure};
use proptest::prelude::*;
use testkit::effort;
use tribin_kernels::narrow_bloom_filters::{
    BLOCK, COUNT_BLOCK, bits, count_shared_bytes, filter_count, filter_count_128, most_exact,
    narrow_bloom_filters, words,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::UNTOUCHED;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{self, Rows, Totals, oriented};

/// 16, 32, 64 and 128 bits.
const WIDTHS: [u32; 4] = [4, 5, 6, 7];

/// How many bits a row has, and how many ranks have one of their own.
#[derive(Debug, Clone, Copy)]
struct Form {
    bits_log2: u32,
    exact: u32,
}

impl Form {
    /// Each width with no rank that has a bit of its own, with one, and with as many as there can be.
    fn all() -> Vec<Form> {
        let of = |bits_log2| [0, 1, most_exact(bits_log2)].map(|exact| Form { bits_log2, exact });
        WIDTHS.into_iter().flat_map(of).collect()
    }

    fn any() -> impl Strategy<Value = Form> {
        let form = |(bits_log2, exact)| Form { bits_log2, exact };
        let exact = |bits_log2| (Just(bits_log2), 0..=most_exact(bits_log2));
        prop::sample::select(&WIDTHS[..]).prop_flat_map(exact).prop_map(form)
    }

    /// How many bits a hash function chooses from, and where those of the second begin.
    fn halves(self) -> (u32, u32) {
        match self.bits_log2 {
            4 => (16, 0),
            5 => (32, 0),
            6 => (32, 32),
            _ => (64, 64),
        }
    }

    /// The two bits of a vertex among all of a row's. Without those of the first ranks, the product's share of 2³² is the
    /// bit's share of those that are left.
    fn bits_of(self, vertex: u32) -> [u32; 2] {
        let (half, upper) = self.halves();
        if vertex < self.exact {
            return [vertex, upper + vertex];
        }
        let left = u64::from(half - self.exact);
        let share = |multiplier: u64| u64::from(vertex) * multiplier % (1 << 32) * left / (1 << 32);
        let [one, other] =
            [0x9e37_79b1, 0x85eb_ca6b].map(share).map(|share| self.exact + share as u32);
        [one, upper + other]
    }

    /// The bits of each row, one by one.
    fn filters_of(self, graph: &Rows) -> Vec<u128> {
        let with =
            |set, &vertex: &u32| self.bits_of(vertex).iter().fold(set, |set, bit| set | 1 << bit);
        (0..graph.rows.len() as u32).map(|r| graph.row(r).iter().fold(0, with)).collect()
    }

    /// The words of these filters, the first in the lowest bits, with zeros behind the last.
    fn words_of(self, filters: &[u128]) -> Vec<u32> {
        let word = |filter: u128, k: u32| (filter >> (32 * k)) as u32;
        match self.bits_log2 {
            4 => filters
                .chunks(2)
                .map(|two| word(two[0] | two.get(1).unwrap_or(&0) << 16, 0))
                .collect(),
            more => {
                let words =
                    move |&filter: &u128| (0..1 << (more - 5)).map(move |k| word(filter, k));
                filters.iter().flat_map(words).collect()
            }
        }
    }
}

#[test]
fn a_vertex_has_two_of_the_bits() {
    let mut rng = fastrand::Rng::with_seed(1);
    for form in Form::all() {
        let Form { bits_log2, exact } = form;
        let (half, upper) = form.halves();
        let found = |vertex| {
            let [one, other] = bits(vertex, bits_log2, exact);
            [one, upper + other]
        };
        let around = (0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, !(1 << bit)]);
        let drawn = (0..10_000).map(|_| rng.u32(..));
        for vertex in around.chain(drawn) {
            assert_eq!(found(vertex), form.bits_of(vertex), "{vertex}, {form:?}");
        }
        // Neighbours in the order of the ranks have different bits as often as vertices that are far apart.
        let bits_left = half - exact;
        let mean = 65_536 / bits_left;
        for (step, k) in [1, 8, 64, 1 << 16].into_iter().flat_map(|step| [(step, 0), (step, 1)]) {
            let mut counts = vec![0; half as usize];
            (0..1 << 16)
                .for_each(|i| counts[bits(64 + i * step, bits_log2, exact)[k] as usize] += 1);
            let (first, rest) = counts.split_at(exact as usize);
            let even = mean * 19 / 20..mean * 21 / 20;
            assert!(first.iter().all(|&count| count == 0), "{counts:?}");
            assert!(rest.iter().all(|count| even.contains(count)), "{step}: {counts:?}");
        }
    }
}

#[derive(Debug)]
struct Make {
    graph: Rows,
    /// How many of the rows the kernel is to take.
    n: usize,
    form: Form,
    shape: Shape,
}

impl Case for Make {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Make { ref graph, n, form, shape } = self;
        let Form { bits_log2, exact } = form;
        let mut expected = form.words_of(&form.filters_of(graph)[..n]);
        ensure!(expected.len() as u64 == words(n as u64, bits_log2));
        expected.extend([UNTOUCHED; 2]);
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut made = Buffer::from_host(device, &vec![UNTOUCHED; expected.len()])?;
        let (heads, rows) = (heads.view(), rows.view());
        narrow_bloom_filters(
            device,
            shape,
            heads,
            rows,
            made.view_mut(),
            n as u64,
            bits_log2,
            exact,
        )?;
        ensure_holds("filters", device, &made, &expected)
    }
}

/// What the filters are that a count goes by.
#[derive(Debug, Clone, Copy)]
enum Bits {
    /// Those of the rows: all triangles are found.
    Made,
    /// Any at all: of the first ranks, the bits count, and any other vertex is searched for if both of its bits are set.
    Drawn(u64),
}

#[derive(Debug)]
struct Count {
    graph: Rows,
    bits: Bits,
    form: Form,
    shape: Shape,
}

impl Count {
    /// The third vertices of each edge, one by one.
    fn expected(&self, filters: &[u128]) -> u64 {
        let Count { graph, form, .. } = self;
        let mut triangles = 0;
        for (&u, &a) in graph.tails.iter().zip(&graph.heads) {
            let before: Vec<u32> = graph.row(u).iter().copied().filter(|&w| w < a).collect();
            let of_first = (1 << form.exact) - 1;
            if !before.is_empty() {
                triangles +=
                    u64::from((filters[u as usize] & filters[a as usize] & of_first).count_ones());
            }
            let passes =
                |w: u32| form.bits_of(w).iter().all(|bit| filters[a as usize] >> bit & 1 == 1);
            let closes = |&&w: &&u32| w >= form.exact && passes(w) && graph.row(a).contains(&w);
            triangles += before.iter().filter(closes).count() as u64;
        }
        triangles
    }
}

impl Case for Count {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Count { ref graph, bits, form, shape } = self;
        let m = graph.tails.len() as u64;
        let filters = match bits {
            Bits::Made => form.filters_of(graph),
            Bits::Drawn(seed) => {
                let mut rng = fastrand::Rng::with_seed(seed);
                let all = u128::MAX >> (128 - (1 << form.bits_log2));
                graph
                    .rows
                    .iter()
                    .map(|_| rng.u128(..) & (rng.u128(..) | rng.u128(..)) & all)
                    .collect()
            }
        };
        let expected = self.expected(&filters);
        if let Bits::Made = bits {
            ensure!(expected == graph.count(), "an oracle that contradicts itself");
        }
        // What stands behind the edges is not the kernel's: here, more of the last head.
        let mut graph = graph.clone();
        graph.heads.extend([graph.heads.last().copied().unwrap_or(0); 3]);
        let (tails, heads, rows) = graph.on(device)?;
        let mut words = form.words_of(&filters);
        words.resize(words.len().next_multiple_of(4), 0);
        let filters = Buffer::from_host(device, &words)?;
        let mut totals = Totals::on(device)?;
        // Two ranges of the edges.
        let cut = m / 3;
        for edges in [0..cut, cut..m] {
            let oriented = oriented(&tails, &heads, &rows);
            let (filters, totals) = (filters.view(), totals.view_mut());
            let shape = shape.shared(count_shared_bytes(shape.block.x));
            let (first, m) = (edges.start, edges.end);
            let Form { bits_log2, exact } = form;
            if bits_log2 == 7 {
                let quads = filters.cast();
                filter_count_128(device, shape, oriented, quads, totals, first, m, exact)?;
            } else {
                let pairs = filters.cast();
                filter_count(
                    device, shape, oriented, filters, pairs, totals, first, m, bits_log2, exact,
                )?;
            }
        }
        totals.ensure_added(device, expected)
    }
}

/// The shared ones, and rows of two or three entries, on both sides of a word's rows.
fn graphs() -> Vec<Rows> {
    let strip = |ranks: u32| {
        let pairs = (2..ranks).flat_map(|v| [[v, v - 1], [v, v - 2], [v, v * 3 / 4]]);
        Rows::of_pairs(&pairs.filter(|[u, v]| u != v).collect::<Vec<_>>())
    };
    rows::graphs().into_iter().chain([4, 5, 7, 8, 9, 127, 128, 1_025].map(strip)).collect()
}

#[test]
fn narrow_bloom_filters_have_the_bits_of_their_entries() {
    let kernel = Kernel::named("narrow_bloom_filters");
    for (graph, form) in
        graphs().into_iter().flat_map(|g| Form::all().into_iter().map(move |f| (g.clone(), f)))
    {
        let ranks = graph.rows.len();
        for n in [0, 1, ranks - 1, ranks] {
            for shape in striding_shapes(words(n as u64, form.bits_log2) + 1, BLOCK) {
                kernel.everywhere([Make { graph: graph.clone(), n, form, shape }]);
            }
        }
    }
    let drawn = (1u32..300, 0u32..30, any::<u64>(), Form::any(), 1u32..6, 1u32..400);
    let drawn = drawn.prop_map(|(ranks, percent, seed, form, grid, block)| {
        let graph = Rows::random(ranks, percent, seed);
        Make { graph, n: ranks as usize, form, shape: Shape::new(grid, block) }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let graph = Rows::random(4_003, 1, 1);
        let shape = Shape::new(2, BLOCK);
        let case = |form| Make { graph: graph.clone(), n: 4_003, form, shape };
        Form::all().into_iter().map(case).collect()
    });
}

/// Counts with the forms that the kernel takes.
fn counts_what_looking_up_counts(name: &'static str, takes: fn(&Form) -> bool) {
    let kernel = Kernel::named(name);
    let all_bits = [Bits::Made, Bits::Drawn(1), Bits::Drawn(2)];
    let cases = |graph: &Rows, shape: Shape| {
        let graph = graph.clone();
        all_bits.into_iter().flat_map(move |bits| {
            let graph = graph.clone();
            Form::all().into_iter().filter(takes).map(move |form| Count {
                graph: graph.clone(),
                bits,
                form,
                shape,
            })
        })
    };
    for (at, graph) in graphs().into_iter().enumerate() {
        // A quick run takes one shape of the five, or two, each with a fourth of the forms and bits.
        let shapes = striding_shapes(graph.tails.len() as u64, COUNT_BLOCK);
        for shape in effort::some(shapes, at, 3) {
            kernel.everywhere(effort::some(cases(&graph, shape), at, 4));
        }
    }
    let (graph, shape) = rows::more_blocks_than_totals();
    kernel.everywhere(effort::some(cases(&graph, shape), 0, 4));
    let bits = prop_oneof![Just(Bits::Made), any::<u64>().prop_map(Bits::Drawn)];
    let drawn = (
        1u32..120,
        0u32..34,
        any::<u64>(),
        bits,
        Form::any().prop_filter("the other kernel", takes),
        1u32..6,
        1u32..3,
    );
    let drawn = drawn.prop_map(|(ranks, percent, seed, bits, form, grid, warps)| {
        let graph = Rows::random(ranks, percent, seed);
        Count { graph, bits, form, shape: Shape::new(grid, warps * 32) }
    });
    kernel.drawn(48, drawn);
    kernel.on_gpu(|| {
        let shape = Shape::new(5_000, COUNT_BLOCK);
        cases(&Rows::random(3_000, 2, 1), shape).collect()
    });
}

#[test]
fn filter_count_counts_what_looking_up_counts_by_up_to_64_bits_a_row() {
    counts_what_looking_up_counts("filter_count", |form| form.bits_log2 < 7);
}

#[test]
fn filter_count_128_counts_what_looking_up_counts() {
    counts_what_looking_up_counts("filter_count_128", |form| form.bits_log2 == 7);
}
