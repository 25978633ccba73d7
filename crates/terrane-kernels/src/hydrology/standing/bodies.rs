//! Bodies of water as a list of lakes, and what flows between them.

use terrane_compute::{Alive, Cancelled, chunks};

use super::super::depressions::Hollows;
use super::filling::LakeFilling;
use super::pour::Poured;
use super::surfaces::Surfaces;
use super::tree::Tree;

/// A lake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lake {
    /// The deepest sample, as an index.
    pub bottom: u32,
    /// The height of the surface.
    pub level: f32,
    /// The number of samples below the level.
    pub samples: u64,
    /// The volume of water, in cubic world units.
    pub volume: f64,
    /// The sample over which the lake spills, or would spill if it were full.
    pub outlet: u32,
    /// Whether it is full.
    pub is_full: bool,
    /// The area from which water comes to the lake, in square world units: the ground that drains to it and
    /// the areas of full lakes that spill into it.
    pub catchment: f64,
    /// The volume of water that came to the lake.
    pub inflow: f64,
    /// The volume of water that left it.
    pub overflow: f64,
    /// The index of the next lake on the way of its overflow; `None` for the sea, ground beyond the map, and
    /// water that is too small to be listed and not full.
    pub into: Option<u32>,
}

/// What falls on the ground around each lowest sample.
pub(super) struct Catchments {
    /// The samples that drain to each leaf.
    pub samples: Vec<u64>,
    /// Their rain.
    pub rain: Vec<f64>,
    /// The rain on the sea, and on samples from which water leaves the map.
    pub sea: f64,
}

impl Catchments {
    /// No rain.
    pub fn new(leaves: usize) -> Self {
        Self { samples: vec![0; leaves], rain: vec![0.0; leaves], sea: 0.0 }
    }

    /// Adds a sample of a basin; 0 is the sea.
    pub fn add(&mut self, basin: u32, rain: f64) {
        match basin.checked_sub(1) {
            None => self.sea += rain,
            Some(leaf) => {
                self.samples[leaf as usize] += 1;
                self.rain[leaf as usize] += rain;
            }
        }
    }

    /// All rain.
    pub fn rain(&self) -> f64 {
        self.sea + self.rain.iter().sum::<f64>()
    }
}

/// Water that has been poured into hollows.
pub(super) struct Found<'a> {
    pub tree: &'a Tree,
    pub hollows: &'a Hollows,
    pub poured: &'a Poured<'a>,
    /// The area of a sample.
    pub area: f64,
    pub heights: &'a [f32],
}

/// A body of water or, where it is dry, a leaf.
#[derive(Clone, Copy)]
struct Body {
    bottom: u32,
    samples: u64,
    volume: f64,
    /// Samples from which water comes.
    catchment: u64,
    inflow: f64,
    overflow: f64,
}

impl Found<'_> {
    /// The lakes in the order of their deepest samples. Those that are too small lose their surface.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn lakes(
        &self,
        surfaces: &mut Surfaces,
        nodes: &[u32],
        catchments: &Catchments,
        filling: &LakeFilling,
        alive: &Alive<'_>,
    ) -> Result<Vec<Lake>, Cancelled> {
        let mut bodies = self.bodies(surfaces, nodes, catchments, alive)?;
        let order = self.flow(surfaces, &mut bodies);
        alive()?;
        let Self { tree, heights, area, .. } = *self;
        let is_listed = |at: usize, body: &Body, surfaces: &Surfaces| {
            surfaces.is_body(at as u32)
                && body.samples > 0
                && body.samples as f64 * area >= filling.least_area
                && surfaces.levels[at] - heights[body.bottom as usize] >= filling.least_depth
        };
        let mut listed: Vec<u32> = Vec::new();
        for (at, body) in bodies.iter().enumerate() {
            if is_listed(at, body, surfaces) {
                listed.push(at as u32);
            } else {
                surfaces.levels[at] = f32::NAN;
            }
        }
        listed.sort_unstable_by_key(|at| bodies[*at as usize].bottom);
        let mut indices: Vec<Option<u32>> = vec![None; bodies.len()];
        for (index, at) in (0..).zip(&listed) {
            indices[*at as usize] = Some(index);
        }
        // The next lake on the way from each full body, those downstream first.
        let mut next: Vec<Option<u32>> = vec![None; bodies.len()];
        for &at in order.iter().rev() {
            next[at as usize] = self
                .beyond(surfaces, at)
                .and_then(|beyond| indices[beyond as usize].or(next[beyond as usize]));
        }
        let lake = |&at: &u32| {
            let (body, node) = (&bodies[at as usize], &tree.nodes[at as usize]);
            let is_full = self.poured.is_full(at);
            Lake {
                bottom: body.bottom,
                level: surfaces.levels[at as usize],
                samples: body.samples,
                volume: body.volume * area,
                outlet: node.spill,
                is_full,
                catchment: body.catchment as f64 * area,
                inflow: body.inflow * area,
                overflow: body.overflow * area,
                into: if is_full { next[at as usize] } else { None },
            }
        };
        Ok(listed.iter().map(lake).collect())
    }

    /// The body, or the dry leaf, at a leaf.
    fn at_leaf(surfaces: &Surfaces, leaf: u32) -> u32 {
        surfaces.bodies[leaf as usize].unwrap_or(leaf)
    }

    /// The body into which a body, or a full leaf, spills.
    ///
    /// Two full hollows that no water covers spill into each other. The one with the lower bottom, the second
    /// of the two, then spills where the hollow around both does.
    fn beyond(&self, surfaces: &Surfaces, body: u32) -> Option<u32> {
        let mut at = body;
        loop {
            let node = &self.tree.nodes[at as usize];
            let around = node.parent.filter(|_| node.sibling.is_some_and(|other| self.poured.is_full(other)));
            let Some(around) = around else { break };
            if self.tree.nodes[around as usize].children.is_none_or(|children| children[1] != at) {
                break;
            }
            if !self.poured.is_full(around) {
                return None;
            }
            at = around;
        }
        self.tree.nodes[at as usize].across.map(|leaf| Self::at_leaf(surfaces, leaf))
    }

    /// One for each node; those of nodes that are neither bodies nor dry leaves are empty.
    fn bodies(
        &self,
        surfaces: &Surfaces,
        nodes: &[u32],
        catchments: &Catchments,
        alive: &Alive<'_>,
    ) -> Result<Vec<Body>, Cancelled> {
        let heights = self.heights;
        let none =
            Body { bottom: u32::MAX, samples: 0, volume: 0.0, catchment: 0, inflow: 0.0, overflow: 0.0 };
        let mut bodies = vec![none; self.tree.nodes.len()];
        let caught = catchments.samples.iter().zip(&catchments.rain);
        for (leaf, (hollow, (samples, rain))) in (0..).zip(self.hollows.all.iter().zip(caught)) {
            let body = &mut bodies[Self::at_leaf(surfaces, leaf) as usize];
            let is_lower = |at: u32| heights[hollow.bottom as usize] < heights[at as usize];
            if body.bottom == u32::MAX || is_lower(body.bottom) {
                body.bottom = hollow.bottom;
            }
            body.catchment += samples;
            body.inflow += rain;
        }
        for samples in chunks(heights.len()) {
            for at in samples {
                if let Some(&Some(body)) = surfaces.bodies.get(nodes[at] as usize) {
                    let (body, level) = (&mut bodies[body as usize], surfaces.levels[body as usize]);
                    if heights[at] < level {
                        body.samples += 1;
                        body.volume += f64::from(level) - f64::from(heights[at]);
                    }
                }
            }
            alive()?;
        }
        Ok(bodies)
    }

    /// Adds what full bodies no longer hold to the bodies into which they spill, and returns full bodies,
    /// each before that into which it spills.
    fn flow(&self, surfaces: &Surfaces, bodies: &mut [Body]) -> Vec<u32> {
        let is_leaf = |at: u32| at < self.hollows.all.len() as u32 && Self::at_leaf(surfaces, at) == at;
        let is_full = |at: u32| self.poured.is_full(at) && (surfaces.is_body(at) || is_leaf(at));
        let mut donors = vec![0u32; bodies.len()];
        let full: Vec<u32> = (0..bodies.len() as u32).filter(|at| is_full(*at)).collect();
        for beyond in full.iter().filter_map(|at| self.beyond(surfaces, *at)) {
            donors[beyond as usize] += 1;
        }
        let mut order: Vec<u32> = full.iter().copied().filter(|at| donors[*at as usize] == 0).collect();
        let mut done = 0;
        while let Some(&at) = order.get(done) {
            done += 1;
            let body = &mut bodies[at as usize];
            body.overflow = (body.inflow - surfaces.volumes[at as usize]).max(0.0);
            let Body { overflow, catchment, .. } = *body;
            if let Some(beyond) = self.beyond(surfaces, at) {
                let next = &mut bodies[beyond as usize];
                next.inflow += overflow;
                next.catchment += catchment;
                donors[beyond as usize] -= 1;
                if donors[beyond as usize] == 0 && is_full(beyond) {
                    order.push(beyond);
                }
            }
        }
        order
    }
}
