"""Arrays of any type of number, byte order and layout in memory."""

import sys

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr

ROWS, COLUMNS = 9, 13
NUMBERS = np.random.default_rng(5).integers(0, 100, (ROWS, COLUMNS))
TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g"]
ORDERS = ["<", ">", "=", "|"]

LAYOUTS = {
    "rows": lambda array: array,
    "columns": np.asfortranarray,
    "mirrored rows": lambda array: np.ascontiguousarray(array[::-1])[::-1],
    "mirrored columns": lambda array: np.ascontiguousarray(array[:, ::-1])[:, ::-1],
    "transposed": lambda array: np.ascontiguousarray(array.T).T,
    "every second": lambda array: np.repeat(np.repeat(array, 2, 0), 2, 1)[::2, ::2],
    "part": lambda array: np.pad(array, 2)[2:-2, 2:-2],
    "read-only": lambda array: _read_only(array.copy()),
    "frombuffer": lambda array: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
    "unaligned": lambda array: _unaligned(array),
    "repeated row": lambda array: np.broadcast_to(array[:1], array.shape),
    "field": lambda array: _field(array),
}


def _read_only(array):
    array.flags.writeable = False
    return array


def _unaligned(array):
    content = np.frombuffer(b"\0" + array.tobytes(), np.uint8)[1:]
    return content.view(array.dtype).reshape(array.shape)


def _field(array):
    """One field of records."""
    records = np.zeros(array.shape, [("flag", "u1"), ("height", array.dtype)])
    records["height"] = array
    return records["height"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", TYPES)
def test_every_type_order_and_layout(kind, order, layout):
    # `newbyteorder` keeps an explicit order, even that of the machine.
    array = LAYOUTS[layout](NUMBERS.astype(np.dtype(kind).newbyteorder(order)))
    expected = np.array(array.tolist(), dtype=np.float32)
    assert np.array_equal(tr._arrays.samples(array), expected)
    assert tr._arrays.samples(array).dtype is np.dtype(np.float32)
    assert np.array_equal(tr.apply.Invert(tr.apply.Invert(array)), tr.apply.Invert(tr.apply.Invert(expected)))


@pytest.mark.parametrize("layout", ["mirrored rows", "transposed", "every second"])
def test_an_explicit_byte_order_reaches_graphs_and_python_nodes(layout):
    own = "<" if sys.byteorder == "little" else ">"
    array = LAYOUTS[layout](NUMBERS.astype(np.dtype("f4").newbyteorder(own)))
    graph = tr.Graph(size=(COLUMNS, ROWS))
    assert np.array_equal(graph.run(graph.array(array)).value, NUMBERS)

    @tr.node(version=1)
    def Given(height: tr.Map) -> tr.Map:
        return array

    assert np.array_equal(graph.run(graph.Given(array)).value, NUMBERS)
    labelled = xr.DataArray(array, dims=("y", "x"))
    assert np.array_equal(tr.apply.Invert(labelled), tr.apply.Invert(NUMBERS))


def test_numbers_without_axes_are_numbers():
    expected = tr.apply.ThermalErosion(NUMBERS, talus=0.5)
    for talus in (np.float32(0.5), np.array(0.5), np.array(0.5, ">f8"), xr.DataArray(0.5)):
        assert np.array_equal(tr.apply.ThermalErosion(NUMBERS, talus=talus), expected)
        graph = tr.Graph(size=(COLUMNS, ROWS))
        assert np.array_equal(graph.run(graph.ThermalErosion(NUMBERS, talus=talus)).value, expected)
    with pytest.raises(tr.UsageError, match="no array to work on"):
        tr.apply.Invert(np.array(3.0))


def test_one_band_keeps_its_axis():
    dem = NUMBERS.astype(float)
    expected = tr.apply.Blur(dem)
    for shape in [(1, ROWS, COLUMNS), (1, 1, ROWS, COLUMNS), (ROWS, COLUMNS, 1)]:
        result = tr.apply.Blur(dem.reshape(shape))
        assert result.shape == shape and np.array_equal(result.reshape(dem.shape), expected)
    graph = tr.Graph.over(dem[None])
    assert np.array_equal(graph.run(graph.Blur(dem[None])).value, expected)


@pytest.mark.parametrize("dims", [("band", "y", "x"), ("y", "x", "band"), ("band", "x", "y"), ("time", "band", "y", "x")])
def test_one_band_of_an_xarray_keeps_its_dimension(dims):
    coords = {"band": [1], "y": 90.0 - 10.0 * np.arange(ROWS), "x": 10.0 * np.arange(COLUMNS), "spatial_ref": 0, "time": [7]}
    plain = xr.DataArray(NUMBERS.astype(np.float32), dims=("y", "x"))
    array = plain.expand_dims([dim for dim in dims if dim not in ("y", "x")]).transpose(*dims)
    array = array.assign_coords({name: values for name, values in coords.items() if name in dims or name == "spatial_ref"})
    result = array.terrane.SlopeMap()
    assert result.dims == dims and result.coords.equals(array.coords)
    assert np.array_equal(result.squeeze(drop=True).transpose("y", "x"), tr.apply.SlopeMap(NUMBERS, spacing=10.0))
    graph = tr.Graph.over(array)
    assert graph.run(graph.SlopeMap(array)).value.to_xarray("slope").equals(result)


def test_several_bands_are_refused():
    bands = xr.DataArray(np.ones((3, ROWS, COLUMNS)), dims=("band", "y", "x"))
    for wrong in (bands, bands.values, bands.values.transpose(1, 2, 0)):
        for call in (tr.apply.Invert, tr.Graph.over, tr.Graph().array):
            with pytest.raises(tr.UsageError, match="has several bands") as error:
                call(wrong)
            assert error.value.help.startswith("give one band: array")
    with pytest.raises(tr.UsageError) as error:
        bands.terrane.Invert()
    assert error.value.help == "give one band: array.isel(band=0)"
    assert bands.isel(band=0).terrane.Invert().shape == (ROWS, COLUMNS)


def test_a_raster_as_rioxarray_opens_it(tmp_path):
    rioxarray = pytest.importorskip("rioxarray")
    x, y = 30.0 * np.arange(COLUMNS) + 500_000, 4_200_000 - 30.0 * np.arange(ROWS)
    written = xr.DataArray(NUMBERS.astype(np.float32), coords={"y": y, "x": x}, dims=("y", "x")).rio.write_crs(32611)
    written.rio.to_raster(tmp_path / "dem.tif")
    array = rioxarray.open_rasterio(tmp_path / "dem.tif")
    assert array.shape == (1, ROWS, COLUMNS)
    slope = array.terrane.SlopeMap()
    assert slope.shape == array.shape and slope.rio.crs == array.rio.crs and slope.coords.equals(array.coords)
    assert np.array_equal(slope[0], tr.apply.SlopeMap(NUMBERS, spacing=30.0))
    slope.rio.to_raster(tmp_path / "slope.tif")
    assert rioxarray.open_rasterio(tmp_path / "slope.tif").rio.transform() == array.rio.transform()
