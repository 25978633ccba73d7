//! Worlds in Zarr stores.

use std::path::Path;

use terrane_runs::Failure;

#[cfg(feature = "stores")]
pub use with::{geotiff, run, verify};
#[cfg(not(feature = "stores"))]
pub use without::{geotiff, run, verify};

/// The name of a store as text.
#[cfg(feature = "stores")]
fn name(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        let help = "use a name that is valid Unicode";
        Failure::usage(format!("{} cannot be the name of a store", path.display()), help)
    })
}

#[cfg(not(feature = "stores"))]
mod without {
    use super::{Failure, Path};
    use crate::cli::run::Run;
    use terrane_runs::patches::{Patches, Share};

    fn missing(name: &Path) -> Failure {
        Failure::usage(
            format!("{}: this terrane was built without Zarr stores", name.display()),
            "install it with stores: cargo install --path crates/terrane-cli --features cloud; or name a \
            folder that does not end in .zarr",
        )
    }

    pub fn run(args: &Run, _: Patches, _: Option<Share>) -> Result<(), Failure> {
        Err(missing(&args.out))
    }

    pub fn verify(name: &Path, _: bool) -> Result<(), Failure> {
        Err(missing(name))
    }

    pub fn geotiff(name: &Path, _: &str, _: &Path) -> Result<(), Failure> {
        Err(missing(name))
    }
}

#[cfg(feature = "stores")]
mod with {
    use std::sync::Arc;
    use std::time::Instant;

    use terrane_runs::patches::{Patches, Share};
    use terrane_stores::{
        Asked, BlockMade, Blocks, Found, Listener, Objects, Verified, Windows, open, write_geotiff,
    };

    use super::{Failure, Path, name};
    use crate::cli::bar::Bar;
    use crate::cli::progress::flushed;
    use crate::cli::run::{Run, warn_of_unused_imports};
    use crate::cli::{console, session};

    /// Computes the blocks of a world and writes them to a store.
    pub fn run(args: &Run, patches: Patches, share: Option<Share>) -> Result<(), Failure> {
        let started = Instant::now();
        let world = Arc::new(session::world(&args.load, &args.of_world, Vec::new())?);
        let engine = session::engine(&args.engine, 0)?;
        let store: Arc<dyn Objects> = open(name(&args.out)?)?.into();
        let asked = Asked { only: args.only.clone(), block: args.block };
        let blocks = Blocks::new(Arc::clone(&world), patches, asked, (engine.clone(), Arc::clone(&store)))?;
        let json = args.engine.json;
        if args.of_world.level == 0 {
            warn_of_unused_imports(world.graph(), &[], json);
        }
        if !json {
            let notes = world.notes();
            notes.iter().chain(blocks.notes()).for_each(|note| console::line(&format!("note: {note}")));
        }
        let mut progress = Progress {
            bar: Bar::new(json, "blocks"),
            json,
            all: 0,
            seen: 0,
            made: 0,
            there: 0,
            ran: 0,
            cached: 0,
        };
        let made = blocks.make(share, &mut progress);
        progress.end(&store.place(), made.is_ok(), started);
        flushed(&engine, json);
        made
    }

    /// Progress: JSON if requested, a bar on a terminal, otherwise a line per block.
    struct Progress {
        bar: Bar,
        json: bool,
        /// The number of blocks of this share, and the number processed so far.
        all: usize,
        seen: usize,
        made: usize,
        there: usize,
        ran: usize,
        cached: usize,
    }

    impl Progress {
        fn end(&self, place: &str, succeeded: bool, started: Instant) {
            self.bar.end();
            let Self { made, there, ran, cached, .. } = self;
            let seconds = started.elapsed().as_secs_f64();
            if self.json {
                let event = serde_json::json!({
                    "event": "done", "blocks": made, "there": there, "ran": ran, "cached": cached,
                    "store": place,
                    "seconds": seconds, "succeeded": succeeded,
                });
                return console::json(&event);
            }
            let noun = if *made == 1 { "block" } else { "blocks" };
            console::line(&format!(
                "{made} {noun} made, {there} already there, {ran} nodes ran, {cached} cached, {seconds:.2} s"
            ));
        }
    }

    impl Listener for Progress {
        fn begin(&mut self, blocks: usize) {
            self.all = blocks;
            self.bar.begin(blocks);
            if blocks == 0 && !self.json {
                console::line(
                    "this share is empty: there are more shares than blocks; use smaller blocks (--block) or \
                    fewer shares",
                );
            }
        }

        fn made(&mut self, made: &BlockMade) {
            self.seen += 1;
            self.ran += made.ran;
            self.cached += made.cached;
            let (i, j) = made.block;
            if made.was_there {
                self.there += 1;
            } else if made.digest.is_some() {
                self.made += 1;
            }
            let digest =
                made.digest.map(|digest| digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            if self.json {
                let event = serde_json::json!({
                    "event": "block", "block": [i, j], "was_there": made.was_there, "ran": made.ran,
                    "cached": made.cached,
                    "digest": digest, "warnings": made.warnings, "seconds": made.took.as_secs_f64(),
                    "succeeded": made.problems.is_empty(),
                });
                return console::json(&event);
            }
            let what = match (made.was_there, &made.digest) {
                (true, _) => "already there",
                (_, Some(_)) => "made",
                _ => "not made",
            };
            let (ran, cached, seconds) = (made.ran, made.cached, made.took.as_secs_f64());
            let warnings: Vec<String> =
                made.warnings.iter().map(|warning| format!("warning: block {i},{j}: {warning}")).collect();
            let (seen, all) = (self.seen, self.all);
            let line = format!(
                "block {i},{j} ({seen} of {all}): {what}, {ran} nodes ran, {cached} cached, {seconds:.2} s"
            );
            self.bar.step(&warnings, &line);
        }
    }

    /// Reads a whole store and compares it with the digests that were recorded when it was written.
    pub fn verify(path: &Path, json: bool) -> Result<(), Failure> {
        let store = open(name(path)?)?;
        let verified = terrane_stores::verify(&*store, |(i, j), found| {
            if json {
                let verdict = match found {
                    Found::Whole(_) => "same",
                    Found::Missing => "missing",
                    Found::Damaged(_) => "damaged",
                };
                console::json(&serde_json::json!({ "block": [i, j], "verdict": verdict }));
            }
        })?;
        let Verified { page, blocks, objects, digest } = verified;
        if json {
            let object = serde_json::json!({
                "world": page.world, "terrane": page.terrane, "blocks": blocks, "objects": objects,
                "digest": digest,
            });
            console::json(&object);
        } else {
            let noun = if blocks == 1 { "block" } else { "blocks" };
            console::line(&format!(
                "world {}: {blocks} {noun} of {objects} objects unchanged, digest {digest}",
                page.world
            ));
        }
        Ok(())
    }

    /// Writes an array as one cloud-optimised GeoTIFF.
    pub fn geotiff(path: &Path, array: &str, out: &Path) -> Result<(), Failure> {
        let store = open(name(path)?)?;
        write_geotiff(&Windows::open(&*store, array)?, out).map(|_| ())
    }
}
