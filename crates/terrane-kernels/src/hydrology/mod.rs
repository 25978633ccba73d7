//! Drainage, lakes, basins and rivers.
//!
//! [`drainage()`] computes the drainage of a map. The parts that it is made of are public too, so that other
//! laws of erosion can be put on the same routing:
//!
//! 1. [`Network::receive`] lets each sample drain to one neighbour, for example to the [`steepest`].
//! 2. [`Flats::drain`] leads water across flat ground. [`LakeTerrain::join`] lets lakes overflow across their
//!    lowest passes; [`LakeTerrain::lakes`] only finds them.
//! 3. [`Network::count_donors`] and [`Network::order`] accumulate drainage areas and sort the samples, donors
//!    before receivers. [`Bands`] do both on many threads.
//!
//! A law of erosion then visits the samples in reverse order, receivers before donors.
//!
//! ```
//! use terrane_grid::{Domain, Heightmap, Shape};
//! use terrane_kernels::hydrology::{LakeBuffers, LakeTerrain, Network, Ties, steepest};
//!
//! // A valley that falls to the left, with a hollow at its right end.
//! let map = Heightmap::from_fn(Domain::new(5, 1), |x, _| [0.0, 1.0, 3.0, 2.0, 4.0][x]);
//! let shape = Shape { width: 5, height: 1, wrap: false };
//! let sea = [true, false, false, false, false];
//! let alive = || Ok(());
//! let (mut network, ties) = (Network::new(5), Ties::of(&map.domain()));
//! network.receive(5, &sea, &alive, |position, at| steepest(map.samples(), shape, position, at, &ties))?;
//! assert_eq!(network.receivers, [0, 0, 1, 3, 3]);
//! let ground = LakeTerrain { shape, heights: map.samples(), sea: &sea, open: false };
//! ground.join(&mut network, &mut LakeBuffers::new(5), &alive)?;
//! assert_eq!(network.receivers, [0, 0, 1, 2, 3]);
//! network.count_donors(&alive)?;
//! let (mut area, mut order) = (vec![1.0; 5], Vec::new());
//! network.order(1.0, &mut area, &mut order, &mut vec![0; 5], &alive)?;
//! assert_eq!(area, [5.0, 4.0, 3.0, 2.0, 1.0]);
//! # Ok::<(), terrane_kernels::Cancelled>(())
//! ```

mod bands;
mod basins;
mod carve;
mod depressions;
mod drainage;
mod ends;
mod flats;
mod flood;
mod lakes;
mod lowest;
mod nested;
mod network;
mod overflow;
mod passes;
mod profiles;
mod rivers;
mod shore;
mod standing;
mod steepest;
mod ties;
mod water;

pub use bands::Bands;
pub use carve::{Carved, Course, RiverCarving, RiverLine, Station, carve_rivers};
pub(crate) use depressions::Hollowed;
pub use depressions::{DepressionRemoval, Depressions, Fate, Hollow, InHollows, Method, depressions};
pub(crate) use drainage::directions;
pub use drainage::{Drainage, Draining, direction, drainage};
pub use flats::{Closed, Flats};
pub use flood::{FloodFrom, flood};
pub use lakes::{LakeBuffers, Lakes};
pub use network::Network;
pub use overflow::LakeTerrain;
pub use passes::Pass;
pub use profiles::{Falling, Profiles};
pub use rivers::{Circle, River, Rivers, rivers};
pub use shore::{Shore, shore};
pub use standing::{Lake, LakeFilling, StandingWater, standing_water};
pub(crate) use steepest::AROUND;
pub use steepest::steepest;
pub use ties::Ties;
pub use water::{Wall, depth_of_level, higher_level, level_of_depth, level_over, surface, wall};
