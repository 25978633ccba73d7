//! `terrane graph`.

use super::args::{GraphPicture, Load, PictureFormat};
use super::console;
use super::session;
use terrane_runs::Failure;

pub fn graph(args: &GraphPicture) -> Result<(), Failure> {
    let loaded = session::load(&Load {
        graph: args.graph.clone(),
        seed: None,
        size: None,
        set: args.set.clone(),
        allow_outside: args.allow_outside,
    })?;
    let draw = match args.format {
        PictureFormat::Dot => terrane_view::dot,
        PictureFormat::Mermaid => terrane_view::mermaid,
        PictureFormat::Svg => terrane_view::svg,
    };
    console::print(&draw(&loaded.graph, &loaded.plan));
    Ok(())
}
