//! Rain compared with the theory, and invariants for any terrain.

use super::*;

#[test]
fn rain_equals_the_sum_of_all_waves() {
    let weathers = [
        paper(),
        Weather { from: 37.0, speed: 5.0, stability: 0.01, ..paper() },
        Weather { from: 180.0, conversion: 0.0, fallout: 300.0, stability: 0.0, ..paper() },
        Weather { from: -110.0, vapour_height: 0.0, metres: 0.5, ..paper() },
    ];
    for size in [(17, 13), (16, 24), (1, 20), (20, 1), (2, 3), (1, 1)] {
        for (at, weather) in weathers.iter().enumerate() {
            let map = hills(size, 700.0, at as u64);
            let slow = slow::lifted(&map, weather);
            let fast = lifted(&map, weather);
            // The background is a thousand, and a float holds seven digits.
            assert!(worst(&fast, &slow) < 7e-5, "{size:?} {weather:?}: {}", worst(&fast, &slow));
        }
    }
}

/// The transfer function itself, over all wavelengths, to double precision.
#[test]
fn the_transfer_function_is_the_papers() {
    let mut seen = [false; 2];
    for from in [0.0, 45.0, 270.0, 301.0] {
        for stability in [0.0, 0.001, 0.02] {
            let weather = Weather { from, stability, ..paper() };
            for power in -12..0 {
                let k = libm::pow(4.0, f64::from(power));
                for wave in [(k, 0.0), (0.0, k), (k, -k), (-k, 0.3 * k), (-0.7 * k, -k)] {
                    let found = weather.transfer(weather.wind(), wave);
                    let expected = slow::transfer(&weather, weather.wind(), wave);
                    let size = (expected.0 * expected.0 + expected.1 * expected.1).sqrt();
                    let apart = [found[0] - expected.0, found[1] - expected.1];
                    assert!(greatest(&apart) <= 1e-13 * size, "{from} {stability} {wave:?}");
                    let sigma = weather.wind().0 * wave.0 + weather.wind().1 * wave.1;
                    seen[usize::from(sigma.abs() < stability)] = true;
                    // The opposite wave has the conjugate, since rain is real.
                    let opposite = weather.transfer(weather.wind(), (-wave.0, -wave.1));
                    assert_eq!([opposite[0], -opposite[1]], found);
                }
            }
        }
    }
    assert_eq!(seen, [true; 2]);
}

#[test]
fn without_delay_in_shallow_air_rain_is_the_slope_along_the_wind() {
    // Along columns: C_w·U·dh/dx, clamped at 0, with the Gaussian's analytic slope.
    let plain = Weather { conversion: 0.0, fallout: 0.0, vapour_height: 0.0, ..paper() };
    for boundary in [Boundary::Wrap, Boundary::Open] {
        let map = gauss((400, 9), 1000.0, (15_000.0, f64::INFINITY));
        let out = rain(&map, &Weather { boundary, ..plain });
        for x in 0..400 {
            let far = (x as f64 - 200.0) * 1000.0;
            let slope =
                -far / (15_000.0 * 15_000.0) * 500.0 * libm::exp(-0.5 * far * far / 15_000.0 / 15_000.0);
            let expected = (3600.0 * 0.0083 * 15.0 * slope).max(0.0);
            let found = f64::from(out[(x, 4)]);
            // Rain of at most 9 mm/h.
            assert!((found - expected).abs() < 2e-5, "{boundary:?} {x}: {found} {expected}");
        }
    }
}

/// Where waves do not tilt and the hill is much wider than the drift, rain is the slope along the wind,
/// delayed by both delays.
#[test]
fn on_a_wide_ridge_rain_is_the_slope_some_way_upstream() {
    let weather = Weather { vapour_height: 0.0, conversion: 600.0, fallout: 400.0, ..paper() };
    let map = gauss((1200, 3), 1000.0, (60_000.0, f64::INFINITY));
    let out = lifted(&map, &weather);
    for x in 0..1200 {
        // A first-order delay, U·(τ_c + τ_f) = 15 km; the second order is 60 times less.
        let far = (x as f64 - 600.0) * 1000.0 - 15_000.0;
        let slope = -far / 60_000.0 / 60_000.0 * 500.0 * libm::exp(-0.5 * far * far / 60_000.0 / 60_000.0);
        let expected = 3600.0 * 0.0083 * 15.0 * slope;
        assert!((out[1200 + x] - expected).abs() < 0.05 * 2.3, "{x}: {} {expected}", out[1200 + x]);
    }
}

#[test]
fn flat_ground_and_still_air_have_background_rain() {
    for boundary in [Boundary::Open, Boundary::Wrap] {
        for size in [(64, 48), (1, 9), (9, 1), (1, 1), (31, 5)] {
            let weather = Weather { background: 2.5, boundary, ..paper() };
            let level = rain(&Heightmap::constant(Domain::new(size.0, size.1), 1234.5), &weather);
            assert!(level.samples().iter().all(|rain| (rain - 2.5).abs() < 1e-6), "{size:?}");
            let still = rain(&hills(size, 90.0, 2), &Weather { speed: 0.0, ..weather });
            assert!(still.samples().iter().all(|&rain| rain == 2.5), "{size:?}");
        }
    }
}

#[test]
fn the_windward_side_has_more_rain_than_the_lee() {
    for (from, windward, lee) in [
        (270.0, (60, 75), (105, 75)),
        (90.0, (90, 75), (45, 75)),
        (0.0, (75, 60), (75, 105)),
        (180.0, (75, 90), (75, 45)),
    ] {
        for boundary in [Boundary::Open, Boundary::Wrap] {
            let map = gauss((151, 151), 1000.0, (15_000.0, 15_000.0));
            let out = rain(&map, &Weather { from, boundary, background: 0.5, ..paper() });
            assert!(out[windward] > 1.5, "{from}: {}", out[windward]);
            assert_eq!(out[lee], 0.0, "{from}");
        }
    }
}

/// Columns become rows: the same sums in another order.
#[test]
fn rotated_ground_in_rotated_wind_has_rotated_rain() {
    let map = hills((40, 27), 800.0, 7);
    // To the right: the first column becomes the first row, and rows run from right to left.
    let turned = Heightmap::from_fn(Domain::new(27, 40).with_spacing(800.0), |x, y| map[(y, 26 - x)]);
    for boundary in [Boundary::Open, Boundary::Wrap] {
        for from in [0.0, 90.0, 200.0, 311.5] {
            let weather = Weather { boundary, from, background: 3.0, ..paper() };
            let straight = rain(&map, &weather);
            let out = rain(&turned, &Weather { from: from + 90.0, ..weather });
            for (x, y) in (0..27).flat_map(|x| (0..40).map(move |y| (x, y))) {
                let (a, b) = (out[(x, y)], straight[(y, 26 - x)]);
                assert!((a - b).abs() < 2e-6, "{boundary:?} {from} {x} {y}: {a} {b}");
            }
        }
    }
}

#[test]
fn added_rain_grows_with_height() {
    let map = hills((50, 41), 600.0, 4);
    let higher = map.with_grid(map.grid().map(|height| 4.0 * height + 300.0));
    for boundary in [Boundary::Open, Boundary::Wrap] {
        let weather = Weather { boundary, ..paper() };
        let (low, high) = (lifted(&map, &weather), lifted(&higher, &weather));
        let four: Vec<f64> = low.iter().map(|rain| 4.0 * rain).collect();
        assert!(greatest(&high) > 1.0);
        assert!(worst(&four, &high) < 4e-4, "{}", worst(&four, &high));
        // On a torus the total does not exceed that without hills: what rises comes down.
        if boundary == Boundary::Wrap {
            assert!((low.iter().sum::<f64>() / low.len() as f64).abs() < 1e-5);
        }
    }
}

/// A hill alone on a map, with the border at its foot, compared with the same map inside wide flat ground.
#[test]
fn rain_beyond_an_open_border_does_not_re_enter() {
    let narrow = gauss((121, 101), 1000.0, (15_000.0, 15_000.0));
    let domain = Domain::new(1521, 1301).with_spacing(1000.0);
    let wide = Heightmap::from_fn(domain, |x, y| {
        let (x, y) = (x as isize - 700, y as isize - 600);
        if (0..121).contains(&x) && (0..101).contains(&y) { narrow[(x as usize, y as usize)] } else { 0.0 }
    });
    for from in [270.0, 200.0, 45.0] {
        let weather = Weather { from, ..paper() };
        let alone = lifted(&narrow, &Weather { boundary: Boundary::Open, ..weather });
        let all = lifted(&wide, &weather);
        let most = greatest(&alone);
        let apart = (0..121)
            .flat_map(|x| (0..101).map(move |y| (x, y)))
            .map(|(x, y)| (alone[y * 121 + x] - all[(y + 600) * 1521 + x + 700]).abs());
        let apart = apart.fold(0.0, f64::max);
        println!("{from}: {apart} of {most}");
        assert!(apart < 0.01 * most, "{from}: {apart} of {most}");
        // On a torus of that size it does.
        let around = lifted(&narrow, &weather);
        assert!(worst(&alone, &around) > 0.05 * most);
    }
}

/// Samples so dense that blocks are used, compared with the same ground with samples farther apart.
#[test]
fn blocks_of_fine_samples_give_the_rain_of_coarse_ones() {
    let weather = Weather { boundary: Boundary::Open, from: 240.0, ..paper() };
    let (fine, coarse) =
        (gauss((600, 600), 20.0, (2000.0, 3000.0)), gauss((150, 150), 80.0, (2000.0, 3000.0)));
    assert!(Plan::new((600, 600), 20.0, &weather).block > 1);
    let (fine, coarse) = (lifted(&fine, &weather), lifted(&coarse, &weather));
    let most = greatest(&coarse);
    let apart = (0..150).flat_map(|x| (0..150).map(move |y| (x, y)));
    let apart = apart
        .fold(0.0f64, |worst, (x, y)| worst.max((fine[4 * y * 600 + 4 * x] - coarse[y * 150 + x]).abs()));
    println!("{apart} of {most}");
    assert!(apart < 0.02 * most, "{apart} of {most}");
}

#[test]
fn any_number_of_threads_and_any_level_gives_the_same_bits() {
    for (size, boundary) in
        [((97, 61), Boundary::Wrap), ((97, 61), Boundary::Open), ((2, 300), Boundary::Open)]
    {
        let (map, weather) =
            (hills(size, 500.0, 3), Weather { from: 300.0, boundary, background: 1.0, ..paper() });
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| rain(&map, &weather))
        };
        let one = run(1);
        for threads in [2, 5] {
            assert_eq!(run(threads), one);
        }
        crate::simd::at_each_level(|level| assert_eq!(run(2), one, "{level:?}"));
    }
}

/// The bits of one map's rain. They change only together with the version of the node `Rain`.
#[test]
fn fixed_bits_of_rain() {
    let weather = Weather { from: 300.0, background: 1.0, boundary: Boundary::Open, ..paper() };
    crate::simd::at_each_level(|level| {
        let out = rain(&hills((60, 44), 500.0, 3), &weather);
        let bits = [0, 700, 1400, 2100, 2639].map(|at| out.samples()[at].to_bits());
        assert_eq!(bits, [1_067_401_770, 1_058_271_766, 1_075_798_011, 1_068_449_527, 0], "{level:?}");
    });
}

#[test]
fn heights_that_are_not_finite_count_as_the_mean() {
    let map = hills((30, 20), 500.0, 1);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut holes = map.clone();
        for at in [0, 17, 599] {
            holes.samples_mut()[at] = bad;
        }
        let mean = map.samples().iter().enumerate().filter(|(at, _)| ![0, 17, 599].contains(at));
        let mean = mean.map(|(_, &height)| f64::from(height)).sum::<f64>() / 597.0;
        let mut filled = holes.clone();
        filled
            .samples_mut()
            .iter_mut()
            .filter(|height| !height.is_finite())
            .for_each(|height| *height = mean as f32);
        assert_eq!(rain(&holes, &paper()), rain(&filled, &paper()));
        let none = Heightmap::constant(Domain::new(4, 5), bad);
        assert!(
            rain(&none, &Weather { background: 1.5, ..paper() }).samples().iter().all(|&rain| rain == 1.5)
        );
    }
    assert!(rain(&Heightmap::constant(Domain::new(0, 0), 0.0), &paper()).samples().is_empty());
}

#[test]
fn moisture_is_rain_over_its_mean() {
    let map = Heightmap::from_vec(Domain::new(2, 2), vec![0.0, 1.0, 2.0, 5.0]);
    assert_eq!(relative(&map).samples(), [0.0, 0.5, 1.0, 2.5]);
    assert_eq!(relative(&Heightmap::constant(Domain::new(2, 2), 0.0)).samples(), [0.0; 4]);
    assert!(relative(&Heightmap::constant(Domain::new(0, 0), 0.0)).samples().is_empty());
}

#[test]
fn a_cancelled_run_stops() {
    assert_eq!(orographic_rain(&hills((20, 20), 1.0, 1), &paper(), &Stop), Err(Cancelled));
    // Not only at the start: after any number of reports.
    for patience in 0..12 {
        let left = std::sync::atomic::AtomicUsize::new(patience);
        struct Patient<'a>(&'a std::sync::atomic::AtomicUsize);
        impl Progress for Patient<'_> {
            fn report(&self, _fraction: f64) -> Result<(), Cancelled> {
                let order = std::sync::atomic::Ordering::Relaxed;
                self.0
                    .fetch_update(order, order, |left| left.checked_sub(1))
                    .map(|_| ())
                    .map_err(|_| Cancelled)
            }

            fn check(&self) -> Result<(), Cancelled> {
                self.report(0.0)
            }
        }
        let weather = Weather { boundary: Boundary::Open, ..paper() };
        assert_eq!(orographic_rain(&hills((20, 20), 900.0, 1), &weather, &Patient(&left)), Err(Cancelled));
    }
}

/// However far rain is carried, the number of samples stays within its limit.
#[test]
fn memory_is_bounded() {
    for spacing in [1e-12, 0.1, 30.0, 1e6] {
        for (speed, fallout) in [(0.0, 0.0), (15.0, 1000.0), (1000.0, 1e6)] {
            for size in [(1, 1), (513, 513), (4096, 4096), (1 << 20, 3), (1, 1 << 24)] {
                let weather = Weather { speed, fallout, from: 225.0, boundary: Boundary::Open, ..paper() };
                let plan = Plan::new(size, spacing, &weather);
                let samples = size.0 as f64 * size.1 as f64;
                assert!(plan.samples() as f64 <= (6.0 * samples).max(2_097_152.0), "{size:?} {plan:?}");
                let bytes = orographic_rain_bytes(size, spacing, &weather, 2) as f64;
                // A strip is transformed as one line.
                let most = if size.0.min(size.1) == 1 { 400.0 } else { 130.0 };
                assert!(bytes <= most * samples.max(2_097_152.0), "{size:?} {plan:?} {bytes}");
            }
        }
    }
    // Without drift no detail is lost.
    let still = Weather { conversion: 0.0, fallout: 0.0, boundary: Boundary::Open, ..paper() };
    for size in [(513, 513), (4097, 4097), (5000, 300)] {
        assert_eq!(Plan::new(size, 1.0, &still).block, 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rain_is_neither_negative_nor_nan(
        map in crate::erosion::test_maps::adversarial(),
        wrap: bool,
        from in -400.0f64..800.0,
        speed in 0.0f64..200.0,
        height in 0.0f64..1e5,
        stability in 0.0f64..1.0,
        delay in 0.0f64..1e5,
        background in -5.0f64..5.0,
        metres in 1e-6f64..1e6,
    ) {
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let weather = Weather {
            from,
            speed,
            vapour_height: height,
            stability,
            conversion: delay,
            fallout: 0.5 * delay,
            background,
            metres,
            boundary,
            ..paper()
        };
        let out = rain(&map, &weather);
        prop_assert_eq!(out.domain(), map.domain());
        prop_assert!(out.samples().iter().all(|rain| rain.is_finite() && *rain >= 0.0));
    }
}
