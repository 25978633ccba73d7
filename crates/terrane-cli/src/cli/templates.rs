//! Graphs to start from: those of the gallery that need no other file.

use terrane_view::Template;

macro_rules! gallery {
    ($name:literal, $about:literal) => {
        Template {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../../../graphs/", $name, ".ron")),
            picture: include_bytes!(concat!("../../../../graphs/pictures/", $name, ".jpg")),
        }
    };
}

/// The templates, the empty graph first.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "empty",
        about: "A graph without nodes",
        text: "Graph(\n    size: (513, 513),\n    spacing: 8.0,\n    nodes: {\n    },\n)\n",
        picture: &[],
    },
    gallery!("island", "A volcanic island in a sea"),
    gallery!("canyon", "Red rock in steps, cut by rivers"),
    gallery!("range", "A mountain range that rose and was cut by rivers"),
    gallery!("lakes", "Lakes with beds and beaches, and rivers between them"),
    gallery!("dunes", "Dunes on a plain of sand"),
    gallery!("archipelago", "Islands in shallow water"),
];

/// The names of the templates.
pub fn names() -> Vec<&'static str> {
    TEMPLATES.iter().map(|template| template.name).collect()
}

/// The text of a template for a file.
pub fn text(name: &str, file: &str) -> Option<String> {
    Some(TEMPLATES.iter().find(|template| template.name == name)?.text_for(file))
}
