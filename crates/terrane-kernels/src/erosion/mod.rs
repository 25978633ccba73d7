//! Erosion: what moves material downhill.
