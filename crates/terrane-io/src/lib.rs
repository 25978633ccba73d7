//! Reading and writing heightmaps, pictures and meshes.
//!
//! - [`read_heightmap`] and [`write_heightmap`], [`write_picture`] and [`read_picture`], [`write_animation`],
//!   [`write_mesh`].
//! - [`write_cog`]: maps and pictures of any size as cloud-optimised GeoTIFF, from [`Levels`] that provide
//!   their samples part by part.
//! - [`read_lines`]: lines in world coordinates from GeoJSON and SVG. [`read_points`]: points from CSV and
//!   GeoJSON.
//! - [`needed_memory`]: the memory for reading a heightmap, from its header.
//! - [`Format`] has a constant for every format and detects formats by extension or content.
//!   [`Kind::formats`] lists the formats that hold a kind of value.
//! - [`Sidecar`]: the JSON file beside a heightmap that gives the meaning of its codes and its position.
//! - [`Placement`]: spacing and origin of a georeferenced raster. [`Ground`]: its spacing in metres.
//! - [`write_atomic`]: writes a file whole or not at all, and does not touch a file that would not change.
//!   [`create_atomic`] writes a file only if it does not exist yet.
//!
//! The same values give the same bytes: files contain no times and no machine names, and do not depend on the
//! number of threads. Whatever a file contains, reading it returns a value or an [`IoError`]: sizes are
//! checked before memory is allocated, and a panic in another crate's decoder counts as a damaged file.
//!
//! # Features
//! All but `params` are on by default. A build without one recognises its files, and says what it lacks.
//!
//! - `exr`: OpenEXR, with the crate `exr`.
//! - `image`: JPEG, WebP, BMP and TGA, and conversions from and to the crate `image`.
//! - `projections`: longitude and latitude in GeoJSON, and true distances, with the crate `proj4rs`.
//! - `svg`: lines from SVG, with the crate `usvg`.
//! - `params`: enums of formats are types of parameters of nodes.

mod animation;
mod atomic;
mod beside;
mod codec;
mod codes;
mod cog;
mod deflate;
mod effort;
mod ellipsoid;
mod error;
mod esri;
mod exact;
mod extremes;
mod features;
mod fill;
mod format;
mod formats;
mod ground;
#[cfg(feature = "image")]
pub mod images;
#[cfg(feature = "projections")]
mod inverse;
mod json;
mod keys;
mod leftover;
mod levels;
mod limits;
mod lines;
mod links;
mod lonlat;
mod lookup;
mod meridians;
mod mesh;
mod missing;
mod needed;
mod numbers;
mod open;
mod options;
mod pair;
mod pam;
mod picture;
mod pieces;
mod placement;
mod points;
mod preset;
mod proj_text;
mod proj_wkt;
#[cfg(feature = "projections")]
mod projection;
mod raster;
mod read;
mod records;
mod remedies;
mod sample;
mod sidecar;
mod srs;
mod stop;
mod units;
mod upright;
mod vrt;
mod wkt;
mod world_file;
mod write;
mod xml;
mod xml_limits;

#[cfg(test)]
mod beside_tests;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod pair_tests;

pub use animation::{write_animation, write_animation_until};
pub use atomic::{Written, create_atomic, write_atomic, write_atomic_if};
pub use cog::{CogOptions, write_cog};
pub use effort::Effort;
pub use error::{IoError, Problem};
pub use features::check_readable;
pub use fill::fill;
pub use format::{Format, Kind};
pub use ground::Ground;
pub use json::{json_text, write_json};
pub use levels::{CogSamples, Levels};
pub use lines::{Line, read_content_from, read_lines, read_lines_from};
pub use links::{LeadsOut, check_links, check_links_below};
pub use lonlat::LonLat;
pub use mesh::{write_mesh, write_mesh_until};
pub use needed::{Needed, Refused, needed_memory, needed_memory_from};
pub use open::{Content, Open, Opened, open_regular, read_regular};
pub use options::{CodeRange, PictureOptions, ReadOptions, SidecarPolicy, WriteOptions};
pub use picture::{read_picture, read_picture_from, write_picture, write_picture_until};
pub use placement::Placement;
pub use points::{Entry, Point, read_points, read_points_from};
pub use preset::{Preset, PresetFile, Refusal};
pub use proj_text::epsg_of;
pub use read::{Imported, companions_of, read_heightmap, read_heightmap_from};
pub use records::{MAX_RECORD, cells_of_table};
pub use sample::{Endian, Sample};
pub use sidecar::Sidecar;
pub use stop::{Stop, write_atomic_until};
pub use vrt::{Tile, vrt_warning, write_vrt};
pub use write::{write_heightmap, write_heightmap_until};
pub use xml::escape_xml;
