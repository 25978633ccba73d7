//! The weather that makes rain, and its response to a wave of the terrain.

use crate::Boundary;

/// The weather over a map; symbols in brackets are the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weather {
    /// Direction that the wind comes from, in degrees clockwise from north, which is row 0.
    pub from: f64,
    /// Wind speed (U), in metres per second.
    pub speed: f64,
    /// Water that moist air sheds by rising (C_w), in kilograms per cubic metre.
    pub sensitivity: f64,
    /// Scale height of water vapour, over which it falls to 1/e (H_w), in metres.
    pub vapour_height: f64,
    /// Frequency of vertical oscillations of moist air (N_m), in 1/s.
    pub stability: f64,
    /// Time in which cloud water becomes rain or snow (τ_c), in seconds.
    pub conversion: f64,
    /// Time in which the rain or snow falls to the ground (τ_f), in seconds.
    pub fallout: f64,
    /// Rain without any mountain (P_∞), in millimetres per hour.
    pub background: f64,
    /// Metres per world unit.
    pub metres: f64,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

impl Default for Weather {
    /// Wind from the west, for maps in metres.
    fn default() -> Self {
        Self {
            from: 270.0,
            speed: 15.0,
            sensitivity: 0.0083,
            vapour_height: 2500.0,
            stability: 0.005,
            conversion: 1000.0,
            fallout: 1000.0,
            background: 1.0,
            metres: 1.0,
            boundary: Boundary::Open,
        }
    }
}

impl Weather {
    /// The wind's velocity in metres per second along columns and rows; exact along both axes.
    pub fn wind(&self) -> (f64, f64) {
        let turn = self.from.rem_euclid(360.0);
        let quarter = (turn / 90.0).floor();
        let rest = (turn - 90.0 * quarter).to_radians();
        let (sin, cos) = (libm::sin(rest), libm::cos(rest));
        let (sin, cos) = match quarter as usize % 4 {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        };
        (-self.speed * sin, self.speed * cos)
    }

    /// How far the wind carries cloud water and rain along columns and rows, in metres.
    pub fn carried(&self) -> (f64, f64) {
        let (u, v) = self.wind();
        let time = self.conversion + self.fallout;
        ((u * time).abs(), (v * time).abs())
    }

    /// The rain of a terrain wave that is exp(i(kx + ly)) metres high, for a wind (u, v), in kilograms per
    /// square metre and second. It is i·C_w·σ / ((1 − i·m·H_w)·(1 + i·σ·τ_c)·(1 + i·σ·τ_f)), with σ = u·k +
    /// v·l and m² = (N_m² − σ²)/σ²·(k² + l²) (Smith & Barstad 2004, equation 49).
    ///
    /// m has the sign of σ where waves propagate upwards, and is positive imaginary where they decay with
    /// height.
    pub fn transfer(&self, (u, v): (f64, f64), (k, l): (f64, f64)) -> [f64; 2] {
        let sigma = u * k + v * l;
        if sigma == 0.0 {
            return [0.0; 2];
        }
        let (square, length) = (self.stability * self.stability - sigma * sigma, (k * k + l * l).sqrt());
        let tilt = square.abs().sqrt() * length / sigma * self.vapour_height;
        let mut rain = [0.0, self.sensitivity * sigma];
        if square > 0.0 {
            rain = over(rain, -tilt);
        } else {
            rain[1] /= 1.0 + tilt.abs();
        }
        over(over(rain, sigma * self.conversion), sigma * self.fallout)
    }
}

/// A complex number divided by 1 + ib.
fn over([re, im]: [f64; 2], b: f64) -> [f64; 2] {
    // (re + i·im)·(1 − ib) / (1 + b²); for large b both are divided by b, so that nothing overflows.
    if b.abs() <= 1.0 {
        let square = 1.0 + b * b;
        [(re + im * b) / square, (im - re * b) / square]
    } else {
        let r = 1.0 / b;
        let square = r * (1.0 / (1.0 + r * r));
        [(re * r + im) * square, (im * r - re) * square]
    }
}
