//! `picture`: a port as a picture.

use serde_json::json;
use terrane_flow::Value;
use terrane_kernels::shade::{bare_ground, level_picture};
use terrane_nodes::values::{Shown, TerrainKind};
use terrane_runs::thumbnail::{Rgb, shrink};

use super::tool::{Tool, evaluated, schema};
use super::{digest, evaluate};
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::graph;
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

/// The maximum number of pixels of a side.
const SIDE: u64 = 512;

pub const TOOL: Tool = Tool {
    name: "picture",
    description: "Evaluates a port and shows it: a map of heights as shaded relief, other maps as grey \
        from minimum to maximum, pictures as they are. With the minimum, the maximum, the holes and the \
        digest.",
    schema: || {
        let more = json!({
            "port": { "type": "string", "description": "NODE or NODE.OUTPUT. Default: the first output." },
            "side": {
                "type": "integer", "minimum": 1, "maximum": SIDE,
                "description": "The maximum number of pixels of a side. Default: 512.",
            },
        });
        schema(evaluated(more), &["path"])
    },
    reads_only: true,
    work: picture,
};

fn picture(shared: &Shared, arguments: &Arguments<'_>, stop: &Stop) -> Result<Answer, Refusal> {
    let side = arguments.optional_number("side")?.unwrap_or(SIDE);
    if !(1..=SIDE).contains(&side) {
        let expected = format!("from 1 to {SIDE} pixels");
        let wrong = Refusal::new("the side of the picture is out of range", format!("give {expected}"));
        return Err(wrong.at("side").expected(expected, side.to_string()));
    }
    let opened = graph::open(shared, arguments)?;
    let named: Vec<&str> = arguments.optional_text("port")?.into_iter().collect();
    let ports = &graph::ports(&opened, &named)?[..1];
    let evaluation = evaluate::ports(shared, &opened, ports, stop)?;
    let found = evaluation.outputs.first().and_then(|output| output.value.as_ref());
    let (node, output) = opened.loaded.graph.find(&ports[0]).unwrap_or_default();
    let unit = opened.loaded.graph.nodes[node].node().spec().outputs[output].unit;
    let drawn = found.and_then(|value| Some((value, shared.engine.within(|| draw(value, unit))?)));
    let Some((value, drawn)) = drawn else {
        let kind = found.map_or("nothing", |value| value.kind().name);
        let remedy = "use `digest`, or connect a node of the category pictures";
        return Err(Refusal::new(format!("`{}` has no picture", ports[0]), remedy)
            .at("port")
            .expected("a map, a level of water or a picture", kind));
    };
    let small = shrink(&drawn, side as usize);
    let png = encoded(&small).ok_or_else(|| Refusal::new("the picture cannot be encoded", "use `digest`"))?;
    let mut facts = digest::facts(shared, value);
    facts["port"] = ports[0].to_string().into();
    facts["picture"] = json!({ "width": small.width(), "height": small.height(), "bytes": png.len() });
    let range = format!("minimum {}, maximum {}, holes {}", facts["min"], facts["max"], facts["holes"]);
    let range = if facts["min"].is_null() { String::new() } else { format!(", {range}") };
    Ok(Answer::new(format!("`{}`, {}{range}", ports[0], value.kind().name), facts).with_picture(png))
}

/// The picture of a value, if it has one.
fn draw(value: &Value, unit: &str) -> Option<Rgb> {
    let kind = TerrainKind::find(value.kind())?;
    match kind.shown(value) {
        Shown::Heights(map) if unit == "world units" => {
            let finite = || map.grid().as_slice().iter().copied().filter(|sample| sample.is_finite());
            let range = (finite().reduce(f32::min)?, finite().reduce(f32::max)?);
            Some(bare_ground(map, range))
        }
        Shown::Levels(level) => Some(level_picture(level, None)),
        Shown::Picture(picture) => Some(picture.clone()),
        _ => kind.picture(value),
    }
}

/// The picture as a PNG file.
fn encoded(picture: &Rgb) -> Option<Vec<u8>> {
    let (width, height) = (u32::try_from(picture.width()).ok()?, u32::try_from(picture.height()).ok()?);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(picture.as_slice().as_flattened()).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}
