//! A sparse map from nodes to items.

/// At most one item per node, for graphs in which only few nodes have an item.
pub struct Sparse<T> {
    /// Per node, the position of its item plus one; 0 if it has none.
    at: Vec<u32>,
    items: Vec<T>,
}

impl<T> Sparse<T> {
    pub fn new(nodes: usize) -> Self {
        Self { at: vec![0; nodes], items: Vec::new() }
    }

    pub fn get(&self, node: usize) -> Option<&T> {
        self.items.get((self.at[node] as usize).checked_sub(1)?)
    }

    pub fn insert(&mut self, node: usize, item: T) {
        self.items.push(item);
        self.at[node] = self.items.len() as u32;
    }
}
