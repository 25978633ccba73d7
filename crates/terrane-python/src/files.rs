//! Files that Python holds in memory.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use terrane_flow::{Disk, Overlay};

use crate::leaving::detached;

/// Files that graphs read from memory in place of the disk.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct Files(pub Arc<Overlay>);

#[pymethods]
impl Files {
    /// The disk, with nothing in place of any file yet.
    #[new]
    fn new() -> Self {
        Self(Arc::new(Overlay::new(Arc::new(Disk))))
    }

    /// Gives a file its bytes.
    fn put(&self, py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
        let content = content.to_vec();
        detached(py, || self.0.put(path, content)).map(drop)
    }

    /// Takes back what was given: the file is again as it is on the disk. Whether there was something.
    fn remove(&self, path: PathBuf) -> bool {
        self.0.remove(path)
    }
}
