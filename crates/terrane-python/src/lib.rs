//! The native part of the Python package `pyterrane`: graphs as text, engines, runs and values. The public
//! interface is in `python/src/pyterrane`.

mod apply;
mod buffer;
mod causes;
mod convert;
mod declared;
mod definition;
mod engine;
mod files;
mod foreign;
mod foreign_run;
mod graph;
mod json;
mod leaving;
mod loaded;
mod made;
mod many;
mod node_context;
mod problem;
mod read_node;
mod registry;
mod run;
mod signals;
mod stop;
mod value;
mod world_part;
mod world_store;

#[global_allocator]
static HEAP: terrane_compute::LargePages = terrane_compute::LargePages;

/// The native part of `pyterrane`.
#[pyo3::pymodule]
mod _pyterrane {
    #[pymodule_export]
    use crate::apply::apply;
    #[pymodule_export]
    use crate::declared::{Argument, Callable, callables, callables_of};
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::files::Files;
    #[pymodule_export]
    use crate::foreign_run::Reply;
    #[pymodule_export]
    use crate::graph::GraphText;
    #[pymodule_export]
    use crate::leaving::leave;
    #[pymodule_export]
    use crate::loaded::{Loaded, load};
    #[pymodule_export]
    use crate::many::{make_world, run_sweep, test_graphs, test_value};
    #[pymodule_export]
    use crate::node_context::NodeContext;
    #[pymodule_export]
    use crate::registry::{ports, register};
    #[pymodule_export]
    use crate::run::{run, write};
    #[pymodule_export]
    use crate::value::Value;
    #[pymodule_export]
    use crate::world_part::WorldPart;
    #[pymodule_export]
    use crate::world_store::{WorldStore, fill_store, verify_store};

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
