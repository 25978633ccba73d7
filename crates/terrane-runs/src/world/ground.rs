//! Heights of the ground, before paths, anywhere in a world.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use terrane_flow::{Engine, Wanted};
use terrane_grid::Tiling;
use terrane_kernels::path::Place;
use terrane_nodes::values::Map;

use super::patch_error::PatchError;
use super::pattern::Pattern;

/// Heights by sample.
type Heights = HashMap<Place, f32>;

/// Heights of anchors by patch: each patch's ground is evaluated once, and only these are kept.
pub struct Ground {
    /// Anchors by the patch whose ground tells their height.
    places: HashMap<(i64, i64), Vec<Place>>,
    known: Mutex<HashMap<(i64, i64), Arc<Heights>>>,
}

impl Ground {
    pub fn new(tiling: &Tiling, anchors: &[Place]) -> Self {
        let mut places: HashMap<(i64, i64), Vec<Place>> = HashMap::new();
        anchors.iter().for_each(|&place| places.entry(tiling.patch_of(place)).or_default().push(place));
        Self { places, known: Mutex::default() }
    }

    /// The height of the ground at an anchor.
    pub fn height(&self, pattern: &Pattern, engine: &Engine, place: Place) -> Result<f32, PatchError> {
        let patch = pattern.tiling.patch_of(place);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&patch).cloned();
        let heights = match known {
            Some(heights) => heights,
            None => {
                // Two threads may do this at once; both find the same.
                let places = self.places.get(&patch).map_or(&[][..], Vec::as_slice);
                let heights = Arc::new(of_patch(pattern, engine, patch, places)?);
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::clone(known.entry(patch).or_insert(heights))
            }
        };
        heights.get(&place).copied().ok_or_else(|| PatchError {
            message: format!("the ground at sample {place:?} is not known"),
            help: "this is a defect in Terrane: please report it with the world".to_owned(),
        })
    }
}

/// Heights of the ground of a patch at some of its samples.
fn of_patch(
    pattern: &Pattern,
    engine: &Engine,
    patch: (i64, i64),
    places: &[Place],
) -> Result<Heights, PatchError> {
    let failed = |message: String, help: &str| PatchError {
        message: format!("the ground of patch {},{}: {message}", patch.0, patch.1),
        help: help.to_owned(),
    };
    let wanted: Wanted = pattern.rules.ground.clone().into();
    let job = engine
        .start(&Arc::new(pattern.at(patch)), [wanted])
        .map_err(|problems| failed(problems.render(false), ""))?;
    let evaluation = job.wait();
    let map = evaluation.outputs.first().and_then(|output| output.value.clone()?.downcast::<Map>());
    let Some(map) = map else {
        return Err(failed(
            "it cannot be evaluated".to_owned(),
            "evaluate it by itself to see why: terrane eval PATCH.ron NODE -o height.tif",
        ));
    };
    let (first, width) = (pattern.tiling.first_of(patch), map.width());
    let height = |&(x, y): &Place| {
        let height = map.samples()[(y - first.1) as usize * width + (x - first.0) as usize];
        ((x, y), height)
    };
    let heights: Heights = places.iter().map(height).collect();
    match heights.iter().find(|(_, height)| !height.is_finite()) {
        Some((place, _)) => {
            Err(failed(format!("sample {place:?} is no number"), "fill the ground where paths lead"))
        }
        None => Ok(heights),
    }
}
