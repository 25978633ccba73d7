//! Reusing the rows of an existing table.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use terrane_flow::{Disk, Loaded, Setting, read_values};

use super::cases::{Case, Cases};
use super::run::{Done, Runs};
use super::stored::Stored;
use super::table::RunRow;
use crate::Failure;

impl Runs<'_> {
    /// The rows of this sweep that the table already has. They are saved together with new rows, so that an
    /// interruption loses none of them.
    pub fn kept(&self, cases: &Cases) -> Vec<Option<Done>> {
        let kept = |case: Case| {
            let given = self.load(&case).ok()?;
            let loaded = given.graph();
            let key = self.key(loaded, &case);
            let metrics = self.known.get(&key)?.clone();
            let row = RunRow { seed: loaded.graph.seed, set: case.set, metrics, error: String::new(), key };
            Some(Done::row(row, true))
        };
        let known = !self.known.is_empty();
        (0..cases.len()).map(|index| known.then(|| kept(cases.nth(index)))?).collect()
    }

    /// The rows that belong to the graph in its present state but are not part of this sweep. They stay in
    /// the table.
    ///
    /// # Errors
    /// Fails if the table has rows that can neither stay nor be computed again. Such rows may have taken
    /// hours.
    pub fn others(&self, cases: &Cases, stored: &[Stored], table: &Path) -> Result<Vec<RunRow>, Failure> {
        let lost = |count: usize, why: String| {
            let rows = if count == 1 { "1 row".to_owned() } else { format!("{count} rows") };
            Err(Failure::usage(
                format!("{} has {rows} that this sweep would lose: {why}", table.display()),
                "choose another file with -o, or remove this one if it is no longer needed",
            ))
        };
        let whole = || stored.iter().filter(|row| row.error.is_empty());
        let names = cases.names();
        let strange = |name: &str| !names.contains(&name) && !self.metrics.iter().any(|one| one.owns(name));
        if let Some((name, _)) = whole().flat_map(|row| &row.cells).find(|(name, _)| strange(name)) {
            return lost(whole().count(), format!("its column `{name}` does not belong to this sweep"));
        }
        let lacks = |name: &&&str| whole().any(|row| row.cell(name).is_none());
        if let Some(name) = names.iter().find(lacks) {
            return lost(whole().count(), format!("it has no column `{name}`"));
        }
        if stored.is_empty() {
            return Ok(Vec::new());
        }
        let asked: HashSet<(u64, Vec<(String, String)>)> = (0..cases.len())
            .map(|index| cases.nth(index))
            .map(|case| (case.seed.unwrap_or(self.seed), case.parsed()))
            .collect();
        let (mut others, mut strangers) = (Vec::new(), 0);
        let settings = self.settings();
        for row in stored {
            let of_others = row.key.rsplit_once('-').map_or("", |(settings, _)| settings);
            if row.error.is_empty() && of_others != settings.trim_end_matches('-') {
                strangers += 1;
                continue;
            }
            let set = names.iter().filter_map(|name| Some(((*name).to_owned(), row.cell(name)?.to_owned())));
            let case = Case { seed: row.seed, set: set.collect(), sized: cases.sized };
            if asked.contains(&(row.seed.unwrap_or(self.seed), case.parsed())) {
                continue;
            }
            let given = self.load(&case).ok();
            let same = given.filter(|given| self.key(given.graph(), &case) == row.key);
            match same {
                Some(given) => {
                    let loaded = given.graph();
                    let failed = !row.error.is_empty();
                    let metrics = if failed { Vec::new() } else { row.numbers(&names) };
                    let (seed, error, key) = (loaded.graph.seed, row.error.clone(), row.key.clone());
                    others.push(RunRow { seed, set: case.set, metrics, error, key });
                }
                None if row.error.is_empty() => strangers += 1,
                None => {}
            }
        }
        if strangers > 0 {
            let of = "they belong to an older graph, another patch, or other metrics or options";
            return lost(strangers, format!("{of}, and this sweep does not compute them again"));
        }
        Ok(others)
    }

    /// The key of a row: a hash of all that the row depends on. This is the program's version, the graph and
    /// its files, the nodes with their versions, the settings, and the metrics.
    pub fn key(&self, loaded: &Loaded, case: &Case) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(env!("CARGO_PKG_VERSION").as_bytes());
        add(&loaded.graph.header.key());
        add(&loaded.graph.seed.to_le_bytes());
        // The order of metrics in the command does not affect the numbers.
        let mut names: Vec<&String> = self.names.iter().collect();
        names.sort_unstable();
        add(format!("{:?} {names:?}", case.parsed()).as_bytes());
        self.source.key().into_iter().for_each(|patch| add(&patch));
        for node in loaded.graph.nodes.values() {
            let spec = node.node().spec();
            add(format!("{} {}", spec.name, spec.version).as_bytes());
            if let Some(code) = node.node().code() {
                add(&code.0);
            }
        }
        // Companions of files, such as sidecars, count too. A missing file adds empty bytes, which differ
        // from the hash of any content.
        // The values of a file of `--set` are part of the settings.
        let is_set = |file: &PathBuf| self.options.set.contains(&Setting::Values(file.clone()));
        let read = loaded.graph.files.iter().filter(|file| !self.source.knows(file) && !is_set(file));
        for file in read {
            match self.texts.hash(file) {
                Some(hash) => add(hash.as_bytes()),
                None => add(self.files.digest(&Disk, file).as_ref().map_or(&[][..], |digest| &digest.0)),
            }
        }
        format!("{}{}", self.settings(), &hasher.finalize().to_hex()[..16])
    }

    /// The prefix of row keys. It is empty unless the runs share settings, for example from a profile, or
    /// belong to a patch.
    ///
    /// The prefix distinguishes rows with other settings from rows of an older graph. This sweep does not
    /// compute rows with other settings again.
    fn settings(&self) -> String {
        let patch = self.source.patch();
        if self.options.set.is_empty() && patch.is_none() {
            return String::new();
        }
        let set = self.options.set.iter().flat_map(|setting| match setting {
            Setting::Param(name, value) => vec![(name.clone(), value.clone())],
            Setting::Profile(name) => vec![(format!("@{name}"), String::new())],
            // If the file cannot be read, the graph is not loaded, and no row is written.
            Setting::Values(file) => read_values(&Disk, file).unwrap_or_default(),
        });
        let settings = format!("{:?}{}", set.collect::<Vec<_>>(), patch.unwrap_or_default());
        let hash = blake3::hash(settings.as_bytes()).to_hex();
        format!("{}-", &hash[..8])
    }
}
