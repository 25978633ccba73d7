//! Files that Python holds in memory.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use terrane_flow::{Disk, Overlay};

use crate::leaving::detached;

/// Files in memory, which graphs read instead of files on disk.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct Files(pub Arc<Overlay>);

#[pymethods]
impl Files {
    /// Creates an empty overlay over the disk.
    #[new]
    fn new() -> Self {
        Self(Arc::new(Overlay::new(Arc::new(Disk))))
    }

    /// Sets the bytes of a file.
    fn put(&self, py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
        let content = content.to_vec();
        detached(py, || self.0.put(path, content)).map(drop)
    }

    /// Removes a file from memory, so that the file on disk is read again. Returns whether it was in memory.
    fn remove(&self, path: PathBuf) -> bool {
        self.0.remove(path)
    }
}
