//! Lines on pictures.

use terrane_grid::{Domain, Grid, Polyline};

/// Draws an antialiased line, `width` samples wide, on a picture of a part of the world. Parts outside the
/// picture are not drawn.
pub fn draw_line(picture: &mut Grid<[u8; 3]>, domain: &Domain, line: &Polyline, colour: [u8; 3], width: f32) {
    let pixel = |(x, y): (f64, f64)| {
        (((x - domain.origin.0) / domain.spacing) as f32, ((y - domain.origin.1) / domain.spacing) as f32)
    };
    for (a, b) in line.segments() {
        draw_segment(picture, pixel(a), pixel(b), colour, width);
    }
}

/// Draws a segment, `width` samples wide: mixes its colour into each sample nearby, by the share of the
/// sample that it covers.
fn draw_segment(picture: &mut Grid<[u8; 3]>, a: (f32, f32), b: (f32, f32), colour: [u8; 3], width: f32) {
    let (w, h) = picture.size();
    let reach = width / 2.0 + 1.0;
    let range = |a: f32, b: f32, count: usize| {
        let low = (a.min(b) - reach).max(0.0) as usize;
        low..((a.max(b) + reach).max(0.0) as usize + 1).min(count)
    };
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx * dx + dy * dy;
    let half = width / 2.0 + 0.5;
    let beside = 1.001 * half * half;
    for row in range(a.1, b.1, h) {
        for column in range(a.0, b.0, w) {
            let (px, py) = (column as f32 - a.0, row as f32 - a.1);
            let t = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
            let (ex, ey) = (px - t * dx, py - t * dy);
            let apart = ex * ex + ey * ey;
            // Most samples are clearly beside the line.
            if apart > beside {
                continue;
            }
            let cover = (half - apart.sqrt()).clamp(0.0, 1.0);
            let sample = &mut picture[(column, row)];
            for (channel, ink) in sample.iter_mut().zip(colour) {
                let (old, ink) = (f32::from(*channel), f32::from(ink));
                *channel = (old + (ink - old) * cover + 0.5) as u8;
            }
        }
    }
}
