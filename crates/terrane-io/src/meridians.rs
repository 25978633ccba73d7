//! Meridians from which longitudes are counted.

use terrane_grid::GeoReference;

use crate::{
    keys::{any_real_key, short_key},
    units::of_angle,
};

/// EPSG codes of prime meridians, with their degrees east of Greenwich.
const MERIDIANS: [(u16, f64); 15] = [
    (8901, 0.0),
    (8902, -9.131_906_111_111_11),
    (8903, 2.337_229_17),
    (8904, -74.080_916_666_666_7),
    (8905, -3.687_938_888_888_89),
    (8906, 12.452_333_333_333_3),
    (8907, 7.439_583_333_333_33),
    (8908, 106.807_719_444_444_4),
    (8909, -17.666_666_666_666_7),
    (8910, 4.367_975),
    (8911, 18.058_277_777_777_8),
    (8912, 23.716_337_5),
    (8913, 10.722_916_666_666_7),
    (8914, 2.337_208_333_333_33),
    (1026, 12.577_88),
];

/// Degrees east of Greenwich of the meridian that keys name; 0 if they name none.
pub(crate) fn prime_meridian(georef: &GeoReference) -> f64 {
    let code = short_key(georef, 2051).and_then(|code| MERIDIANS.iter().find(|(known, _)| *known == code));
    let own = || any_real_key(georef, 2061).map(|angle| angle * of_angle(georef));
    code.map(|(_, degrees)| *degrees).or_else(own).filter(|degrees| degrees.abs() <= 360.0).unwrap_or(0.0)
}

/// The EPSG code of a meridian so many degrees east of Greenwich, to a tenth of a metre.
pub(crate) fn code_of(degrees: f64) -> Option<u16> {
    MERIDIANS.iter().find(|(_, known)| (known - degrees).abs() < 1e-6).map(|(code, _)| *code)
}

/// The longitude by whole turns nearest to another one.
pub(crate) fn turned(longitude: f64, near: f64) -> f64 {
    if (longitude - near).abs() <= 180.0 {
        return longitude;
    }
    longitude - 360.0 * libm::round((longitude - near) / 360.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Keys;

    #[test]
    fn a_meridian_is_a_code_or_an_angle_in_the_unit_of_the_system() {
        let of = |make: &dyn Fn(&mut Keys)| {
            let (mut keys, mut georef) = (Keys::default(), GeoReference::default());
            make(&mut keys);
            keys.replace(&mut georef);
            prime_meridian(&georef)
        };
        assert_eq!(of(&|keys| keys.short(2051, 8903)), 2.337_229_17);
        assert_eq!(of(&|keys| keys.real(2061, -17.5)), -17.5);
        let grads = of(&|keys| {
            keys.short(2054, 9105);
            keys.real(2061, 2.596_921_3);
        });
        assert!((grads - 2.337_229_17).abs() < 1e-12);
        assert_eq!(of(&|_| {}), 0.0);
        assert_eq!((code_of(2.337_229_166_666_667), code_of(2.5)), (Some(8903), None));
    }
}
