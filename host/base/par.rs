//! Parallel loops, all of which are one loop of rayon's.
//!
//! rayon makes code anew for each closure that it is given, some ten kilobytes at a time. Here it is given closures
//! behind `dyn`, in functions that are compiled once: [`parallel_for`], [`find_first`], [`join`] and
//! [`Pool::install`]. What is generic here adds a few instructions to each use.
//!
//! A *task* is one call of a body. The call goes through a table, the task goes through rayon's queues, and what it
//! is given and gives back goes through a lock that nobody else holds. That is some 0.1 µs, so that a task should
//! take microseconds at least: what is done to each element is done to blocks of them, such as [`BLOCK`] at a time.
//!
//! Results are in the order of the tasks, whatever the number of threads. A panic of a task goes on at the caller.
//! A task may run loops of its own.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Elements of a task that does little to each of them.
pub const BLOCK: usize = 1 << 14;

/// The number of threads that loops run on here: those of the pool around, or else of the global pool.
pub fn threads() -> usize {
    rayon::current_num_threads()
}

/// The number of this thread in its pool; `None` outside of one.
pub fn thread() -> Option<usize> {
    rayon::current_thread_index()
}

/// Calls `body` once with each index below `n`. Each call is a task.
#[inline(never)]
pub fn parallel_for(n: usize, body: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().with_max_len(1).for_each(body);
}

/// The least index below `n` for which `holds`. Indexes above one that was found are left out where they have not begun;
/// those below it are all looked at.
#[inline(never)]
pub fn find_first(n: usize, holds: &(dyn Fn(usize) -> bool + Sync)) -> Option<usize> {
    let first = AtomicUsize::new(n);
    parallel_for(n, &|index| {
        if index < first.load(Relaxed) && holds(index) {
            first.fetch_min(index, Relaxed);
        }
    });
    Some(first.into_inner()).filter(|&first| first < n)
}

/// Runs two tasks, at the same time where a thread is free.
#[inline(never)]
fn join_tasks(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

/// A value that one task leaves for another.
struct Slot<T>(Mutex<Option<T>>);

impl<T> Slot<T> {
    fn empty() -> Slot<T> {
        Slot(Mutex::new(None))
    }

    fn holding(value: T) -> Slot<T> {
        Slot(Mutex::new(Some(value)))
    }

    fn put(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    fn take(&self) -> T {
        let value = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        value.expect("each slot is filled once and emptied once")
    }
}

/// Calls `body` once with each item. The items are collected first: let there be one for each task.
#[inline]
pub fn for_each<T: Send>(items: impl IntoIterator<Item = T>, body: impl Fn(T) + Sync) {
    let items: Vec<Slot<T>> = items.into_iter().map(Slot::holding).collect();
    parallel_for(items.len(), &|index| body(items[index].take()));
}

/// The results that `body` makes of the items, in their order.
#[inline]
pub fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    body: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items: Vec<Slot<T>> = items.into_iter().map(Slot::holding).collect();
    let results: Vec<Slot<R>> = items.iter().map(|_| Slot::empty()).collect();
    parallel_for(items.len(), &|index| results[index].put(body(items[index].take())));
    results.iter().map(Slot::take).collect()
}

/// The result that `body` makes of the first item for which it makes one.
#[inline]
pub fn find_map_first<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    body: impl Fn(T) -> Option<R> + Sync,
) -> Option<R> {
    let items: Vec<Slot<T>> = items.into_iter().map(Slot::holding).collect();
    let found: Mutex<Option<(usize, R)>> = Mutex::new(None);
    find_first(items.len(), &|index| {
        let Some(result) = body(items[index].take()) else { return false };
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.as_ref().is_none_or(|(first, _)| index < *first) {
            *found = Some((index, result));
        }
        true
    });
    Some(found.into_inner().unwrap_or_else(PoisonError::into_inner)?.1)
}

/// Calls `body` with each item, until it fails for one.
///
/// # Errors
/// What `body` reports of the first item for which it fails.
#[inline]
pub fn try_for_each<T: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    body: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    find_map_first(items, |item| body(item).err()).map_or(Ok(()), Err)
}

/// The results that `body` makes of the items, in their order.
///
/// # Errors
/// What `body` reports of the first item for which it fails.
#[inline]
pub fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    body: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let items: Vec<T> = items.into_iter().collect();
    let results: Vec<Slot<R>> = items.iter().map(|_| Slot::empty()).collect();
    try_for_each(items.into_iter().zip(&results), |(item, result)| {
        result.put(body(item)?);
        Ok(())
    })?;
    Ok(results.iter().map(Slot::take).collect())
}

/// `value(i)` for every `i < n`, a block of them at a time.
#[inline]
pub fn tabulate<T: Copy + Default + Send>(n: usize, value: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut values = vec![T::default(); n];
    fill(&mut values, value);
    values
}

/// Sets each element to the value of its index, a block of them at a time.
#[inline]
pub fn fill<T: Send>(elements: &mut [T], value: impl Fn(usize) -> T + Sync) {
    for_each(elements.chunks_mut(BLOCK).enumerate(), |(block, elements)| {
        for (index, element) in (block * BLOCK..).zip(elements) {
            *element = value(index);
        }
    });
}

/// Parts of `elements` that follow one another, of these lengths. They may leave elements over at the end.
pub fn cut<T>(mut elements: &mut [T], lengths: impl IntoIterator<Item = usize>) -> Vec<&mut [T]> {
    let part = |length| elements.split_off_mut(..length).expect("the lengths are within the sum");
    lengths.into_iter().map(part).collect()
}

/// The numbers below `n` in ranges of `size`, of which the last may be shorter.
pub fn blocks(
    n: usize,
    size: usize,
) -> impl DoubleEndedIterator<Item = Range<usize>> + ExactSizeIterator {
    (0..n.div_ceil(size)).map(move |block| block * size..n.min((block + 1) * size))
}

/// Runs both closures, at the same time where a thread is free.
#[inline]
pub fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut of_a, mut of_b) = (None, None);
    join_tasks(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
    of_a.zip(of_b).expect("both have run")
}

/// A task that is done with each item. It adds items by calling the function that it is given.
type Adding<'b, T> = dyn Fn(T, &dyn Fn(T)) + Sync + 'b;

/// Calls `body` once with each item, and with each that it adds by the function that it is given. The first item is
/// taken on the thread of the pool that calls this.
pub fn for_each_and_more<T: Send>(items: Vec<T>, body: &Adding<'_, T>) {
    fn run<'s, T: Send + 's>(item: T, body: &'s Adding<'s, T>, scope: &rayon::Scope<'s>) {
        body(item, &|more| scope.spawn(move |scope| run(more, body, scope)));
    }
    rayon::scope(|scope| {
        let mut items = items.into_iter();
        let first = items.next();
        items.for_each(|item| scope.spawn(move |scope| run(item, body, scope)));
        // Where there are few, they are done before another thread is awake.
        if let Some(first) = first {
            run(first, body, scope);
        }
    });
}

/// Sorts in place; equal elements may change places. Each type of element is a sort of its own in the program, of
/// several kilobytes: sort whole numbers where that is possible.
#[inline(never)]
pub fn sort_unstable<T: Ord + Send>(elements: &mut [T]) {
    elements.par_sort_unstable();
}

/// Sorts in place what consists of few ascending runs, which it finds and merges. Takes as much memory again.
#[inline(never)]
pub fn sort_runs<T: Ord + Send>(elements: &mut [T]) {
    elements.par_sort();
}

/// Values that tasks leave to later tasks, such as buffers: as many as tasks run at once.
pub struct Spare<T>(Mutex<Vec<T>>);

impl<T> Default for Spare<T> {
    fn default() -> Spare<T> {
        Spare::new()
    }
}

impl<T> Spare<T> {
    /// No values yet.
    pub fn new() -> Spare<T> {
        Spare(Mutex::new(Vec::new()))
    }

    /// Runs a task with a value as an earlier task left it, or a new one where none is spare. A task that panics
    /// leaves none.
    pub fn with<R>(&self, new: impl FnOnce() -> T, task: impl FnOnce(&mut T) -> R) -> R {
        let spare = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = spare().pop();
        let mut value = left.unwrap_or_else(new);
        let result = task(&mut value);
        spare().push(value);
        result
    }

    /// All values, in no order.
    pub fn into_values(self) -> Vec<T> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the global pool, if it is not there yet, with this many threads; 0 leaves their number to rayon.
///
/// # Errors
/// What the system says where they cannot be started. rayon would panic at the first use.
pub fn start_global(threads: usize) -> Result<(), rayon::ThreadPoolBuildError> {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build_global() {
        // That there is a pool already is an error without a cause.
        Err(error) if std::error::Error::source(&error).is_some() => Err(error),
        _ => Ok(()),
    }
}

/// Threads that loops run on.
pub struct Pool(rayon::ThreadPool);

impl Pool {
    /// Starts this many threads, of which each has a name that begins so.
    ///
    /// # Errors
    /// What the system says where they cannot be started.
    pub fn start(threads: usize, name: &'static str) -> Result<Pool, rayon::ThreadPoolBuildError> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        builder.thread_name(move |index| format!("{name}-{index}")).build().map(Pool)
    }

    /// The number of the pool's threads.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Runs a closure on one of the threads; its loops run on all of them.
    #[inline]
    pub fn install<R: Send>(&self, run: impl FnOnce() -> R + Send) -> R {
        let (mut run, mut result) = (Some(run), None);
        self.install_task(&mut || result = run.take().map(|run| run()));
        result.expect("it has run")
    }

    #[inline(never)]
    fn install_task(&self, task: &mut (dyn FnMut() + Send)) {
        self.0.install(task);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use proptest::prelude::*;

    use super::*;

    fn on<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
        Pool::start(threads, "test").unwrap().install(run)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn results_are_those_of_loops_one_after_another(
            numbers in prop::collection::vec(any::<u32>(), 0..300),
            size in 1usize..50,
            threads in 1usize..5,
        ) {
            let n = numbers.len();
            let double = |number: &u32| u64::from(*number) * 2;
            let doubled: Vec<u64> = numbers.iter().map(double).collect();
            let mut runs = numbers.clone();
            runs.chunks_mut(size).for_each(<[u32]>::sort_unstable);
            on(threads, || {
                let taken = Mutex::new(Vec::new());
                for_each(&numbers, |number| taken.lock().unwrap().push(*number));
                let mut taken = taken.into_inner().unwrap();
                taken.sort_unstable();
                let mut sorted = numbers.clone();
                sort_unstable(&mut sorted);
                assert_eq!(taken, sorted);
                sort_runs(&mut runs);
                assert_eq!(runs, sorted);

                assert_eq!(map(&numbers, double), doubled);
                assert_eq!(try_map(&numbers, |number| Ok::<_, ()>(double(number))).unwrap(), doubled);
                assert_eq!(tabulate(n, |index| double(&numbers[index])), doubled);
                let ranges: Vec<usize> = blocks(n, size).flatten().collect();
                assert_eq!(ranges, Vec::from_iter(0..n));
                assert!(blocks(n, size).all(|block| block.len() <= size && !block.is_empty()));

                let parts = map(numbers.chunks(size), |part| part.iter().map(double).sum::<u64>());
                assert_eq!(parts.iter().sum::<u64>(), doubled.iter().sum::<u64>());
                let both = join(|| numbers.iter().max(), || numbers.iter().min());
                assert_eq!(both, (numbers.iter().max(), numbers.iter().min()));
            });
        }

        #[test]
        fn of_several_the_first_is_found(
            numbers in prop::collection::vec(0u32..9, 0..300),
            threads in 1usize..5,
        ) {
            let place = numbers.iter().position(|&number| number == 0);
            let fails = |(place, number): (usize, &u32)| match number {
                0 => Err(place),
                _ => Ok(()),
            };
            on(threads, || {
                let places = || numbers.iter().enumerate();
                assert_eq!(find_first(numbers.len(), &|index| numbers[index] == 0), place);
                assert_eq!(find_map_first(places(), |item| fails(item).err()), place);
                assert_eq!(try_for_each(places(), fails).err(), place);
                assert_eq!(try_map(places(), fails).err(), place);
            });
        }

        #[test]
        fn items_that_are_added_are_taken_too(
            first in prop::collection::vec(0u32..200, 0..9),
            threads in 1usize..5,
        ) {
            // Each number adds its halves.
            fn below(number: u32) -> u64 {
                if number == 0 { 1 } else { 1 + 2 * below(number / 2) }
            }
            let taken = AtomicUsize::new(0);
            on(threads, || {
                for_each_and_more(first.clone(), &|number, add| {
                    taken.fetch_add(1, Relaxed);
                    if number > 0 {
                        add(number / 2);
                        add(number / 2);
                    }
                });
            });
            let all: u64 = first.iter().map(|&number| below(number)).sum();
            prop_assert_eq!(taken.into_inner() as u64, all);
        }
    }

    #[test]
    fn a_block_and_its_neighbours() {
        for n in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let squares = tabulate(n, |index| index as u64 * index as u64);
            assert!(squares.iter().zip(0u64..).all(|(&square, index)| square == index * index));
            assert_eq!(squares.len(), n);
        }
    }

    #[test]
    fn loops_within_loops_on_one_thread_and_on_several() {
        let triangular = |n: u64| n * (n + 1) / 2;
        for threads in [1, 3] {
            let sums = on(threads, || {
                map(0..40u64, |n| {
                    map(0..n, |m| map(0..=m, |k| k).len() as u64).into_iter().sum::<u64>()
                })
            });
            assert_eq!(sums, Vec::from_iter((0..40).map(triangular)));
        }
    }

    #[test]
    fn a_panic_goes_on_at_the_caller() {
        for threads in [1, 3] {
            let pool = Pool::start(threads, "test").unwrap();
            let word = |run: &(dyn Fn() + Sync)| {
                let caught = catch_unwind(AssertUnwindSafe(|| pool.install(run)));
                *caught.unwrap_err().downcast::<&str>().unwrap()
            };
            let fails = |index: usize| {
                if index == 7 {
                    panic!("a defect")
                }
            };
            assert_eq!(word(&|| parallel_for(20, &fails)), "a defect");
            assert_eq!(word(&|| for_each(0..20, fails)), "a defect");
            assert_eq!(word(&|| drop(map(0..20, fails))), "a defect");
            assert_eq!(word(&|| _ = join(|| (), || fails(7))), "a defect");
            assert_eq!(word(&|| for_each_and_more(vec![7], &|index, _| fails(index))), "a defect");
            // The pool lives.
            assert_eq!(pool.install(|| map(0..3, |index| index)), [0, 1, 2]);
        }
    }

    #[test]
    fn what_is_given_away_is_dropped_once() {
        let items = std::sync::Arc::new(());
        let copies = || (0..50).map(|_| items.clone());
        for_each(copies(), drop);
        assert_eq!(map(copies(), |item| item).len(), 50);
        let half = |(index, item)| if index < 25 { Ok(item) } else { Err(()) };
        assert!(try_map(copies().enumerate(), half).is_err());
        assert_eq!(std::sync::Arc::strong_count(&items), 1);
    }

    #[test]
    fn a_pool_has_its_threads_and_a_spare_value_is_used_again() {
        let pool = Pool::start(3, "test").unwrap();
        assert_eq!((pool.threads(), pool.install(threads)), (3, 3));
        let spare = Spare::new();
        let seen = pool.install(|| {
            map(0..1000, |_| {
                spare.with(Vec::new, |own: &mut Vec<()>| own.push(()));
                thread().unwrap()
            })
        });
        assert!(seen.into_iter().collect::<BTreeSet<_>>().is_subset(&BTreeSet::from([0, 1, 2])));
        let values = spare.into_values();
        assert!(values.len() <= 3);
        assert_eq!(values.iter().map(Vec::len).sum::<usize>(), 1000);
    }
}
