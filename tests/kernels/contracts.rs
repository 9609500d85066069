//! What a launch refuses before it starts.

use tribin_device::emulated::Emulator;
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::{degrees, radix_sort, unique};

#[test]
#[should_panic(expected = "kernel count_degrees requires edges.len() >= m")]
fn more_edges_than_the_buffer_has() {
    let device = &Emulator::new();
    let edges = Buffer::zeroed(device, 3).unwrap();
    let mut degree = Buffer::zeroed(device, 1).unwrap();
    let mut labels = Buffer::zeroed(device, 1).unwrap();
    let mut loops = Buffer::zeroed(device, 1).unwrap();
    let mut order = Buffer::zeroed(device, 1).unwrap();
    let (degree, loops, order) = (degree.view_mut(), loops.view_mut(), order.view_mut());
    let _ = degrees::count_degrees(
        device,
        Shape::new(1, 32),
        edges.view(),
        degree,
        labels.view_mut(),
        loops,
        order,
        0,
        4,
        0,
    );
}

/// Makes `n` keys unique, in a launch of this shape.
fn make_unique(n: u64, shape: Shape) {
    let device = &Emulator::new();
    let mut buffers: [Buffer<u32, _>; 5] =
        std::array::from_fn(|_| Buffer::zeroed(device, 2).unwrap());
    let [tails, heads, rows, degree_of_rank, ticket] = buffers.each_mut().map(Buffer::view_mut);
    let keys = Buffer::zeroed(device, 1).unwrap();
    let mut kept = Buffer::zeroed(device, 1).unwrap();
    let mut words = Buffer::zeroed(device, 1).unwrap();
    let (kept, words) = (kept.view_mut(), words.view_mut());
    let degree_of_rank = degree_of_rank.slice(0, 1);
    let keys = keys.view();
    let _ = unique::unique_edges(
        device,
        shape,
        keys,
        tails,
        heads,
        rows,
        degree_of_rank,
        kept,
        words,
        ticket,
        n,
        1,
    );
}

#[test]
#[should_panic(expected = "kernel unique_edges requires n > 0")]
fn no_keys_to_make_unique() {
    make_unique(0, Shape::new(1, unique::BLOCK).shared(unique::SHARED_BYTES));
}

#[test]
#[should_panic(expected = "kernel unique_edges requires shape.block.x == BLOCK")]
fn blocks_of_fewer_threads_than_a_tile_has() {
    make_unique(1, Shape::new(1, unique::BLOCK / 2).shared(unique::SHARED_BYTES));
}

#[test]
#[should_panic(expected = "kernel unique_edges requires shape.shared_bytes >= SHARED_BYTES")]
fn less_shared_memory_than_a_block_takes() {
    make_unique(1, Shape::new(1, unique::BLOCK).shared(unique::SHARED_BYTES - 4));
}

#[test]
#[should_panic(expected = "kernel radix_scatter_8 requires words.len() >=")]
fn no_words_for_the_second_tile() {
    let device = &Emulator::new();
    let n = u64::from(radix_sort::TILE) + 1;
    let keys = Buffer::zeroed(device, n).unwrap();
    let mut sorted = Buffer::zeroed(device, n).unwrap();
    let offsets = Buffer::zeroed(device, 256).unwrap();
    let mut words = Buffer::zeroed(device, 256).unwrap();
    let mut tickets = Buffer::zeroed(device, 1).unwrap();
    let (sorted, words, tickets) = (sorted.view_mut(), words.view_mut(), tickets.view_mut());
    let bytes = radix_sort::scatter_shared_bytes(radix_sort::DIGIT_BITS);
    let shape = Shape::new(2, radix_sort::SCATTER_BLOCK).shared(bytes);
    let _ = radix_sort::radix_scatter::<{ radix_sort::DIGIT_BITS }, _>(
        device,
        shape,
        keys.view(),
        sorted,
        offsets.view(),
        words,
        tickets,
        n,
        0,
        0,
    );
}
