//! Tests over the public interface, in one binary, so that it is linked once.

mod elevation_models;
mod round_trips;
