//! Access to the files that nodes read.

use std::io;
use std::path::Path;

use terrane_flow::{FilePath, Invalid};
use terrane_io::{Opened, check_readable};

/// Returns a function that opens the file of a parameter, or a file in the same folder, from the graph's
/// source of files.
pub fn opener(file: &FilePath) -> impl Fn(&Path) -> io::Result<Opened> + '_ {
    |path| {
        let terrane_flow::Opened { content, length } = file.files().open(path)?;
        Ok(Opened { content: Box::new(content), length })
    }
}

/// Checks that this build can read the format of the parameter `file`.
pub fn check_build<'a>(file: impl Into<Option<&'a FilePath>>) -> Result<(), Invalid> {
    let Some(file) = file.into() else { return Ok(()) };
    check_readable(&file.path()).map_err(|problem| Invalid {
        field: "file",
        message: problem.to_string(),
        help: problem.remedy(),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::Run;

    #[test]
    fn a_format_that_the_build_lacks_is_reported_where_a_graph_names_it() {
        let import = r#""a": Import(file: "a.exr")"#;
        let drawn = r#""a": PlanarGraph(file: "a.svg")"#;
        let cases = [
            (import, r#""a.tif": "a""#, "OpenEXR", "exr", cfg!(feature = "exr")),
            (r#""a": Constant()"#, r#""a.exr": "a""#, "OpenEXR", "exr", cfg!(feature = "exr")),
            (drawn, r#""a.geojson": "a""#, "SVG", "svg", cfg!(feature = "svg")),
        ];
        for (nodes, outputs, format, feature, is_built) in cases {
            let lacks = format!("this build has no {format}");
            let message = Run::of_nodes(nodes, outputs).err().unwrap_or_default();
            assert_eq!(message.contains(&lacks), !is_built, "{message}");
            assert_eq!(message.contains(&format!("use a build with the feature `{feature}`")), !is_built);
        }
    }
}
