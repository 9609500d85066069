//! Shapes that bring out a kernel's borders.

use warpwise_device::launch::Shape;

/// The shapes in which a kernel that strides gets `items` items: one small block, one block, fewer
/// threads than items, a thread for each, and blocks to spare.
pub fn striding_shapes(items: u64, block: u32) -> [Shape; 5] {
    let cover = Shape::cover(items, block, u32::MAX).grid.x;
    [
        Shape::new(1, 32),
        Shape::new(1, block),
        Shape::new(cover.div_ceil(2), 64),
        Shape::new(cover, block),
        Shape::new(cover + 3, block),
    ]
}

/// The shapes in which a kernel that gives each of `items` items a thread gets them: small blocks, blocks of
/// `block` threads, and blocks to spare.
pub fn covering_shapes(items: u64, block: u32) -> [Shape; 3] {
    let cover = Shape::cover(items, block, u32::MAX);
    [Shape::cover(items, 32, u32::MAX), cover, Shape::new(cover.grid.x + 3, block)]
}

#[cfg(test)]
mod tests {
    use super::{covering_shapes, striding_shapes};

    #[test]
    fn covering_shapes_have_a_thread_for_each_item() {
        for items in [0, 1, 31, 32, 33, 255, 256, 257, 1000] {
            for shape in covering_shapes(items, 256) {
                assert!(shape.threads() >= items, "{shape:?}");
            }
        }
        assert!(striding_shapes(1000, 256).iter().any(|shape| shape.threads() < 1000));
    }
}
