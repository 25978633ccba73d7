//! Conversions from and to the images of the crate `image`, for programs that use both. A
//! [`DynamicImage`] holds each of them except 32-bit grey.
//!
//! ```
//! use terrane_grid::{Domain, Heightmap};
//! use terrane_io::{CodeRange, images};
//!
//! let map = Heightmap::from_fn(Domain::new(3, 2), |x, y| (10 * x + y) as f32);
//! let image = image::DynamicImage::from(images::luma16(&map, CodeRange::Fixed(0.0, 65_535.0))?);
//! assert_eq!(images::heightmap(&image, None), Some(map));
//! # Ok::<(), terrane_io::Problem>(())
//! ```

use image::{DynamicImage, ImageBuffer, Luma, Pixel, RgbImage, RgbaImage};
use terrane_grid::{Domain, Grid, Heightmap};

use crate::{CodeRange, Problem, Sample, WriteOptions, codes::Coding};

/// Heights as 16-bit grey, coded as in a PNG.
///
/// # Errors
/// [`Problem::NotFinite`], [`Problem::BadOption`] for an invalid range, [`Problem::TooLarge`] for a side of
/// 2³² samples or more.
pub fn luma16(map: &Heightmap, range: CodeRange) -> Result<ImageBuffer<Luma<u16>, Vec<u16>>, Problem> {
    WriteOptions { range, ..WriteOptions::default() }.check()?;
    let coding = Coding::choose(Sample::U16, range, map.samples())?;
    let code = |height: &f32| coding.as_ref().map_or(0, |coding| coding.steps(*height) as u16);
    buffer(map.domain().size, map.samples().iter().map(code).collect())
}

/// Heights as 32-bit floating-point grey, unchanged.
///
/// # Errors
/// [`Problem::TooLarge`] for a side of 2³² samples or more.
pub fn luma32f(map: &Heightmap) -> Result<ImageBuffer<Luma<f32>, Vec<f32>>, Problem> {
    buffer(map.domain().size, map.samples().to_vec())
}

/// A picture as 8-bit colours.
///
/// # Errors
/// [`Problem::TooLarge`] for a side of 2³² samples or more.
pub fn rgb8(picture: &Grid<[u8; 3]>) -> Result<RgbImage, Problem> {
    buffer(picture.size(), picture.as_slice().as_flattened().to_vec())
}

/// A picture as 8-bit colours, opaque everywhere.
///
/// # Errors
/// [`Problem::TooLarge`] for a side of 2³² samples or more.
pub fn rgba8(picture: &Grid<[u8; 3]>) -> Result<RgbaImage, Problem> {
    buffer(picture.size(), picture.as_slice().iter().flat_map(|&[r, g, b]| [r, g, b, u8::MAX]).collect())
}

/// The samples of a grey image as heights, with a spacing of 1. `range` has the heights of the lowest and the
/// highest code; without it, heights are codes. It does not apply to floating-point samples.
///
/// `None` for a coloured image, because luminance is not height. Transparency is ignored.
#[must_use]
pub fn heightmap(image: &DynamicImage, range: Option<(f64, f64)>) -> Option<Heightmap> {
    let color = image.color();
    let (samples, codes) = match color.bytes_per_pixel() / color.channel_count() {
        1 => (grey(&image.to_rgb8(), f32::from)?, Some((0.0, f64::from(u8::MAX)))),
        2 => (grey(&image.to_rgb16(), f32::from)?, Some((0.0, f64::from(u16::MAX)))),
        _ => (grey(&image.to_rgb32f(), |height| height)?, None),
    };
    let mut map = Heightmap::from_vec(Domain::new(image.width() as usize, image.height() as usize), samples);
    if let (Some(codes), Some(range)) = (codes, range) {
        Coding::new(codes, range).decode(map.samples_mut());
    }
    Some(map)
}

/// The colours of an image. Samples of 16 bits are rounded to 8, and transparency is ignored.
#[must_use]
pub fn picture(image: &DynamicImage) -> Grid<[u8; 3]> {
    let pixels = image.to_rgb8();
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    Grid::from_vec(width, height, pixels.pixels().map(|pixel| pixel.0).collect())
}

/// One channel of an image whose three channels are equal.
fn grey<T: image::Primitive>(
    image: &ImageBuffer<image::Rgb<T>, Vec<T>>,
    height: impl Fn(T) -> f32,
) -> Option<Vec<f32>>
where
    image::Rgb<T>: Pixel<Subpixel = T>,
{
    image.pixels().map(|pixel| (pixel.0 == [pixel.0[0]; 3]).then(|| height(pixel.0[0]))).collect()
}

fn buffer<P: Pixel>(
    (width, height): (usize, usize),
    samples: Vec<P::Subpixel>,
) -> Result<ImageBuffer<P, Vec<P::Subpixel>>, Problem> {
    let side = |side: usize| u32::try_from(side).ok();
    let image = side(width).zip(side(height)).and_then(|(w, h)| ImageBuffer::from_raw(w, h, samples));
    let (width, height, limit) = (width as u64, height as u64, u32::MAX.into());
    image.ok_or(Problem::TooLarge { width, height, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_the_way_to_an_image_and_back() {
        let map = Heightmap::from_fn(Domain::new(5, 4), |x, y| 100.0 * x as f32 - 7.25 * y as f32);
        let (low, high) = (-21.75, 400.0);
        let image = DynamicImage::from(luma16(&map, CodeRange::MinMax).unwrap());
        let back = heightmap(&image, Some((low, high))).unwrap();
        let error = map.samples().iter().zip(back.samples()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(f64::from(error) <= (high - low) / 65_535.0 * 0.51, "{error}");
        assert_eq!(luma32f(&map).unwrap().as_raw(), map.samples());
        let three =
            luma32f(&map).unwrap().pixels().map(|grey| image::Rgb([grey.0[0]; 3])).collect::<Vec<_>>();
        let mut real = image::Rgb32FImage::new(5, 4);
        real.pixels_mut().zip(three).for_each(|(to, from)| *to = from);
        assert_eq!(heightmap(&real.into(), Some((0.0, 1.0))), Some(map));
        let colours = Grid::from_fn(3, 2, |x, y| [x as u8, y as u8, 200]);
        assert_eq!(picture(&rgb8(&colours).unwrap().into()), colours);
        assert_eq!(picture(&rgba8(&colours).unwrap().into()), colours);
        assert_eq!(heightmap(&rgb8(&colours).unwrap().into(), None), None);
    }

    #[test]
    fn invalid_heights_and_ranges_are_refused() {
        let map = Heightmap::constant(Domain::new(2, 2), f32::NAN);
        assert!(matches!(luma16(&map, CodeRange::MinMax), Err(Problem::NotFinite { count: 4 })));
        let map = Heightmap::constant(Domain::new(2, 2), 1.0);
        assert!(matches!(luma16(&map, CodeRange::Fixed(1.0, 0.0)), Err(Problem::BadOption { .. })));
    }
}
