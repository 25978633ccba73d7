//! The priority queue of a route search.

/// An open sample of the search. The order is by cost plus estimated remaining cost, then by distance to the
/// goal, then by sample, so that routes are deterministic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Open(u128);

impl Open {
    /// An open sample that is `remaining` steps along rows and columns from the goal. `through` is its cost
    /// plus the estimate; the bits of a nonnegative number sort like the number.
    #[inline]
    pub const fn new(through: f64, remaining: u32, at: u32) -> Self {
        Self((through.to_bits() as u128) << 64 | (remaining as u128) << 32 | at as u128)
    }

    #[inline]
    const fn through(self) -> f64 {
        f64::from_bits((self.0 >> 64) as u64)
    }

    #[inline]
    pub const fn at(self) -> usize {
        (self.0 & 0xffff_ffff) as usize
    }
}

/// A priority queue. Costs are roughly sorted into buckets, and only the current bucket is a heap. So the
/// heap is small, and most entries are never sorted.
pub struct Queue {
    /// Entries of the current bucket and of earlier ones.
    now: Heap,
    /// Entries of the buckets after it.
    buckets: Vec<Vec<Open>>,
    /// Entries of later buckets.
    far: Vec<Open>,
    /// The current bucket.
    bucket: u64,
    /// The number of the first bucket in `buckets`.
    first: u64,
    /// Buckets per unit of cost.
    scale: f64,
}

/// The last bucket, which also holds all costs beyond the range of numbers.
const LAST_BUCKET: u64 = 1 << 60;

/// Number of buckets that are stored separately.
const BUCKETS: u64 = 4096;

/// Buckets per cost of a short step.
const TO_A_STEP: f64 = 8.0;

impl Queue {
    /// A queue with several buckets per cost of a short step.
    pub fn new(step: f64) -> Self {
        let buckets = (0..BUCKETS).map(|_| Vec::new()).collect();
        let scale = if step > 0.0 { TO_A_STEP / step } else { 0.0 };
        Self { now: Heap::default(), buckets, far: Vec::new(), bucket: 0, first: 0, scale }
    }

    /// The number of an entry's bucket, which increases with its cost.
    #[inline]
    fn bucket(&self, open: Open) -> u64 {
        ((open.through() * self.scale) as u64).min(LAST_BUCKET)
    }

    #[inline]
    pub fn push(&mut self, open: Open) {
        let bucket = self.bucket(open);
        if bucket <= self.bucket {
            self.now.push(open);
        } else if let Some(bucket) = self.buckets.get_mut((bucket - self.first) as usize) {
            bucket.push(open);
        } else {
            self.far.push(open);
        }
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Open> {
        loop {
            if let Some(open) = self.now.pop() {
                return Some(open);
            }
            self.advance()?;
        }
    }

    /// Advances to the next bucket that is not empty, if any.
    fn advance(&mut self) -> Option<()> {
        self.bucket += 1;
        while let Some(bucket) = self.buckets.get_mut((self.bucket - self.first) as usize) {
            if !bucket.is_empty() {
                bucket.drain(..).for_each(|open| self.now.push(open));
                return Some(());
            }
            self.bucket += 1;
        }
        let far = std::mem::take(&mut self.far);
        self.bucket = far.iter().map(|&open| self.bucket(open)).min()?;
        self.first = self.bucket;
        far.into_iter().for_each(|open| self.push(open));
        Some(())
    }
}

/// A min-heap with four children per node, so that they share a cache line.
#[derive(Default)]
struct Heap(Vec<Open>);

const CHILDREN: usize = 4;

impl Heap {
    #[inline]
    fn push(&mut self, open: Open) {
        let mut hole = self.0.len();
        self.0.push(open);
        while hole > 0 {
            let parent = (hole - 1) / CHILDREN;
            if self.0[parent] <= open {
                break;
            }
            self.0[hole] = self.0[parent];
            hole = parent;
        }
        self.0[hole] = open;
    }

    #[inline]
    fn pop(&mut self) -> Option<Open> {
        let last = self.0.pop()?;
        let Some(&first) = self.0.first() else { return Some(last) };
        let (places, mut hole) = (&mut self.0[..], 0);
        loop {
            let child = CHILDREN * hole + 1;
            let smallest = match places.get(child..child + CHILDREN) {
                Some(four) => {
                    let left = usize::from(four[1] < four[0]);
                    let right = 2 + usize::from(four[3] < four[2]);
                    child + if four[right] < four[left] { right } else { left }
                }
                None => match (child..places.len()).min_by_key(|&child| places[child]) {
                    Some(smallest) => smallest,
                    None => break,
                },
            };
            if last <= places[smallest] {
                break;
            }
            places[hole] = places[smallest];
            hole = smallest;
        }
        places[hole] = last;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Includes entries that are cheaper than those already taken, and buckets that are much too wide or
        /// too narrow.
        #[test]
        fn the_smallest_comes_first(
            costs in proptest::collection::vec((0u16..5000, 0u32..3, 0u32..9), 0..90),
            step in 0usize..4,
        ) {
            let mut queue = Queue::new([0.0, 0.001, 1.0, 1e9][step]);
            let mut kept: Vec<Open> = Vec::new();
            for (count, &(cost, left, at)) in costs.iter().enumerate() {
                let open = Open::new(f64::from(cost) / 4.0, left, at);
                queue.push(open);
                kept.push(open);
                if count % 3 == 2 {
                    kept.sort_unstable_by(|a, b| b.cmp(a));
                    prop_assert!(queue.pop() == kept.pop());
                }
            }
            kept.sort_unstable_by(|a, b| b.cmp(a));
            while let Some(open) = queue.pop() {
                prop_assert!(Some(open) == kept.pop());
            }
            prop_assert!(kept.is_empty());
        }
    }
}
