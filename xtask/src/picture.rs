//! Draws the outputs of graphs, for pages.

use std::path::Path;
use std::sync::Arc;

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use terrane::Heightmap;
use terrane::values::{Levels, Map, Paths, Picture};
use terrane::world::{LoadedWorld, Mosaic};
use terrane_flow::{
    Engine, EngineOptions, LoadOptions, Loaded, OutputSpec, Reference, Registry, Value, Wanted, load_file,
};
use terrane_grid::Grid;
use terrane_kernels::Silent;
use terrane_kernels::hydrology::depth_of_level;
use terrane_kernels::render::{Camera, Look, Scene, Sun, View, Water};
use terrane_kernels::shade::{self, Light, Ramp};

use crate::Result;

/// Loads and evaluates the graphs of all pages. The engine keeps values in memory, so graphs that have nodes
/// in common compute them once.
pub struct Renderer {
    pub registry: Registry,
    engine: Engine,
}

impl Renderer {
    pub fn new() -> Result<Self> {
        Ok(Self { registry: terrane::registry(), engine: Engine::new(EngineOptions::default())? })
    }

    /// Loads a graph with at most `side` samples along a side. The extent is kept. Smaller graphs keep their
    /// size.
    pub fn load_within(&self, path: &Path, side: usize) -> Result<Arc<Loaded>> {
        let loaded = load_file(path, &self.registry, &LoadOptions::default())?;
        let Some((columns, rows)) = size(&loaded) else { return Ok(Arc::new(loaded)) };
        let mut by = 1;
        while (columns.max(rows) / by) > side {
            by *= 2;
        }
        if by == 1 {
            return Ok(Arc::new(loaded));
        }
        // An odd number of samples has an even number of steps between them.
        let fewer = |n: usize| if n % 2 == 1 { (n - 1) / by + 1 } else { n / by };
        let header = vec![("size".to_owned(), format!("({}, {})", fewer(columns), fewer(rows)))];
        let options = LoadOptions { header, ..LoadOptions::default() };
        Ok(Arc::new(load_file(path, &self.registry, &options)?))
    }

    /// Evaluates outputs of a graph, in the order in which they are given.
    pub fn values(&self, loaded: &Arc<Loaded>, outputs: Vec<Reference>) -> Result<Vec<Value>> {
        let names: Vec<_> = outputs.iter().map(|output| output.node.clone()).collect();
        let evaluation = self.engine.start(loaded, outputs.into_iter().map(Wanted::from))?.wait();
        let values = evaluation.outputs.into_iter().zip(names);
        values.map(|(output, node)| output.value.ok_or_else(|| format!("`{node}` fails").into())).collect()
    }

    fn value(&self, loaded: &Arc<Loaded>, output: &Reference) -> Result<Value> {
        Ok(self.values(loaded, vec![output.clone()])?.swap_remove(0))
    }

    /// Evaluates one output and draws it.
    pub fn output(&self, loaded: &Arc<Loaded>, output: &Reference) -> Result<Grid<[u8; 3]>> {
        let value = self.value(loaded, output)?;
        draw(unit(loaded, output), &value)
            .ok_or_else(|| format!("a {} is not a picture", value.kind().name).into())
    }

    /// Evaluates one output and draws it: heights in perspective, anything else from above.
    pub fn perspective(&self, loaded: &Arc<Loaded>, output: &Reference) -> Result<Grid<[u8; 3]>> {
        match self.value(loaded, output)?.get::<Map>() {
            Some(map) if is_height(unit(loaded, output)) && map.width().min(map.height()) > 32 => {
                in_perspective(&map.0)
            }
            _ => self.output(loaded, output),
        }
    }

    /// Evaluates one output and draws it as a mask, in grey from 0 to 1.
    pub fn grey(&self, loaded: &Arc<Loaded>, output: &Reference) -> Result<Grid<[u8; 3]>> {
        Ok(shade::grey(&self.value(loaded, output)?.get::<Map>().ok_or("a mask is a map")?.0))
    }

    /// A relief of `patches` × `patches` patches of a world from (0, 0), each with `samples` samples along a
    /// side, and their paths.
    pub fn world(&self, path: &Path, patches: i64, samples: usize) -> Result<Grid<[u8; 3]>> {
        let header = vec![("size".to_owned(), format!("({samples}, {samples})"))];
        let options = LoadOptions { header, ..LoadOptions::default() };
        let world = LoadedWorld::load(path, &self.registry, &options)?;
        let mut mosaic = Mosaic::new(world.tiling(), (0, 0), (patches - 1, patches - 1));
        let mut routes = Vec::new();
        for patch in (0..patches).flat_map(|j| (0..patches).map(move |i| (i, j))) {
            let loaded = Arc::new(world.patch(&self.engine, patch)?);
            for output in loaded.graph.outputs.iter().map(|output| &output.from) {
                let value = self.value(&loaded, output)?;
                if let Some(map) = value.get::<Map>() {
                    mosaic.put(patch, map.0.grid())?;
                } else if let Some(paths) = value.get::<Paths>() {
                    routes.extend(paths.lines.iter().cloned());
                }
            }
        }
        let map = mosaic.finished().ok_or("a patch has no map")?;
        let mut picture = relief(&map, range(&map), 1.0);
        for route in &routes {
            shade::draw_line(&mut picture, &map.domain(), route, [150, 40, 30], 3.0);
        }
        Ok(picture)
    }
}

/// Draws a value: pictures unchanged, heights shaded, other maps grey.
pub fn draw(unit: &str, value: &Value) -> Option<Grid<[u8; 3]>> {
    if let Some(picture) = value.get::<Picture>() {
        return Some(picture.0.clone());
    }
    if let Some(levels) = value.get::<Levels>() {
        return Some(shade::level_picture(levels, None));
    }
    let map = &value.get::<Map>()?.0;
    if unit == "square world units" {
        // Areas grow from confluence to confluence: on a linear scale only the largest rivers would show.
        return Some(grey_within_range(&map.with_grid(map.grid().map(|&area| libm::logf(area)))));
    }
    // Masks, slopes and shades are not heights, and are drawn in grey.
    if !is_height(unit) {
        return Some(grey_within_range(map));
    }
    Some(relief(map, range(map), 1.0))
}

/// Draws a node's input and output, given with their units. Two heightmaps have the same colours. If one is a
/// picture, heights are plain grey. A level of water is drawn over the heights. Anything else is drawn by
/// [`draw`].
pub fn pair(before: (&str, &Value), after: (&str, &Value)) -> Option<[Grid<[u8; 3]>; 2]> {
    let pair = [before, after];
    // Water is drawn over the ground.
    if let (Some(ground), Some(levels)) = (before.1.get::<Map>(), after.1.get::<Levels>()) {
        let bare = relief(&ground.0, range(&ground.0), exaggeration(&ground.0, range(&ground.0)));
        let mut wet = bare.clone();
        shade::draw_water(&mut wet, &depth_of_level(levels, &ground.0), None);
        return Some([bare, wet]);
    }
    match pair.map(|(unit, value)| value.get::<Map>().filter(|_| is_height(unit))) {
        [Some(a), Some(b)] => {
            let (of_a, of_b) = (range(&a.0), range(&b.0));
            let common = (of_a.0.min(of_b.0), of_a.1.max(of_b.1));
            let exaggeration = exaggeration(&a.0, common);
            Some([relief(&a.0, common, exaggeration), relief(&b.0, common, exaggeration)])
        }
        [Some(a), None] if after.1.get::<Picture>().is_some() => {
            Some([grey_within_range(&a.0), draw(after.0, after.1)?])
        }
        _ => Some([draw(before.0, before.1)?, draw(after.0, after.1)?]),
    }
}

/// Whether values with this unit are heights of terrain.
fn is_height(unit: &str) -> bool {
    unit == "world units" || unit == "the file's"
}

/// The minimum and the maximum of a map.
fn range(map: &Heightmap) -> (f32, f32) {
    let s = terrane_kernels::metric::statistics(map);
    (s.min as f32, s.max as f32)
}

/// The factor on heights that makes the range at least a tenth of the map's longer side, so that flat
/// terrain has shades too.
fn exaggeration(map: &Heightmap, (min, max): (f32, f32)) -> f64 {
    let side = map.width().max(map.height()) as f64 * map.spacing();
    (side / 10.0 / f64::from(max - min).max(1e-9)).max(1.0)
}

/// Black at the minimum and white at the maximum.
fn grey_within_range(map: &Heightmap) -> Grid<[u8; 3]> {
    shade::color_relief(map, &Ramp::Grey.into(), range(map), None)
}

/// Heights shaded, with the first and the last colour at the ends of `range`.
fn relief(map: &Heightmap, range: (f32, f32), exaggeration: f64) -> Grid<[u8; 3]> {
    let light = shade::hillshade(map, &Light { exaggeration, ..Light::default() });
    shade::color_relief(map, &Ramp::default().into(), range, Some((&light, 0.8)))
}

fn size(loaded: &Loaded) -> Option<(usize, usize)> {
    let terrain = terrane::Terrain::of(&*loaded.graph.header)?;
    Some((terrain.domain.width(), terrain.domain.height()))
}

/// What a node declares about an output.
fn declared<'a>(loaded: &'a Loaded, output: &Reference) -> Option<&'a OutputSpec> {
    let outputs = loaded.graph.nodes.get(&*output.node)?.node().spec().outputs;
    match &output.output {
        Some(name) => outputs.iter().find(|spec| spec.name == &**name),
        None => outputs.first(),
    }
}

/// The unit of an output.
fn unit(loaded: &Loaded, output: &Reference) -> &'static str {
    declared(loaded, output).map_or("", |spec| spec.unit)
}

/// The output that represents a graph: its first output that is a picture; otherwise the first that is a map;
/// otherwise the last map of all nodes.
pub fn shown(loaded: &Loaded) -> Option<Reference> {
    let is = |output: &Reference, kind| declared(loaded, output).is_some_and(|spec| spec.kind.name == kind);
    let outputs = || loaded.graph.outputs.iter().map(|output| &output.from);
    let first = |kind| outputs().find(|output| is(output, kind)).cloned();
    let nodes = loaded.graph.nodes.keys().rev().map(|name| Reference::parse(name));
    first("picture").or_else(|| first("map")).or_else(|| nodes.into_iter().find(|output| is(output, "map")))
}

/// Draws heights with the node `Render`. They are exaggerated so that their range is at least a fifth of the
/// map's side.
fn in_perspective(map: &Heightmap) -> Result<Grid<[u8; 3]>> {
    let s = terrane_kernels::metric::statistics(map);
    let (columns, rows) = map.domain().size;
    let side = columns.max(rows) as f64 * map.spacing();
    let exaggeration = (0.2 * side / (s.max - s.min).max(1e-9)).max(1.0);
    let colors = shade::bare_ground(map, (s.min as f32, s.max as f32));
    let look = Look {
        sun: Sun { azimuth: 290.0, altitude: 32.0, size: 2.0 },
        haze: 0.15,
        water: Water { sea_level: None, clarity: 1.0, waves: 0.0 },
        exposure: 1.15,
        exaggeration,
    };
    let scene = Scene::new(map, &colors, None, &look, &Silent).map_err(|_| "cancelled")?;
    let camera = Camera::Around { azimuth: 200.0, altitude: 32.0, zoom: None, target: None };
    let view = View { size: (512, 384), rays: 3, field_of_view: 35.0, camera };
    Ok(scene.picture(&view, &scene.camera(&view), &Silent).map_err(|_| "cancelled")?)
}

/// Shrinks a picture by averaging squares of pixels, so that no side is longer than `side`.
pub fn shrink(picture: &Grid<[u8; 3]>, side: usize) -> Grid<[u8; 3]> {
    let by = picture.width().max(picture.height()).div_ceil(side + 1);
    let (columns, rows) = (picture.width() / by, picture.height() / by);
    Grid::from_fn(columns, rows, |column, row| {
        let square = (0..by * by).map(|k| picture[(column * by + k % by, row * by + k / by)]);
        let sum = square.fold([0u32; 3], |sum, colour| {
            [0, 1, 2].map(|channel| sum[channel] + u32::from(colour[channel]))
        });
        sum.map(|sum| (sum / (by * by) as u32) as u8)
    })
}

/// Repeats each pixel in squares, so that no side is longer than `side`.
pub fn enlarge(picture: &Grid<[u8; 3]>, side: usize) -> Grid<[u8; 3]> {
    let by = (side / picture.width().max(picture.height()).max(1)).max(1);
    Grid::from_fn(picture.width() * by, picture.height() * by, |column, row| picture[(column / by, row / by)])
}

/// Pictures in rows of `columns`, with white lines between them. A column is as wide as its widest picture, a
/// row as high as its highest. `None` if there are no pictures.
pub fn beside(pictures: &[Grid<[u8; 3]>], columns: usize) -> Option<Grid<[u8; 3]>> {
    const LINE: usize = 2;
    let columns = columns.min(pictures.len());
    let width = |column| pictures.iter().skip(column).step_by(columns).map(Grid::width).max();
    let widths: Vec<usize> = (0..columns).filter_map(width).collect();
    let rows = pictures.chunks(columns.max(1));
    let heights: Vec<usize> = rows.filter_map(|row| row.iter().map(Grid::height).max()).collect();
    let start = |sides: &[usize], index: usize| sides[..index].iter().map(|side| side + LINE).sum::<usize>();
    let length = |sides: &[usize]| start(sides, sides.len()).checked_sub(LINE);
    let mut all = Grid::filled(length(&widths)?, length(&heights)?, [255; 3]);
    for (index, picture) in pictures.iter().enumerate() {
        let (left, top) = (start(&widths, index % columns), start(&heights, index / columns));
        for row in 0..picture.height() {
            all.row_mut(top + row)[left..left + picture.width()].copy_from_slice(picture.row(row));
        }
    }
    Some(all)
}

/// The bytes of a JPEG file. Pictures of terrain take less than a quarter of the bytes of a PNG file, and
/// look the same: every pixel keeps its own colour. The encoder computes with integers, so that checks can
/// compare bytes.
pub fn jpeg(picture: &Grid<[u8; 3]>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 90);
    encoder.set_sampling_factor(SamplingFactor::F_1_1);
    encoder.set_optimized_huffman_tables(true);
    let (width, height) = (picture.width().try_into()?, picture.height().try_into()?);
    encoder.encode(picture.as_slice().as_flattened(), width, height, ColorType::Rgb)?;
    Ok(bytes)
}
