//! The index of graphs, `graphs/README.md`: a picture and a line for each graph.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use terrane_flow::Reference;

use crate::pages::{self, Files};
use crate::picture::{self, Renderer};
use crate::{Result, root, say};

/// Maximum number of samples along a side that are evaluated.
const SAMPLES: usize = 513;
/// The longer side of the other pictures.
const SIDE: usize = 256;

/// The graphs at the top of the index, which show most of Terrane's features.
const TWELVE: [&str; 12] = [
    "island",
    "valley",
    "canyon",
    "archipelago",
    "range",
    "san_gabriel",
    "crater",
    "lakes",
    "dunes",
    "folds",
    "regions",
    "mars",
];
/// The longer side of the pictures of these graphs, and of the README's.
const LARGE: usize = 960;

/// Graphs without a picture: their outputs are numbers or very small maps, or look like those of another
/// graph.
const WITHOUT: &[&str] = &[
    "metrics_real.ron",
    "olsen/border.ron",
    "thorimbert/coasts.ron",
    "thorimbert/dimension.ron",
    "thorimbert/speeds.ron",
    "velzel/optimum.ron",
    "velzel/pinned.ron",
    "velzel/pocket.ron",
    "velzel/solvers.ron",
    "velzel/border_conflict.ron",
    "world/stitched.ron",
];

/// Folders in the order of the index, with the headings of their graphs.
const SHELVES: &[[&str; 2]] = &[
    ["", "To start with"],
    ["engines", "For game engines"],
    ["world", "A world of patches"],
    ["olsen", "Olsen 2004: base terrain and fast erosion"],
    ["thorimbert", "Thorimbert & Chopard: polynomial noise"],
    ["lim", "Lim, Tan & Bhojan: erosion by rivers under control"],
    ["mijailovic", "Mijailovic: terrain from a planar graph"],
    ["velzel", "Velzel: paths that can be walked"],
];

/// Outputs to show instead of a graph's first picture, by name and without extension. Several are shown next
/// to each other.
const SHOWN: &[(&str, &[&str])] = &[
    ("lim/compare.ron", &["lim/ours_50", "lim/ours_150", "lim/uplift_50", "lim/uplift_150"]),
    ("lim/constraints.ron", &["lim/plain_strong", "lim/plain_weak", "lim/rough_strong", "lim/rough_weak"]),
    (
        "lim/rain.ron",
        &["lim/rain_south_east", "lim/rain_north_west", "lim/wear_south_east", "lim/wear_north_west"],
    ),
    ("lim/stages.ron", &["lim/stage_early", "lim/stage_moisture", "lim/stage_late", "lim/stage_whole"]),
    ("mijailovic/world.ron", &["figure_28"]),
    (
        "rain_real.ron",
        &[
            "rain_real/rain_south_east",
            "rain_real/rain_north_west",
            "rain_real/wear_south_east",
            "rain_real/wear_north_west",
        ],
    ),
    ("thorimbert/octaves.ron", &["octaves-1", "octaves-2", "octaves-4", "octaves-8"]),
    ("velzel/optimum.ron", &["velzel/swept", "velzel/best"]),
];

/// Writes the index and its pictures; or checks that the index has every graph with its current comment, and
/// that all pictures exist.
pub fn gallery(renderer: &Renderer, check: bool) -> Result<()> {
    let folder = root().join("graphs");
    let text = index(&folder)?;
    let pictures = folder.join("pictures");
    if check {
        if std::fs::read_to_string(folder.join("README.md")).ok().as_ref() != Some(&text) {
            return Err("graphs/README.md is stale: run `cargo xtask gallery`".into());
        }
        let mut wanted: Vec<String> = graphs(&folder)?.iter().filter_map(|graph| picture_of(graph)).collect();
        let mut there: Vec<String> = Vec::new();
        for entry in std::fs::read_dir(&pictures)? {
            there.push(entry?.file_name().to_string_lossy().into_owned());
        }
        wanted.sort();
        there.sort();
        if wanted != there {
            return Err("graphs/pictures is stale: run `cargo xtask gallery`".into());
        }
        say("graphs/README.md is fresh");
        return Ok(());
    }
    let mut files = Files::new();
    for graph in graphs(&folder)? {
        if let Some(name) = picture_of(&graph) {
            say(&graph.display().to_string());
            files.insert(name, draw(renderer, &folder, &graph)?);
        }
    }
    pages::write(&pictures, &files)?;
    terrane_io::write_atomic(&folder.join("README.md"), false, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}

fn draw(renderer: &Renderer, folder: &Path, graph: &Path) -> Result<Vec<u8>> {
    let path = folder.join(graph);
    if terrane_flow::described_type(&terrane_flow::Disk, &path).as_deref() == Some("World") {
        return picture::jpeg(&picture::shrink(&renderer.world(&path, 4, 129)?, SIDE));
    }
    let large = is_large(graph);
    let loaded = renderer.load_within(&path, if large { 2 * SAMPLES } else { SAMPLES })?;
    let named = |name: &&str| {
        let is = |file: &str| Path::new(file).with_extension("") == Path::new(name);
        let entry = loaded.graph.outputs.iter().find(|entry| is(&entry.file));
        Ok(entry.ok_or_else(|| format!("{} has no output `{name}`", path.display()))?.from.clone())
    };
    let shown: Vec<Reference> = match SHOWN.iter().find(|(shown, _)| graph == Path::new(shown)) {
        Some((_, names)) => names.iter().map(named).collect::<Result<_>>()?,
        None => picture::shown(&loaded).into_iter().collect(),
    };
    if large {
        let view = shown.first().ok_or_else(|| format!("{} makes no picture", path.display()))?;
        return picture::jpeg(&picture::shrink(&renderer.output(&loaded, view)?, LARGE));
    }
    let draw = if shown.len() == 1 { Renderer::perspective } else { Renderer::output };
    let pictures = shown.iter().map(|output| draw(renderer, &loaded, output)).collect::<Result<Vec<_>>>()?;
    let columns = (1..).find(|columns| columns * columns >= pictures.len()).unwrap_or(1);
    let side = SIDE / columns;
    let small: Vec<_> = pictures.iter().map(|picture| picture::shrink(picture, side)).collect();
    let all = picture::beside(&small, columns).ok_or_else(|| format!("{} makes no map", path.display()))?;
    picture::jpeg(&all)
}

/// The paths of all graphs and worlds, relative to the folder, in the order of the index.
fn graphs(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for [shelf, _] in SHELVES {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder.join(shelf))? {
            let name = Path::new(shelf).join(entry?.file_name());
            if name.extension().is_some_and(|extension| extension == "ron") {
                names.push(name);
            }
        }
        // The twelve graphs in their order, then the quickstart, then the others.
        let place =
            |name: &Path| TWELVE.iter().position(|twelve| name == Path::new(twelve).with_extension("ron"));
        names.sort_by_key(|name| {
            (place(name).unwrap_or(TWELVE.len()), name != Path::new("quickstart.ron"), name.clone())
        });
        found.extend(names);
    }
    Ok(found)
}

/// Whether a graph has a large picture: the twelve at the top, and the README's.
fn is_large(graph: &Path) -> bool {
    TWELVE.iter().chain(&["ridges"]).any(|name| graph == Path::new(name).with_extension("ron"))
}

/// The name of a graph's picture, if it has one.
fn picture_of(graph: &Path) -> Option<String> {
    let without = WITHOUT.iter().any(|name| graph == Path::new(name));
    let name = graph.with_extension("").to_string_lossy().replace(['/', '\\'], "-");
    (!without).then(|| format!("{name}.jpg"))
}

fn index(folder: &Path) -> Result<String> {
    for entry in std::fs::read_dir(folder)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let holds = path.is_dir() && !["data", "pictures", "snapshots"].iter().any(|other| name == *other);
        if holds && !SHELVES.iter().any(|[shelf, _]| name == *shelf) {
            return Err(format!("add {} to SHELVES in xtask/src/gallery.rs", path.display()).into());
        }
    }
    let mut text = String::from(
        "# Graphs\n\nGenerated by `cargo xtask gallery` from the graphs and their first comments; do not \
        edit. `terrane run graphs/quickstart.ron` runs one; \
         outputs go to `out/`.\n",
    );
    let graphs = graphs(folder)?;
    text += "\n## Twelve pictures\n\nEach is one graph of at most forty lines.\n\n| | |\n|---|---|\n";
    let (twelve, others) = graphs.split_at(TWELVE.len());
    for row in twelve.chunks(2) {
        for graph in row {
            let (name, said) = (graph.to_string_lossy(), said(folder, graph)?);
            let picture = picture_of(graph).unwrap_or_default();
            let _infallible = write!(text, "| ![{said}](pictures/{picture}) [{name}]({name}): {said} ");
        }
        text += "|\n";
    }
    for [shelf, title] in SHELVES {
        let _infallible = write!(text, "\n## {title}\n\n");
        if folder.join(shelf).join("README.md").exists() && !shelf.is_empty() {
            let _infallible = write!(text, "More in [{shelf}/]({shelf}/README.md).\n\n");
        }
        text += "| | graph | |\n|---|---|---|\n";
        for graph in others.iter().filter(|graph| graph.parent() == Some(Path::new(shelf))) {
            let (name, said) = (graph.to_string_lossy(), said(folder, graph)?);
            let picture = picture_of(graph).map_or_else(String::new, |picture| {
                format!("<img src=\"pictures/{picture}\" width=\"160\">")
            });
            let _infallible = writeln!(text, "| {picture} | [{name}]({name}) | {said} |");
        }
    }
    Ok(text)
}

/// The description in a graph's first comment.
fn said(folder: &Path, graph: &Path) -> Result<String> {
    let said = comment(&std::fs::read_to_string(folder.join(graph))?);
    let name = graph.display();
    said.ok_or_else(|| format!("graphs/{name} does not begin with a comment that describes it").into())
}

/// The first paragraph of the comment that a file begins with.
fn comment(text: &str) -> Option<String> {
    let lines = text.lines().map_while(|line| line.strip_prefix("//")).map(str::trim);
    let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    (!paragraph.is_empty()).then(|| paragraph.join(" ").replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::{TWELVE, comment};
    use crate::root;

    #[test]
    fn none_of_the_twelve_is_longer_than_forty_lines() {
        for name in TWELVE {
            let text =
                std::fs::read_to_string(root().join("graphs").join(name).with_extension("ron")).unwrap();
            assert!(text.lines().count() <= 40, "{name}");
        }
    }

    #[test]
    fn a_comment_ends_with_its_first_paragraph() {
        assert_eq!(comment("// One\n// two.\n//\n//     run\nGraph()").as_deref(), Some("One two."));
        assert_eq!(comment("Graph() // later"), None);
        assert_eq!(comment("//\n// too late\n"), None);
    }
}
