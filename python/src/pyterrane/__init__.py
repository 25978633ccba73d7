"""Terrane in Python: procedural terrain as graphs, with the nodes, engine and cache of the `terrane` command.

    import numpy as np
    import pyterrane as tr

    graph = tr.Graph(size=(513, 513), spacing=4.0, seed=42)
    hills = graph.MidpointDisplacement(amplitude=120.0)
    worn = graph.ThermalErosion(hills, talus=0.6)
    heights = np.asarray(graph.run(worn)[worn])
"""

from . import apply
from ._accessor import register as _register
from ._engine import Engine, default_engine, set_default_engine
from ._errors import CallError, EvaluationError, GraphError, TerraneError, UsageError
from ._graph import Graph, load
from ._calls import Cancelled, Context
from ._foreign import node
from ._handles import Node, Output, Param
from ._many import Snapshot, Swept, World, test, verify
from ._pyterrane import __version__
from ._results import Results
from ._values import Animation, Frames, Levels, Map, Picture, Table, Value

__all__ = [
    "Animation",
    "CallError",
    "Cancelled",
    "Context",
    "Engine",
    "EvaluationError",
    "Frames",
    "Graph",
    "GraphError",
    "Levels",
    "Map",
    "Node",
    "Output",
    "Param",
    "Picture",
    "Results",
    "Snapshot",
    "Swept",
    "Table",
    "TerraneError",
    "UsageError",
    "Value",
    "World",
    "__version__",
    "apply",
    "default_engine",
    "load",
    "node",
    "set_default_engine",
    "test",
    "verify",
]

_register()
