//! Cellular terrain from feature points.
