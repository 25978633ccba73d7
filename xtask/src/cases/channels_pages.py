"""Bands, pages and further pictures of files without named channels: what is not read is named, and nothing is guessed."""

import numpy as np
import rasterio
import rasterio.shutil
import tifffile
from channels import HEIGHTS, OTHER, demand_read, read
from frame import case, demand, demand_equal
from geo import tiff
from PIL import Image

CODES = (HEIGHTS / 4).astype("u1")


@case("channels")
def a_channel_of_a_file_that_has_no_names(at):
    """`channel` for a TIFF and a PNG: the message says that only OpenEXR has named channels; without it they are read."""
    tiff(at / "h.tif", HEIGHTS)
    tiff(at / "h.png", CODES, driver="PNG")
    for file, right in (("h.tif", HEIGHTS), ("h.png", CODES)):
        read(at, file, ', channel: "Y"').demand_refusal("channel", "only OpenEXR has named channels")
        demand_read(at, file, right=right)


@case("channels")
def bands_of_a_tiff(at):
    """Two bands, sample by sample and band by band: refused; one band as the remedy makes it is read to the bit."""
    for interleave in ("pixel", "band"):
        profile = {"driver": "GTiff", "count": 2, "dtype": "float32", "width": 16, "height": 12, "interleave": interleave}
        with rasterio.open(at / "two.tif", "w", **profile) as file:
            file.write(np.stack([HEIGHTS, OTHER]))
        read(at, "two.tif").demand_refusal("several channels", "gdal_translate -b 1")
        with rasterio.open(at / "two.tif") as file:
            tiff(at / "one.tif", file.read(1), compress="deflate")
        demand_read(at, "one.tif")


@case("channels")
def heights_with_transparency_in_a_tiff(at):
    """Grey and alpha, as gdalwarp -dstalpha writes: missing where alpha is 0, or refused with a remedy that keeps the holes."""
    alpha = np.where(OTHER > 10, 255, 0).astype("f4")
    profile = {"driver": "GTiff", "count": 2, "dtype": "float32", "width": 16, "height": 12, "alpha": "yes"}
    with rasterio.open(at / "h.tif", "w", **profile) as file:
        file.write(np.stack([HEIGHTS, alpha]))
        file.colorinterp = [rasterio.enums.ColorInterp.gray, rasterio.enums.ColorInterp.alpha]
    ran = read(at, "h.tif", ", voids: Keep")
    if ran.code:
        ran.demand_refusal("alpha", "-mask")
    else:
        demand_equal(at.array("d.npy"), np.where(alpha > 0, HEIGHTS, np.nan))


@case("channels")
def a_palette_in_a_tiff(at):
    """8-bit codes with a colour table, as land cover and old DEMs have: the codes are the heights, as for GDAL."""
    profile = {"driver": "GTiff", "count": 1, "dtype": "uint8", "width": 16, "height": 12, "photometric": "palette"}
    with rasterio.open(at / "p.tif", "w", **profile) as file:
        file.write(CODES, 1)
        file.write_colormap(1, {code: (255 - code, code, 0, 255) for code in range(256)})
    if read(at, "p.tif").code:
        # What `gdal_translate -b 1` makes of it.
        rasterio.shutil.copy(at / "p.tif", at / "copy.tif", driver="GTiff", compress="deflate")
        demand_read(at, "copy.tif", right=CODES)
    demand_read(at, "p.tif", right=CODES)


@case("channels")
def pages_of_a_tiff(at):
    """Two and three pages of one size, and a small preview as the first page: what is not read is counted in a warning."""
    for others in (1, 2):
        tifffile.imwrite(at / "h.tif", np.stack([HEIGHTS] + [OTHER] * others), photometric="minisblack")
        demand_read(at, "h.tif", texts=("a second picture" if others == 1 else "2 more pictures", "not read"))
    with tifffile.TiffWriter(at / "h.tif") as file:
        file.write(HEIGHTS[::4, ::4], subfiletype=1)
        file.write(HEIGHTS)
    read(at, "h.tif").demand_success("a second picture")


@case("channels")
def a_stack_behind_a_single_page(at):
    """ImageJ and tifffile keep a stack of three behind one directory, and say so only in its description."""
    for kind in ({"imagej": True}, {"metadata": {"axes": "ZYX"}, "photometric": "minisblack"}):
        tifffile.imwrite(at / "h.tif", np.stack([HEIGHTS, OTHER, OTHER]), truncate=True, **kind)
        demand(tifffile.imread(at / "h.tif").shape == (3, 12, 16), "the case is empty")
        demand_read(at, "h.tif", texts=("not read",))


@case("channels")
def smaller_copies_need_no_word(at):
    """Overviews as pages, as SubIFDs and in a cloud-optimised GeoTIFF, with a mask and its copies: the full raster is read."""
    tiff(at / "h.tif", HEIGHTS)
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True), rasterio.open(at / "h.tif", "r+") as file:
        file.write_mask(np.full((12, 16), 255, "u1"))
        file.build_overviews([2, 4])
    demand_read(at, "h.tif")
    with tifffile.TiffWriter(at / "h.tif") as file:
        file.write(HEIGHTS, subifds=2)
        file.write(HEIGHTS[::2, ::2], subfiletype=1)
        file.write(HEIGHTS[::4, ::4], subfiletype=1)
    demand_read(at, "h.tif")


@case("channels")
def further_pictures_of_other_formats(at):
    """Animated PNG and WebP, and a phone's JPEG of two pictures: what is not read is named, as for TIFF."""
    first, second = Image.fromarray(CODES), Image.fromarray(CODES // 2)
    first.save(at / "h.png", save_all=True, append_images=[second])
    rgb = first.convert("RGB"), second.convert("RGB")
    rgb[0].save(at / "h.webp", save_all=True, append_images=[rgb[1]], lossless=True)
    rgb[0].save(at / "h.jpg", format="MPO", save_all=True, append_images=[rgb[1]])
    silent = [name for name in ("h.png", "h.webp", "h.jpg") if "not read" not in read(at, name).said]
    demand(not silent, f"says nothing of the second picture of {silent}")


@case("channels")
def bands_of_an_array(at):
    """NPY: (1, rows, columns) is one band; two bands are refused by their shape, without a remedy of GDAL, which reads no NPY."""
    np.save(at / "h.npy", HEIGHTS[np.newaxis])
    demand_read(at, "h.npy")
    np.save(at / "h.npy", np.stack([HEIGHTS, OTHER]))
    ran = read(at, "h.npy").demand_refusal("[2, 12, 16]")
    demand("gdal_translate" not in ran.said, f"a remedy that does not work: {ran.said[:300]}")
