//! Pictures of terrain.
