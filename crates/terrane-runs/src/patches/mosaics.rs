//! Files that cover all patches.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, OutputEntry, name_key};
use terrane_grid::{Place, Tiling};
use terrane_io::{Format, Sample, Tile, WriteOptions, vrt_warning, write_heightmap, write_vrt};
use terrane_nodes::values::{has_heights, heights_of};

use super::done::Done;
use super::range::{Patches, folder};
use super::records::{SHARES, WORLD};
use crate::failure::of_file;
use crate::memory::check_memory;
use crate::outputs::MANIFEST;
use crate::world::{LoadedWorld, Mosaic};
use crate::{Failure, outputs};

/// The mosaic of one output.
struct OutputMosaic {
    /// Its index among the requested outputs.
    index: usize,
    file: String,
    options: WriteOptions,
    /// The map, if a single file is requested.
    map: Option<Mosaic>,
}

impl OutputMosaic {
    /// The virtual dataset that joins the files of the patches, for a TIFF file.
    fn dataset(&self) -> Option<String> {
        let file = Path::new(&self.file);
        let is_tiff = Format::from_extension(file) == Some(Format::TIFF);
        is_tiff.then(|| file.with_extension("vrt").to_string_lossy().into_owned())
    }
}

/// Checks that no mosaic is written over another one, or over the files of a patch, a level or the shares,
/// which are in the same folder.
fn check_names(all: &[OutputMosaic], whole: bool) -> Result<(), Problem> {
    let mut taken: HashMap<String, &str> = HashMap::new();
    for mosaic in all {
        let own = whole.then(|| mosaic.file.clone());
        for file in own.into_iter().chain(mosaic.dataset()) {
            let key = name_key(&file);
            if is_reserved(key.split('/').next().unwrap_or_default()) {
                let message = format!("the mosaic {file} would be among the files of a patch or level");
                return Err(Problem::new(message, "rename the output, so that it begins with a letter"));
            }
            if let Some(other) = taken.insert(key, &mosaic.file) {
                let message =
                    format!("the outputs {other} and {} would both be joined into {file}", mosaic.file);
                return Err(Problem::new(message, "rename one of the two, or select one with --only"));
            }
        }
    }
    Ok(())
}

/// Whether the output folder of a world uses a name itself: for a patch, `-3_4`, a level or shares.
fn is_reserved(name: &str) -> bool {
    let is_number = |text: &str| text.parse::<i64>().is_ok();
    let is_patch = name.split_once('_').is_some_and(|(i, j)| is_number(i) && is_number(j));
    is_patch
        || name.strip_prefix("level_").is_some_and(is_number)
        || [SHARES, WORLD, MANIFEST].contains(&name)
}

/// The mosaics of all outputs that are maps.
pub struct Mosaics<'a> {
    all: Vec<OutputMosaic>,
    out: &'a Path,
    /// The world's source files.
    inputs: Vec<PathBuf>,
    tiling: Tiling,
    /// Whether to write mosaics. They are written if requested, or if there are several patches that are not
    /// a share.
    wanted: bool,
}

impl<'a> Mosaics<'a> {
    /// Fails if the maps do not fit into memory.
    pub fn new(
        (out, whole, is_share): (&'a Path, bool, bool),
        engine: &Engine,
        world: &LoadedWorld,
        patches: &Patches,
        entries: &[&OutputEntry],
    ) -> Result<Self, Failure> {
        let (graph, tiling) = (&world.graph().graph, world.tiling());
        let mut all = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let Ok((node, output)) = graph.find(&entry.from) else { continue };
            let kind = graph.nodes.get_index(node).map(|(_, node)| node.node().spec().outputs[output].kind);
            if !kind.is_some_and(has_heights) {
                continue;
            }
            let options = outputs::options(graph, entry).map_err(Failure::Usage)?;
            all.push(OutputMosaic { index, file: entry.file.clone(), options, map: None });
        }
        let (inputs, wanted) = (graph.files.clone(), whole || patches.count() > 1 && !is_share);
        if wanted {
            check_names(&all, whole).map_err(Failure::Usage)?;
        }
        if whole {
            let samples = tiling.domain_of(patches.low, patches.high).len() as u64;
            check_memory(samples.saturating_mul(4 * all.len() as u64), "", engine.budget())?;
            all.iter_mut()
                .for_each(|mosaic| mosaic.map = Some(Mosaic::new(tiling, patches.low, patches.high)));
        }
        Ok(Self { all, out, inputs, tiling, wanted })
    }

    /// Copies a patch's maps to their positions. If a border differs from that of a neighbour, this is a
    /// problem of the patch.
    pub fn put(&mut self, done: &mut Done) {
        let values = std::mem::take(&mut done.values);
        for mosaic in &mut self.all {
            let map = values.get(mosaic.index).and_then(|value| heights_of(value.as_ref()?));
            let (Some(whole), Some(map)) = (&mut mosaic.map, map) else { continue };
            if let Err(seam) = whole.put(done.patch, map.grid()) {
                let help = "use ground that depends only on world coordinates, and a SubdividePath with \
                borders: Shared";
                done.problems.push(Problem::new(format!("{}: {seam}", mosaic.file), help));
            }
        }
    }

    /// Writes the mosaics: a virtual dataset for each TIFF output, and one file per output if requested.
    /// Returns their paths, and warnings.
    pub fn finish(
        self,
        patches: &Patches,
        complete: bool,
        problems: &mut Vec<Problem>,
    ) -> (Vec<PathBuf>, Vec<String>) {
        let (mut written, mut warnings) = (Vec::new(), Vec::new());
        if !complete || !self.wanted {
            return (written, warnings);
        }
        for mosaic in self.all {
            let dataset = mosaic.dataset();
            let OutputMosaic { file, options, map, .. } = mosaic;
            let path = match outputs::place(self.out, &file, &self.inputs) {
                Ok(path) => path,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            if let Some(dataset) = dataset {
                let vrt = match outputs::place(self.out, &dataset, &self.inputs) {
                    Ok(vrt) => vrt,
                    Err(problem) => {
                        problems.push(problem);
                        continue;
                    }
                };
                let sample = options.sample.unwrap_or(Sample::F32);
                match virtual_dataset(&vrt, &file, (&self.tiling, options.place.as_deref()), patches, sample)
                {
                    Ok(warning) => {
                        written.push(vrt);
                        warnings.extend(warning);
                    }
                    Err(problem) => problems.push(problem),
                }
            }
            if let Some(map) = map.and_then(Mosaic::finished) {
                match write_heightmap(&path, &map, &options) {
                    Ok(_) => written.push(path),
                    Err(error) => problems.push(of_file(&error)),
                }
            }
        }
        (written, warnings)
    }
}

/// Writes a virtual dataset that joins the files of a map in the patch folders. Returns a warning if it lacks
/// the reference system of the ground.
pub fn virtual_dataset(
    path: &Path,
    file: &str,
    (tiling, place): (&Tiling, Option<&Place>),
    patches: &Patches,
    sample: Sample,
) -> Result<Option<String>, Problem> {
    let domain = tiling.domain_of(patches.low, patches.high);
    let (columns, rows) = (tiling.size.0 - 1, tiling.size.1 - 1);
    let tile = |patch: (i64, i64)| {
        let (i, j) = ((patch.0 - patches.low.0) as usize, (patch.1 - patches.low.1) as usize);
        Tile { file: format!("{}/{file}", folder(patch)), first: (i * columns, j * rows) }
    };
    let tiles: Vec<Tile> = patches.iter().map(tile).collect();
    write_vrt(path, (&domain, place), tiling.size, sample, &tiles)
        .map(|_| place.and_then(|place| vrt_warning(path, place)))
        .map_err(|error| of_file(&error))
}
