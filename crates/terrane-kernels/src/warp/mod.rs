//! Displacement of a map by other maps.
