"""Tests of the methods and functions that are made from the nodes' declarations."""

import copy
import inspect
import pickle
import pydoc
import typing

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr
from pyterrane import _nodes

DEM = np.ones((9, 9))


def test_signatures_are_real():
    signature = inspect.signature(tr.Graph.ThermalErosion)
    assert list(signature.parameters)[:3] == ["self", "height", "talus"]
    assert str(signature.parameters["height"]) == "height: 'Input'"
    boundary = str(signature.parameters["boundary"])
    assert boundary == "boundary: \"Literal['Open', 'Wrap'] | Param\" = 'Open'"
    assert signature.parameters["keep"].kind is inspect.Parameter.KEYWORD_ONLY
    assert signature.return_annotation == "ThermalErosionNode"
    assert list(inspect.signature(tr.Graph().ThermalErosion).parameters)[0] == "height"
    own = inspect.signature(tr.apply.ThermalErosion)
    assert list(own.parameters)[-4:] == ["output", "spacing", "graph_seed", "engine"]
    assert own.parameters["graph_seed"].default == 0 and own.parameters["output"].default == "height"
    assert own.parameters["height"].default is inspect.Parameter.empty
    hints = typing.get_type_hints(tr.Graph.Perlin)
    assert hints["octaves"] == int | tr.Param and hints["return"] is _nodes.PerlinNode


def test_help_shows_the_page_of_a_node():
    method = pydoc.render_doc(tr.Graph.ThermalErosion, renderer=pydoc.plaintext)
    assert "function ThermalErosion in module pyterrane._nodes" in method
    assert "    height: " in method and "    keep: whether" in method and "Outputs:" in method
    assert "# Example" not in method
    function = pydoc.render_doc(tr.apply.ThermalErosion, renderer=pydoc.plaintext)
    assert "function ThermalErosion in module pyterrane.apply" in function and "    spacing: " in function
    assert " Perlin(" in pydoc.render_doc(tr.Graph, renderer=pydoc.plaintext)
    assert " Blur(" in pydoc.render_doc(tr.apply, renderer=pydoc.plaintext)
    assert _nodes.PerlinNode.height.__doc__.endswith("(map)")


def test_help_explains_choices():
    lines = tr.apply.SlopeMap.__doc__.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("    kind: "))
    assert [line.split(":")[0] for line in lines[at + 1 : at + 3]] == ["        Olsen", "        Gradient"]
    assert all(len(line) > 20 for line in lines[at + 1 : at + 3])
    missing = []
    for name in tr.apply.__all__:
        for argument in inspect.signature(getattr(tr.apply, name)).parameters.values():
            if str(argument.annotation).startswith("Literal[") and argument.name != "output":
                for choice in typing.get_args(eval(argument.annotation.removesuffix(" | None"), {"Literal": typing.Literal})):
                    if f"\n        {choice}: " not in getattr(tr.apply, name).__doc__:
                        missing.append((name, argument.name, choice))
    assert not missing


def test_methods_of_arrays_have_the_nodes_signatures():
    array = xr.DataArray(DEM)
    for name in tr.apply.__all__:
        own = inspect.signature(getattr(tr.apply, name)).parameters
        leading = next(iter(own.values()))
        if leading.kind is inspect.Parameter.KEYWORD_ONLY:
            assert name not in dir(_nodes.ArrayNodes)
            continue
        method = inspect.signature(getattr(array.terrane, name)).parameters
        assert list(method) == list(own)[1:] and method == dict(list(own.items())[1:])
        assert getattr(array.terrane, name).__doc__ == getattr(tr.apply, name).__doc__
    with pytest.raises(TypeError, match="did you mean `kind`"):
        array.terrane.SlopeMap(knd="Olsen")


def test_a_terrain_is_passed_by_position():
    dem = np.random.default_rng(2).random((9, 9))
    given = dict(iterations=2, time_step=1000.0)
    expected = tr.apply.UpliftErosion(height=dem, **given)
    assert np.array_equal(tr.apply.UpliftErosion(dem, **given), expected)
    assert np.array_equal(xr.DataArray(dem).terrane.UpliftErosion(**given), expected)
    graph = tr.Graph(size=(9, 9))
    assert np.array_equal(graph.run(graph.UpliftErosion(dem, **given)).value, expected)


def test_names_are_completed():
    assert {"Perlin", "ThermalErosion", "run"} <= set(dir(tr.Graph()))
    assert dir(tr.apply) == sorted(tr.apply.__all__) and "ThermalErosion" in dir(tr.apply)
    assert "Perlin" in tr.apply.__all__ and "Export" not in tr.apply.__all__
    assert "moved" in dir(tr.Graph(size=(9, 9)).ThermalErosion(DEM))


def test_handles_and_functions_are_pickled_and_copied():
    assert pickle.loads(pickle.dumps(tr.apply.ThermalErosion)) is tr.apply.ThermalErosion
    graph = tr.Graph(size=(9, 9))
    hills = graph.Perlin()
    again = pickle.loads(pickle.dumps(hills))
    assert type(again) is type(hills) is _nodes.PerlinNode and again.height.name == "height"
    assert copy.deepcopy(hills).name == pickle.loads(pickle.dumps(graph.Perlin))().name[:-2]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: tr.Graph().Perlin(octavs=3), r"Perlin\(\): .*'octavs'\n  help: did you mean `octaves`\?"),
        (lambda: tr.apply.Blur(DEM, radiu=3), r"Blur\(\): .*'radiu'\n  help: did you mean `radius`\?"),
        (lambda: tr.Graph().ThermalErosion(), r"ThermalErosion\(\): missing a required argument: 'height'"),
        (lambda: tr.Graph().ThermalErosion(DEM, 0.5), r"ThermalErosion\(\): too many positional arguments"),
        (lambda: tr.apply.Blur(DEM, height=DEM), r"Blur\(\): multiple values for argument 'height'"),
    ],
)
def test_wrong_arguments_are_type_errors(wrong, message):
    with pytest.raises(TypeError, match=message):
        wrong()


def test_unknown_nodes_have_suggestions():
    for wrong in (lambda: tr.Graph().Perlim, lambda: tr.apply.Perlim):
        with pytest.raises(AttributeError, match="there is no node `Perlim`: did you mean `Perlin`?"):
            wrong()
    with pytest.raises(AttributeError, match=r"help\(pyterrane.apply\) lists"):
        tr.apply.Frobnicate  # noqa: B018
    with pytest.raises(ImportError):
        from pyterrane.apply import Perlim  # noqa: F401


def test_fields_are_written_in_the_order_of_the_declaration():
    graph = tr.Graph(size=(9, 9))
    graph.Perlin(offset=1.0, octaves=3, wavelength=8.0, seed=0, name="p")
    own = graph.to_ron()
    fields = [field for field in inspect.signature(graph.Perlin).parameters if f"{field}: " in own.split("Perlin(")[1]]
    assert [own.index(f"{field}: ", own.index("Perlin(")) for field in fields] == sorted(
        own.index(f"{field}: ", own.index("Perlin(")) for field in fields
    )
