//! Maintenance of a disk cache: usage, verification, collection and removal.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::disk::DiskCache;
use super::entry::NotKept;
use super::index;
use super::listing::{
    CacheFile, INDEX, OBJECTS, OLD_TABLES, PAGES, TABLES, TAG, discard, is_hex, list, subfolders, temporaries,
};
use super::object;
use super::store::{Damage, Found, Store};
use crate::model::files::read_regular;
use crate::model::node_key::Key;
use crate::model::value::Digest;
use crate::model::value_id::ValueId;

/// The content of a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskUse {
    /// The number of values.
    pub objects: u64,
    /// The bytes of all values.
    pub object_bytes: u64,
    /// The number of keys.
    pub keys: u64,
    /// The number of results without kept values, by node type and reason.
    pub not_kept: BTreeMap<NotKept, u64>,
    /// The number of unfinished files.
    pub temporaries: u64,
}

impl DiskCache {
    /// The content of the cache.
    #[must_use]
    pub fn usage(&self) -> DiskUse {
        let mut usage = DiskUse::default();
        for file in self.files(OBJECTS) {
            usage.objects += 1;
            usage.object_bytes += file.length;
        }
        for file in self.files(INDEX) {
            usage.keys += 1;
            let Some(key) = Digest::from_hex(&file.name).map(Key) else { continue };
            let entry = read_regular(&file.path).ok().and_then(|bytes| index::parse(&bytes, &key).ok());
            if let Some(not_kept) = entry.and_then(|entry| entry.not_kept.clone()) {
                *usage.not_kept.entry(not_kept).or_default() += 1;
            }
        }
        usage.temporaries = temporaries(self.folder()).len() as u64;
        usage
    }

    /// Reads every file and removes damaged ones.
    #[must_use]
    pub fn verify(&self) -> Vec<Damage> {
        let mut damage = Vec::new();
        for file in self.files(OBJECTS) {
            let right = ValueId::from_hex(&file.name).is_some_and(|id| {
                read_regular(&file.path).is_ok_and(|bytes| object::body(&bytes, &id).is_some())
            });
            if !right {
                damage.push(discard(file.path, "its content does not match its name".to_owned()));
            }
        }
        for file in self.files(INDEX) {
            let wrong = match Digest::from_hex(&file.name) {
                None => Some("its name is not a key".to_owned()),
                Some(key) => {
                    read_regular(&file.path).ok().and_then(|bytes| index::parse(&bytes, &Key(key)).err())
                }
            };
            if let Some(reason) = wrong {
                damage.push(discard(file.path, reason));
            }
        }
        damage
    }

    /// Removes the least recently used values until the cache is within its capacity. Returns the number of
    /// freed bytes.
    ///
    /// Also removes:
    /// - keys whose values were removed,
    /// - files of older versions of the cache,
    /// - temporary files of killed processes, after an hour,
    /// - pages (notes that commands keep about files), after 90 days.
    pub fn collect(&self) -> u64 {
        let mut objects = self.files(OBJECTS);
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
        let rest = temporaries(self.folder()).into_iter().map(|file| (file, HOUR));
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
                && entry.ids.iter().any(|id| !self.contains(id))
            {
                let _best_effort = fs::remove_file(&file.path);
            }
        }
    }

    /// Removes everything that the cache wrote, and nothing else. Files are recognized by their names.
    /// Folders are removed if they are empty then.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        for file in self.everything() {
            remove(&file.path)?;
        }
        let tag = self.folder().join("CACHEDIR.TAG");
        if read_regular(&tag).is_ok_and(|bytes| bytes == TAG.as_bytes()) {
            remove(&tag)?;
        }
        let subfolders = TABLES.iter().flat_map(|table| subfolders(&self.folder().join(table)));
        let tables = TABLES.iter().chain(&PAGES).chain([&"tmp"]).map(|table| self.folder().join(table));
        for folder in subfolders.chain(tables) {
            // Other files, and the folders that contain them, are kept.
            let _if_empty = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// All files that the cache wrote, including pages.
    fn everything(&self) -> Vec<CacheFile> {
        let tables = TABLES.iter().flat_map(|table| self.files(table));
        tables.chain(self.pages()).chain(temporaries(self.folder())).collect()
    }

    /// Pages: notes about files that commands such as `explain` keep in the cache's folder.
    fn pages(&self) -> Vec<CacheFile> {
        let pages = PAGES.iter().flat_map(|folder| list(&self.folder().join(folder)));
        let is_page = |name: &str| name.len() == 32 && is_hex(name);
        pages.filter(|page| is_page(page.name.strip_suffix(".json").unwrap_or(&page.name))).collect()
    }

    /// The files of a table, in the order of their names. Files whose names are not 64 hexadecimal digits are
    /// left out.
    fn files(&self, table: &str) -> Vec<CacheFile> {
        let mut files: Vec<CacheFile> =
            subfolders(&self.folder().join(table)).iter().flat_map(|folder| list(folder)).collect();
        files.retain(|file| file.name.len() == 64 && is_hex(&file.name));
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files
    }
}

/// Removes a file that another process may remove at the same time.
fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
