//! Files that Python holds in memory.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use terrane_flow::{Disk, Overlay};

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
    fn put(&self, py: Python<'_>, path: PathBuf, content: &[u8]) {
        let content = content.to_vec();
        py.detach(|| self.0.put(path, content));
    }

    /// Takes back what was given: the file is again as it is on the disk. Whether there was something.
    fn remove(&self, path: PathBuf) -> bool {
        self.0.remove(path)
    }
}
