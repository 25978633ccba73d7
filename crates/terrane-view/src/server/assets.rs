//! The files of the page, embedded in the program. No file is served from disk.

/// A file of the page.
pub struct Asset {
    /// Its path under `assets/`.
    pub path: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal: $media:expr),* $(,)?) => {
        const ASSETS: &[Asset] = &[$(Asset {
            path: $path,
            media: $media,
            bytes: include_bytes!(concat!("../../assets/", $path)),
        }),*];
    };
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

assets! {
    "index.html": HTML,
    "style.css": STYLE,
    "graph.css": STYLE,
    "panels.css": STYLE,
    "controls.css": STYLE,
    "build.css": STYLE,
    "app.js": SCRIPT,
    "link.js": SCRIPT,
    "layout.js": SCRIPT,
    "graph.js": SCRIPT,
    "backdrop.js": SCRIPT,
    "minimap.js": SCRIPT,
    "panes.js": SCRIPT,
    "map.js": SCRIPT,
    "tiles.js": SCRIPT,
    "terrain.js": SCRIPT,
    "scenes.js": SCRIPT,
    "software.js": SCRIPT,
    "scene/air.js": SCRIPT,
    "scene/camera.js": SCRIPT,
    "scene/ground.js": SCRIPT,
    "scene/loaded.js": SCRIPT,
    "scene/parts.js": SCRIPT,
    "scene/patches.js": SCRIPT,
    "scene/shaders.js": SCRIPT,
    "scene/surface.js": SCRIPT,
    "scene/view.js": SCRIPT,
    "edit/colour.js": SCRIPT,
    "edit/drawn.js": SCRIPT,
    "edit/lines.js": SCRIPT,
    "edit/places.js": SCRIPT,
    "build/ask.js": SCRIPT,
    "build/atonce.js": SCRIPT,
    "build/binder.js": SCRIPT,
    "build/builder.js": SCRIPT,
    "build/difference.js": SCRIPT,
    "build/finder.js": SCRIPT,
    "build/header.js": SCRIPT,
    "build/nodebar.js": SCRIPT,
    "build/ports.js": SCRIPT,
    "build/problems.js": SCRIPT,
    "build/sources.js": SCRIPT,
    "build/start.js": SCRIPT,
    "inspector.js": SCRIPT,
    "controls.js": SCRIPT,
    "slider.js": SCRIPT,
    "groups.js": SCRIPT,
    "list.js": SCRIPT,
    "values.js": SCRIPT,
    "row.js": SCRIPT,
    "graphparams.js": SCRIPT,
    "keeper.js": SCRIPT,
    "unwritten.js": SCRIPT,
    "numbers.js": SCRIPT,
    "errors.js": SCRIPT,
    "compare.js": SCRIPT,
    "stage.js": SCRIPT,
    "keys.js": SCRIPT,
    "dom.js": SCRIPT,
    "text.js": SCRIPT,
    "text/graphtext.js": SCRIPT,
    "text/bar.js": SCRIPT,
    "text/conflict.js": SCRIPT,
    "text/pane.js": SCRIPT,
    "text/taken.js": SCRIPT,
    "text/service.js": SCRIPT,
    "text/sync.js": SCRIPT,
    "text/text.css": STYLE,
    "text/theme.js": SCRIPT,
    "icon.svg": "image/svg+xml",
    "vendor/codemirror/codemirror.min.js": SCRIPT,
    "vendor/three/three.min.js": SCRIPT,
}

/// A file of the page by its path; only those that are listed exist.
#[must_use]
pub fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}
