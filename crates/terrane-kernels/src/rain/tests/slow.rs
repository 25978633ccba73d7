//! A direct implementation of the theory: each wave separately, with complex division.

use super::*;

#[derive(Clone, Copy, Debug)]
pub struct Complex(pub f64, pub f64);

impl std::ops::Mul for Complex {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self(self.0 * o.0 - self.1 * o.1, self.0 * o.1 + self.1 * o.0)
    }
}

impl std::ops::Div for Complex {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let square = o.0 * o.0 + o.1 * o.1;
        Self((self.0 * o.0 + self.1 * o.1) / square, (self.1 * o.0 - self.0 * o.1) / square)
    }
}

/// Equation 49 with the root of m² from equations 12 and 13, in the paper's order.
pub fn transfer(weather: &Weather, (u, v): (f64, f64), (k, l): (f64, f64)) -> Complex {
    let sigma = u * k + v * l;
    if sigma == 0.0 {
        return Complex(0.0, 0.0);
    }
    let squared = (weather.stability * weather.stability - sigma * sigma) / (sigma * sigma) * (k * k + l * l);
    let m = if squared > 0.0 {
        Complex(squared.sqrt() * sigma.signum(), 0.0)
    } else {
        Complex(0.0, (-squared).sqrt())
    };
    let i = Complex(0.0, 1.0);
    let one_less_imh = {
        let imh = i * m * Complex(weather.vapour_height, 0.0);
        Complex(1.0 - imh.0, -imh.1)
    };
    let delay = |time: f64| Complex(1.0, sigma * time);
    Complex(0.0, weather.sensitivity * sigma)
        / (one_less_imh * delay(weather.conversion) * delay(weather.fallout))
}

/// Rain minus the background on a torus, in millimetres per hour: a sum over all waves, each computed as a
/// sum over all samples.
pub fn lifted(map: &Heightmap, weather: &Weather) -> Vec<f64> {
    let (w, h) = map.domain().size;
    let wind = weather.wind();
    let number = |wave: usize, count: usize| {
        if 2 * wave > count { wave as f64 - count as f64 } else { wave as f64 }
    };
    let angle = |wave: usize, at: usize, count: usize| TAU * ((wave * at) % count) as f64 / count as f64;
    let mut out = vec![0.0; w * h];
    for (i, j) in (0..w).flat_map(|i| (0..h).map(move |j| (i, j))) {
        if 2 * i == w || 2 * j == h {
            continue;
        }
        let mut wave = Complex(0.0, 0.0);
        for (x, y) in (0..w).flat_map(|x| (0..h).map(move |y| (x, y))) {
            let turn = angle(i, x, w) + angle(j, y, h);
            let height = f64::from(map[(x, y)]) / (w * h) as f64;
            wave = Complex(wave.0 + height * libm::cos(turn), wave.1 - height * libm::sin(turn));
        }
        let steps = map.spacing() * weather.metres;
        let waves = (TAU * number(i, w) / (w as f64 * steps), TAU * number(j, h) / (h as f64 * steps));
        let rain = wave * transfer(weather, wind, waves) * Complex(3600.0 * weather.metres, 0.0);
        for (x, y) in (0..w).flat_map(|x| (0..h).map(move |y| (x, y))) {
            let turn = angle(i, x, w) + angle(j, y, h);
            out[y * w + x] += rain.0 * libm::cos(turn) - rain.1 * libm::sin(turn);
        }
    }
    out
}
