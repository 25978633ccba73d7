"""Reads a store and its GeoTIFF with other programs: zarr-python, xarray, rasterio and rio-cogeo."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import numpy as np
import rasterio
import xarray
import zarr
from rio_cogeo import cog_validate

from worlds import check, command, write_world


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world = write_world(folder, side=65)
        text = (folder / "world_patch.ron").read_text()
        relief = text.replace("}, outputs: {", '    "relief": ColorRelief(height: "worn", shade: "shade", range: (-400.0, 400.0)),\n}, outputs: { "relief.png": "relief",')
        (folder / "world_patch.ron").write_text(relief)
        asked = ["run", world, "--patches=-3..17,2..14"]
        command(*asked, "-o", folder / "w.zarr")
        command(*asked, "--mosaic", "--only", "worn.tif", "-o", folder / "files")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with rasterio.open(folder / "files/worn.tif") as file:
                whole = file.read(1)[:-1, :-1]
            with rasterio.open(folder / "files/worn.vrt") as file:
                placed = file.transform

        with warnings.catch_warnings():
            # Readers warn if something is doubtful.
            warnings.simplefilter("error")
            group = zarr.open_group(folder / "w.zarr", mode="r")
            own = group["0/worn"][:]
            check("zarr-python reads the whole map", np.array_equal(own, whole), f"{own.shape}")
            levels = group.attrs["multiscales"]["layout"]
            for level in levels[1:]:
                step = 2 ** int(level["asset"])
                part = group[f"{level['asset']}/worn"][:]
                check(f"level {level['asset']} is every {step}th sample", np.array_equal(part, whole[::step, ::step]))
            plain = zarr.open_group(folder / "w.zarr", mode="r", use_consolidated=False)
            check("also without the consolidated metadata", {"0", "1"} <= {name for name, _ in plain.members()})
            data = xarray.open_zarr(folder / "w.zarr", group="0")
            check("xarray reads arrays and their places", {"worn", "shade", "relief"} == set(data.data_vars))
            x, y = float(data.x[700]), float(data.y[123])
            at = float(data.worn.sel(x=x, y=y))
            check("by place", at == whole[123, 700] and x == (700 - 3 * 64) * 30.0, f"({x}, {y})")
            tree = xarray.open_datatree(folder / "w.zarr", engine="zarr")
            check("and all levels as a tree", len(tree.children) == len(levels))
            a, _b, c, _d, e, f = data.worn.attrs["spatial:transform"]
            check("its transform is the places'", (c, f, a, e) == (data.x[0], data.y[0], 30.0, -30.0))
            check("as the virtual dataset's", (placed.c + 15, placed.f + 15, placed.a, placed.e) == (c, f, a, e))

        for array in ("worn", "relief"):
            tiff = folder / f"{array}.tif"
            command("world", "geotiff", folder / "w.zarr", array, "-o", tiff)
            valid, errors, warned = cog_validate(str(tiff), strict=True)
            check(f"rio cogeo validate --strict {tiff.name}", valid and not errors and not warned, f"{errors} {warned}")
            with rasterio.open(tiff) as file:
                bands = file.read()
                check("rasterio reads its samples", np.array_equal(np.moveaxis(bands, 0, -1).squeeze(), group[f"0/{array}"][:]))
                check("and its levels", file.overviews(1)[0] == 2, file.overviews(1))
                left, top = file.transform * (0.5, 0.5)
                check("and its place", (left, top) == (data.x[0], data.y[0]), (left, top))


if __name__ == "__main__":
    main()
