//! Numbers about terrain.
