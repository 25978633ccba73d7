//! Random rasters that other libraries wrote, read and compared with their numbers.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use terrane_io::{Imported, ReadOptions, needed_memory, read_heightmap};

use crate::{Result, root, say};

/// The largest number of differences that are printed.
const PRINTED: usize = 20;

/// A file, and what a reader should find.
#[derive(Deserialize)]
struct Entry {
    file: String,
    size: (usize, usize),
    /// Whether some samples are missing.
    #[serde(default)]
    masked: bool,
    /// x and y of the first sample, and the steps from column to column and from row to row.
    axes: Option<[f64; 4]>,
    epsg: Option<u16>,
    channel: Option<String>,
    /// What the message of a refusal says.
    refused: Option<String>,
    /// What a warning says.
    warned: Option<String>,
}

/// Has `count` files written with Python, and reads them.
pub fn written_by_others(python: &str, count: u64, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let script = root().join("xtask/src/written_by_others.py");
    let status = Command::new(python)
        .arg(script)
        .arg(folder.path())
        .args([count.to_string(), seed.to_string()])
        .status()
        .map_err(|error| format!("{python} does not start: {error}"))?;
    if !status.success() {
        return Err("the files were not written".into());
    }
    let entries: Vec<Entry> = serde_json::from_slice(&std::fs::read(folder.path().join("files.json"))?)?;
    let (mut refused, mut wrong) = (0, 0);
    for entry in &entries {
        match compare(folder.path(), entry) {
            Ok(was_refused) => refused += u64::from(was_refused),
            Err(difference) => {
                wrong += 1;
                if wrong <= PRINTED {
                    say(&format!("{}: {difference}", entry.file));
                }
            }
        }
    }
    say(&format!("{} files of others: {refused} refused as they should be, {wrong} wrong", entries.len()));
    if wrong == 0 { Ok(()) } else { Err("files of other libraries are read differently".into()) }
}

/// Compares a file with what a reader should find, and says whether it was refused as it should be.
fn compare(folder: &Path, entry: &Entry) -> std::result::Result<bool, String> {
    let path = folder.join(&entry.file);
    let options = ReadOptions { channel: entry.channel.clone(), ..ReadOptions::default() };
    let read = read_heightmap(&path, &options);
    let imported = match (&entry.refused, read) {
        (Some(word), Err(error)) if error.to_string().contains(word) => return Ok(true),
        (Some(word), Err(error)) => return Err(format!("refused without `{word}`: {error}")),
        (Some(word), Ok(_)) => return Err(format!("read, and not refused as `{word}`")),
        (None, Err(error)) => return Err(format!("refused: {error}")),
        (None, Ok(imported)) => imported,
    };
    samples(folder, entry, &imported)?;
    place(entry, &imported)?;
    let needed = needed_memory(&path, &options).ok_or("its header is not read")?;
    if needed.size != entry.size
        || needed.georef.as_ref() != imported.georef.as_deref().filter(|g| g.is_placed())
    {
        return Err("header and file differ in size or place".to_owned());
    }
    if let Some(word) = &entry.warned
        && !imported.warnings.iter().any(|warning| warning.contains(word))
    {
        return Err(format!("no warning of `{word}`: {:?}", imported.warnings));
    }
    Ok(false)
}

fn samples(folder: &Path, entry: &Entry, imported: &Imported) -> std::result::Result<(), String> {
    let array = |kind: &str| {
        let path = folder.join(format!("{}.{kind}.npy", entry.file));
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        // Version 1: magic, version, the length of the header, and the header.
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        Ok::<_, String>(bytes[start..].to_vec())
    };
    if imported.map.grid().size() != entry.size {
        return Err(format!("has {:?} samples instead of {:?}", imported.map.grid().size(), entry.size));
    }
    let known = if entry.masked { array("known")? } else { vec![1; imported.map.samples().len()] };
    let (columns, rows) = entry.size;
    for (at, known) in known.iter().enumerate() {
        let found = imported.mask.as_ref().map_or(1.0, |mask| mask.samples()[at]);
        if f32::from(*known) != found {
            let missing = if found == 0.0 { "missing" } else { "known" };
            return Err(format!("column {}, row {} is {missing}", at % columns, at / columns));
        }
    }
    let wanted = array("heights")?;
    if wanted.len() != columns * rows * 4 {
        return Err("the expected heights have another size".to_owned());
    }
    let all = wanted.as_chunks::<4>().0.iter().zip(imported.map.samples()).zip(known).enumerate();
    for (at, ((wanted, found), _)) in all.filter(|(_, (_, known))| *known == 1) {
        let wanted = f32::from_le_bytes(*wanted);
        if wanted.to_bits() != found.to_bits() && !(wanted == 0.0 && *found == 0.0) {
            return Err(format!(
                "column {}, row {}: {found} instead of {wanted}",
                at % columns,
                at / columns
            ));
        }
    }
    Ok(())
}

fn place(entry: &Entry, imported: &Imported) -> std::result::Result<(), String> {
    let found = imported.georef.as_ref().and_then(|georef| georef.axes());
    let found = found.map(|((x, y), (across, down))| [x, y, across, down]);
    let is_near = match (found, entry.axes) {
        (Some(found), Some(wanted)) => {
            let step = wanted[2].abs();
            found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() <= 1e-6 * step)
        }
        (found, wanted) => found.is_none() && wanted.is_none(),
    };
    if !is_near {
        return Err(format!("lies at {found:?} instead of {:?}", entry.axes));
    }
    match (imported.georef.as_ref().and_then(|georef| georef.epsg()), entry.epsg) {
        (found, wanted) if found == wanted => Ok(()),
        (found, wanted) => Err(format!("has the reference system {found:?} instead of {wanted:?}")),
    }
}
