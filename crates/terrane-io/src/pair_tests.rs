//! Data and sidecar after a process was killed while replacing them, and after another program changed the
//! data.

use std::{fs, path::Path};

use terrane_grid::{Domain, Heightmap};

use crate::{
    Imported, IoError, Problem, ReadOptions, Sidecar, SidecarPolicy, WriteOptions, read_heightmap, write,
    write_heightmap,
};

fn map(low: f32, high: f32) -> Heightmap {
    let mut map = Heightmap::constant(Domain::new(4, 3).with_spacing(2.0), low);
    map.samples_mut()[5] = high;
    // Otherwise all maps would have the same codes.
    map.samples_mut()[7] = 0.15 * (low + high);
    map
}

fn read(path: &Path) -> Result<Imported, IoError> {
    read_heightmap(path, &ReadOptions::default())
}

/// Removes `data` from a file's sidecar. Older versions did not write it, and a person may remove it.
fn without_digest(path: &Path) {
    let sidecar = Sidecar::path_of(path);
    let text = fs::read_to_string(&sidecar).unwrap();
    let mut kept: Vec<&str> = text.lines().collect();
    kept.retain(|line| !line.contains("\"data\":"));
    assert_eq!(kept.len() + 1, text.lines().count());
    fs::write(sidecar, kept.join("\n")).unwrap();
}

/// Writes a map, and returns copies of file and sidecar as a kill after each step would leave them.
fn kills(path: &Path, map: &Heightmap, options: &WriteOptions) -> Vec<tempfile::TempDir> {
    let mut states = Vec::new();
    let mut between = || {
        let state = tempfile::tempdir().unwrap();
        for file in [path.to_owned(), Sidecar::path_of(path)] {
            if file.exists() {
                fs::copy(&file, state.path().join(file.file_name().unwrap())).unwrap();
            }
        }
        states.push(state);
    };
    write::write(path, map, options, &|| false, &mut between).unwrap();
    states
}

const WITH: fn() -> WriteOptions = WriteOptions::default;
const NEVER: fn() -> WriteOptions =
    || WriteOptions { sidecar: SidecarPolicy::Never, ..WriteOptions::default() };

/// A new picture beside an old sidecar, as left by a kill, is not read with the old range.
#[test]
fn after_a_kill_the_old_or_the_new_map_is_read() {
    for name in ["a.png", "a.tif", "a.r16", "a.npy"] {
        for (before, after) in [(WITH(), WITH()), (WITH(), NEVER()), (NEVER(), WITH())] {
            for old in [false, true] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join(name);
                write_heightmap(&path, &map(1.0, 9.0), &before).unwrap();
                if old && Sidecar::path_of(&path).exists() {
                    without_digest(&path);
                }
                let first = read(&path);
                let states = kills(&path, &map(-300.0, 20.5), &after);
                let second = read(&path);
                let samples = |read: &Result<Imported, IoError>| {
                    read.as_ref().map(|read| read.map.clone()).map_err(ToString::to_string)
                };
                // A TIFF holds its spacing and origin, so that it has no sidecar.
                assert_eq!(states.is_empty(), name == "a.tif", "{name}");
                let last = fs::read_to_string(Sidecar::path_of(&path)).unwrap_or_default();
                assert!(!last.contains("other"), "{last}");
                for state in states {
                    let path = state.path().join(name);
                    let left = samples(&read(&path))
                        .map_err(|error| error.replace(&*state.path().to_string_lossy(), ""));
                    let known = [&first, &second].map(|read| {
                        samples(read).map_err(|error| error.replace(&*folder.path().to_string_lossy(), ""))
                    });
                    assert!(known.contains(&left), "{name} {old}: {left:?}");
                    // A second process, which is killed or not.
                    let again = kills(&path, &map(0.0, 7.0), &WITH());
                    let third = read(&path).unwrap().map;
                    for again in again {
                        let left = samples(&read(&again.path().join(name)))
                            .map_err(|error| error.replace(&*again.path().to_string_lossy(), ""));
                        assert!(known.contains(&left) || left == Ok(third.clone()), "{name} {old}: {left:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_first_sidecar_comes_before_its_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let states = kills(&path, &map(1.0, 9.0), &WITH());
    assert_eq!(states.len(), 1);
    assert!(!states[0].path().join("a.png").exists() && states[0].path().join("a.png.json").exists());
    assert!(
        kills(&path, &map(1.0, 9.0), &WITH()).iter().all(|state| read(&state.path().join("a.png")).is_ok())
    );
}

#[test]
fn a_sidecar_of_other_data_is_refused_until_data_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.png"), folder.path().join("b.png"));
    write_heightmap(&path, &map(1.0, 9.0), &WITH()).unwrap();
    write_heightmap(&other, &map(0.0, 1000.0), &NEVER()).unwrap();
    fs::copy(&other, &path).unwrap();
    let refused = read(&path).unwrap_err();
    assert!(matches!(refused.problem, Problem::OtherData { .. }));
    let text = refused.to_string();
    assert!(
        text.contains("a.png.json was written for another file of this name, or the file was edited since"),
        "{text}"
    );
    assert!(text.contains("remove `data` from the sidecar") && text.contains("give `range`"), "{text}");
    let ranged = ReadOptions { range: Some((0.0, 1000.0)), ..ReadOptions::default() };
    let read_by_range = read_heightmap(&path, &ranged).unwrap();
    assert_eq!(read_by_range.map.samples()[5], 1000.0);
    assert!(
        read_by_range.warnings[0].contains("spacing and origin may be wrong"),
        "{:?}",
        read_by_range.warnings
    );
    // A wrong digest in the options shows that it is used.
    let bytes = fs::read(&path).unwrap();
    let known = ReadOptions { digest: Some(*blake3::hash(&bytes).as_bytes()), ..ReadOptions::default() };
    assert!(read_heightmap(&path, &known).is_err());
    without_digest(&path);
    assert_eq!(read(&path).unwrap().map.samples()[5], 9.0);
    // The next write makes the pair valid again.
    write_heightmap(&path, &map(2.0, 3.0), &WITH()).unwrap();
    assert!(Sidecar::of(&path).unwrap().unwrap().data.is_some());
    assert_eq!(read(&path).unwrap().map.samples()[5], 3.0);
}

#[test]
fn edited_files_of_real_numbers_are_read_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    write_heightmap(&path, &map(1.0, 9.0), &WITH()).unwrap();
    assert_eq!(read(&path).unwrap().warnings, [""; 0]);
    let sidecar = fs::read(Sidecar::path_of(&path)).unwrap();
    write_heightmap(&path, &map(1.0, 10.0), &NEVER()).unwrap();
    fs::write(Sidecar::path_of(&path), sidecar).unwrap();
    let edited = read(&path).unwrap();
    assert_eq!((edited.map.samples()[5], edited.map.spacing()), (10.0, 2.0));
    assert!(edited.warnings[0].contains("remove `data`"), "{:?}", edited.warnings);
}
