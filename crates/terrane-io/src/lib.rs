//! Heightmaps and pictures in and out of files.
