//! The files of a graph that pages may show and change.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use terrane_flow::Graph;

/// The files of a graph, and which of them may be written.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The folder of the graph, or of the world that names it. Files outside it are never written.
    pub folder: PathBuf,
    /// Whether a world names the graph, so that the graph's own file may be outside the folder.
    pub is_named: bool,
    /// The graph's own file.
    pub own: Option<Arc<Path>>,
    /// The graph's own file as it was named.
    given: Option<PathBuf>,
    /// How often the graph uses each file.
    uses: HashMap<Arc<Path>, usize>,
}

/// The folder of a file, without links.
#[must_use]
pub fn folder_of(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

impl Reach {
    /// The files of a graph, or of the graph that a world names.
    #[must_use]
    pub fn of(graph: &Graph, world: Option<&Path>) -> Self {
        let named = world.or(graph.files.first().map(PathBuf::as_path)).unwrap_or(Path::new(""));
        let mut uses: HashMap<Arc<Path>, usize> = HashMap::new();
        let mut parts = std::collections::HashSet::new();
        for (name, node) in &graph.nodes {
            let Some(location) = &node.location else { continue };
            if let Some(file) = &location.scope.file
                && parts.insert((Arc::clone(file), name.rsplit_once('/').map(|(part, _)| part)))
            {
                *uses.entry(Arc::clone(file)).or_default() += 1;
            }
        }
        // A file that only contains subgraphs is found by the values that it passes to their nodes.
        let scopes = graph.nodes.values().filter_map(|node| Some(&node.location.as_ref()?.scope));
        for home in scopes.flat_map(|scope| scope.params.values()).filter_map(|bound| bound.home.as_ref()) {
            uses.entry(Arc::clone(&home.file)).or_insert(1);
        }
        Self {
            folder: folder_of(named),
            is_named: world.is_some(),
            own: graph.scope.file.clone(),
            given: graph.files.first().cloned(),
            uses,
        }
    }

    /// The file of a graph that has not been loaded, if it exists.
    #[must_use]
    pub fn of_file(file: &Path) -> Option<Self> {
        let own: Arc<Path> = file.canonicalize().ok()?.into();
        let given = Some(file.to_owned());
        Some(Self { folder: folder_of(file), is_named: false, own: Some(own), given, uses: HashMap::new() })
    }

    /// Whether a page may make a file: it does not exist, and is directly in the graph's folder.
    #[must_use]
    pub fn may_make(&self, file: &Path) -> bool {
        file.parent().is_some_and(|folder| folder == self.folder) && file.symlink_metadata().is_err()
    }

    /// The graph's own file, whose structure can be changed.
    ///
    /// # Errors
    /// Why it cannot be changed.
    pub fn own_file(&self) -> Result<Arc<Path>, String> {
        let own = self.own.as_ref().ok_or("the graph is not in a file")?;
        match self.may_write(own) {
            true => Ok(Arc::clone(own)),
            false => Err(format!("{} is outside the world's folder", self.shown(own))),
        }
    }

    /// Whether a file may be changed: it is the graph's own, or the graph uses it and it is in the graph's
    /// folder. If a world names the graph, both must be in the world's folder.
    #[must_use]
    pub fn may_write(&self, file: &Arc<Path>) -> bool {
        let is_own = self.own.as_ref() == Some(file);
        let is_near = || file.starts_with(&self.folder);
        (is_own && (!self.is_named || is_near())) || (self.uses.contains_key(file) && is_near())
    }

    /// The path to display: unchanged for the graph's file, and relative to the folder for others.
    #[must_use]
    pub fn shown(&self, file: &Arc<Path>) -> String {
        let is_given = !self.is_named && self.own.as_ref() == Some(file);
        let given = self.given.as_ref().filter(|_| is_given);
        let below = || file.strip_prefix(&self.folder).unwrap_or(file);
        given.map_or_else(below, PathBuf::as_path).display().to_string()
    }

    /// How often the graph uses a file.
    #[must_use]
    pub fn uses(&self, file: &Arc<Path>) -> usize {
        self.uses.get(file).copied().unwrap_or_default()
    }

    /// The name by which pages ask for the text of a file: its path relative to the folder, with `/`. `None`
    /// if the file is not in the folder.
    #[must_use]
    pub fn name_of_text(&self, file: &Path) -> Option<String> {
        let mut parts = Vec::new();
        for part in file.strip_prefix(&self.folder).ok()?.components() {
            let Component::Normal(part) = part else { return None };
            parts.push(part.to_str()?);
        }
        Some(parts.join("/"))
    }

    /// The names of all files whose text pages may show and change; the graph's own is the first.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let mut others: Vec<String> = self
            .uses
            .keys()
            .filter(|file| Some(*file) != self.own.as_ref())
            .filter_map(|file| self.text(file))
            .collect();
        others.sort();
        self.own.iter().filter_map(|own| self.text(own)).chain(others).collect()
    }

    /// The file with this name.
    ///
    /// # Errors
    /// If it is not a file whose text pages may show.
    pub fn text_named(&self, name: &str) -> Result<Arc<Path>, String> {
        let mut files = self.own.iter().chain(self.uses.keys());
        let found = files.find(|file| self.text(file).as_deref() == Some(name));
        found.cloned().ok_or_else(|| format!("{name} is not a file of the graph in its folder"))
    }

    fn text(&self, file: &Arc<Path>) -> Option<String> {
        self.name_of_text(file).filter(|_| self.may_write(file))
    }
}
