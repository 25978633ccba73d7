//! Loading and checking worlds.

use std::path::Path;
use std::sync::Arc;

use terrane_flow::{
    Diagnostics, EditTree, Engine, LoadOptions, Loaded, OutputEntry, Reference, Registry, Touched,
    load_edited,
};
use terrane_grid::Tiling;
use terrane_nodes::{Terrain, check_domain};

use super::borders::Borders;
use super::file::WorldFile;
use super::notes;
use super::overlap::OverlapGraph;
use super::patch_error::PatchError;
use super::paths::{Paths, tiling};
use super::rules::shares_borders;

/// A world that was loaded and checked.
pub struct LoadedWorld {
    tiling: Tiling,
    patches: PatchGraphs,
    /// A note, if patches are not exactly where the graph places them.
    rounded: Option<String>,
}

/// Options for loading a world, besides its file.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The level of detail. At each level, samples are twice as far apart as at the level below. A patch has
    /// the same number of samples at every level.
    pub level: u32,
    /// Additional outputs, placed after those of the graph.
    pub also: Vec<Reference>,
}

/// The distance from the origin, in samples, within which coordinates are exact. A spacing uses 24 of the 53
/// bits of a coordinate, which leaves 29 bits for the number of samples.
const MAX_DISTANCE: i64 = 1 << 29;

/// How the graphs of patches are built.
enum PatchGraphs {
    /// Graphs with an overlap that is cropped.
    Overlapping(OverlapGraph),
    /// Graphs with paths, and with fixed heights on borders.
    WithPaths(Box<Paths>, Borders),
}

impl LoadedWorld {
    /// Loads and checks a world's file and the graph of its patches. `options` apply to that graph.
    ///
    /// # Errors
    /// Fails with every error in the file. If the file has none, fails with every error in the graph. Nothing
    /// is evaluated or written.
    pub fn load(path: &Path, registry: &Registry, options: &LoadOptions) -> Result<Self, Diagnostics> {
        Self::load_asked(path, registry, options, &Asked::default())
    }

    /// Like [`LoadedWorld::load`], at a level of detail or with additional outputs.
    ///
    /// # Errors
    /// As for [`LoadedWorld::load`].
    pub fn load_asked(
        path: &Path,
        registry: &Registry,
        options: &LoadOptions,
        asked: &Asked,
    ) -> Result<Self, Diagnostics> {
        Self::load_edited(path, registry, options, asked, &mut |_, tree| tree).0
    }

    /// Like [`LoadedWorld::load_asked`], with the texts of graphs changed by `edit`. Also returns every file
    /// that was read, even on failure.
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
            Err(errors) => return (Err(errors), touched),
        };
        let (graph, more) = load_edited(&file.patch(), registry, options, edit);
        touched.0.extend(more.0);
        (graph.and_then(|graph| Self::of(file, graph, asked)), touched)
    }

    /// Builds a world from its file and the graph of its patches.
    ///
    /// # Errors
    /// Fails with every conflict between the file and the graph.
    pub fn of(file: WorldFile, mut graph: Loaded, asked: &Asked) -> Result<Self, Diagnostics> {
        // Patches depend on the files of the world, too.
        graph.graph.files.extend(file.files());
        let place = Terrain::of(&*graph.graph.header).and_then(|terrain| terrain.place.clone());
        let described = file.into_described(place.as_ref())?;
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
        let (tiling, patches) = if world.nodes.is_empty() && world.edges.is_empty() && !shares_borders(&graph)
        {
            let tiling = own.coarser(asked.level);
            graph.graph.header = Arc::new(Terrain::at(&*graph.graph.header, tiling.domain((0, 0))));
            (tiling, PatchGraphs::Overlapping(OverlapGraph::new(graph, &tiling)?))
        } else {
            let domain = own.domain((0, 0));
            let spacing = domain.spacing * libm::exp2(f64::from(asked.level));
            graph.graph.header = Arc::new(Terrain::at(&*graph.graph.header, domain.with_spacing(spacing)));
            let paths = Paths::new(described, graph)?;
            let (columns, rows) = paths.template.tiling.size;
            (paths.template.tiling, PatchGraphs::WithPaths(Box::new(paths), Borders::new(columns * rows)))
        };
        Ok(Self { tiling, patches, rounded })
    }

    /// Refuses a patch whose coordinates would be rounded, because it would not meet its neighbours. Also
    /// refuses a patch that is farther from the origin than any graph may be.
    ///
    /// # Errors
    /// Fails for such a patch.
    pub fn check_place(&self, patch: (i64, i64)) -> Result<(), PatchError> {
        let (first, size) = (self.tiling.first_of(patch), self.tiling.size);
        let farthest = |first: i64, samples: usize| first.abs().max((first + samples as i64).abs());
        let domain = self.tiling.domain(patch);
        if farthest(first.0, size.0).max(farthest(first.1, size.1)) + self.rim() as i64 <= MAX_DISTANCE
            && check_domain(&domain).is_ok()
        {
            return Ok(());
        }
        let (x, y) = domain.origin;
        Err(PatchError {
            message: format!(
                "it begins at ({x:e}, {y:e}), where coordinates are rounded and patches would not meet"
            ),
            help: format!("choose patches within {MAX_DISTANCE} samples and 1e12 world units of the origin"),
        })
    }

    /// The division of the plane into patches.
    #[must_use]
    pub const fn tiling(&self) -> Tiling {
        self.tiling
    }

    /// The graph of patches, at the position of patch (0, 0). It has the paths of its own file, not those of
    /// the world.
    #[must_use]
    pub const fn graph(&self) -> &Loaded {
        match &self.patches {
            PatchGraphs::Overlapping(overlap) => overlap.graph(),
            PatchGraphs::WithPaths(paths, _) => &paths.template.graph,
        }
    }

    /// How many samples around a patch are evaluated with it.
    #[must_use]
    pub const fn rim(&self) -> u64 {
        match &self.patches {
            PatchGraphs::Overlapping(overlap) => overlap.rim(),
            PatchGraphs::WithPaths(..) => 0,
        }
    }

    /// Notes for the user: rounded positions, the width of the overlap, and what may differ at borders.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.rounded.iter().cloned().collect();
        match &self.patches {
            PatchGraphs::Overlapping(overlap) => notes.extend(notes::of_overlap(overlap.rim())),
            PatchGraphs::WithPaths(paths, _) => {
                notes.extend(notes::of_patches_with_paths(&paths.template.graph));
            }
        }
        notes.extend(notes::stretched(self.graph()));
        notes
    }

    /// The graph of one patch at its position.
    ///
    /// Without paths, the graph has an overlap as wide as its nodes read. With paths, it has the relevant
    /// paths of the world and the heights on the patch's borders. To find these heights, the ground and the
    /// paths of the surrounding patches are evaluated first. Where a path leads on to patches farther away,
    /// the ground at its anchors there is evaluated too. All of these results are kept for the next patches.
    ///
    /// # Errors
    /// Fails if the ground or the paths of a relevant patch cannot be evaluated.
    pub fn patch(&self, engine: &Engine, patch: (i64, i64)) -> Result<Loaded, PatchError> {
        self.check_place(patch)?;
        match &self.patches {
            PatchGraphs::Overlapping(overlap) => Ok(overlap.at(&self.tiling, patch)),
            PatchGraphs::WithPaths(paths, borders) => {
                paths.with_paths(patch, borders.heights(paths, engine, patch)?)
            }
        }
    }
}
