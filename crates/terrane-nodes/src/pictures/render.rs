//! Perspective pictures of terrain.

use terrane_flow::{
    Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, OptionalOneOf, Port, Sizes, Source,
};
use terrane_grid::{Grid, Heightmap};
use terrane_kernels::hydrology::depth_of_level;
use terrane_kernels::metric::extremes;
use terrane_kernels::render::{Camera, Look, Placed, Scene, Sun, View, Water as WaterLook};
use terrane_kernels::shade::bare_ground;
use terrane_kernels::{Cancelled, Progress};

use crate::support::{Report, cancelled, maps};
use crate::values::{Animation, Frames, Map, Paths, Picture, Water};

/// A perspective picture of terrain with sun, soft shadows, sky, haze, sea and lakes.
///
/// By default the camera looks at the terrain from the direction `camera_azimuth` and `camera_altitude`. Its
/// distance is 1.05 times the smallest that shows all of a box around the ground and the base below it. With
/// a `zoom`, its distance is 1.02 times the smallest that shows the ground, divided by `zoom`. With a `sea`,
/// only the ground above the sea counts, or all ground if none is above the sea. With `eye` and `target` the
/// camera stands at `eye` and looks at `target`. The camera is always above ground and water. `picture`
/// colours the ground: connect a `ColorRelief` without a hillshade, since this node shades the ground itself.
/// `sea` adds a sea that reaches to the horizon; `water` adds lakes and rivers. A level stays where it is
/// when the ground below it changes, and ground above it is dry. A depth rises and falls with the ground.
///
/// Every pixel is the mean of `rays` × `rays` rays. Each ray is followed to the exact point where it meets
/// the bilinear surface of the map. The ground is matt. Shadows have soft edges. Ground hides skylight up to
/// a distance of 15 % of the map's longer side. Water reflects sky and ground (Schlick's approximation) and
/// absorbs light with depth. Beyond the map only the sea is drawn; the ground ends in a vertical wall at the
/// map's border. Sunlight weakens with the mass of air that it crosses (Kasten and Young 1989), so a low sun
/// is red. There are no clouds and no plants.
///
/// Write `animation` to a `.gif` file. What it shows depends on the connected ports. With `frames`, it has
/// one picture for each frame, from a fixed camera. With `track`, such as a river or a road, it has `count`
/// pictures from a camera that moves along this line. The camera is about `lift` above the ground or the
/// water. Otherwise it has `count` pictures from a camera that circles the terrain by `turn` degrees.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(fractal: Ridged, octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "view": Render(height: "hills", pixels: (480, 270)),
///     },
///     outputs: { "view.png": "view" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "3d view perspective camera scene picture image photo preview sky sun raytrace screenshot \
        landscape",
    version = 5, tiles = Global, because = "a view shows the whole map",
    main(camera_azimuth, camera_altitude, zoom, eye, target, azimuth, altitude, haze, sea),
    presets(
        from_above(camera_altitude = "70.0", haze = "0.05"),
        evening(altitude = "10.0", haze = "0.25"),
        clear_day(altitude = "45.0", haze = "0.0"),
    ))]
#[output(picture: Picture, doc = "The picture.")]
#[output(animation: Animation, lazy, doc = "Animation of `frames`, along `track` or around the terrain.")]
pub struct Render {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Colours of the ground: a picture of the map. Default: the colours of `ColorRelief`'s ramp `Earth`,
    /// from sea level (without a sea, the lowest height) to the highest height, with grey rock on slopes
    /// above 0.6 (thin) to 1.1 (all rock).
    #[input]
    pub picture: OptionalInput<Picture>,
    /// Water: its level, or a map of its depth.
    #[input(unit = "world units")]
    pub water: OptionalOneOf<Water>,
    /// Maps of the changing terrain, for `animation`.
    #[input(unit = "world units")]
    pub frames: OptionalInput<Frames>,
    /// Line that the camera follows in `animation`: the longest, if there are several. The camera looks ahead
    /// or, if `target` is given, at that point. It stops shortly before the end of an open line.
    #[input]
    pub track: OptionalInput<Paths>,
    /// Columns and rows of the picture.
    #[param(default = (1600, 900), unit = "pixels")]
    pub pixels: (u32, u32),
    /// Direction from the target to the camera, clockwise from north, which is up on a map.
    #[param(default = 200.0, unit = "degrees")]
    pub camera_azimuth: f64,
    /// Angle of the camera above the horizon, seen from the target.
    #[param(default = 28.0, min = -89.0, max = 90.0, unit = "degrees")]
    pub camera_altitude: f64,
    /// Factor by which the camera is nearer to `target` than the smallest distance that shows all of the
    /// ground. With a `sea`, only the ground above the sea counts. Default: the ground and its base are as
    /// large as the picture allows, with a margin, and in its middle.
    #[param(default = None, above = 0.0, max = 1000.0)]
    pub zoom: Option<f64>,
    /// Point that the camera looks at: world x and y, and the height above the ground or the water there.
    /// Default: the middle of the ground or, with a `sea`, of the ground above the sea; without a `zoom`, the
    /// point that puts this ground in the middle of the picture.
    #[param(default = None, unit = "world units", place = Above)]
    pub target: Option<(f64, f64, f64)>,
    /// World x and y of the camera, and its height above the ground or the water there; needs `target`.
    /// Default: the position given by `camera_azimuth`, `camera_altitude` and `zoom`.
    #[param(default = None, unit = "world units", place = Above)]
    pub eye: Option<(f64, f64, f64)>,
    /// Angle between the left and the right edge of the picture.
    #[param(default = 40.0, min = 1.0, max = 170.0, unit = "degrees")]
    pub field_of_view: f64,
    /// Direction that the light comes from, clockwise from north, which is up on a map.
    #[param(default = 290.0, unit = "degrees")]
    pub azimuth: f64,
    /// Angle of the light above the horizon.
    #[param(default = 32.0, min = 0.0, max = 90.0, unit = "degrees")]
    pub altitude: f64,
    /// Diameter of the sun: the larger, the softer the edges of shadows.
    #[param(default = 2.0, min = 0.05, max = 60.0, unit = "degrees")]
    pub sun_size: f64,
    /// Strength of haze: how much of the light from the terrain's farthest point the haze hides, from 0
    /// (clear air) to 1 (almost all).
    #[param(default = 0.1, min = 0.0, max = 1.0)]
    pub haze: f64,
    /// Level of a sea that reaches beyond the map. Default: no sea.
    #[param(default = None, unit = "world units")]
    pub sea: Option<f64>,
    /// Depth of water at which about a seventh of the ground's light comes through. Default: a sixteenth of
    /// the map's range of heights, or a third of the greatest depth of `water` if that is less.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub clarity: Option<f64>,
    /// Steepness of ripples on water: 0 is a mirror.
    #[param(default = 1.0, min = 0.0, max = 10.0)]
    pub waves: f64,
    /// Factor on all heights: it scales the shape of the terrain, the level of the sea, the depth of water
    /// and the heights in `eye`, `target` and `lift`.
    #[param(default = 1.0, min = 0.0)]
    pub exaggeration: f64,
    /// Factor on all light.
    #[param(default = 1.35, above = 0.0, max = 100.0)]
    pub exposure: f64,
    /// Number of pictures in the animation, unless `frames` is connected.
    #[param(default = 48, min = 2, max = 10_000)]
    pub count: u32,
    /// How long a frame is shown. The last frame is shown ten times as long.
    #[param(default = 100, min = 20, max = 60_000, unit = "milliseconds")]
    pub milliseconds: u32,
    /// Angle by which the camera circles the terrain in `animation`, clockwise.
    #[param(default = 360.0, unit = "degrees")]
    pub turn: f64,
    /// Height of the camera along `track`, above the ground or the water there. The height of this surface is
    /// averaged over a stretch of the line, so that the camera moves smoothly.
    #[param(default = 60.0, above = 0.0, unit = "world units")]
    pub lift: f64,
    /// Rays per pixel in each direction: 3 makes 3 × 3 rays. More rays give smoother edges and take longer.
    #[param(default = 2, min = 1, max = 8)]
    pub rays: u32,
}

/// The maximum number of pixels of a picture.
const MAX_PIXELS: u64 = 1 << 28;

/// Ratio of the range of heights to the map's longer side above which hardly anything is seen.
const MAX_RELIEF: f64 = 100.0;

impl Evaluate for Render {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let size = height.domain().size;
        if size.0 < 2 || size.1 < 2 {
            let message = format!("a terrain of {} x {} samples has no surface", size.0, size.1);
            return Err(NodeError::failed(message, "use a map of at least 2 x 2 samples"));
        }
        let (low, high) = extremes(&height).unwrap_or_default();
        let (low, high) = (f64::from(low), f64::from(high));
        self.warn_of_needles(cx, &height, high - low);
        if let Some(water) = self.water.get() {
            water.warn_of_walls(cx, &height);
        }
        if let Some(sea) = self.sea.filter(|sea| high < *sea) {
            cx.warn(format!(
                "all of the terrain is below the sea: its maximum is {high}, but `sea` is {sea}"
            ));
        }
        let scene = self.scene(cx, &height, (low, high))?;
        let view = self.view();
        let camera = scene.camera(&view);
        let report = Report(cx);
        let picture = if cx.asked(Self::PICTURE) {
            scene.picture(&view, &camera, &report).map_err(cancelled)?
        } else {
            Grid::from_vec(0, 0, Vec::new())
        };
        let mut animation = Animation { pictures: Vec::new(), milliseconds: self.milliseconds };
        if cx.asked(Self::ANIMATION) {
            animation.pictures = match self.frames.get() {
                Some(frames) => self.changing(cx, &view, &camera, &frames, (low, high))?,
                None => self.moving(cx, &view, &scene)?,
            };
        }
        Ok((Picture(picture), animation))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        let (columns, rows) = (u64::from(self.pixels.0), u64::from(self.pixels.1));
        if columns == 0 || rows == 0 || columns * rows > MAX_PIXELS {
            let message = format!("`pixels` is ({columns}, {rows}), which is out of range");
            return invalid(
                "pixels",
                message,
                "write pixels: (columns, rows), at least 1 each and at most 2^28 in all",
            );
        }
        if self.target.is_none() && self.eye.is_some() {
            let help = "write target: Some((x, y, height above the ground)), the point to look at";
            return invalid("eye", "`eye` is given without a `target`".to_owned(), help);
        }
        if self.eye.zip(self.target).is_some_and(|(eye, target)| (eye.0, eye.1) == (target.0, target.1)) {
            let help = "move one of them; camera_altitude: 90.0 looks straight down";
            return invalid("eye", "`eye` is straight above or below `target`".to_owned(), help);
        }
        Ok(())
    }

    /// Memory for heights and their blocks, light, shadows and the ground's colours; with lakes, also for
    /// their level and its blocks.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        maps(sizes, if matches!(self.water.source(), Source::Unset) { 8.0 } else { 14.0 })
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        let picture = 3 * u64::from(self.pixels.0) * u64::from(self.pixels.1);
        let frames = if matches!(self.frames.source(), Source::Unset) {
            u64::from(self.count)
        } else {
            sizes.inputs[FRAMES].div_ceil(maps(sizes, 1.0).max(1))
        };
        Some(if output == Self::PICTURE { picture } else { picture.saturating_mul(frames) })
    }
}

/// The index of the port `frames`.
const FRAMES: usize = 3;

impl Render {
    /// The terrain under this node's light, in the colours of `picture` or, without one, coloured by height.
    /// `range` is the range of heights of the terrain at `height`, so that colours stay the same from frame
    /// to frame.
    fn scene(&self, cx: &Context<'_>, height: &Heightmap, range: (f64, f64)) -> Result<Scene, NodeError> {
        let (min, max) = range;
        let lowest = self.sea.unwrap_or(min).min(max);
        let colors = match self.picture.get() {
            Some(picture) => picture.0.clone(),
            None => bare_ground(height, (lowest as f32, max as f32)),
        };
        let level = self.water.get().map(|water| water.level(height));
        let deepest = level.as_ref().and_then(|level| extremes(&depth_of_level(level, height)));
        let deepest = deepest.map_or(f64::INFINITY, |(_, deepest)| f64::from(deepest));
        // Of nothing but shallow water, not all should look dry.
        let clarity = ((max - min) / 16.0).min(if deepest > 0.0 { deepest / 3.0 } else { f64::INFINITY });
        let look = Look {
            sun: Sun { azimuth: self.azimuth, altitude: self.altitude, size: self.sun_size },
            haze: self.haze,
            water: WaterLook {
                sea_level: self.sea,
                clarity: self.clarity.unwrap_or(clarity),
                waves: self.waves,
            },
            exposure: self.exposure,
            exaggeration: self.exaggeration,
        };
        Scene::new(height, &colors, level.as_ref(), &look, &Report(cx)).map_err(cancelled)
    }

    /// Warns if the terrain is so much higher than wide that a picture of it shows a line at most.
    fn warn_of_needles(&self, cx: &Context<'_>, height: &Heightmap, range: f64) {
        let (columns, rows) = height.domain().size;
        let side = (columns.max(rows) - 1) as f64 * height.domain().spacing;
        let range = range * self.exaggeration;
        if range > MAX_RELIEF * side {
            cx.warn(format!(
                "the range of heights is {range}, but the longer side of the map is only {side}: scale the \
                 heights, or set the graph's `spacing` or `exaggeration`"
            ));
        }
    }

    fn view(&self) -> View {
        let camera = match (self.eye, self.target) {
            (Some(eye), Some(target)) => Camera::At { eye, target },
            _ => Camera::Around {
                azimuth: self.camera_azimuth,
                altitude: self.camera_altitude,
                zoom: self.zoom,
                target: self.target,
            },
        };
        View {
            size: (self.pixels.0 as usize, self.pixels.1 as usize),
            rays: self.rays as usize,
            field_of_view: self.field_of_view,
            camera,
        }
    }

    /// Pictures of changing terrain from a fixed camera.
    fn changing(
        &self,
        cx: &Context<'_>,
        view: &View,
        camera: &Placed,
        frames: &Frames,
        range: (f64, f64),
    ) -> Result<Vec<Grid<[u8; 3]>>, NodeError> {
        let size = |map: &Map| map.domain().size;
        let is_covered = self.picture.get().is_some() || self.water.get().is_some();
        let (ground, frame) = (size(&self.height.get()), frames.0.first().map(size));
        if let Some((v, g)) = frame.filter(|frame| is_covered && *frame != ground) {
            let message =
                format!("`height` has {} x {} samples, but `frames` has {v} x {g}", ground.0, ground.1);
            return Err(NodeError::failed(message, "connect frames of the map at `height`"));
        }
        let mut pictures = Vec::with_capacity(frames.0.len());
        for (index, map) in frames.0.iter().enumerate() {
            let scene = self.scene(cx, map, range)?;
            let part = Part { cx, index, count: frames.0.len() };
            pictures.push(scene.picture(view, camera, &part).map_err(cancelled)?);
        }
        Ok(pictures)
    }

    /// Pictures of one terrain from a moving camera.
    fn moving(&self, cx: &Context<'_>, view: &View, scene: &Scene) -> Result<Vec<Grid<[u8; 3]>>, NodeError> {
        let count = self.count as usize;
        let track = self.track.get();
        let line = track.as_ref().map(|track| {
            let lengths =
                track.lines.iter().map(|line| (line, line.length())).filter(|(_, length)| *length > 0.0);
            let longest = lengths.reduce(|best, line| if line.1 > best.1 { line } else { best });
            longest.map(|(line, _)| line).ok_or_else(|| {
                NodeError::failed(
                    "`track` has no line to move along",
                    "connect a line with at least two points",
                )
            })
        });
        let cameras = match line.transpose()? {
            Some(line) => scene.flight(view, line, self.lift, self.target, count),
            None => (0..count)
                .map(|index| {
                    let turned = self.turn * index as f64 / count as f64;
                    let camera = view.camera.turned(turned);
                    scene.camera(&View { camera, ..*view })
                })
                .collect(),
        };
        let mut pictures = Vec::with_capacity(count);
        for (index, camera) in cameras.iter().enumerate() {
            pictures.push(scene.picture(view, camera, &Part { cx, index, count }).map_err(cancelled)?);
        }
        Ok(pictures)
    }
}

/// Reports the progress of one of several pictures as a share of all.
struct Part<'a, 'b> {
    cx: &'a Context<'b>,
    index: usize,
    count: usize,
}

impl Progress for Part<'_, '_> {
    fn report(&self, fraction: f64) -> Result<(), Cancelled> {
        let done = (self.index as f64 + fraction) / self.count as f64;
        self.cx.progress(done).map_err(|_| Cancelled)
    }

    fn check(&self) -> Result<(), Cancelled> {
        self.cx.check().map_err(|_| Cancelled)
    }
}
