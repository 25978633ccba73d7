//! Orographic rain: the linear theory of orographic precipitation (Smith & Barstad 2004).

mod block_heights;
mod fft;
mod plan;
mod spectrum;
mod transform;
mod weather;

use crate::parallel::{slices, try_for_each};
use std::f64::consts::TAU;

use terrane_grid::{Grid, Heightmap};

use crate::{Cancelled, Progress};
use block_heights::BlockHeights;
use plan::Plan;
use spectrum::Spectrum;
pub use weather::Weather;

/// Seconds per hour; a kilogram per square metre is a millimetre.
const HOUR: f64 = 3600.0;

/// The rain on a map, in millimetres per hour: the water that rising wind sheds over the terrain, carried
/// downwind, plus the background. It is never below 0. O(n · log n) in the samples including those beyond the
/// border, in double precision. Heights that are not finite count as the mean of the others.
///
/// Upwind of an open border the ground continues level, four times as far as the wind carries rain. Downwind
/// it passes gradually to the heights of the opposite border. So with the default times, 0.3 % of the rain
/// that falls beyond the map re-enters on the other side. With any other times it is at most 1.8 %. If this
/// needs more than two million samples and more than six times the map's samples, the theory is evaluated on
/// means of blocks, and rain is interpolated linearly between them. Waves with a length of two samples give
/// no rain.
///
/// The bits do not depend on the number of threads or on the machine.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn orographic_rain(
    map: &Heightmap,
    weather: &Weather,
    progress: &dyn Progress,
) -> Result<Heightmap, Cancelled> {
    if map.samples().is_empty() {
        return Ok(map.clone());
    }
    let (width, height) = map.domain().size;
    let plan = Plan::new((width, height), map.spacing() * weather.metres, weather);
    let (columns, rows) = (plan.columns, plan.rows);
    let mut waves = {
        let ground = BlockHeights::new(map, plan, progress)?;
        Spectrum::of_rows((columns.padded, rows.padded), |row, out| ground.row(row, out), progress)?
    };
    let wind = weather.wind();
    let [dk, dl] = [columns, rows].map(|side| TAU / (side.padded as f64 * plan.spacing));
    let scale = HOUR * weather.metres;
    waves.multiply(
        |(along, down)| weather.transfer(wind, (along * dk, down * dl)).map(|part| part * scale),
        progress,
    )?;
    let mut rain = vec![0.0f32; columns.samples * rows.samples];
    let number = |lifted: f64| {
        let rain = weather.background + lifted;
        if rain > 0.0 { rain.min(f64::from(f32::MAX)) as f32 } else { 0.0 }
    };
    waves.rows(columns.samples, &mut rain, number, progress)?;
    if plan.block > 1 {
        rain = spread(&rain, &plan, (width, height), progress)?;
    }
    Ok(map.with_grid(Grid::from_vec(width, height, rain)))
}

/// The maximum memory of [`orographic_rain`] on a number of threads, in bytes, without the map and its rain.
#[must_use]
pub fn orographic_rain_bytes(size: (usize, usize), spacing: f64, weather: &Weather, threads: usize) -> u64 {
    if size.0 == 0 || size.1 == 0 {
        return 0;
    }
    let plan = Plan::new(size, spacing * weather.metres, weather);
    // The means of blocks, and their rain.
    let blocks = 8 * (plan.columns.samples * plan.rows.samples) as u64;
    blocks + Spectrum::bytes((plan.columns.padded, plan.rows.padded), threads)
}

/// Interpolates the rain of blocks linearly between their centres.
fn spread(
    blocks: &[f32],
    plan: &Plan,
    (width, height): (usize, usize),
    progress: &dyn Progress,
) -> Result<Vec<f32>, Cancelled> {
    let (columns, rows) = (plan.columns.samples, plan.rows.samples);
    let block = plan.block as f64;
    // The block before a sample's position, the one after it, and the fraction of the way between them.
    let place = |at: usize, count: usize| {
        let place = ((at as f64 + 0.5) / block - 0.5).clamp(0.0, (count - 1) as f64);
        let before = place as usize;
        (before, (before + 1).min(count - 1), (place - before as f64) as f32)
    };
    let along: Vec<_> = (0..width).map(|column| place(column, columns)).collect();
    let mut out = vec![0.0f32; width * height];
    try_for_each(slices(&mut out, width), 1, |row, out| {
        if row % 16 == 0 {
            progress.report(0.95)?;
        }
        let (above, below, down) = place(row, rows);
        let [above, below] = [above, below].map(|row| &blocks[row * columns..][..columns]);
        for (out, &(left, right, part)) in out.iter_mut().zip(&along) {
            let [above, below] = [above, below].map(|row| row[left] + (row[right] - row[left]) * part);
            *out = above + (below - above) * down;
        }
        Ok(())
    })?;
    Ok(out)
}

/// Rain divided by its mean, which can serve as moisture: 1 where rain is average. 0 everywhere if there is
/// no rain.
#[must_use]
pub fn relative(rain: &Heightmap) -> Heightmap {
    let sum: f64 = rain.samples().iter().map(|&rain| f64::from(rain)).sum();
    let mean = sum / rain.samples().len().max(1) as f64;
    let share = |&rain: &f32| if mean > 0.0 { (f64::from(rain) / mean) as f32 } else { 0.0 };
    rain.with_grid(rain.grid().map(share))
}

#[cfg(test)]
mod tests;
