//! Removal of hollows.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_grid::Domain;
use terrane_kernels::Boundary;
use terrane_kernels::hydrology::{DepressionRemoval, Fate, Hollow, Method, depressions};

use crate::support::{Report, cancelled};
use crate::values::{Map, Table};

/// Removes hollows, so that all water leaves the terrain: fills them, or cuts channels through their rims.
///
/// A hollow is ground from which no water leaves before it is full. It belongs to a lowest sample and reaches
/// up to the level at which its water spills to ground with a lower lowest sample, into the sea, over the
/// border, or into a hole. Smaller hollows can lie in a larger one.
///
/// - `Fill` raises the ground of each hollow to its level, which leaves flat ground (Barnes, Lehman & Mulla
///   2014).
/// - `Breach` leaves the hollows and cuts a channel from the lowest sample of each to lower ground. Of all
///   channels it takes the one that takes away the smallest volume (Lindsay & Dhun 2015; Lindsay 2016). A
///   channel is one sample wide. It falls by a hundredth of the hollow's depth, at most by 0.001, and less
///   where lower ground or `max_depth` are near.
/// - `Least` does, for each hollow, what changes the smaller volume, where filling a hollow includes those in
///   it. Most small hollows of elevation models are filled, and valleys behind dams and bridges are breached.
///
/// Hollows that cannot be removed within `max_depth` and `max_length` are kept, with `Least` only if neither
/// way is possible. The default removes all. Ground outside of hollows and channels does not change. Several
/// channels through the same ground together change less than `Least` expects.
///
/// Hollows of real ground are lakes, quarries, sinkholes and errors of measurement. To keep large lakes,
/// set `max_depth`. `Drainage` needs no removal: there, lakes overflow. Other programs and further erosion
/// often do.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "drained": Depressions(height: "hills"),
///         "shade": Hillshade(height: "drained"),
///     },
///     outputs: { "shade.png": "shade", "hollows.csv": "drained.hollows" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology",
    words = "fill sinks pits hollows breach basins drain hydrological correction priority flood sink \
        dips",
    tiles = Global, because = "a hollow can cover the map", paper = "Barnes, \
    Lehman & Mulla 2014; Lindsay & Dhun 2015; Lindsay 2016", version = 2, working_maps = 6.0, holes = Kept)]
#[output(ground: Map, unit = "world units", doc = "The terrain without its hollows.")]
#[output(depth: Map, unit = "world units", doc = "Depth of the water that the hollows of `height` hold when \
    they are full; 0 elsewhere.")]
#[output(hollows: Table, doc = "A row per hollow of `height`: the place of its lowest sample (`x`, `y`), its \
    `bottom` and its `level`, both heights, `depth`, `area` and `volume` below the level, the place where it \
    spills (`spill_x`, `spill_y`), the row of the hollow in which it lies (`parent`, from 1; 0 for none), \
    and what has become of it (`removed`: 0 kept, 1 filled, 2 breached). Areas and volumes are in square and \
    cubic world units, and include smaller hollows.")]
pub struct Depressions {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// How hollows are removed.
    #[param(default = Method::Least)]
    pub method: Method,
    /// Greatest change of a height. Default: no limit.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub max_depth: Option<f64>,
    /// Greatest length of a channel through higher ground. Default: no limit.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub max_length: Option<f64>,
    /// Height of the sea, where all water ends. Default: no sea.
    #[param(default = None, unit = "world units")]
    pub sea_level: Option<f64>,
    /// What lies beyond the map's border. Over the border of an open map, water leaves.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for Depressions {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let parameters = DepressionRemoval {
            method: self.method,
            max_depth: self.max_depth.map_or(f32::INFINITY, |depth| depth as f32),
            max_length: self.max_length.unwrap_or(f64::INFINITY),
            sea_level: self.sea_level.map(|level| level as f32),
            boundary: self.boundary,
        };
        let height = self.height.get();
        let out = depressions(&height, &parameters, &Report(cx)).map_err(cancelled)?;
        Ok((Map(out.ground), Map(out.depth), table(&out.hollows, &height)))
    }
}

/// A row per hollow.
fn table(hollows: &[(Hollow, Fate)], height: &Map) -> Table {
    let Domain { size: (width, _), spacing, .. } = height.domain();
    let domain = height.domain();
    let x = |at: u32| domain.x(at as usize % width);
    let y = |at: u32| domain.y(at as usize / width);
    let bottom = |hollow: &Hollow| f64::from(height.samples()[hollow.bottom as usize]);
    let column = |number: &dyn Fn(&Hollow) -> f64| hollows.iter().map(|(hollow, _)| number(hollow)).collect();
    let removed = |(_, fate): &(Hollow, Fate)| match fate {
        Fate::Keep => 0.0,
        Fate::Fill => 1.0,
        Fate::Breach => 2.0,
    };
    Table::new(vec![
        ("x", column(&|hollow| x(hollow.bottom))),
        ("y", column(&|hollow| y(hollow.bottom))),
        ("bottom", column(&bottom)),
        ("level", column(&|hollow| f64::from(hollow.level))),
        ("depth", column(&|hollow| f64::from(hollow.level) - bottom(hollow))),
        ("area", column(&|hollow| hollow.samples as f64 * spacing * spacing)),
        ("volume", column(&|hollow| hollow.volume * spacing * spacing)),
        ("spill_x", column(&|hollow| x(hollow.spill))),
        ("spill_y", column(&|hollow| y(hollow.spill))),
        ("parent", column(&|hollow| hollow.parent.map_or(0.0, |parent| f64::from(parent) + 1.0))),
        ("removed", hollows.iter().map(removed).collect()),
    ])
}

#[cfg(test)]
mod tests {
    use crate::testing::Run;
    use crate::values::{Map, Table};

    #[test]
    fn hollows_are_listed_with_their_places() {
        let nodes = r#"
            "h": Perlin(octaves: 4, wavelength: 40.0, amplitude: 20.0),
            "d": Depressions(height: "h"),
            "f": Depressions(height: "h", method: Fill),
        "#;
        let output = r#""h.tif": "h", "f.tif": "f", "d.csv": "d.hollows", "depth.tif": "d.depth""#;
        let run = Run::of_nodes(nodes, output).unwrap();
        let [before, filled] = [0, 1].map(|index| run.value::<Map>(index));
        let (table, depth) = (run.value::<Table>(2), run.value::<Map>(3));
        let column = |name: &str| table.column(name).unwrap();
        assert!(table.rows() > 2);
        let at = |map: &Map, x: f64, y: f64| {
            let (column, row) = map.domain().nearest((x, y)).unwrap();
            f64::from(map[(column, row)])
        };
        for row in 0..table.rows() {
            let [x, y, spill_x, spill_y] = ["x", "y", "spill_x", "spill_y"].map(|name| column(name)[row]);
            assert_eq!(column("bottom")[row], at(&before, x, y));
            assert_eq!(column("level")[row], at(&before, spill_x, spill_y));
            assert!(column("depth")[row] > 0.0 && column("area")[row] >= 4.0);
            assert!(at(&filled, x, y) >= column("level")[row]);
            let parent = column("parent")[row] as usize;
            assert!(parent == 0 || column("volume")[parent - 1] > column("volume")[row]);
        }
        let outer = (0..table.rows()).filter(|&row| column("parent")[row] == 0.0);
        let volume: f64 = outer.map(|row| column("volume")[row]).sum();
        let water: f64 = depth.samples().iter().map(|&depth| 4.0 * f64::from(depth)).sum();
        assert!((volume - water).abs() < 1e-3 * water, "{volume} {water}");
    }
}
