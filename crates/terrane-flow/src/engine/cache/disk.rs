//! Values on disk, safe with several processes and against any damage.
//!
//! `objects/ab/abcd…` holds a value's kind, a zero byte and its canonical bytes: the file's BLAKE3 is its name, so a
//! damaged file can never be taken for the value. `index/ab/abcd…` holds, for a key, the digests of the outputs and a
//! checksum. Every file is written to a temporary in the same folder tree and renamed.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use super::digests::Digests;
use crate::model::key::Key;
use crate::model::value::{Digest, Kind, Value};

/// A folder of results.
#[derive(Debug)]
pub struct DiskCache {
    folder: PathBuf,
    capacity: u64,
    /// Set when writing failed once: a full disk or a read-only folder is reported once and then left alone.
    broken: AtomicBool,
}

/// What a look-up found.
#[derive(Debug)]
pub enum Found<T> {
    /// The thing.
    Here(T),
    /// Nothing.
    Missing,
    /// Something that is not what its name says; it was removed where possible.
    Damaged(Damage),
}

/// A damaged entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// How much a cache holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct DiskUse {
    /// Values.
    pub objects: u64,
    /// Their bytes.
    pub object_bytes: u64,
    /// Keys.
    pub keys: u64,
    /// Unfinished files.
    pub temporaries: u64,
}

const INDEX_HEADER: &str = "terrane index 1";

impl DiskCache {
    /// A cache in `folder`, made on first use, that [`DiskCache::collect`] keeps below `capacity` bytes.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, capacity: u64) -> Self {
        Self { folder: folder.into(), capacity, broken: AtomicBool::new(false) }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn object(&self, digest: &Digest) -> PathBuf {
        self.path("objects", &digest.hex())
    }

    fn index(&self, key: &Key) -> PathBuf {
        self.path("index", &key.0.hex())
    }

    fn path(&self, table: &str, name: &str) -> PathBuf {
        self.folder.join(table).join(&name[..2]).join(name)
    }

    /// The outputs that belong to a key.
    #[must_use]
    pub fn lookup(&self, key: &Key) -> Found<Digests> {
        let path = self.index(key);
        let Ok(bytes) = fs::read(&path) else { return Found::Missing };
        match parse_index(&bytes, key) {
            Ok(digests) => Found::Here(digests),
            Err(reason) => Found::Damaged(discard(path, reason)),
        }
    }

    /// Whether a value seems to be here; only [`DiskCache::load`] knows.
    #[must_use]
    pub fn contains(&self, digest: &Digest) -> bool {
        self.object(digest).is_file()
    }

    /// A value, verified.
    #[must_use]
    pub fn load(&self, digest: &Digest, kind: &Kind) -> Found<Value> {
        let path = self.object(digest);
        let Ok(bytes) = fs::read(&path) else { return Found::Missing };
        if blake3::hash(&bytes).as_bytes() != &digest.0 {
            return Found::Damaged(discard(
                path,
                format!("its {} bytes are not those it was written with", bytes.len()),
            ));
        }
        let Some(body) = bytes.strip_prefix(kind.name.as_bytes()).and_then(|rest| rest.strip_prefix(&[0]))
        else {
            return Found::Damaged(discard(path, format!("it holds no {}", kind.name)));
        };
        match kind.decode(body) {
            Ok(value) => {
                // The time of change is the time of last use: what is collected first is what nobody used.
                let _best_effort =
                    fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
                Found::Here(value)
            }
            Err(error) => Found::Damaged(discard(path, error.to_string())),
        }
    }

    /// Stores a node's outputs and its key; values first, so that a key never points to what is not there yet.
    ///
    /// # Errors
    /// The first failure to write; later calls then do nothing and succeed.
    pub fn store(&self, key: &Key, digests: &[Digest], values: &[Value]) -> io::Result<()> {
        if self.broken.load(Ordering::Relaxed) {
            return Ok(());
        }
        let result = self.try_store(key, digests, values);
        if result.is_err() {
            self.broken.store(true, Ordering::Relaxed);
        }
        result
    }

    fn try_store(&self, key: &Key, digests: &[Digest], values: &[Value]) -> io::Result<()> {
        for (digest, value) in digests.iter().zip(values) {
            let path = self.object(digest);
            if !path.is_file() {
                self.write(&path, |out| {
                    out.write_all(value.kind().name.as_bytes())?;
                    out.write_all(&[0])?;
                    value.encode(out)
                })?;
            }
        }
        self.write(&self.index(key), |out| out.write_all(index_text(key, digests).as_bytes()))
    }

    fn write(&self, path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let temporaries = self.folder.join("tmp");
        if !temporaries.is_dir() {
            self.begin(&temporaries)?;
        }
        let temporary = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&temporaries)?;
        let mut out = BufWriter::with_capacity(1 << 18, temporary);
        fill(&mut out)?;
        let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        temporary.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Makes the folder. Only one that holds nothing yet is marked as a cache: backups leave a marked folder out.
    fn begin(&self, temporaries: &Path) -> io::Result<()> {
        let is_new = fs::read_dir(&self.folder).map_or(true, |mut entries| entries.next().is_none());
        fs::create_dir_all(temporaries)?;
        if is_new { fs::write(self.folder.join("CACHEDIR.TAG"), TAG) } else { Ok(()) }
    }

    /// How much there is.
    #[must_use]
    pub fn usage(&self) -> DiskUse {
        let mut usage = DiskUse::default();
        for file in self.files("objects") {
            usage.objects += 1;
            usage.object_bytes += file.length;
        }
        usage.keys = self.files("index").len() as u64;
        usage.temporaries = temporaries(&self.folder).len() as u64;
        usage
    }

    /// Reads every file and removes what is damaged.
    #[must_use]
    pub fn verify(&self) -> Vec<Damage> {
        let mut damage = Vec::new();
        for file in self.files("objects") {
            let right = Digest::from_hex(&file.name).is_some_and(|digest| {
                fs::read(&file.path).is_ok_and(|bytes| blake3::hash(&bytes).as_bytes() == &digest.0)
            });
            if !right {
                damage.push(discard(file.path, "its content is not what its name says".to_owned()));
            }
        }
        for file in self.files("index") {
            let wrong = match Digest::from_hex(&file.name) {
                None => Some("its name is no key".to_owned()),
                Some(key) => fs::read(&file.path).ok().and_then(|bytes| parse_index(&bytes, &Key(key)).err()),
            };
            if let Some(reason) = wrong {
                damage.push(discard(file.path, reason));
            }
        }
        damage
    }

    /// Removes values unused for longest until the cache is below its capacity, keys without values, temporaries
    /// that some killed process left more than an hour ago, and pages of three months ago. Gives the bytes freed.
    pub fn collect(&self) -> u64 {
        let mut objects = self.files("objects");
        objects.sort_by(|a, b| a.used.cmp(&b.used).then_with(|| a.name.cmp(&b.name)));
        let mut total: u64 = objects.iter().map(|file| file.length).sum();
        let mut freed = 0;
        for file in objects {
            if total <= self.capacity {
                break;
            }
            if fs::remove_file(&file.path).is_ok() {
                total -= file.length;
                freed += file.length;
            }
        }
        if freed > 0 {
            self.drop_dangling_keys();
        }
        const HOUR: u64 = 3600;
        let rest = temporaries(&self.folder).into_iter().map(|file| (file, HOUR));
        for (file, most) in rest.chain(self.pages().into_iter().map(|page| (page, 90 * 24 * HOUR))) {
            let old = SystemTime::now().duration_since(file.used).is_ok_and(|age| age.as_secs() > most);
            if old && fs::remove_file(&file.path).is_ok() {
                freed += file.length;
            }
        }
        freed
    }

    fn drop_dangling_keys(&self) {
        for file in self.files("index") {
            let Some(key) = Digest::from_hex(&file.name).map(Key) else { continue };
            if let Found::Here(digests) = self.lookup(&key)
                && digests.iter().any(|digest| !self.contains(digest))
            {
                let _best_effort = fs::remove_file(&file.path);
            }
        }
    }

    /// Removes everything that the cache wrote, and nothing else: files with its names, then what folders are empty.
    ///
    /// # Errors
    /// When something is there and cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        for file in self.everything() {
            fs::remove_file(&file.path)?;
        }
        let tag = self.folder.join("CACHEDIR.TAG");
        if fs::read(&tag).is_ok_and(|bytes| bytes == TAG.as_bytes()) {
            fs::remove_file(tag)?;
        }
        let shelves = TABLES.iter().flat_map(|table| shelves(&self.folder.join(table)));
        let tables = TABLES.iter().chain(&PAGES).chain([&"tmp"]).map(|table| self.folder.join(table));
        for folder in shelves.chain(tables) {
            // What others put there stays, and so does its folder.
            let _if_empty = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// All files that the cache wrote, those of the pages beside it included.
    fn everything(&self) -> Vec<CacheFile> {
        let tables = TABLES.iter().flat_map(|table| self.files(table));
        tables.chain(self.pages()).chain(temporaries(&self.folder)).collect()
    }

    /// What commands note in the cache's folder about files, a page each.
    fn pages(&self) -> Vec<CacheFile> {
        let pages = PAGES.iter().flat_map(|folder| list(&self.folder.join(folder)));
        let is_page = |name: &str| name.len() == 32 && is_hex(name);
        pages.filter(|page| is_page(page.name.strip_suffix(".json").unwrap_or(&page.name))).collect()
    }

    /// The files of a table, in order of name; none that have no name of the cache's.
    fn files(&self, table: &str) -> Vec<CacheFile> {
        let mut files: Vec<CacheFile> =
            shelves(&self.folder.join(table)).iter().flat_map(|shelf| list(shelf)).collect();
        files.retain(|file| file.name.len() == 64 && is_hex(&file.name));
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files
    }
}

/// Tables of the cache, and folders of pages beside them.
const TABLES: [&str; 2] = ["objects", "index"];
const PAGES: [&str; 2] = ["outputs", "explain"];

/// How names of temporaries begin.
const TEMPORARY: &str = "terrane-";

/// Says to backup programs that what is here can be made again.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# Results of Terrane, which can be removed at any time.\n";

fn is_hex(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The folders of a table.
fn shelves(table: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(table) else { return Vec::new() };
    let is_shelf = |name: &str| name.len() == 2 && is_hex(name);
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_shelf))
        .map(|entry| entry.path())
        .collect()
}

struct CacheFile {
    path: PathBuf,
    name: String,
    length: u64,
    used: SystemTime,
}

fn list(folder: &Path) -> Vec<CacheFile> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let meta = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Some(CacheFile { path: entry.path(), name, length: meta.len(), used: meta.modified().ok()? })
        })
        .collect()
}

fn temporaries(folder: &Path) -> Vec<CacheFile> {
    let mut files = list(&folder.join("tmp"));
    files.retain(|file| file.name.starts_with(TEMPORARY));
    files
}

fn discard(file: PathBuf, reason: String) -> Damage {
    // In a read-only folder the file stays; it is a miss all the same.
    let _best_effort = fs::remove_file(&file);
    Damage { file, reason }
}

fn index_text(key: &Key, digests: &[Digest]) -> String {
    let mut text = format!("{INDEX_HEADER}\n{}\n", key.0.hex());
    for digest in digests {
        text.push_str(&digest.hex());
        text.push('\n');
    }
    let check = blake3::hash(text.as_bytes()).to_hex();
    text.push_str(&check[..16]);
    text.push('\n');
    text
}

fn parse_index(bytes: &[u8], key: &Key) -> Result<Digests, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text".to_owned())?;
    let lines: Vec<&str> = text.lines().collect();
    let [header, own, digests @ .., _check] = &lines[..] else { return Err("it is too short".to_owned()) };
    if *header != INDEX_HEADER {
        return Err("it was not written by this version".to_owned());
    }
    if *own != key.0.hex() {
        return Err("it belongs to another key".to_owned());
    }
    let digests: Option<Vec<Digest>> = digests.iter().map(|line| Digest::from_hex(line)).collect();
    let digests = digests.ok_or("a digest in it is broken")?;
    if text != index_text(key, &digests) {
        return Err("its checksum does not fit".to_owned());
    }
    Ok(digests.into())
}
