//! Mijailovic's table of times: three field counts, four sizes, three distances.

use std::time::Instant;

use terrane_fields::sectioning::{grid_graph, section};
use terrane_fields::stitch::{Method, Outline, Stitch, populate, rasterise, stitch};
use terrane_grid::{Domain, Grid, Heightmap, PlanarGraph, Seed};
use terrane_kernels::Silent;
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};

use crate::{Result, say};

/// Fields along a side, and the thesis's seconds for each distance and size.
const CASES: [(usize, [[f64; 4]; 3]); 3] = [
    (4, [[2.28, 3.52, 4.95, 6.72], [2.34, 3.59, 5.08, 6.85], [2.52, 3.77, 5.21, 7.07]]),
    (6, [[2.79, 4.22, 5.92, 8.05], [2.93, 4.33, 6.09, 8.21], [3.07, 4.48, 6.25, 8.43]]),
    (8, [[3.39, 5.11, 7.12, 9.48], [3.48, 5.22, 7.27, 9.83], [3.55, 5.65, 7.82, 10.11]]),
];

/// Samples along a side of about 2, 3.125, 4.5 and 6.125 million, 2 units apart.
const SIDES: [usize; 4] = [1414, 1768, 2121, 2475];

const DISTANCES: [f64; 3] = [60.0, 80.0, 100.0];

/// Fields with terrain, ready to be stitched.
struct Case {
    graph: PlanarGraph,
    outlines: Vec<Outline>,
    domain: Domain,
    ids: Grid<u32>,
    /// One map for each of the four descriptions.
    maps: Vec<Heightmap>,
}

/// Writes the table to standard output.
pub fn table() -> Result<()> {
    say("| fields | million samples | distance | thesis, s | Linear, ms | Smooth, ms |");
    say("|---|---|---|---|---|---|");
    for (across, thesis) in CASES {
        for (size, side) in SIDES.into_iter().enumerate() {
            let case = Case::new(across, side, 0.2)?;
            for (distance, seconds) in DISTANCES.into_iter().zip(thesis) {
                let times = [Method::Linear, Method::Smooth].map(|method| case.time(method, distance));
                let fields = across * across;
                let million = (side * side) as f64 / 1e6;
                say(&format!(
                    "| {fields} | {million:.2} | {distance} | {} | {:.0} | {:.0} |",
                    seconds[size], times[0], times[1]
                ));
            }
        }
    }
    large()?;
    steps()?;
    sectioning()
}

impl Case {
    fn new(across: usize, side: usize, jitter: f64) -> Result<Self> {
        let domain = Domain::new(side, side).with_spacing(2.0);
        let cell = domain.extent().0 / across as f64;
        let graph = grid_graph(across, across, cell, jitter, Seed(1))?;
        let sections = section(&graph)?;
        let outline = |field: &terrane_fields::sectioning::Field| Outline {
            rings: std::iter::once(&field.ring).chain(&field.holes).map(|ring| ring.nodes.clone()).collect(),
        };
        let outlines: Vec<Outline> = sections.fields.iter().map(outline).collect();
        let ids = rasterise(&graph, &outlines, &domain);
        // The thesis's four descriptions: amplitude, wavelength, offset.
        let descriptions =
            [(50.0, 286.0, 50.0), (20.0, 200.0, 25.0), (15.0, 200.0, 15.0), (10.0, 286.0, 3.0)];
        let maps = descriptions.into_iter().zip(0..).map(|((amplitude, wavelength, offset), seed)| {
            let basis = Basis::Perlin(Smoothstep::QUINTIC);
            let noise = Noise {
                basis,
                fractal: Fractal::Fbm,
                octaves: 7,
                wavelength,
                lacunarity: 2.0,
                layout: Layout::Straight,
            };
            let mut map = noise.heights(&domain, Seed(seed), &Drive::default(), &Silent)?;
            map.samples_mut().iter_mut().for_each(|height| *height = offset + amplitude * *height);
            Ok(map)
        });
        let maps = maps.collect::<Result<Vec<Heightmap>>>()?;
        Ok(Self { graph, outlines, domain, ids, maps })
    }

    fn terrains(&self) -> Vec<&Heightmap> {
        (0..self.outlines.len()).map(|field| &self.maps[(field * 7 + field / 5) % 4]).collect()
    }

    /// Milliseconds for stitching only, the minimum of three runs.
    fn time(&self, method: Method, distance: f64) -> f64 {
        let one = |_| {
            let started = Instant::now();
            std::hint::black_box(self.stitched(method, distance));
            started.elapsed().as_secs_f64() * 1e3
        };
        (0..3).map(one).fold(f64::INFINITY, f64::min)
    }

    fn stitched(&self, method: Method, distance: f64) -> Option<Heightmap> {
        let parameters = Stitch { method, distance, ..Stitch::default() };
        let terrains = self.terrains();
        let out =
            stitch(&self.graph, &self.outlines, &self.ids, &terrains, &self.domain, &parameters, &Silent);
        out.ok().map(|out| out.heights)
    }
}

/// 16 million samples in 1,024 fields, rasterised, populated and stitched.
fn large() -> Result<()> {
    let case = Case::new(32, 4000, 0.2)?;
    let started = Instant::now();
    std::hint::black_box(rasterise(&case.graph, &case.outlines, &case.domain));
    std::hint::black_box(populate(&case.ids, &case.terrains(), &case.domain, 0.0));
    let populated = started.elapsed().as_secs_f64();
    let stitched = case.time(Method::Smooth, 60.0) / 1e3;
    say(&format!(
        "\n1,024 fields, 16 million samples: fields found and populated in {populated:.2} s, stitched in \
        {stitched:.2} s"
    ));
    Ok(())
}

/// Compares steps between samples across edges of fields, before and after stitching, with steps inside.
fn steps() -> Result<()> {
    let case = Case::new(8, 1001, 0.2)?;
    let before = populate(&case.ids, &case.terrains(), &case.domain, 0.0);
    say("\n| steps along rows | across edges: median, 90 %, 99 %, maximum | inside |");
    say("|---|---|---|");
    let after = case.stitched(Method::Smooth, 60.0).ok_or("cancelled")?;
    let linear = case.stitched(Method::Linear, 60.0).ok_or("cancelled")?;
    for (name, map) in [("before", &before), ("Linear", &linear), ("Smooth", &after)] {
        let part = |across: bool| {
            let mut all: Vec<f32> = Vec::new();
            for y in 0..map.height() {
                for x in 1..map.width() {
                    let (a, b) = (case.ids[(x - 1, y)], case.ids[(x, y)]);
                    let none = terrane_fields::stitch::NONE;
                    if a != none && b != none && (a != b) == across {
                        all.push((map[(x, y)] - map[(x - 1, y)]).abs());
                    }
                }
            }
            all.sort_by(f32::total_cmp);
            let at = |part: f64| all[((all.len() - 1) as f64 * part) as usize];
            format!("{:.2}, {:.2}, {:.2}, {:.2}", at(0.5), at(0.9), at(0.99), at(1.0))
        };
        say(&format!("| {name} | {} | {} |", part(true), part(false)));
    }
    Ok(())
}

fn sectioning() -> Result<()> {
    let graph = grid_graph(707, 707, 10.0, 0.2, Seed(1))?;
    let started = Instant::now();
    let fields = section(&graph)?.fields.len();
    let seconds = started.elapsed().as_secs_f64();
    say(&format!("\n{} edges: {fields} fields in {seconds:.2} s", graph.edges.len()));
    Ok(())
}
