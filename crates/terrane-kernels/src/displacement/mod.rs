//! Midpoint displacement.
