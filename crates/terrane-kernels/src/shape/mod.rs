//! Pointwise and local reshaping of heights.
