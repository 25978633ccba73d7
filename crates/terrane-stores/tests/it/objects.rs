//! Stores that lose, damage or reject the objects written to them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, EngineOptions, LoadOptions};
use terrane_grid::{Domain, GeoReference, Heightmap};
use terrane_io::{ReadOptions, WriteOptions, read_heightmap, write_heightmap};
use terrane_runs::Failure;
use terrane_runs::patches::Patches;
use terrane_runs::world::LoadedWorld;
use terrane_stores::{Asked, Blocks, Found, Objects, Windows, open, verify, write_geotiff};

/// Objects in memory. Writes to names that contain `bad` fail in one way, a given number of times.
struct Memory {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    bad: &'static str,
    fault: Fault,
    times: AtomicUsize,
}

#[derive(Clone, Copy)]
enum Fault {
    /// The written object is lost.
    Lost,
    /// The object is written with different content.
    Damaged,
    /// Writing returns an error.
    Refused,
}

impl Memory {
    fn new(bad: &'static str, fault: Fault, times: usize) -> Self {
        Self { objects: Mutex::default(), bad, fault, times: AtomicUsize::new(times) }
    }

    fn fails(&self, name: &str) -> bool {
        let next = |left: usize| left.checked_sub(1);
        name.contains(self.bad) && self.times.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next).is_ok()
    }

    fn all(&self) -> BTreeMap<String, Vec<u8>> {
        self.objects.lock().unwrap().clone()
    }
}

impl Objects for Memory {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        Ok(self.objects.lock().unwrap().get(name).cloned())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let mut bytes = bytes.to_vec();
        if self.fails(name) {
            match self.fault {
                Fault::Lost => return Ok(()),
                Fault::Damaged => bytes[0] ^= 1,
                Fault::Refused => return Err(Problem::new(format!("{name}: no room"), "make room")),
            }
        }
        self.objects.lock().unwrap().insert(name.to_owned(), bytes);
        Ok(())
    }

    fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Problem> {
        if self.objects.lock().unwrap().contains_key(name) {
            return Ok(false);
        }
        self.write(name, bytes).map(|()| true)
    }

    fn list(&self, below: &str) -> Result<Vec<String>, Problem> {
        let below = format!("{below}/");
        Ok(self.objects.lock().unwrap().keys().filter(|name| name.starts_with(&below)).cloned().collect())
    }

    fn place(&self) -> String {
        "memory".to_owned()
    }
}

fn world(folder: &Path) -> Arc<LoadedWorld> {
    let patch = r#"Graph(size: (9, 9), spacing: 30.0, nodes: { "hills": Perlin(wavelength: 200.0) },
        outputs: { "hills.tif": "hills" })"#;
    world_of(folder, patch)
}

fn world_of(folder: &Path, patch: &str) -> Arc<LoadedWorld> {
    std::fs::write(folder.join("patch.ron"), patch).unwrap();
    std::fs::write(folder.join("world.ron"), r#"World(patch: "patch.ron")"#).unwrap();
    let registry = terrane_nodes::registry();
    Arc::new(LoadedWorld::load(&folder.join("world.ron"), &registry, &LoadOptions::default()).unwrap())
}

/// Computes a world of 4 x 3 patches in blocks of 2 x 2.
fn make(world: &Arc<LoadedWorld>, store: Arc<dyn Objects>, threads: usize) -> Result<(), Failure> {
    let engine =
        Engine::new(EngineOptions { threads, memory: 0, reuse: false, ..EngineOptions::default() }).unwrap();
    let patches = Patches { low: (-1, 0), high: (2, 2) };
    let asked = Asked { block: Some(2), ..Asked::default() };
    Blocks::new(Arc::clone(world), patches, asked, (engine, store))?.make(None, &mut ())
}

#[test]
fn all_stores_hold_the_same_objects() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path());
    let memory = Arc::new(Memory::new("nothing", Fault::Lost, 0));
    make(&world, memory.clone(), 1).unwrap();
    let place = folder.path().join("world.zarr");
    let own: Arc<dyn Objects> = open(place.to_str().unwrap()).unwrap().into();
    make(&world, own.clone(), 4).unwrap();
    let objects = memory.all();
    assert_eq!(objects.len(), 4 * 2 + 8, "{:?}", objects.keys().collect::<Vec<_>>());
    for (name, bytes) in &objects {
        assert_eq!(own.read(name).unwrap().as_ref(), Some(bytes), "{name}");
    }
    assert_eq!(own.list("").unwrap(), objects.keys().cloned().collect::<Vec<_>>());
    assert_eq!(verify(&*own, |_, _| ()).unwrap().digest, verify(&*memory, |_, _| ()).unwrap().digest);
}

#[test]
fn y_grows_to_the_north_unless_an_earlier_version_began_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path());
    let attributes = |store: &Memory| -> serde_json::Value {
        let text = store.read("0/hills/zarr.json").unwrap().unwrap();
        serde_json::from_slice::<serde_json::Value>(&text).unwrap()["attributes"].clone()
    };
    let new = Arc::new(Memory::new("nothing", Fault::Lost, 0));
    make(&world, new.clone(), 2).unwrap();
    // Patches (-1, 0) to (2, 2) have 8 columns and rows each, 30 units apart.
    let own = attributes(&new);
    assert_eq!(own["spatial:transform"], serde_json::json!([30.0, 0.0, -240.0, 0.0, -30.0, 0.0]));
    assert_eq!(own["spatial:bbox"], serde_json::json!([-240.0, -690.0, 690.0, 0.0]));
    // Descriptions of earlier versions do not say where y grows.
    let (name, claim) = ("terrane/zarr.json", new.read("terrane/zarr.json").unwrap().unwrap());
    let mut claim: serde_json::Value = serde_json::from_slice(&claim).unwrap();
    let said = claim["attributes"]["terrane"].as_object_mut().unwrap().remove("y_grows");
    assert_eq!(said, Some("north".into()));
    let earlier = Arc::new(Memory::new("nothing", Fault::Lost, 0));
    earlier.write(name, &serde_json::to_vec(&claim).unwrap()).unwrap();
    make(&world, earlier.clone(), 2).unwrap();
    make(&world, earlier.clone(), 2).unwrap();
    let own = attributes(&earlier);
    assert_eq!(own["spatial:transform"], serde_json::json!([30.0, 0.0, -240.0, 0.0, 30.0, 0.0]));
    assert_eq!(own["spatial:bbox"], serde_json::json!([-240.0, 0.0, 690.0, 690.0]));
    verify(&*earlier, |_, _| ()).unwrap();
    assert_eq!(earlier.read("0/hills/c/1/0").unwrap(), new.read("0/hills/c/1/0").unwrap());
}

/// A world whose graph imports a raster lies where its files do; also if all that is known of it is in the
/// store.
#[test]
fn a_store_lies_on_the_map_of_its_world() {
    let folder = tempfile::tempdir().unwrap();
    let georef = Arc::new(GeoReference {
        pixel_scale: vec![60.0, 40.0, 0.0],
        tiepoints: vec![0.0, 0.0, 0.0, 400_000.0, 4_000_000.0, 0.0],
        key_directory: vec![1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32611],
        ..GeoReference::default()
    });
    let map = Heightmap::from_fn(Domain::new(4, 3), |x, y| (x * y) as f32).with_georef(Some(georef));
    write_heightmap(&folder.path().join("dem.tif"), &map, &WriteOptions::default()).unwrap();
    let patch = r#"Graph(size: (9, 9), spacing: 30.0, nodes: {
        "dem": Import(file: "dem.tif", origin: Some((90.0, -60.0))), "hills": Perlin(wavelength: 200.0) },
        outputs: { "hills.tif": "hills" })"#;
    let world = world_of(folder.path(), patch);
    let memory = Arc::new(Memory::new("nothing", Fault::Lost, 0));
    make(&world, memory.clone(), 2).unwrap();
    make(&world, memory.clone(), 2).unwrap();
    let root: serde_json::Value =
        serde_json::from_slice(&memory.read("0/hills/zarr.json").unwrap().unwrap()).unwrap();
    // The first sample, at (-240, 0), is 11 samples west and 2 south of the first of the file.
    let (east, north) = (400_030.0 - 11.0 * 60.0, 3_999_980.0 - 2.0 * 40.0);
    let attributes = &root["attributes"];
    assert_eq!(attributes["spatial:transform"], serde_json::json!([60.0, 0.0, east, 0.0, -40.0, north]));
    assert_eq!(attributes["proj:code"], "EPSG:32611");
    assert_eq!(attributes["zarr_conventions"][1]["name"], "proj");
    let file = folder.path().join("hills.tif");
    write_geotiff(&Windows::open(&*memory, "hills").unwrap(), &file).unwrap();
    let found = read_heightmap(&file, &ReadOptions::default()).unwrap().georef.unwrap();
    assert_eq!(found.axes(), Some(((east, north), (60.0, -40.0))));
    assert_eq!(found.epsg(), Some(32611));
    // A store that an earlier version began keeps the coordinates of the world.
    let (name, claim) = ("terrane/zarr.json", memory.read("terrane/zarr.json").unwrap().unwrap());
    let mut claim: serde_json::Value = serde_json::from_slice(&claim).unwrap();
    assert!(claim["attributes"]["terrane"].as_object_mut().unwrap().remove("location").is_some());
    let earlier = Arc::new(Memory::new("nothing", Fault::Lost, 0));
    earlier.write(name, &serde_json::to_vec(&claim).unwrap()).unwrap();
    make(&world, earlier.clone(), 2).unwrap();
    let text = String::from_utf8(earlier.read("0/hills/zarr.json").unwrap().unwrap()).unwrap();
    assert!(text.contains("-240.0") && !text.contains("proj:code"), "{text}");
}

#[test]
fn objects_lost_or_damaged_once_are_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path());
    let whole = Arc::new(Memory::new("nothing", Fault::Lost, 0));
    make(&world, whole.clone(), 2).unwrap();
    for bad in ["0/hills/c/1/0", "terrane/blocks/0_1"] {
        for fault in [Fault::Lost, Fault::Damaged] {
            let store = Arc::new(Memory::new(bad, fault, 1));
            make(&world, store.clone(), 2).unwrap();
            assert!(store.all() == whole.all(), "{bad}");
        }
    }
}

#[test]
fn a_lost_object_is_named_and_the_other_blocks_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path());
    for (fault, said) in [
        (Fault::Lost, "memory/0/hills/c/1/0 does not hold the bytes that were written"),
        (Fault::Damaged, "memory/0/hills/c/1/0 does not hold the bytes that were written"),
        (Fault::Refused, "0/hills/c/1/0: no room"),
    ] {
        let store = Arc::new(Memory::new("0/hills/c/1/0", fault, usize::MAX));
        let Err(Failure::Evaluation(problems)) = make(&world, store.clone(), 2) else { panic!("{said}") };
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        assert_eq!(problem.message, format!("block 0,1: {said}"));
        let mut missing = Vec::new();
        let verified = verify(&*store, |block, found| {
            if *found == Found::Missing {
                missing.push(block);
            }
        });
        assert!(verified.is_err() && missing == [(0, 1)], "{missing:?}");
    }
}

#[test]
fn a_store_that_loses_all_writes_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Memory::new("", Fault::Lost, usize::MAX));
    let Err(Failure::Evaluation(problems)) = make(&world(folder.path()), store, 1) else {
        panic!("it keeps nothing")
    };
    assert!(problems[0].message.contains("does not keep the objects written"), "{problems:?}");
}

#[test]
fn only_one_of_eight_worlds_started_at_once_claims_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let others: Vec<_> = (0..8)
        .map(|seed| {
            let own = folder.path().join(seed.to_string());
            std::fs::create_dir(&own).unwrap();
            let registry = terrane_nodes::registry();
            world(&own);
            let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
            Arc::new(LoadedWorld::load(&own.join("world.ron"), &registry, &options).unwrap())
        })
        .collect();
    let place = folder.path().join("world.zarr");
    let store: Arc<dyn Objects> = open(place.to_str().unwrap()).unwrap().into();
    let done: Vec<bool> = std::thread::scope(|scope| {
        let started: Vec<_> =
            others.iter().map(|world| scope.spawn(|| make(world, Arc::clone(&store), 1).is_ok())).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(done.iter().filter(|done| **done).count(), 1, "{done:?}");
    verify(&*store, |_, _| ()).unwrap();
}
