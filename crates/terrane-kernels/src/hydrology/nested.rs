//! Hollows that lie in each other.

/// Hollows that lie in each other. Levels do not fall from a hollow to the one around it.
#[derive(Debug)]
pub(super) struct Nested {
    levels: Vec<f32>,
    parents: Vec<Option<u32>>,
    /// For each hollow, one of those in which it lies, or itself: they let [`Nested::of`] skip others (Myers
    /// 1983, *An applicative random-access stack*).
    jumps: Vec<u32>,
}

impl Nested {
    /// Hollows with these levels, each in its parent. `outer_first` has parents before what lies in them.
    ///
    /// A jump is as long as two jumps of the hollow around it if these are as long as each other. Otherwise
    /// it leads to the hollow around it.
    pub fn new(levels: Vec<f32>, parents: Vec<Option<u32>>, outer_first: impl Iterator<Item = u32>) -> Self {
        let (mut jumps, mut depths): (Vec<u32>, Vec<u32>) =
            (0..levels.len() as u32).map(|at| (at, 0)).unzip();
        for hollow in outer_first {
            if let Some(parent) = parents[hollow as usize] {
                let once = jumps[parent as usize];
                let twice = jumps[once as usize];
                let depth = |at: u32| depths[at as usize];
                let is_even = once != parent && depth(parent) - depth(once) == depth(once) - depth(twice);
                jumps[hollow as usize] = if is_even { twice } else { parent };
                depths[hollow as usize] = depth(parent) + 1;
            }
        }
        Self { levels, parents, jumps }
    }

    /// The smallest hollow, `from` or one around it, whose level is above a height. O(log hollows).
    pub fn of(&self, from: u32, height: f32) -> Option<usize> {
        let mut at = Some(from);
        while let Some(hollow) = at {
            if height < self.levels[hollow as usize] {
                return Some(hollow as usize);
            }
            let jump = self.jumps[hollow as usize];
            let skips = jump != hollow && height >= self.levels[jump as usize];
            at = if skips { Some(jump) } else { self.parents[hollow as usize] };
        }
        None
    }
}
