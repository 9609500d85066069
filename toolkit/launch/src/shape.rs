//! The shape of a launch.

use std::fmt;

/// The number of things along each of three axes. One number is a row of them.
///
/// Threads of a block and blocks of a grid are numbered along `x` first, then `y`, then `z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// Along the first axis.
    pub x: u32,
    /// Along the second axis.
    pub y: u32,
    /// Along the third axis.
    pub z: u32,
}

impl Dim3 {
    /// The number of points: the product of the three.
    pub const fn count(self) -> u64 {
        (self.x as u64).saturating_mul(self.y as u64).saturating_mul(self.z as u64)
    }
}

impl From<u32> for Dim3 {
    fn from(x: u32) -> Dim3 {
        Dim3 { x, y: 1, z: 1 }
    }
}

impl From<(u32, u32)> for Dim3 {
    fn from((x, y): (u32, u32)) -> Dim3 {
        Dim3 { x, y, z: 1 }
    }
}

impl From<(u32, u32, u32)> for Dim3 {
    fn from((x, y, z): (u32, u32, u32)) -> Dim3 {
        Dim3 { x, y, z }
    }
}

/// The number of threads that run a kernel, and how much shared memory each block has.
///
/// ```
/// use warpwise_launch::Shape;
///
/// let row = Shape::new(8, 256);
/// let tiles = Shape::new((4, 2), (32, 8)).shared(4096);
/// assert_eq!((row.threads(), tiles.threads()), (8 * 256, 8 * 256));
/// assert!(row.is_1d() && !tiles.is_1d() && !Shape::new((1, 2), 32).is_1d());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Blocks: from 1 to 2³¹ - 1 along x, and to 65,535 along y and z.
    pub grid: Dim3,
    /// Threads in a block: from 1 to 1024 along x and y, to 64 along z, and at most 1024 in all.
    pub block: Dim3,
    /// Bytes of shared memory of each block.
    pub shared_bytes: u32,
    /// Whether all blocks have to be on the device at a time, because they wait for one another.
    pub together: bool,
    /// Blocks of a cluster, neighbours along x: from 1 to 8, and the grid's x is a multiple of it. More than 1 need compute capability 9.0.
    pub cluster: u32,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [grid, block] =
            [self.grid, self.block].map(|Dim3 { x, y, z }| format!("{x} x {y} x {z}"));
        write!(
            f,
            "{grid} blocks of {block} threads, {} bytes of shared memory",
            self.shared_bytes
        )?;
        match self.cluster {
            1 => Ok(()),
            blocks => write!(f, ", clusters of {blocks} blocks"),
        }
    }
}

impl Shape {
    /// `grid` blocks of `block` threads without shared memory.
    pub fn new(grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Shape {
        let (grid, block) = (grid.into(), block.into());
        Shape { grid, block, shared_bytes: 0, together: false, cluster: 1 }
    }

    /// This shape with `bytes` of shared memory a block.
    pub fn shared(self, bytes: u32) -> Shape {
        Shape { shared_bytes: bytes, ..self }
    }

    /// This shape for a kernel whose blocks wait for one another: a launch of more blocks than the
    /// device holds at a time is an error, and starts nothing.
    ///
    /// ```
    /// use warpwise_launch::Shape;
    ///
    /// assert!(Shape::new(8, 256).together().together);
    /// ```
    pub fn together(self) -> Shape {
        Shape { together: true, ..self }
    }

    /// This shape with clusters of `blocks` blocks, which are neighbours along x: those of one run on the device together, wait for one
    /// another, and reach each other's shared memory.
    ///
    /// ```
    /// use warpwise_launch::Shape;
    ///
    /// assert_eq!(Shape::new(8, 256).cluster(4).cluster, 4);
    /// ```
    ///
    /// # Panics
    /// If `blocks` is not from 1 to 8, or a row of the grid is no multiple of it.
    #[track_caller]
    pub fn cluster(self, blocks: u32) -> Shape {
        let fits = Shape::fits_clusters(self.grid, blocks);
        assert!(fits, "rows of {} blocks are no clusters of {blocks}, from 1 to 8", self.grid.x);
        Shape { cluster: blocks, ..self }
    }

    /// Whether a grid consists of whole clusters of `blocks` blocks.
    #[doc(hidden)]
    pub fn fits_clusters(grid: Dim3, blocks: u32) -> bool {
        (1..=8).contains(&blocks) && grid.x.is_multiple_of(blocks)
    }

    /// A shape of as many blocks of `block` threads as give every one of `items` a thread, at most
    /// `most` (the kernel then strides).
    ///
    /// # Panics
    /// If `block` or `most` is 0.
    #[track_caller]
    pub fn cover(items: u64, block: u32, most: u32) -> Shape {
        assert!(
            block > 0 && most > 0,
            "a grid of at most {most} blocks of {block} threads is empty"
        );
        let grid = items.div_ceil(u64::from(block)).clamp(1, u64::from(most));
        Shape::new(grid as u32, block)
    }

    /// Whether grid and block are rows: then `thread::index_1d` of `warpwise-device` is another number for each thread.
    pub fn is_1d(self) -> bool {
        [self.grid, self.block].iter().all(|of| (of.y, of.z) == (1, 1))
    }

    /// Threads of the grid.
    pub fn threads(self) -> u64 {
        self.grid.count().saturating_mul(self.block.count())
    }
}
