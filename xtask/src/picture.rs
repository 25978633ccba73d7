//! Pictures of what graphs make, for pages.

use std::path::Path;
use std::sync::Arc;

use terrane::values::{Map, Paths, Picture};
use terrane::world::{LoadedWorld, Mosaic};
use terrane_flow::{
    Engine, EngineOptions, LoadOptions, Loaded, OutputSpec, Reference, Value, Wanted, load_file,
};
use terrane_grid::Grid;
use terrane_kernels::Silent;
use terrane_kernels::render::{Camera, Look, Scene, Sun, View, Water};
use terrane_kernels::shade::{self, Light, Ramp};

use crate::Result;

/// A picture of a value: pictures as they are, heights shaded, other maps grey.
pub fn draw(unit: &str, value: &Value) -> Option<Grid<[u8; 3]>> {
    if let Some(picture) = value.get::<Picture>() {
        return Some(picture.0.clone());
    }
    let map = &value.get::<Map>()?.0;
    // Masks, slopes and shades are no heights: grey shows them as they are.
    if !is_height(unit) {
        let s = terrane_kernels::metric::statistics(map);
        return Some(shade::color_relief(map, &Ramp::Grey.into(), (s.min as f32, s.max as f32), None));
    }
    Some(relief(map))
}

fn relief(map: &terrane::Heightmap) -> Grid<[u8; 3]> {
    let s = terrane_kernels::metric::statistics(map);
    let light = shade::hillshade(map, &Light::default());
    shade::color_relief(map, &Ramp::Terrain.into(), (s.min as f32, s.max as f32), Some((&light, 0.8)))
}

/// Loads a graph with as many samples as fit into a side, its extent kept; fewer samples are left as they
/// are.
pub fn load_within(path: &Path, side: usize) -> Result<Loaded> {
    let registry = terrane::registry();
    let loaded = load_file(path, &registry, &LoadOptions::default())?;
    let Some((columns, rows)) = size(&loaded) else { return Ok(loaded) };
    let mut by = 1;
    while (columns.max(rows) / by) > side {
        by *= 2;
    }
    if by == 1 {
        return Ok(loaded);
    }
    // An odd number of samples has an even number of steps between them.
    let fewer = |n: usize| if n % 2 == 1 { (n - 1) / by + 1 } else { n / by };
    let header = vec![("size".to_owned(), format!("({}, {})", fewer(columns), fewer(rows)))];
    Ok(load_file(path, &registry, &LoadOptions { header, ..LoadOptions::default() })?)
}

fn size(loaded: &Loaded) -> Option<(usize, usize)> {
    let terrain = loaded.graph.header.as_any().downcast_ref::<terrane::Terrain>()?;
    Some((terrain.0.width(), terrain.0.height()))
}

/// What a node declares about an output.
fn declared<'a>(loaded: &'a Loaded, output: &Reference) -> Option<&'a OutputSpec> {
    let outputs = loaded.graph.nodes.get(&*output.node)?.node().spec().outputs;
    match &output.output {
        Some(name) => outputs.iter().find(|spec| spec.name == &**name),
        None => outputs.first(),
    }
}

/// What shows most of a graph at a glance: its first output that is a picture, or a map; the last map of all
/// where it writes neither.
pub fn shown(loaded: &Loaded) -> Option<Reference> {
    let is = |output: &Reference, kind| declared(loaded, output).is_some_and(|spec| spec.kind.name == kind);
    let outputs = || loaded.graph.outputs.iter().map(|output| &output.from);
    let first = |kind| outputs().find(|output| is(output, kind)).cloned();
    let nodes = loaded.graph.nodes.keys().rev().map(|name| Reference::parse(name));
    first("picture").or_else(|| first("map")).or_else(|| nodes.into_iter().find(|output| is(output, "map")))
}

/// Evaluates one output and draws it.
pub fn output(loaded: &Arc<Loaded>, output: &Reference) -> Result<Grid<[u8; 3]>> {
    let unit = declared(loaded, output).map_or("", |spec| spec.unit);
    let engine = Engine::new(EngineOptions { memory: 0, ..EngineOptions::default() })?;
    let value = evaluate(&engine, loaded, output)?;
    draw(unit, &value).ok_or_else(|| format!("a {} is no picture", value.kind().name).into())
}

/// Evaluates one output and draws it: heights in perspective, all else from above.
pub fn perspective(loaded: &Arc<Loaded>, output: &Reference) -> Result<Grid<[u8; 3]>> {
    let unit = declared(loaded, output).map_or("", |spec| spec.unit);
    let engine = Engine::new(EngineOptions { memory: 0, ..EngineOptions::default() })?;
    let value = evaluate(&engine, loaded, output)?;
    match value.get::<Map>() {
        Some(map) if is_height(unit) && map.domain().size.0.min(map.domain().size.1) > 32 => {
            in_perspective(&map.0)
        }
        _ => draw(unit, &value).ok_or_else(|| format!("a {} is no picture", value.kind().name).into()),
    }
}

/// Heights as the node `Render` shows them, as steep as shows their shape: a fifth of the map's side from the
/// lowest to the highest at least.
fn in_perspective(map: &terrane::Heightmap) -> Result<Grid<[u8; 3]>> {
    let s = terrane_kernels::metric::statistics(map);
    let (columns, rows) = map.domain().size;
    let side = columns.max(rows) as f64 * map.spacing();
    let exaggeration = (0.2 * side / (s.max - s.min).max(1e-9)).max(1.0);
    let colors = shade::color_relief(map, &Ramp::Terrain.into(), (s.min as f32, s.max as f32), None);
    let look = Look {
        sun: Sun { azimuth: 290.0, altitude: 32.0, size: 2.0 },
        haze: 0.3,
        water: Water { sea_level: None, clarity: 1.0, waves: 0.0 },
        exposure: 1.15,
        exaggeration,
    };
    let scene = Scene::new(map, &colors, None, &look, &Silent).map_err(|_| "cancelled")?;
    let camera = Camera::Around { azimuth: 200.0, altitude: 32.0, zoom: 1.0, target: None };
    let view = View { size: (512, 384), rays: 3, field_of_view: 35.0, camera };
    Ok(scene.picture(&view, &scene.camera(&view), &Silent).map_err(|_| "cancelled")?)
}

/// Whether a map's unit says that it has heights: masks, slopes and shades are something else.
fn is_height(unit: &str) -> bool {
    unit == "world units" || unit == "the file's"
}

/// Evaluates one output and draws it in grey from 0 to 1, as masks are.
pub fn grey(loaded: &Arc<Loaded>, output: &Reference) -> Result<Grid<[u8; 3]>> {
    let engine = Engine::new(EngineOptions { memory: 0, ..EngineOptions::default() })?;
    let value = evaluate(&engine, loaded, output)?;
    Ok(shade::grey(&value.get::<Map>().ok_or("a mask is a map")?.0))
}

fn evaluate(engine: &Engine, loaded: &Arc<Loaded>, output: &Reference) -> Result<Value> {
    let evaluation = engine.start(loaded, [Wanted::from(output.clone())])?.wait();
    let value = evaluation.outputs.into_iter().next().and_then(|output| output.value);
    value.ok_or_else(|| format!("`{}` fails", output.node).into())
}

/// A relief of patches of a world, from (0, 0) on, with so many samples a side in each, and their ways on it.
pub fn world(path: &Path, patches: i64, samples: usize) -> Result<Grid<[u8; 3]>> {
    let header = vec![("size".to_owned(), format!("({samples}, {samples})"))];
    let world =
        LoadedWorld::load(path, &terrane::registry(), &LoadOptions { header, ..LoadOptions::default() })?;
    let engine = Engine::new(EngineOptions::default())?;
    let mut mosaic = Mosaic::new(world.tiling(), (0, 0), (patches - 1, patches - 1));
    let mut ways = Vec::new();
    for patch in (0..patches).flat_map(|j| (0..patches).map(move |i| (i, j))) {
        let loaded = Arc::new(world.patch(&engine, patch)?);
        for output in loaded.graph.outputs.iter().map(|output| &output.from) {
            let value = evaluate(&engine, &loaded, output)?;
            if let Some(map) = value.get::<Map>() {
                mosaic.put(patch, map.0.grid())?;
            } else if let Some(paths) = value.get::<Paths>() {
                ways.extend(paths.lines.iter().cloned());
            }
        }
    }
    let map = mosaic.finished().ok_or("a patch has no map")?;
    let mut picture = relief(&map);
    for way in &ways {
        shade::draw_line(&mut picture, &map.domain(), way, [150, 40, 30], 3.0);
    }
    Ok(picture)
}

/// The mean of squares of samples, so that no side is longer than `side`.
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

/// Pictures of one size in rows of so many, with a white line between; nothing where there are none.
pub fn beside(pictures: &[Grid<[u8; 3]>], columns: usize) -> Option<Grid<[u8; 3]>> {
    const LINE: usize = 2;
    let (w, h) = pictures.first()?.size();
    let columns = columns.clamp(1, pictures.len());
    let length = |count: usize, side: usize| count * (side + LINE) - LINE;
    let (width, height) = (length(columns, w), length(pictures.len().div_ceil(columns), h));
    Some(Grid::from_fn(width, height, |x, y| {
        let (column, row) = (x / (w + LINE), y / (h + LINE));
        let (x, y) = (x % (w + LINE), y % (h + LINE));
        let picture = pictures.get(row * columns + column).filter(|_| x < w && y < h);
        picture.map_or([255; 3], |picture| picture[(x, y)])
    }))
}

/// The bytes of a PNG file.
pub fn png(picture: Grid<[u8; 3]>) -> Result<Vec<u8>> {
    Ok(terrane::testing::png(&Value::new(Picture(picture)))?)
}
