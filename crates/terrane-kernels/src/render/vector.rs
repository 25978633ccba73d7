//! Vectors and light of three components.

/// A position or a direction: east, south, up.
pub type Vector = [f64; 3];

/// Light: red, green, blue, linear.
pub type Light = [f32; 3];

#[inline]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a + t · b`.
#[inline]
pub fn along(a: Vector, b: Vector, t: f64) -> Vector {
    [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]]
}

/// Scales a vector to length 1; a vector of length 0 becomes straight up.
#[inline]
pub fn unit(a: Vector) -> Vector {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|c| c / length) } else { [0.0, 0.0, 1.0] }
}

/// Interpolates from `a` to `b`.
#[inline]
pub fn mix(a: Light, b: Light, t: f32) -> Light {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * t)
}

/// 0 up to `low`, 1 from `high`, and a smooth rise between them.
#[inline]
pub fn smooth(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// `x` to the power 2ⁿ.
#[inline]
pub fn power_of_two(x: f64, n: u32) -> f64 {
    (0..n).fold(x, |x, _| x * x)
}
