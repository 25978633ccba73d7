//! One virtual dataset over the files of all patches that shares computed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use terrane_grid::{Place, Tiling};
use terrane_io::{Format, ReadOptions, Sample, needed_memory};

use super::mosaics::virtual_dataset;
use super::range::{Patches, folder};
use super::records::{self, SharePage, WORLD, WorldPage};
use crate::outputs::Manifest;
use crate::{Failure, outputs};

/// Writes a virtual dataset that joins the files of a map in the patch folders. The dataset is beside these
/// folders. The patches must fill their bounding rectangle. Returns the path, and a warning if the dataset
/// lacks the reference system of the ground.
///
/// # Errors
/// Fails if the folder has no shares, if these have no such TIFF file, or if a patch is missing.
pub fn write_virtual_dataset(out: &Path, file: &str) -> Result<(PathBuf, Option<String>), Failure> {
    let world: WorldPage = records::read(&out.join(WORLD))?;
    if !world.outputs.iter().any(|output| output == file)
        || Format::from_extension(Path::new(file)) != Some(Format::TIFF)
    {
        let tiffs: Vec<&str> = world
            .outputs
            .iter()
            .map(String::as_str)
            .filter(|file| Format::from_extension(Path::new(file)) == Some(Format::TIFF))
            .collect();
        let help = match &tiffs[..] {
            [] => "export a map as .tif, and run the shares again".to_owned(),
            some => format!("its TIFF files are {}", some.join(", ")),
        };
        return Err(Failure::usage(
            format!("{file} is not a TIFF file of the patches in {}", out.display()),
            help,
        ));
    }
    let (mut made, mut bounds) = (BTreeSet::new(), None::<Patches>);
    let shares = records::all(out)
        .map_err(|error| Failure::usage(format!("{}: {error}", out.display()), "make it readable"))?;
    for path in shares {
        let page: SharePage = records::read(&path)?;
        let (low, high) = page.of;
        let own = bounds.unwrap_or(Patches { low, high });
        bounds = Some(Patches {
            low: (own.low.0.min(low.0), own.low.1.min(low.1)),
            high: (own.high.0.max(high.0), own.high.1.max(high.1)),
        });
        made.extend(page.patches.into_keys());
    }
    let of = bounds.and_then(|bounds| Patches::of(bounds.low, bounds.high));
    let Some(patches) = of else {
        let help = "run them: terrane run WORLD --patches A..B,C..D --share 1/1 -o FOLDER";
        return Err(Failure::usage(format!("{} has no shares", out.display()), help));
    };
    let is_there = |patch: &String| made.contains(patch) && out.join(patch).join(file).is_file();
    if let Some(missing) = patches.iter().map(folder).find(|patch| !is_there(patch)) {
        let message = format!("{missing}/{file} is missing");
        return Err(Failure::usage(message, "`terrane world verify FOLDER` lists the missing shares"));
    }
    let (first, corner) = world.start;
    let tiling = Tiling { size: world.size, spacing: world.spacing, first, corner };
    // Positions in the dataset are then far from the largest numbers.
    const MAX_SIDE: usize = 1 << 24;
    if [tiling.size.0, tiling.size.1].iter().any(|side| !(2..=MAX_SIDE).contains(side)) {
        return Err(Failure::usage(format!("{}/{WORLD} is damaged", out.display()), "run the shares again"));
    }
    let first = out.join(folder(patches.low));
    let sample = sample(&first, file);
    let place = place(&first.join(file), &tiling, patches.low);
    let path = outputs::place(out, &Path::new(file).with_extension("vrt").to_string_lossy(), &[])
        .map_err(Failure::Usage)?;
    let warning = virtual_dataset(&path, file, (&tiling, place.as_ref()), &patches, sample)
        .map_err(|problem| Failure::Evaluation(vec![problem]))?;
    Ok((path, warning))
}

/// The place of the world on a map, according to the tags of a patch's file.
fn place(file: &Path, tiling: &Tiling, patch: (i64, i64)) -> Option<Place> {
    let domain = tiling.domain(patch);
    let georef = needed_memory(file, &ReadOptions::default())?.georef?;
    Place::of(&georef, domain.origin, domain.spacing, (1.0, 1.0))
}

/// The sample type of a file according to its patch's manifest.
fn sample(patch: &Path, file: &str) -> Sample {
    let manifest = Manifest::read(patch).ok().flatten().unwrap_or_default();
    let options = manifest.file(file).and_then(|file| {
        terrane_nodes::write_options(file.options.iter().map(|(name, value)| (name.as_str(), value.as_str())))
            .ok()
    });
    options.and_then(|options| options.sample).unwrap_or(Sample::F32)
}
