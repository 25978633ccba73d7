//! Noise by place.
