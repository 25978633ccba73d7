//! The `zarr.json` of a store: groups of levels, arrays, and their georeferencing.

use serde_json::{Map, Value, json};
use terrane_flow::syntax::Problem;
use terrane_grid::{Domain, Place};
use terrane_io::json_text;

use crate::array::Stored;
use crate::layout::{Layer, Layout};
use crate::page::{Direction, ROOT, StorePage};

/// The maximum number of coordinates in one object.
const MAX_COORDINATES: u64 = 1 << 16;

/// All objects that are written before any block, with their names. The root comes last.
///
/// # Errors
/// Fails if the library rejects an array.
pub fn objects(layout: &Layout, page: &StorePage) -> Result<Vec<(String, Vec<u8>)>, Problem> {
    let (mut objects, mut known) = (Vec::new(), Map::new());
    let place = page.place(layout);
    let axes_of = |level| Axes { domain: layout.domain(level), y_grows: page.y_grows, place: &place };
    let mut put = |name: String, metadata: Value, objects: &mut Vec<(String, Vec<u8>)>| {
        objects.push((format!("{name}/{ROOT}"), text(&metadata)));
        known.insert(name, metadata);
    };
    for level in 0..layout.levels() {
        let (domain, axes) = (layout.domain(level), axes_of(level));
        put(level.to_string(), group(axes.georeference(&[])), &mut objects);
        let [step_x, _, x, _, step_y, y] = axes.transform();
        for (axis, count, first, step) in
            [("x", domain.width(), x, step_x), ("y", domain.height(), y, step_y)]
        {
            let coordinates: Vec<f64> = (0..count).map(|at| first + at as f64 * step).collect();
            let each = MAX_COORDINATES.min(count as u64);
            let array = Stored::of_coordinates(axis, (count as u64, each))?;
            for (number, part) in coordinates.chunks(each as usize).enumerate() {
                let mut bytes: Vec<u8> = part.iter().flat_map(|x| x.to_le_bytes()).collect();
                // The last object is padded. No reader looks at the padding beyond the axis's end.
                bytes.resize(each as usize * 8, 0);
                objects.push((format!("{level}/{axis}/c/{number}"), array.encode(bytes)?));
            }
            put(format!("{level}/{axis}"), array.metadata()?, &mut objects);
        }
        for layer in &layout.layers {
            let mut attributes = axes.georeference(&[]);
            attributes.insert("output".to_owned(), json!(layer.file));
            let array = Stored::of(layout, layer.pixel, level, attributes)?;
            put(name_of(layer, level), array.metadata()?, &mut objects);
        }
    }
    objects.push(claim(page));
    let mut attributes = axes_of(0).georeference(&["multiscales"]);
    attributes.insert("multiscales".to_owned(), multiscales(layout, &axes_of));
    attributes.insert("terrane".to_owned(), json!(page));
    let mut root = group(attributes);
    root["consolidated_metadata"] = json!({ "kind": "inline", "must_understand": false, "metadata": known });
    objects.push((ROOT.to_owned(), text(&root)));
    Ok(objects)
}

/// The claim: the first object of a store, which names the world that the store belongs to. The claim also
/// makes `terrane/` a group. Otherwise readers would warn about the records in this folder.
pub fn claim(page: &StorePage) -> (String, Vec<u8>) {
    let mut attributes = Map::new();
    attributes.insert("terrane".to_owned(), json!(page));
    (format!("terrane/{ROOT}"), text(&group(attributes)))
}

/// The name of an array at a level of detail.
#[must_use]
pub fn name_of(layer: &Layer, level: u32) -> String {
    format!("{level}/{}", layer.name)
}

/// The name of a block's object in an array.
#[must_use]
pub fn object_of(layer: &Layer, level: u32, (i, j): (i64, i64)) -> String {
    let end = if layer.pixel == crate::layout::Pixel::Colour { "/0" } else { "" };
    format!("{}/c/{j}/{i}{end}", name_of(layer, level))
}

/// The names of all objects of a block, sorted.
#[must_use]
pub fn objects_of(layout: &Layout, block: (i64, i64)) -> Vec<String> {
    let levels = 0..layout.levels();
    let of_level = |level| layout.layers.iter().map(move |layer| object_of(layer, level, block));
    let mut names: Vec<String> = levels.flat_map(of_level).collect();
    names.sort();
    names
}

fn text(metadata: &Value) -> Vec<u8> {
    json_text(metadata).unwrap_or_default().into_bytes()
}

fn group(attributes: Map<String, Value>) -> Value {
    json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes })
}

/// The coordinates of a level's samples.
struct Axes<'a> {
    domain: Domain,
    y_grows: Option<Direction>,
    place: &'a Place,
}

impl Axes<'_> {
    /// The georeferencing of samples, by conventions that are named there with `more`. Samples are points,
    /// not cell areas.
    fn georeference(&self, more: &[&str]) -> Map<String, Value> {
        let (columns, rows) = self.domain.size;
        let [step_x, _, x, _, step_y, y] = self.transform();
        let last = |first: f64, step: f64, count: usize| first + count.saturating_sub(1) as f64 * step;
        let (end_x, end_y) = (last(x, step_x, columns), last(y, step_y, rows));
        let code = terrane_io::epsg_of(self.place.reference());
        let names: Vec<&str> = more.iter().copied().chain(["spatial"]).chain(code.map(|_| "proj")).collect();
        let mut attributes = conventions(&names);
        if let Some(code) = code {
            attributes.insert("proj:code".to_owned(), json!(format!("EPSG:{code}")));
        }
        attributes.insert("spatial:dimensions".to_owned(), json!(["y", "x"]));
        attributes.insert("spatial:shape".to_owned(), json!([rows, columns]));
        attributes.insert("spatial:transform".to_owned(), json!(self.transform()));
        attributes.insert("spatial:bbox".to_owned(), json!([x, y.min(end_y), end_x, y.max(end_y)]));
        attributes.insert("spatial:registration".to_owned(), json!("node"));
        attributes
    }

    /// The affine transform from columns and rows to coordinates. The first row is the north.
    fn transform(&self) -> [f64; 6] {
        let Domain { spacing, origin: (x, y), .. } = self.domain;
        match (self.y_grows, self.place.georef(&self.domain).axes()) {
            (Some(Direction::North), Some(((x, y), (across, down)))) => [across, 0.0, x, 0.0, down, y],
            _ => [spacing, 0.0, x, 0.0, spacing, y],
        }
    }
}

/// The levels of detail. Each level has every second sample of the level below, starting with the first.
fn multiscales<'a>(layout: &Layout, axes_of: &impl Fn(u32) -> Axes<'a>) -> Value {
    let of = |level: u32| {
        let domain = layout.domain(level);
        let mut own = json!({
            "asset": level.to_string(),
            "spatial:shape": [domain.height(), domain.width()],
            "spatial:transform": axes_of(level).transform(),
        });
        if let Some(below) = level.checked_sub(1) {
            own["derived_from"] = json!(below.to_string());
            own["transform"] = json!({ "scale": [2.0, 2.0], "translation": [0.0, 0.0] });
        } else {
            own["transform"] = json!({ "scale": [1.0, 1.0], "translation": [0.0, 0.0] });
        }
        own
    };
    json!({ "layout": (0..layout.levels()).map(of).collect::<Vec<_>>(), "resampling_method": "nearest" })
}

/// The declaration of the conventions that the attributes follow, in the form that these conventions require.
fn conventions(names: &[&str]) -> Map<String, Value> {
    let known = [
        ("multiscales", "d35379db-88df-4056-af3a-620245f8e347", "v1", "Levels of detail"),
        ("spatial", "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "v0.1", "Spatial coordinate information"),
        (
            "proj",
            "f17cb550-5864-4468-aeb7-f3180cfb622f",
            "v0.1",
            "Coordinate reference system information for geospatial data",
        ),
    ];
    let list: Vec<Value> = known
        .iter()
        .filter(|(name, ..)| names.contains(name))
        .map(|(name, uuid, version, what)| {
            json!({
                "schema_url": format!(
                    "https://raw.githubusercontent.com/zarr-conventions/{name}/refs/tags/{version}/\
                    schema.json"
                ),
                "spec_url": format!("https://github.com/zarr-conventions/{name}/blob/{version}/README.md"),
                "uuid": uuid,
                "name": name,
                "description": what,
            })
        })
        .collect();
    let mut attributes = Map::new();
    attributes.insert("zarr_conventions".to_owned(), json!(list));
    attributes
}
