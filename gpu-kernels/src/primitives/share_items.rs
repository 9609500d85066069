use warpwise_device::{thread, warp};

/// Each lane of a warp has `own` items. All lanes take them, one at a time, whatever lane has it: so a lane that has many
/// holds up no other. Calls `take(of, number, is_one)` on all lanes together: the item is the `number`-th of lane `of`. Behind
/// the last item there is none for the lanes that are left, and `is_one` is false.
///
/// The lanes have fewer than 2³¹ items together. All lanes call it.
#[inline(always)]
pub fn warp_share_items(own: u32, mut take: impl FnMut(u32, u32, bool)) {
    let end = warp::warp_scan_add_32(own);
    let all = warp::warp_shuffle_idx(warp::ALL, end, warp::SIZE - 1);
    let mut item = warp::lane_id();
    for _ in thread::strided(0..all, warp::SIZE) {
        // As many lanes are before its own as have their last item before it.
        let mut of = 0;
        let mut step = warp::SIZE / 2;
        while step > 0 {
            let before = warp::warp_shuffle_idx(warp::ALL, end, of + step - 1);
            of += if before <= item { step } else { 0 };
            step /= 2;
        }
        let start = warp::warp_shuffle_idx(warp::ALL, end - own, of);
        take(of, item - start, item < all);
        item += warp::SIZE;
    }
}
