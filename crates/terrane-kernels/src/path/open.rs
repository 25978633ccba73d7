//! The places that a search has still to go on from.

/// A place under way. They are in the order of their cost with the estimate of what is left; of equal ones
/// the one nearer to the goal comes first, then the first sample: so ways do not depend on chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Open(u128);

impl Open {
    /// A sample, `left` steps along rows and columns from the goal. The bits of a number that is not negative
    /// are in its order.
    #[inline]
    pub const fn new(through: f64, left: u32, at: u32) -> Self {
        Self((through.to_bits() as u128) << 64 | (left as u128) << 32 | at as u128)
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

/// Takes places in their order. Costs are sorted roughly, into buckets, and only those of the bucket that is
/// being taken are in a heap: it is small, and most places are never sorted.
pub struct Queue {
    /// Places of the bucket that is being taken, and of buckets before it.
    now: Heap,
    /// Places of the buckets after it.
    buckets: Vec<Vec<Open>>,
    /// Places of buckets beyond those.
    far: Vec<Open>,
    /// The bucket that is being taken, and the first of `buckets`.
    bucket: u64,
    first: u64,
    /// How many buckets there are to a unit of cost.
    scale: f64,
}

/// What costs more than all numbers of buckets comes into the last one.
const LAST_BUCKET: u64 = 1 << 60;

/// How many buckets are kept apart.
const BUCKETS: u64 = 4096;

/// How many there are to the cost of a short step.
const TO_A_STEP: f64 = 8.0;

impl Queue {
    /// With several buckets to the cost of a short step.
    pub fn new(step: f64) -> Self {
        let buckets = (0..BUCKETS).map(|_| Vec::new()).collect();
        let scale = if step > 0.0 { TO_A_STEP / step } else { 0.0 };
        Self { now: Heap::default(), buckets, far: Vec::new(), bucket: 0, first: 0, scale }
    }

    /// The larger the cost the later the bucket, or the same.
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
            self.go_on()?;
        }
    }

    /// Goes on to the next bucket, if there is any.
    fn go_on(&mut self) -> Option<()> {
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

/// A heap whose smallest comes first, with four children to a place, so that one line of cache holds them.
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
        /// Also where places come in that are cheaper than what was taken, and where buckets are much too
        /// wide or too narrow.
        #[test]
        fn the_smallest_comes_first(
            costs in proptest::collection::vec((0u16..5000, 0u32..3, 0u32..9), 0..90), step in 0usize..4,
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
