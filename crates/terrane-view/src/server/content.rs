//! Serves content by its identity. An address always has the same bytes, so browsers can cache it.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};
use terrane_flow::{Reference, ValueId, Wanted};
use terrane_grid::Heightmap;
use terrane_kernels::Silent;
use terrane_kernels::metric::extremes;
use terrane_kernels::render::{Sun, exposure};
use terrane_kernels::shade::{Ramp, bare_ground, level_picture};

use super::app::App;
use crate::display::Face;
use crate::shrink::{Window, fit, fit_picture, shrink};
use crate::store::{Blob, Held};
use crate::style::{Style, draw, paint};
use crate::thumbnail::{png, thumbnail, thumbnail_name};

/// Pixels of a tile's side.
pub const TILE: usize = 512;
/// Longest side of a picture of a whole map, in pixels.
const LARGEST_PICTURE: usize = 2048;
/// Longest side of what a scene is drawn from, in samples.
const LARGEST_SCENE: usize = 4097;
/// Longest side of a mesh, in vertices.
const LARGEST_MESH: usize = 513;

type QueryParameters = HashMap<String, String>;
type Refusal = (StatusCode, &'static str);

/// Answers `value/ID/WHAT`.
pub async fn content(
    State(app): State<Arc<App>>,
    Path((_token, id, what)): Path<(String, String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(id) = ValueId::from_hex(&id) else {
        return (StatusCode::NOT_FOUND, "no such content\n").into_response();
    };
    let query: QueryParameters =
        form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
    // Values under the pointer are requested often and are cheap to compute, so they are not kept.
    let name = match &*what {
        "sample" => None,
        "thumbnail" => Some(thumbnail_name(&id)),
        _ => Some(name_of(&id, &what, &query)),
    };
    if let Some(blob) = name.as_ref().and_then(|name| app.store.blob(name)) {
        return answer(blob);
    }
    let Ok(turn) = Arc::clone(&app.turns).acquire_owned().await else {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down\n").into_response();
    };
    let work = {
        let app = Arc::clone(&app);
        move || {
            // The permit is held until the work ends, even if the request is gone.
            let _turn = turn;
            // Values used only for thumbnails are not kept: they would evict values that pages show.
            let held = held(&app, &id, what != "thumbnail")?;
            let relief = app
                .shared
                .find(&id)
                .is_none_or(|(graph, node, output)| app.faces.has_heights(&graph, &node, output));
            let lines = (what == "lines").then(|| (app.faces.lines)(&held.value)).flatten();
            if let Some(lines) = lines {
                let blob = json_blob(&json!(lines));
                if let Some(name) = name {
                    app.store.keep_blob(name, &blob);
                }
                return Ok(blob);
            }
            let blob = make(&(app.faces.of)(&held.value), &held, &what, &query, relief)?;
            if let Some(name) = name {
                app.store.keep_blob(name, &blob);
            }
            Ok::<_, Refusal>(blob)
        }
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(blob)) => answer(blob),
        Ok(Err((status, why))) => (status, format!("{why}\n")).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "this cannot be drawn\n").into_response(),
    }
}

/// The cache key of content. It does not depend on the order of query parameters, or on unknown ones. Values
/// may be of any length and may contain separators.
fn name_of(id: &ValueId, what: &str, query: &QueryParameters) -> String {
    const ASKED: &[&str] = &[
        "altitude", "azimuth", "contours", "level", "low", "ramp", "shade", "side", "size", "times", "x", "y",
    ];
    let mut asked = form_urlencoded::Serializer::new(String::new());
    asked.append_pair("what", what);
    asked.extend_pairs(ASKED.iter().filter_map(|&name| Some((name, query.get(name)?))));
    format!("{}/{}", id.hex(), blake3::hash(asked.finish().as_bytes()).to_hex())
}

fn answer(blob: Blob) -> Response {
    let headers =
        [(header::CONTENT_TYPE, blob.media), (header::CACHE_CONTROL, "private, max-age=31536000, immutable")];
    (headers, blob.bytes).into_response()
}

/// Finds a value by its id. If it is not in the store, it is evaluated again, which the engine's caches
/// make short, and then kept if `keep` is set.
fn held(app: &App, id: &ValueId, keep: bool) -> Result<Arc<Held>, Refusal> {
    const GONE: Refusal = (StatusCode::NOT_FOUND, "this content no longer exists");
    if let Some(held) = app.store.value(id) {
        return Ok(held);
    }
    let (loaded, node, output) = app.shared.find(id).ok_or(GONE)?;
    let spec = loaded.graph.nodes.get(&*node).ok_or(GONE)?.node().spec();
    let name = spec.outputs.get(output).ok_or(GONE)?.name;
    let wanted = Wanted::from(Reference { node, output: Some(name.into()) });
    let evaluation = app.engine.start(&loaded, [wanted]).map_err(|_| GONE)?.wait();
    let evaluated = evaluation.outputs.into_iter().next().ok_or(GONE)?;
    match evaluated.value {
        Some(value) if evaluated.id.as_ref() == Some(id) => {
            Ok(if keep { app.store.keep(*id, &value) } else { Held::new(&value) })
        }
        // The node has a different value now.
        _ => Err(GONE),
    }
}

fn make(
    face: &Face<'_>,
    held: &Held,
    what: &str,
    query: &QueryParameters,
    relief: bool,
) -> Result<Blob, Refusal> {
    const UNSHOWN: Refusal = (StatusCode::NOT_FOUND, "this content has no such form");
    match (what, face) {
        ("thumbnail", face) => thumbnail(face, relief).ok_or(UNSHOWN),
        ("about", face) => Ok(json_blob(&about(face, held))),
        ("sample", Face::Heights(map) | Face::Levels(map)) => Ok(json_blob(&sample(map, query))),
        ("tile", Face::Heights(map)) => {
            let (window, stride) = tile(map.domain().size, query)?;
            png(&draw(map, window, stride, &style(map, held, query), &held.scale(map))).ok_or(UNSHOWN)
        }
        ("tile", Face::Levels(levels)) => {
            let (window, stride) = tile(levels.domain().size, query)?;
            let part = shrink(levels, window, stride);
            png(&level_picture(&part, Some(held.scale(levels).range))).ok_or(UNSHOWN)
        }
        ("tile", Face::Picture(picture)) => {
            let (window, stride) = tile(picture.size(), query)?;
            let part = terrane_grid::Grid::from_fn(window.width, window.height, |x, y| {
                picture[(window.x + x, window.y + y)]
            });
            png(&fit_picture(&part, window.width.max(window.height).div_ceil(stride))).ok_or(UNSHOWN)
        }
        ("picture", Face::Heights(map)) => {
            let small = fit(map, number(query, "side", LARGEST_PICTURE).clamp(1, LARGEST_PICTURE));
            png(&paint(&small, &style(map, held, query), &held.scale(map))).ok_or(UNSHOWN)
        }
        ("picture", Face::Levels(levels)) => {
            let small = fit(levels, number(query, "side", LARGEST_PICTURE).clamp(1, LARGEST_PICTURE));
            png(&level_picture(&small, Some(held.scale(levels).range))).ok_or(UNSHOWN)
        }
        ("picture", Face::Picture(picture)) => {
            let side = number(query, "side", LARGEST_PICTURE).clamp(1, LARGEST_SCENE);
            png(&fit_picture(picture, side)).ok_or(UNSHOWN)
        }
        ("picture", Face::Chart(svg)) => {
            Ok(Blob { media: "image/svg+xml", bytes: Bytes::from((*svg).to_owned()) })
        }
        ("heights", Face::Heights(map) | Face::Levels(map)) => {
            let small = fit(map, number(query, "side", LARGEST_MESH).clamp(2, LARGEST_SCENE));
            let bytes: Vec<u8> = small.samples().iter().flat_map(|height| height.to_le_bytes()).collect();
            Ok(Blob { media: "application/octet-stream", bytes: Bytes::from(bytes) })
        }
        ("ground", Face::Heights(map)) => {
            let small = fit(map, number(query, "side", LARGEST_PICTURE).clamp(2, LARGEST_SCENE));
            let (lowest, highest) = extremes(&small).unwrap_or_default();
            let from = real(query, "low").map_or(lowest, |low| low as f32).min(highest);
            png(&bare_ground(&small, (from, highest))).ok_or(UNSHOWN)
        }
        ("exposure", Face::Heights(map)) => {
            let small = fit(map, number(query, "side", LARGEST_MESH).clamp(2, LARGEST_SCENE));
            if small.domain().size.0 < 2 || small.domain().size.1 < 2 {
                return Err(UNSHOWN);
            }
            let of = |name: &str, default: f64| real(query, name).unwrap_or(default);
            let default = Sun::default();
            let sun = Sun {
                azimuth: of("azimuth", default.azimuth),
                altitude: of("altitude", default.altitude),
                size: of("size", default.size),
            };
            let shares = exposure(&small, of("times", 1.0).clamp(0.0, 1e6), &sun, &Silent);
            let shares = shares.map_err(|_| UNSHOWN)?;
            let byte = |share: f32| (255.0 * share + 0.5) as u8;
            let bytes: Vec<u8> = shares.into_iter().flatten().map(byte).collect();
            Ok(Blob { media: "application/octet-stream", bytes: Bytes::from(bytes) })
        }
        ("numbers", Face::Numbers(numbers)) => Ok(json_blob(numbers)),
        _ => Err(UNSHOWN),
    }
}

/// The facts that the page needs to show a value.
fn about(face: &Face<'_>, held: &Held) -> Json {
    let mut out = match face {
        Face::Heights(map) | Face::Levels(map) => {
            let (numbers, scale, domain) = (held.statistics(map), held.scale(map), map.domain());
            let of_scene = crate::shrink::fitting(domain.size, LARGEST_SCENE);
            let mesh = crate::shrink::fitting(domain.size, LARGEST_MESH);
            json!({
                "size": domain.size, "spacing": domain.spacing, "origin": domain.origin, "mesh": mesh,
                "scene": of_scene,
                "min": numbers.min, "max": numbers.max, "mean": numbers.mean, "deviation": numbers.deviation,
                "holes": numbers.not_finite, "interval": scale.interval(), "exaggeration": scale.exaggeration,
            })
        }
        Face::Picture(picture) => json!({ "size": picture.size() }),
        Face::Chart(_) | Face::Numbers(_) | Face::Nothing => json!({}),
    };
    out["face"] = json!(face.name());
    out["tile"] = json!(TILE);
    out
}

/// The height and the slope at a sample, at full resolution.
fn sample(map: &Heightmap, query: &QueryParameters) -> Json {
    let (w, h) = map.domain().size;
    let (x, y) = (number(query, "x", 0), number(query, "y", 0));
    if x >= w || y >= h {
        return json!({});
    }
    let slope =
        |low: f32, high: f32, steps: usize| f64::from(high - low) / (steps.max(1) as f64 * map.spacing());
    let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
    let (up, down) = (y.saturating_sub(1), (y + 1).min(h - 1));
    let dx = slope(map[(left, y)], map[(right, y)], right - left);
    let dy = slope(map[(x, up)], map[(x, down)], down - up);
    let at = map.domain();
    json!({ "x": at.x(x), "y": at.y(y), "height": map[(x, y)], "slope": (dx * dx + dy * dy).sqrt() })
}

fn number(query: &QueryParameters, name: &str, default: usize) -> usize {
    query.get(name).and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A finite number of the query.
fn real(query: &QueryParameters, name: &str) -> Option<f64> {
    query.get(name)?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The part of a map that a tile shows. At level k, a pixel covers 2ᵏ × 2ᵏ samples.
fn tile((w, h): (usize, usize), query: &QueryParameters) -> Result<(Window, usize), Refusal> {
    const OUTSIDE: Refusal = (StatusCode::NOT_FOUND, "there is no such tile");
    let stride = 1usize << number(query, "level", 0).min(24);
    let side = TILE * stride;
    let first = |name: &str| number(query, name, 0).checked_mul(side).ok_or(OUTSIDE);
    let (x, y) = (first("x")?, first("y")?);
    if x >= w || y >= h {
        return Err(OUTSIDE);
    }
    Ok((Window { x, y, width: side.min(w - x), height: side.min(h - y) }, stride))
}

fn style(map: &Heightmap, held: &Held, query: &QueryParameters) -> Style {
    let is = |name: &str, default: bool| query.get(name).map_or(default, |text| text == "1");
    let ramp = match query.get("ramp").map(String::as_str) {
        Some("none") => None,
        Some("terrain") => Some(Ramp::Terrain),
        Some("alpine") => Some(Ramp::Alpine),
        Some("desert") => Some(Ramp::Desert),
        Some("ocean") => Some(Ramp::Ocean),
        Some("grey") => Some(Ramp::Grey),
        Some("heat") => Some(Ramp::Heat),
        _ => Some(Ramp::default()),
    };
    let interval = is("contours", false).then(|| held.scale(map).interval());
    Style { ramp, shaded: is("shade", true), interval }
}

fn json_blob(json: &Json) -> Blob {
    Blob { media: "application/json", bytes: Bytes::from(json.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_queries_have_other_names() {
        let name = |query: &str| {
            let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            name_of(&ValueId([1; 32]), "picture", &query)
        };
        assert_eq!(name("ramp=grey&shade=0"), name("shade=0&unknown=1&ramp=grey"));
        assert_ne!(name("ramp=grey%26shade=0"), name("ramp=grey&shade=0"));
        let zeros = "0".repeat(34);
        assert_ne!(name(&format!("side={zeros}05")), name(&format!("side={zeros}057")));
    }
}
