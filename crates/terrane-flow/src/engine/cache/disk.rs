//! Values on disk, safe with several processes and against any damage.
//!
//! `objects/ab/abcd…` holds a value's kind, a zero byte and its canonical bytes: the file's BLAKE3 is its name, so a
//! damaged file can never be taken for the value. `index/ab/abcd…` holds, for a key, the digests of the outputs and a
//! checksum. Every file is written to a temporary in the same folder tree and renamed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use super::entry::{Entry, NotKept};
use super::index;
use super::store::{Damage, Found, Record, Store};
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

/// How much a cache holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskUse {
    /// Values.
    pub objects: u64,
    /// Their bytes.
    pub object_bytes: u64,
    /// Keys.
    pub keys: u64,
    /// Results whose values are not kept, by type of node and reason.
    pub not_kept: BTreeMap<NotKept, u64>,
    /// Unfinished files.
    pub temporaries: u64,
}

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
        self.path(INDEX, &key.0.hex())
    }

    fn path(&self, table: &str, name: &str) -> PathBuf {
        self.folder.join(table).join(&name[..2]).join(name)
    }

    /// Values first, so that a key never points to what is not there yet.
    fn try_store(&self, record: &Record<'_>) -> io::Result<()> {
        let kept = if record.entry.not_kept.is_none() { record.values } else { &[] };
        for (digest, value) in record.entry.digests.iter().zip(kept) {
            let path = self.object(digest);
            if !path.is_file() {
                self.write(&path, |out| {
                    out.write_all(value.kind().name.as_bytes())?;
                    out.write_all(&[0])?;
                    value.encode(out)
                })?;
            }
        }
        self.write(&self.index(record.key), |out| {
            out.write_all(index::text(record.key, record.entry).as_bytes())
        })
    }

    fn write(&self, path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let temporaries = self.begin()?;
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
    /// Gives the folder of temporaries in it.
    ///
    /// # Errors
    /// When it cannot be made; storing then says so too.
    pub fn begin(&self) -> io::Result<PathBuf> {
        let temporaries = self.folder.join("tmp");
        if !temporaries.is_dir() {
            let is_new = fs::read_dir(&self.folder).map_or(true, |mut entries| entries.next().is_none());
            fs::create_dir_all(&temporaries)?;
            if is_new {
                fs::write(self.folder.join("CACHEDIR.TAG"), TAG)?;
            }
        }
        Ok(temporaries)
    }

    /// How much there is.
    #[must_use]
    pub fn usage(&self) -> DiskUse {
        let mut usage = DiskUse::default();
        for file in self.files("objects") {
            usage.objects += 1;
            usage.object_bytes += file.length;
        }
        for file in self.files(INDEX) {
            usage.keys += 1;
            let Some(key) = Digest::from_hex(&file.name).map(Key) else { continue };
            let entry = fs::read(&file.path).ok().and_then(|bytes| index::parse(&bytes, &key).ok());
            if let Some(not_kept) = entry.and_then(|entry| entry.not_kept) {
                *usage.not_kept.entry(not_kept).or_default() += 1;
            }
        }
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
        for file in self.files(INDEX) {
            let wrong = match Digest::from_hex(&file.name) {
                None => Some("its name is no key".to_owned()),
                Some(key) => {
                    fs::read(&file.path).ok().and_then(|bytes| index::parse(&bytes, &Key(key)).err())
                }
            };
            if let Some(reason) = wrong {
                damage.push(discard(file.path, reason));
            }
        }
        damage
    }

    /// Removes values unused for longest until the cache is below its capacity, keys without values, temporaries
    /// that some killed process left more than an hour ago, pages and keys without values of three months ago, and what
    /// older versions of the cache left. Gives the bytes freed.
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
        for file in OLD_TABLES.iter().flat_map(|table| self.files(table)) {
            if fs::remove_file(&file.path).is_ok() {
                freed += file.length;
            }
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
        for file in self.files(INDEX) {
            let Some(key) = Digest::from_hex(&file.name).map(Key) else { continue };
            if let Found::Here(entry) = self.lookup(&key)
                && entry.not_kept.is_none()
                && entry.digests.iter().any(|digest| !self.contains(digest))
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
            remove(&file.path)?;
        }
        let tag = self.folder.join("CACHEDIR.TAG");
        if fs::read(&tag).is_ok_and(|bytes| bytes == TAG.as_bytes()) {
            remove(&tag)?;
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

impl Store for DiskCache {
    fn lookup(&self, key: &Key) -> Found<Entry> {
        let path = self.index(key);
        let Ok(bytes) = fs::read(&path) else { return Found::Missing };
        match index::parse(&bytes, key) {
            Ok(entry) => Found::Here(entry),
            Err(reason) => Found::Damaged(discard(path, reason)),
        }
    }

    fn contains(&self, digest: &Digest) -> bool {
        self.object(digest).is_file()
    }

    fn load(&self, digest: &Digest, kind: &Kind) -> Found<Value> {
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

    fn store(&self, record: &Record<'_>) -> io::Result<()> {
        if self.broken.load(Ordering::Relaxed) {
            return Ok(());
        }
        // Whoever clears the folder at this moment takes files and folders away that were just made.
        const TRIES: usize = 20;
        let gone = |written: &io::Result<()>| {
            written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        let mut written = self.try_store(record);
        for _ in 1..TRIES {
            if !gone(&written) {
                break;
            }
            written = self.try_store(record);
        }
        written.map_err(|error| {
            self.broken.store(true, Ordering::Relaxed);
            let folder = self.folder.display();
            io::Error::new(
                error.kind(),
                format!("results cannot be kept in `{folder}`: {error}; going on without"),
            )
        })
    }

    fn flush(&self) {
        self.collect();
    }
}

/// The index, with the version of its files.
const INDEX: &str = "index-2";

/// Tables of the cache, those of older versions, and folders of pages beside them.
const TABLES: [&str; 3] = ["objects", INDEX, "index"];
const OLD_TABLES: [&str; 1] = ["index"];
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

/// Removes a file that another process may remove too.
fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn discard(file: PathBuf, reason: String) -> Damage {
    // In a read-only folder the file stays; it is a miss all the same.
    let _best_effort = fs::remove_file(&file);
    Damage { file, reason }
}
