//! A world that was read and checked.

use std::path::Path;
use std::sync::Arc;

use terrane_flow::{
    Diagnostics, EditTree, Engine, LoadOptions, Loaded, OutputEntry, Reference, Registry, Touched,
    load_edited,
};
use terrane_grid::Tiling;
use terrane_nodes::{Terrain, check_domain};

use super::around::Around;
use super::borders::Borders;
use super::file::WorldFile;
use super::notes;
use super::patch_error::PatchError;
use super::paths::{Paths, tiling};
use super::rules::shares_borders;

/// A world that was read and checked.
pub struct LoadedWorld {
    tiling: Tiling,
    made: Made,
    /// Where patches stand otherwise than the graph does.
    rounded: Option<String>,
}

/// What a world is asked for beside what its file says.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// A level of detail: at each, samples are twice as far apart as at the one below, and a patch has as
    /// many.
    pub level: u32,
    /// Outputs beside those of the graph: each patch has them after these.
    pub also: Vec<Reference>,
}

/// So far from the origin, in samples, places are not rounded: spacings have 24 digits of the 53 that a place
/// has.
const FARTHEST: i64 = 1 << 29;

/// How patches are made.
enum Made {
    /// Over some ground around them, and cut.
    Around(Around),
    /// With paths, from heights that they meet their neighbours with.
    WithPaths(Box<Paths>, Borders),
}

impl LoadedWorld {
    /// Reads and checks a world's file and the graph of its patches; `options` change that graph.
    ///
    /// # Errors
    /// Every mistake in the file, then every mistake in the graph. Nothing is evaluated or written.
    pub fn load(path: &Path, registry: &Registry, options: &LoadOptions) -> Result<Self, Diagnostics> {
        Self::load_asked(path, registry, options, &Asked::default())
    }

    /// The same, at a level of detail or with other outputs.
    ///
    /// # Errors
    /// As [`LoadedWorld::load`].
    pub fn load_asked(
        path: &Path,
        registry: &Registry,
        options: &LoadOptions,
        asked: &Asked,
    ) -> Result<Self, Diagnostics> {
        Self::load_edited(path, registry, options, asked, &mut |_, tree| tree).0
    }

    /// The same, with the texts of graphs changed by `edit`; and every file that was looked at, also where it
    /// fails.
    pub fn load_edited(
        path: &Path,
        registry: &Registry,
        options: &LoadOptions,
        asked: &Asked,
        edit: &mut EditTree<'_>,
    ) -> (Result<Self, Diagnostics>, Touched) {
        let (file, mut touched) = WorldFile::read_touched(path, options);
        let file = match file {
            Ok(file) => file,
            Err(wrong) => return (Err(wrong), touched),
        };
        let (graph, more) = load_edited(&file.patch(), registry, options, edit);
        touched.0.extend(more.0);
        (graph.and_then(|graph| Self::of(file, graph, asked)), touched)
    }

    /// Of a file that was read, and the graph of its patches.
    ///
    /// # Errors
    /// Every mistake in how they fit.
    pub fn of(file: WorldFile, mut graph: Loaded, asked: &Asked) -> Result<Self, Diagnostics> {
        // Patches are made from these too.
        graph.graph.files.extend(file.files());
        let described = file.into_described();
        let also = asked.also.iter().map(|from| OutputEntry {
            file: String::new(),
            from: from.clone(),
            options: Vec::new(),
            option_spans: Vec::new(),
            location: None,
        });
        graph.graph.outputs.extend(also);
        let own = tiling(&described, &graph)?;
        let rounded = notes::rounded(&graph, &own);
        let world = &described.value;
        let (tiling, made) = if world.nodes.is_empty() && world.edges.is_empty() && !shares_borders(&graph) {
            let tiling = own.coarser(asked.level);
            graph.graph.header = Arc::new(Terrain(tiling.domain((0, 0))));
            (tiling, Made::Around(Around::new(graph, &tiling)?))
        } else {
            let domain = own.domain((0, 0));
            let spacing = domain.spacing * f64::from(asked.level).exp2();
            graph.graph.header = Arc::new(Terrain(domain.with_spacing(spacing)));
            let paths = Paths::new(described, graph)?;
            let (columns, rows) = paths.pattern.tiling.size;
            (paths.pattern.tiling, Made::WithPaths(Box::new(paths), Borders::new(columns * rows)))
        };
        Ok(Self { tiling, made, rounded })
    }

    /// Refuses patches where places would be rounded, so that they did not meet, and those that no graph can
    /// be of.
    ///
    /// # Errors
    /// That the patch is one of these.
    pub fn check_place(&self, patch: (i64, i64)) -> Result<(), PatchError> {
        let (first, size) = (self.tiling.first_of(patch), self.tiling.size);
        let farthest = |first: i64, samples: usize| first.abs().max((first + samples as i64).abs());
        let domain = self.tiling.domain(patch);
        if farthest(first.0, size.0).max(farthest(first.1, size.1)) + self.rim() as i64 <= FARTHEST
            && check_domain(&domain).is_ok()
        {
            return Ok(());
        }
        let (x, y) = domain.origin;
        Err(PatchError {
            message: format!(
                "it begins at ({x:e}, {y:e}), where places are rounded so that patches do not meet"
            ),
            help: format!("ask for patches within {FARTHEST} samples and 1e12 world units of the origin"),
        })
    }

    /// How the plane is cut.
    #[must_use]
    pub const fn tiling(&self) -> Tiling {
        self.tiling
    }

    /// The graph of patches, at the place of patch (0, 0) and with its own paths.
    #[must_use]
    pub const fn graph(&self) -> &Loaded {
        match &self.made {
            Made::Around(around) => around.graph(),
            Made::WithPaths(paths, _) => &paths.pattern.graph,
        }
    }

    /// How many samples around a patch are evaluated with it.
    #[must_use]
    pub const fn rim(&self) -> u64 {
        match &self.made {
            Made::Around(around) => around.rim(),
            Made::WithPaths(..) => 0,
        }
    }

    /// What a person should know of the patches: where they stand, how much ground around them is made with
    /// them, and what may differ at borders.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.rounded.iter().cloned().collect();
        match &self.made {
            Made::Around(around) => notes.extend(notes::of_any_graph(around.rim())),
            Made::WithPaths(paths, _) => notes.extend(notes::of_patches_with_paths(&paths.pattern.graph)),
        }
        notes.extend(notes::stretched(self.graph()));
        notes
    }

    /// The graph of one patch, at its place: over as much ground around it as its nodes look at; or with the
    /// paths that concern it and the heights that it meets its neighbours with. What these depend on is
    /// evaluated first, and kept for the next patches: the ground and the paths of the patches around, and
    /// the ground of patches that paths lead to, as far as it matters.
    ///
    /// # Errors
    /// When the ground or the paths of a patch that matters cannot be evaluated.
    pub fn patch(&self, engine: &Engine, patch: (i64, i64)) -> Result<Loaded, PatchError> {
        self.check_place(patch)?;
        match &self.made {
            Made::Around(around) => Ok(around.at(&self.tiling, patch)),
            Made::WithPaths(paths, borders) => {
                paths.with_paths(patch, borders.heights(paths, engine, patch)?)
            }
        }
    }
}
